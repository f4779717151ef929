//! Random data for a schema: a finite graph of objects.

use std::fmt;
use std::sync::Arc;

use super::reader::Reader;
use super::schema::{MUTATION, QUERY, Scalar, Schema, Ty};

pub(super) struct Data {
    /// The roots, in the places of their types, and then the others.
    pub(super) things: Vec<Arc<Thing>>,
    /// How many answers there are. They are numbered.
    pub(super) answers: usize,
}

/// An object of a type of the schema.
pub(super) struct Thing {
    pub(super) place: usize,
    /// The place of its type in the schema.
    pub(super) ty: usize,
    /// The answer of each field, in the order of the schema.
    pub(super) answers: Vec<Answer>,
}

/// What a field or an item of a list has for an answer.
pub(super) struct Answer {
    pub(super) number: usize,
    pub(super) what: What,
}

pub(super) enum What {
    Null,
    Fails(&'static str),
    Boolean(bool),
    Int(i32),
    /// The number of mutations up to now.
    Count,
    Float(f64),
    Text(String),
    /// The place of an object, and whether it is shared instead of borrowed.
    Thing(usize, bool),
    List(Vec<Answer>),
}

const MESSAGES: [&str; 3] = ["no luck", "", "\"quoted\" \\ \u{1} é"];
const TEXTS: [&str; 5] = [
    "x",
    "",
    "a \"quoted\" \\ line\nand \t\u{1}\u{7f}",
    "é𝄞\u{2028}",
    "</x>",
];

impl Data {
    pub(super) fn read(reader: &Reader<'_>, schema: &Schema) -> Self {
        let mut types = vec![QUERY, MUTATION];
        for ty in 2..schema.types.len() {
            types.extend((0..=reader.pick(2)).map(|_| ty));
        }
        let mut filler = Filler {
            reader,
            types: &types,
            answers: 0,
        };
        let things = (types.iter().enumerate())
            .map(|(place, &ty)| {
                let fields = schema.types[ty].fields.iter();
                let answers = fields.map(|field| filler.answer(&field.ty)).collect();
                Arc::new(Thing { place, ty, answers })
            })
            .collect();
        let answers = filler.answers;
        Self { things, answers }
    }
}

struct Filler<'a> {
    reader: &'a Reader<'a>,
    /// The types of the objects.
    types: &'a [usize],
    answers: usize,
}

impl Filler<'_> {
    fn answer(&mut self, ty: &Ty) -> Answer {
        self.answers += 1;
        let number = self.answers - 1;
        let (nullable, ty) = ty.nullable();
        // Most non-null fields keep their word.
        let choices = if nullable { 10 } else { 18 };
        let what = match choices - self.reader.pick(choices) {
            1 => What::Fails(self.reader.among(&MESSAGES)),
            2 => What::Null,
            // Of another type than the field.
            3 if matches!(ty, Ty::Scalar(_)) && self.reader.one_in(4) => What::Boolean(true),
            _ => self.some(ty),
        };
        Answer { number, what }
    }

    fn some(&mut self, ty: &Ty) -> What {
        let reader = self.reader;
        match ty {
            Ty::Scalar(Scalar::Int) => match reader.pick(6) {
                0 => What::Int(1),
                1 => What::Int(0),
                2 => What::Int(i32::MIN),
                3 => What::Int(i32::MAX),
                _ => What::Count,
            },
            Ty::Scalar(Scalar::Float) if reader.one_in(6) => What::Int(3),
            Ty::Scalar(Scalar::Float) => {
                What::Float(reader.among(&[1.5, 0.0, -2.25, 3.0, 1e21, 1e-7]))
            }
            Ty::Scalar(Scalar::String) => What::Text(reader.among(&TEXTS).to_owned()),
            Ty::Scalar(Scalar::Boolean) => What::Boolean(reader.pick(2) == 0),
            Ty::Scalar(Scalar::Id) => match reader.pick(3) {
                0 => What::Text("7".to_owned()),
                1 => What::Int(7),
                _ => What::Text(reader.among(&TEXTS).to_owned()),
            },
            Ty::Object(ty, _) => {
                let places = self.types.iter().enumerate();
                let of_type: Vec<_> = places.filter(|(_, it)| *it == ty).collect();
                let (place, _) = reader.among(&of_type);
                What::Thing(place, reader.pick(2) == 1)
            }
            Ty::List(item) => {
                let items = reader.among(&[1, 2, 0, 3, 2]);
                What::List((0..items).map(|_| self.answer(item)).collect())
            }
            Ty::NonNull(_) => unreachable!("non-null twice"),
        }
    }
}

/// The objects with their answers, each with its number.
impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for thing in &self.things {
            let Thing { place, ty, answers } = &**thing;
            writeln!(f, "thing {place} of type {ty}: {answers:?}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} ", self.number)?;
        match &self.what {
            What::Null => f.write_str("null"),
            What::Fails(message) => write!(f, "fails {message:?}"),
            What::Boolean(value) => write!(f, "{value}"),
            What::Int(value) => write!(f, "{value}"),
            What::Count => f.write_str("the count"),
            What::Float(value) => write!(f, "{value:?}"),
            What::Text(value) => write!(f, "{value:?}"),
            What::Thing(place, shared) => {
                let shared = if *shared { "shared " } else { "" };
                write!(f, "{shared}thing {place}")
            }
            What::List(items) => write!(f, "{items:?}"),
        }
    }
}

//! Random schemas, and values of their input types.

use std::fmt;

use serde_json::{Value, json};

use super::reader::Reader;

/// The places of the two root types among the types of a schema.
pub(super) const QUERY: usize = 0;
pub(super) const MUTATION: usize = 1;

pub(super) struct Schema {
    /// The query and the mutation type, and two to four others.
    pub(super) types: Vec<Type>,
}

pub(super) struct Type {
    pub(super) name: &'static str,
    /// None only if there are no mutations.
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) arguments: Vec<Argument>,
    pub(super) ty: Ty,
}

pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) ty: Ty,
    /// In the notation of GraphQL.
    pub(super) default: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    Scalar(Scalar),
    /// The place of a type in the schema, and its name.
    Object(usize, &'static str),
    List(Box<Ty>),
    NonNull(Box<Ty>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    String,
    Int,
    Float,
    Boolean,
    Id,
}

const SCALARS: [Scalar; 5] = [
    Scalar::String,
    Scalar::Int,
    Scalar::Float,
    Scalar::Boolean,
    Scalar::Id,
];

impl Schema {
    pub(super) fn read(reader: &Reader<'_>) -> Self {
        let names = ["Query", "Mutation", "A", "B", "C", "D"];
        let names = &names[..4 + reader.pick(3)];
        let mut types: Vec<_> = (names.iter())
            .map(|name| Type {
                name,
                fields: Vec::new(),
            })
            .collect();
        for (place, ty) in types.iter_mut().enumerate() {
            let fields = match place {
                MUTATION => reader.pick(4),
                _ => 2 + reader.pick(3),
            };
            let fields = &["a", "b", "c", "d"][..fields];
            ty.fields = (fields.iter())
                .map(|name| Field::read(reader, name, names, place <= MUTATION))
                .collect();
        }
        Self { types }
    }

    pub(super) fn has_mutations(&self) -> bool {
        !self.types[MUTATION].fields.is_empty()
    }
}

/// In the schema definition language.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ty in self.types.iter().filter(|ty| !ty.fields.is_empty()) {
            writeln!(f, "type {} {{", ty.name)?;
            for field in &ty.fields {
                write!(f, "  {}", field.name)?;
                for (place, argument) in field.arguments.iter().enumerate() {
                    let before = if place == 0 { "(" } else { ", " };
                    write!(f, "{before}{}: {}", argument.name, argument.ty)?;
                    if let Some(default) = &argument.default {
                        write!(f, " = {default}")?;
                    }
                }
                let after = if field.arguments.is_empty() { "" } else { ")" };
                writeln!(f, "{after}: {}", field.ty)?;
            }
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl Field {
    fn read(
        reader: &Reader<'_>,
        name: &'static str,
        types: &[&'static str],
        is_root: bool,
    ) -> Self {
        let arguments = match reader.pick(8) {
            6 => &["x"][..],
            7 => &["x", "y"],
            _ => &[],
        };
        // Objects are rare enough further down, where a query ends.
        let named = if reader.pick(if is_root { 4 } else { 2 }) == 0 {
            Ty::Scalar(reader.among(&SCALARS))
        } else {
            let place = 2 + reader.pick(types.len() - 2);
            Ty::Object(place, types[place])
        };
        Self {
            name,
            arguments: (arguments.iter())
                .map(|name| Argument::read(reader, name))
                .collect(),
            ty: named.wrapped(reader),
        }
    }
}

impl Argument {
    fn read(reader: &Reader<'_>, name: &'static str) -> Self {
        let ty = Ty::Scalar(reader.among(&SCALARS)).wrapped(reader);
        let default = reader.one_in(3).then(|| ty.literal(reader));
        Self { name, ty, default }
    }
}

impl Ty {
    /// Makes it a list, or a list of lists, and parts of it non-null.
    fn wrapped(self, reader: &Reader<'_>) -> Self {
        let mut ty = self;
        for _ in 0..reader.among(&[0, 0, 0, 0, 0, 1, 1, 1, 1, 2]) {
            ty = Self::List(Box::new(ty.maybe_non_null(reader)));
        }
        ty.maybe_non_null(reader)
    }

    fn maybe_non_null(self, reader: &Reader<'_>) -> Self {
        match reader.pick(2) {
            0 => self,
            _ => Self::NonNull(Box::new(self)),
        }
    }

    /// Whether it is nullable, and the type without that.
    pub(super) fn nullable(&self) -> (bool, &Self) {
        match self {
            Self::NonNull(ty) => (false, ty),
            ty => (true, ty),
        }
    }

    /// The object type that it is made of, if there is one.
    pub(super) fn object(&self) -> Option<usize> {
        match self {
            Self::Scalar(_) => None,
            Self::Object(place, _) => Some(*place),
            Self::List(ty) | Self::NonNull(ty) => ty.object(),
        }
    }

    /// The scalar that it is made of.
    fn scalar(&self) -> Scalar {
        match self {
            Self::Scalar(scalar) => *scalar,
            Self::List(ty) | Self::NonNull(ty) => ty.scalar(),
            Self::Object(..) => unreachable!("no input type"),
        }
    }

    /// A value in the notation of GraphQL.
    pub(super) fn literal(&self, reader: &Reader<'_>) -> String {
        self.literal_with(reader, &mut |_| None)
    }

    /// The same with variables: `variable` may give one for an item of a list, given its type.
    pub(super) fn literal_with(
        &self,
        reader: &Reader<'_>,
        variable: &mut impl FnMut(&Self) -> Option<String>,
    ) -> String {
        let (nullable, some) = self.nullable();
        if nullable && reader.one_in(6) {
            return "null".to_owned();
        }
        match some {
            // A value in the place of a list is a list of that value.
            Self::List(item) if reader.one_in(6) => item.scalar().literal(reader).to_owned(),
            _ => some.list_item(reader, variable),
        }
    }

    fn list_item(
        &self,
        reader: &Reader<'_>,
        variable: &mut impl FnMut(&Self) -> Option<String>,
    ) -> String {
        match self {
            Self::Scalar(scalar) => scalar.literal(reader).to_owned(),
            Self::List(item) => {
                let items = (0..reader.pick(3)).map(|_| {
                    let (nullable, some) = item.nullable();
                    match variable(item) {
                        Some(variable) => variable,
                        None if nullable && reader.one_in(6) => "null".to_owned(),
                        None => some.list_item(reader, variable),
                    }
                });
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
            Self::NonNull(_) | Self::Object(..) => unreachable!("no nullable input type"),
        }
    }

    /// A value of the type in JSON, for a variable, that is not null.
    pub(super) fn json(&self, reader: &Reader<'_>) -> Value {
        match self.nullable() {
            (_, Self::List(item)) if reader.one_in(6) => item.scalar().json(reader),
            _ => self.json_item(reader),
        }
    }

    fn json_item(&self, reader: &Reader<'_>) -> Value {
        match self {
            Self::Scalar(scalar) => scalar.json(reader),
            Self::List(item) => {
                let items = (0..reader.pick(3)).map(|_| match item.nullable() {
                    (true, _) if reader.one_in(6) => Value::Null,
                    _ => item.json_item(reader),
                });
                items.collect()
            }
            Self::NonNull(ty) => ty.json_item(reader),
            Self::Object(..) => unreachable!("no input type"),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(Scalar::Id) => f.write_str("ID"),
            Self::Scalar(scalar) => write!(f, "{scalar:?}"),
            Self::Object(_, name) => f.write_str(name),
            Self::List(ty) => write!(f, "[{ty}]"),
            Self::NonNull(ty) => write!(f, "{ty}!"),
        }
    }
}

impl Scalar {
    fn literal(self, reader: &Reader<'_>) -> &'static str {
        let literals = match self {
            Self::Int => ["1", "0", "-7", "2147483647"],
            Self::Float => ["1.5", "2", "-0.25", "1e3"],
            Self::String => [
                r#""x""#,
                r#""""#,
                r#""\"\u00e9\n""#,
                r#""""a "block" of text""""#,
            ],
            Self::Boolean => ["true", "false", "true", "false"],
            Self::Id => [r#""7""#, "7", r#""x""#, r#""""#],
        };
        reader.among(&literals)
    }

    fn json(self, reader: &Reader<'_>) -> Value {
        let choice = reader.pick(4);
        match self {
            Self::Int => json!([1, 0, -7, -2_147_483_648][choice]),
            Self::Float if choice == 1 => json!(2),
            Self::Float => json!([1.5, 2.0, -0.25, 1e3][choice]),
            Self::String => json!(["x", "", "\"é\n", "$x"][choice]),
            Self::Boolean => json!([true, false, true, false][choice]),
            Self::Id if choice == 1 => json!(7),
            Self::Id => json!(["7", "7", "x", ""][choice]),
        }
    }
}

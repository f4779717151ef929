//! Random queries over a schema. They are valid.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use graphql_example::executor::Request;
use serde_json::{Map, Value};

use super::reader::Reader;
use super::schema::{Argument, MUTATION, QUERY, Scalar, Schema, Ty};

/// A document, and which operation of it is executed with which variables.
pub(super) struct Query {
    pub(super) text: String,
    pub(super) operation: Option<String>,
    pub(super) variables: Map<String, Value>,
}

impl Query {
    pub(super) fn read(reader: &Reader<'_>, schema: &Schema) -> Self {
        let mut writer = Writer {
            reader,
            schema,
            calls: BTreeMap::new(),
            variables: Vec::new(),
            fragments: Vec::new(),
            used: BTreeSet::new(),
            selections: 0,
        };
        let operations = 1 + writer.reader.among(&[0, 0, 0, 1, 2]);
        let named = operations > 1 || writer.reader.one_in(3);
        let mut definitions: Vec<_> = (0..operations)
            .map(|number| writer.operation(named.then_some(number)))
            .collect();
        let chosen = writer.reader.pick(operations);
        let operation =
            (operations > 1 || named && writer.reader.one_in(2)).then(|| format!("O{chosen}"));
        for fragment in &writer.fragments {
            let place = writer.reader.pick(definitions.len() + 1);
            definitions.insert(place, fragment.text.clone());
        }
        let variables = writer.variables.into_iter();
        Self {
            text: definitions.join("\n"),
            operation,
            variables: variables
                .filter_map(|variable| Some((variable.name, variable.value?)))
                .collect(),
        }
    }
}

impl Query {
    pub(super) fn request(&self) -> Request {
        let request = Request::new(&self.text).variables(self.variables.clone());
        match &self.operation {
            Some(name) => request.operation(name),
            None => request,
        }
    }
}

struct Writer<'a> {
    reader: &'a Reader<'a>,
    schema: &'a Schema,
    /// What a response key of a type stands for. It is the same all over the document, so that
    /// fields can always be merged.
    calls: BTreeMap<(usize, &'static str), Call>,
    variables: Vec<Variable>,
    fragments: Vec<Fragment>,
    /// The places of the variables that are used in the definition that is being written.
    used: BTreeSet<usize>,
    selections: usize,
}

#[derive(Clone)]
struct Call {
    /// The place of a field in its type, or none for `__typename`.
    field: Option<usize>,
    arguments: Vec<String>,
    used: BTreeSet<usize>,
}

struct Variable {
    name: String,
    declared: String,
    value: Option<Value>,
    /// The type of where it may be used, and whether there is a default there.
    location: (Ty, bool),
}

struct Fragment {
    name: String,
    on: usize,
    text: String,
    used: BTreeSet<usize>,
}

const ALIASES: [&str; 6] = ["a", "b", "c", "d", "k", "m"];

impl Writer<'_> {
    fn operation(&mut self, number: Option<usize>) -> String {
        let mutates = self.schema.has_mutations() && self.reader.one_in(3);
        let on = if mutates { MUTATION } else { QUERY };
        self.used.clear();
        self.selections = 0;
        let selection = self.selection_set(on, 4, 0);
        let kind = if mutates { "mutation" } else { "query" };
        let variables: Vec<_> = (self.used.iter())
            .map(|&place| &*self.variables[place].declared)
            .collect();
        let name = number.map_or_else(String::new, |number| format!(" O{number}"));
        let variables = variables.join(", ");
        match () {
            () if !variables.is_empty() => format!("{kind}{name}({variables}) {selection}"),
            () if number.is_some() || mutates || self.reader.pick(2) == 0 => {
                format!("{kind}{name} {selection}")
            }
            () => selection,
        }
    }

    /// Selects something of a type, so many levels deep at most.
    fn selection_set(&mut self, on: usize, depth: usize, indent: usize) -> String {
        let mut text = "{".to_owned();
        let most = if self.selections > 40 { 1 } else { 5 };
        for _ in 0..=self.reader.pick(most) {
            self.selections += 1;
            text += match self.reader.pick(8) {
                5 => " ",
                6 => " , ",
                7 => " # é \"\n",
                _ => "\n",
            };
            if text.ends_with('\n') {
                text += &"  ".repeat(indent + 1);
            }
            text += &self.selection(on, depth, indent + 1);
        }
        text + " }"
    }

    fn selection(&mut self, on: usize, depth: usize, indent: usize) -> String {
        match self.reader.pick(14) {
            10 => self.field(on, None, depth, indent),
            11 if depth > 0 => {
                let condition = match self.reader.pick(2) {
                    0 => String::new(),
                    _ => format!(" on {}", self.schema.types[on].name),
                };
                let directives = self.directives();
                let selection = self.selection_set(on, depth - 1, indent);
                format!("...{condition}{directives} {selection}")
            }
            12 | 13 if depth > 0 => {
                let directives = self.directives();
                let name = self.fragment(on, depth - 1);
                format!("...{name}{directives}")
            }
            _ => {
                let fields = &self.schema.types[on].fields;
                let field = self.reader.pick(fields.len());
                self.field(on, Some(field), depth, indent)
            }
        }
    }

    fn field(&mut self, on: usize, field: Option<usize>, depth: usize, indent: usize) -> String {
        let fields = &self.schema.types[on].fields;
        let name_of = |field: Option<usize>| field.map_or("__typename", |field| fields[field].name);
        let key = match self.reader.pick(3) {
            2 => self.reader.among(&ALIASES),
            _ => name_of(field),
        };
        let call = if let Some(call) = self.calls.get(&(on, key)) {
            call.clone()
        } else {
            let call = self.call(on, field);
            self.calls.insert((on, key), call.clone());
            call
        };
        let object = call.field.and_then(|field| fields[field].ty.object());
        if object.is_some() && depth == 0 {
            return "__typename".to_owned();
        }
        self.used.extend(call.used);
        let name = name_of(call.field);
        let alias = if key == name && self.reader.pick(2) == 0 {
            String::new()
        } else {
            format!("{key}: ")
        };
        let directives = self.directives();
        let selection = object.map_or_else(String::new, |object| {
            format!(" {}", self.selection_set(object, depth - 1, indent))
        });
        let mut arguments = call.arguments;
        if self.reader.one_in(3) {
            arguments.reverse();
        }
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        format!("{alias}{name}{arguments}{directives}{selection}")
    }

    /// A new call of a field, with new arguments.
    fn call(&mut self, on: usize, field: Option<usize>) -> Call {
        let outside = mem::take(&mut self.used);
        let arguments: &[_] =
            field.map_or(&[], |field| &self.schema.types[on].fields[field].arguments);
        let arguments = (arguments.iter())
            .filter_map(|argument| self.argument(argument))
            .collect();
        Call {
            field,
            arguments,
            used: mem::replace(&mut self.used, outside),
        }
    }

    fn argument(&mut self, argument: &Argument) -> Option<String> {
        let has_default = argument.default.is_some();
        let (nullable, _) = argument.ty.nullable();
        if (nullable || has_default) && self.reader.one_in(4) {
            return None;
        }
        let value = match self.reader.pick(2) {
            0 => self.literal(&argument.ty),
            _ => self.variable(&argument.ty, has_default),
        };
        Some(format!("{}: {value}", argument.name))
    }

    /// A literal with variables in it.
    fn literal(&mut self, ty: &Ty) -> String {
        let reader = self.reader;
        ty.literal_with(reader, &mut |item| {
            (reader.one_in(4)).then(|| self.variable(item, false))
        })
    }

    /// A variable for a place of a type, which may have a default.
    fn variable(&mut self, ty: &Ty, has_default: bool) -> String {
        let location = (ty.clone(), has_default);
        let known = (self.variables.iter()).position(|variable| variable.location == location);
        let place = match known {
            Some(place) if self.reader.pick(2) == 0 => place,
            _ => {
                let variable = self.new_variable(location);
                self.variables.push(variable);
                self.variables.len() - 1
            }
        };
        self.used.insert(place);
        format!("${}", self.variables[place].name)
    }

    fn new_variable(&mut self, location: (Ty, bool)) -> Variable {
        let reader = self.reader;
        let (ty, has_default) = &location;
        let (null_allowed, some) = ty.nullable();
        let name = format!("v{}", self.variables.len());
        // A variable of a nullable type may stand for a non-null value if one of the two has a
        // default. Then it must not be null, but may be absent.
        let nullable = reader.pick(3) < 2;
        let declared_ty = if nullable {
            some.clone()
        } else {
            Ty::NonNull(Box::new(some.clone()))
        };
        let needs_default = nullable && !null_allowed && !has_default;
        let default = if needs_default || reader.one_in(3) {
            // A default that is null would not count.
            let of = if null_allowed {
                &declared_ty
            } else {
                &Ty::NonNull(Box::new(some.clone()))
            };
            Some(of.literal(reader))
        } else {
            None
        };
        let value = match reader.pick(4) {
            2 if nullable && null_allowed => Some(Value::Null),
            3 if nullable || default.is_some() => None,
            _ => Some(some.json(reader)),
        };
        let default = default.map_or_else(String::new, |default| format!(" = {default}"));
        Variable {
            declared: format!("${name}: {declared_ty}{default}"),
            name,
            value,
            location,
        }
    }

    /// The name of a new or a known fragment on a type.
    fn fragment(&mut self, on: usize, depth: usize) -> String {
        let on_type: Vec<_> = (self.fragments.iter().enumerate())
            .filter(|(_, fragment)| fragment.on == on)
            .map(|(place, _)| place)
            .collect();
        let known = !on_type.is_empty() && (self.fragments.len() > 3 || self.reader.pick(2) == 0);
        let place = if known {
            self.reader.among(&on_type)
        } else {
            // It is known when it is complete, so that there are no cycles.
            let outside = mem::take(&mut self.used);
            let selection = self.selection_set(on, depth, 0);
            let name = format!("F{}", self.fragments.len());
            self.fragments.push(Fragment {
                text: format!(
                    "fragment {name} on {} {selection}",
                    self.schema.types[on].name
                ),
                name,
                on,
                used: mem::replace(&mut self.used, outside),
            });
            self.fragments.len() - 1
        };
        let fragment = &self.fragments[place];
        self.used.extend(&fragment.used);
        fragment.name.clone()
    }

    fn directives(&mut self) -> String {
        let directives: &[_] = match self.reader.pick(10) {
            7 => &["include"],
            8 => &["skip"],
            9 => &["skip", "include"],
            _ => &[],
        };
        let boolean = Ty::NonNull(Box::new(Ty::Scalar(Scalar::Boolean)));
        let directives = directives.iter().map(|directive| {
            let condition = match self.reader.pick(4) {
                0 => "true".to_owned(),
                1 => "false".to_owned(),
                _ => self.variable(&boolean, false),
            };
            format!(" @{directive}(if: {condition})")
        });
        directives.collect()
    }
}

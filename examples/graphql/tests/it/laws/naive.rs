//! A naive evaluator, straight from the specification of GraphQL: what the response has to be.
//!
//! The specification leaves one thing open. Where several non-null fields of a region fail, the
//! region becomes null, and one of their errors is reported. With the executor that is the first to
//! fail: if one fails at once, that one, before anything else of the region is looked at; otherwise
//! one of those that fail later. So an error is given as a set of which one is to be reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use async_graphql_parser::types::{
    BaseType, DocumentOperations, ExecutableDocument, Field, FieldDefinition, OperationType,
    Selection, SelectionSet, Type, TypeKind, TypeSystemDefinition,
};
use async_graphql_parser::{Positioned, parse_query, parse_schema};
use async_graphql_value::{ConstValue, Value as Literal};
use serde_json::{Value, json};

use super::case::{Case, Timing};
use super::data::{Answer, Data, What};
use super::schema;
use super::world::{Call, written};

/// What is to be expected of the execution of a case.
pub(super) struct Expected {
    pub(super) data: String,
    /// For each error those of which it has to be one.
    pub(super) errors: Vec<AnyOf>,
    /// Whether the response is ready at once.
    pub(super) ready: bool,
    /// The paths of the fields that it waits for first, if it is not ready.
    pub(super) pending: Vec<String>,
    /// The resolvers that are called, in the order in which a program that never waits calls them.
    pub(super) calls: Vec<Call>,
    /// Whether a failure may come before all these calls are made.
    pub(super) cuts: bool,
    /// How often a failure made something around it null.
    pub(super) spreads: usize,
}

/// Errors as JSON, of which one is to be reported.
pub(super) type AnyOf = Vec<String>;

impl Expected {
    pub(super) fn has_choice(&self) -> bool {
        self.errors.iter().any(|any_of| any_of.len() > 1)
    }

    /// The response, if there is no choice.
    pub(super) fn json(&self) -> String {
        let mut text = format!("{{\"data\":{}", self.data);
        if !self.errors.is_empty() {
            let errors: Vec<_> = (self.errors.iter())
                .map(|any_of| any_of.join(" or "))
                .collect();
            write!(text, ",\"errors\":[{}]", errors.join(",")).expect("a string has room");
        }
        text + "}"
    }
}

/// What became of a field, an item, a selection or the like.
struct Outcome {
    /// It is there without waiting.
    ready: bool,
    /// The JSON text and the errors in it, in the order of the response. Or the errors of which
    /// one makes null of what is around it.
    result: Result<(String, Vec<AnyOf>), AnyOf>,
    /// The paths of what it waits for first.
    pending: Vec<String>,
}

impl Outcome {
    fn ready(text: String) -> Self {
        Self {
            ready: true,
            result: Ok((text, Vec::new())),
            pending: Vec::new(),
        }
    }

    fn failed(error: String) -> Self {
        Self {
            ready: true,
            result: Err(vec![error]),
            pending: Vec::new(),
        }
    }
}

pub(super) fn expected(case: &Case, timings: &[Timing]) -> Expected {
    let schema = parse_schema(case.schema.to_string()).expect("a valid schema");
    let document = parse_query(&case.query.text).expect("a valid query");
    let types = schema.definitions.iter().filter_map(|definition| {
        let TypeSystemDefinition::Type(ty) = definition else {
            return None;
        };
        let TypeKind::Object(object) = &ty.node.kind else {
            return None;
        };
        let fields = object.fields.iter().map(|field| &field.node).collect();
        Some((ty.node.name.node.as_str(), fields))
    });
    let operation = match (&document.operations, &case.query.operation) {
        (DocumentOperations::Single(operation), None) => operation,
        (DocumentOperations::Multiple(operations), Some(name)) => &operations[name.as_str()],
        (DocumentOperations::Multiple(operations), None) => {
            operations.values().next().expect("an operation")
        }
        (DocumentOperations::Single(_), Some(_)) => unreachable!("it has no name"),
    };

    let mut variables = BTreeMap::new();
    for definition in &operation.node.variable_definitions {
        let definition = &definition.node;
        let name = definition.name.node.as_str();
        let value = match (case.query.variables.get(name), &definition.default_value) {
            (Some(value), _) => coerce(&definition.var_type.node, value.clone()),
            (None, Some(default)) => coerce(&definition.var_type.node, constant(&default.node)),
            (None, None) => continue,
        };
        variables.insert(name, value);
    }

    let mut naive = Naive {
        types: types.collect(),
        document: &document,
        variables,
        data: &case.data,
        timings,
        count: 0,
        calls: Vec::new(),
        cuts: false,
        spreads: 0,
    };
    let selection = &[&operation.node.selection_set.node];
    let (root, thing) = match operation.node.ty {
        OperationType::Query => ("Query", schema::QUERY),
        OperationType::Mutation => ("Mutation", schema::MUTATION),
        OperationType::Subscription => unreachable!("none is generated"),
    };
    let outcome = naive.selection(root, thing, selection, &Vec::new());
    let outcome = naive.stop_at(true, outcome);
    let (data, errors) = outcome
        .result
        .unwrap_or_else(|_| unreachable!("data may be null"));
    Expected {
        data,
        errors,
        ready: outcome.ready,
        pending: outcome.pending,
        calls: naive.calls,
        cuts: naive.cuts,
        spreads: naive.spreads,
    }
}

struct Naive<'a> {
    types: BTreeMap<&'a str, Vec<&'a FieldDefinition>>,
    document: &'a ExecutableDocument,
    /// Coerced; absent if it has no value.
    variables: BTreeMap<&'a str, Value>,
    data: &'a Data,
    timings: &'a [Timing],
    /// The number of mutations up to now.
    count: i32,
    calls: Vec<Call>,
    cuts: bool,
    spreads: usize,
}

/// Response keys and places in lists.
type Path = Vec<Value>;

/// The fields of one response key.
type Fields<'a> = Vec<&'a Positioned<Field>>;

/// Execution.
impl<'a> Naive<'a> {
    /// `ExecuteSelectionSet` of the specification, on the merged selections of an object.
    fn selection(
        &mut self,
        ty: &'a str,
        thing: usize,
        sets: &[&'a SelectionSet],
        path: &Path,
    ) -> Outcome {
        let mut grouped = Vec::new();
        let mut visited = BTreeSet::new();
        for set in sets {
            self.collect(set, &mut visited, &mut grouped);
        }
        let mut gathered = Gathered::default();
        let mut members = Vec::new();
        for (key, fields) in grouped {
            let mut path = path.clone();
            path.push(json!(key));
            let outcome = self.field(ty, thing, &fields, &path);
            let Some(text) = gathered.add(outcome, ty == "Mutation") else {
                if gathered.stopped {
                    break;
                }
                continue;
            };
            members.push(format!("{}:{text}", json!(key)));
        }
        self.cuts |= gathered.cuts;
        gathered.outcome(format!("{{{}}}", members.join(",")))
    }

    /// `CollectFields`. All types are object types, so that each fragment applies.
    fn collect(
        &self,
        set: &'a SelectionSet,
        visited: &mut BTreeSet<&'a str>,
        grouped: &mut Vec<(&'a str, Fields<'a>)>,
    ) {
        for selection in &set.items {
            let holds = |name: &str| {
                let directives = selection.node.directives().iter();
                let directive = directives
                    .map(|it| &it.node)
                    .find(|it| it.name.node == name)?;
                let condition = directive.get_argument("if").expect("a condition");
                Some(self.input(&condition.node) == Some(Value::Bool(true)))
            };
            if holds("skip") == Some(true) || holds("include") == Some(false) {
                continue;
            }
            match &selection.node {
                Selection::Field(field) => {
                    let key = field.node.response_key().node.as_str();
                    match grouped.iter_mut().find(|(it, _)| *it == key) {
                        Some((_, fields)) => fields.push(field),
                        None => grouped.push((key, vec![field])),
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let name = spread.node.fragment_name.node.as_str();
                    if visited.insert(name) {
                        let fragment = &self.document.fragments[name].node;
                        self.collect(&fragment.selection_set.node, visited, grouped);
                    }
                }
                Selection::InlineFragment(fragment) => {
                    self.collect(&fragment.node.selection_set.node, visited, grouped);
                }
            }
        }
    }

    /// `ExecuteField`.
    fn field(&mut self, ty: &'a str, thing: usize, fields: &Fields<'a>, path: &Path) -> Outcome {
        let field = &fields[0].node;
        let name = field.name.node.as_str();
        if name == "__typename" {
            return Outcome::ready(json!(ty).to_string());
        }
        let place = (self.types[ty].iter())
            .position(|definition| definition.name.node == name)
            .expect("a known field");
        let definition = self.types[ty][place];
        let mut arguments = String::new();
        for argument in &definition.arguments {
            let argument = &argument.node;
            let given = field.get_argument(&argument.name.node);
            let value = given.and_then(|given| self.input(&given.node));
            let default = || {
                argument
                    .default_value
                    .as_ref()
                    .map(|value| constant(&value.node))
            };
            let value = value.or_else(default).unwrap_or(Value::Null);
            let value = coerce(&argument.ty.node, value);
            arguments += &written(&argument.name.node, &value);
        }
        let mutates = ty == "Mutation";
        self.calls.push(Call {
            thing,
            field: place,
            arguments: arguments.clone(),
        });
        self.count += i32::from(mutates);
        let answer = &self.data.things[thing].answers[place];
        self.complete(&definition.ty.node, answer, &arguments, fields, path)
    }

    /// `CompleteValue`, together with what the answer itself does.
    fn complete(
        &mut self,
        ty: &'a Type,
        answer: &Answer,
        arguments: &str,
        fields: &Fields<'a>,
        path: &Path,
    ) -> Outcome {
        let outcome = match (&answer.what, &ty.base) {
            (What::Fails(message), _) => Outcome::failed(error(message, fields, path)),
            (What::Null, _) if ty.nullable => Outcome::ready("null".to_owned()),
            (What::Null, _) => Outcome::failed(error("a non-null field is null", fields, path)),
            (What::List(items), BaseType::List(item_ty)) => {
                let mut gathered = Gathered::default();
                let mut texts = Vec::new();
                for (place, item) in items.iter().enumerate() {
                    let mut path = path.clone();
                    path.push(json!(place));
                    let outcome = self.complete(item_ty, item, arguments, fields, &path);
                    texts.extend(gathered.add(outcome, false));
                    if gathered.stopped {
                        break;
                    }
                }
                self.cuts |= gathered.cuts;
                gathered.outcome(format!("[{}]", texts.join(",")))
            }
            (What::Thing(thing, _), BaseType::Named(ty)) => {
                let ty = self
                    .types
                    .get_key_value(ty.as_str())
                    .expect("a known type")
                    .0;
                let sets: Vec<_> = (fields.iter())
                    .map(|field| &field.node.selection_set.node)
                    .collect();
                self.selection(ty, *thing, &sets, path)
            }
            (What::Boolean(value), BaseType::Named(ty)) if ty != "Boolean" => {
                Outcome::failed(error(&format!("{value} is no `{ty}`"), fields, path))
            }
            (What::Boolean(value), _) => Outcome::ready(json!(value).to_string()),
            (What::Float(value), _) => Outcome::ready(json!(value).to_string()),
            (What::Count, _) => Outcome::ready(self.count.to_string()),
            (What::Int(value), BaseType::Named(ty)) if ty == "ID" => {
                Outcome::ready(json!(value.to_string()).to_string())
            }
            (What::Int(value), _) => Outcome::ready(value.to_string()),
            (What::Text(value), _) => {
                Outcome::ready(json!(format!("{value}{arguments}")).to_string())
            }
            (What::List(_) | What::Thing(..), _) => unreachable!("an answer of another type"),
        };
        let outcome = self.stop_at(ty.nullable, outcome);
        match self.timings[answer.number] {
            Timing::Ready => outcome,
            _ => Outcome {
                ready: false,
                pending: vec![dotted(path)],
                ..outcome
            },
        }
    }

    /// Where null is allowed, a failure stops there.
    fn stop_at(&mut self, nullable: bool, outcome: Outcome) -> Outcome {
        let result = match outcome.result {
            Err(any_of) if nullable => Ok(("null".to_owned(), vec![any_of])),
            Err(any_of) => {
                self.spreads += 1;
                Err(any_of)
            }
            result => result,
        };
        Outcome { result, ..outcome }
    }
}

/// The outcome of several fields or items.
struct Gathered {
    ready: bool,
    errors: Vec<AnyOf>,
    failed: AnyOf,
    pending: Vec<String>,
    /// Nothing that comes after it is executed.
    stopped: bool,
    cuts: bool,
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            ready: true,
            errors: Vec::new(),
            failed: Vec::new(),
            pending: Vec::new(),
            stopped: false,
            cuts: false,
        }
    }
}

impl Gathered {
    /// Returns the text, if it did not fail.
    fn add(&mut self, outcome: Outcome, serially: bool) -> Option<String> {
        if serially {
            // It is waited for each before the next one.
            if self.ready {
                self.pending = outcome.pending;
            }
            self.ready &= outcome.ready;
        } else if outcome.ready && outcome.result.is_err() {
            // Nobody waits for those before.
            self.cuts |= !self.ready;
            self.pending.clear();
            self.failed.clear();
            self.ready = true;
        } else {
            self.pending.extend(outcome.pending);
            self.ready &= outcome.ready;
            self.cuts |= outcome.result.is_err();
        }
        match outcome.result {
            Ok((text, errors)) => {
                self.errors.extend(errors);
                Some(text)
            }
            Err(any_of) => {
                self.failed.extend(any_of);
                self.stopped = serially || outcome.ready;
                None
            }
        }
    }

    fn outcome(self, text: String) -> Outcome {
        let result = if self.failed.is_empty() {
            Ok((text, self.errors))
        } else {
            Err(self.failed)
        };
        Outcome {
            ready: self.ready,
            result,
            pending: self.pending,
        }
    }
}

fn error(message: &str, fields: &Fields<'_>, path: &Path) -> String {
    let at = fields[0].pos;
    let (message, path) = (json!(message), json!(path));
    format!(
        r#"{{"message":{message},"locations":[{{"line":{},"column":{}}}],"path":{path}}}"#,
        at.line, at.column
    )
}

fn dotted(path: &Path) -> String {
    let segments = path.iter().map(|segment| match segment {
        Value::String(key) => key.clone(),
        place => place.to_string(),
    });
    segments.collect::<Vec<_>>().join(".")
}

/// Input.
impl Naive<'_> {
    /// A value with its variables replaced; none if it is a variable that has no value.
    fn input(&self, literal: &Literal) -> Option<Value> {
        match literal {
            Literal::Variable(name) => self.variables.get(name.as_str()).cloned(),
            Literal::List(items) => {
                let items = items
                    .iter()
                    .map(|item| self.input(item).unwrap_or(Value::Null));
                Some(items.collect())
            }
            literal => {
                let constant = literal
                    .clone()
                    .into_const()
                    .expect("no objects are generated");
                Some(self::constant(&constant))
            }
        }
    }
}

fn constant(value: &ConstValue) -> Value {
    value.clone().into_json().expect("plain values")
}

/// Input coercion, of values that can be coerced.
fn coerce(ty: &Type, value: Value) -> Value {
    match (&ty.base, value) {
        (_, Value::Null) => Value::Null,
        (BaseType::List(item), Value::Array(items)) => {
            items.into_iter().map(|value| coerce(item, value)).collect()
        }
        (BaseType::List(item), value) => json!([coerce(item, value)]),
        (BaseType::Named(name), Value::Number(number)) if name == "ID" => json!(number.to_string()),
        (BaseType::Named(_), value) => value,
    }
}

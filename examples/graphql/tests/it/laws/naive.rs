//! A naive evaluator, straight from the specification of GraphQL: what the response has to be.
//!
//! The specification leaves one thing open. Where several non-null fields of a region fail, the
//! region becomes null, and one of their errors is reported. With the executor that is the first to
//! fail: if one fails at once, that one, before anything else of the region is looked at; otherwise
//! the one that fails before the others do, or any of those that do so at the same time.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql_parser::types::{
    BaseType, DocumentOperations, ExecutableDocument, Field, FieldDefinition, OperationType,
    Selection, SelectionSet, Type, TypeKind, TypeSystemDefinition,
};
use async_graphql_parser::{Positioned, parse_query, parse_schema};
use async_graphql_value::{ConstValue, Value as Literal};
use serde_json::{Value, json};

use super::case::{Case, Timing};
use super::data::{Answer, Data, What};
use super::outcome::{Expected, Gathered, Log, Outcome};
use super::schema;
use super::world::{Call, written};

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
        log: Log::default(),
        spreads: 0,
    };
    let selection = &[&operation.node.selection_set.node];
    let (root, thing) = match operation.node.ty {
        OperationType::Query => ("Query", schema::QUERY),
        OperationType::Mutation => ("Mutation", schema::MUTATION),
        OperationType::Subscription => unreachable!("none is generated"),
    };
    let outcome = naive.selection(root, thing, selection, &Vec::new(), 0);
    let outcome = naive.stop_at(true, outcome);
    let (data, errors) = outcome
        .result
        .unwrap_or_else(|_| unreachable!("data may be null"));
    Expected {
        data,
        errors,
        ready: outcome.ready,
        at: outcome.at,
        pending: outcome.pending,
        log: naive.log,
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
    log: Log,
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
        at: u32,
    ) -> Outcome {
        let mut grouped = Vec::new();
        let mut visited = BTreeSet::new();
        for set in sets {
            self.collect(set, &mut visited, &mut grouped);
        }
        let mut gathered = Gathered::new(&self.log, at, ty == "Mutation");
        let mut members = Vec::new();
        for (key, fields) in grouped {
            let Some(at) = gathered.next(at) else {
                break;
            };
            let path = below(path, json!(key));
            let outcome = self.field(ty, thing, &fields, &path, at);
            let text = gathered.add(&mut self.log, outcome);
            members.extend(text.map(|text| format!("{}:{text}", json!(key))));
        }
        gathered.outcome(&mut self.log, format!("{{{}}}", members.join(",")))
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
    fn field(
        &mut self,
        ty: &'a str,
        thing: usize,
        fields: &Fields<'a>,
        path: &Path,
        at: u32,
    ) -> Outcome {
        let field = &fields[0].node;
        let name = field.name.node.as_str();
        if name == "__typename" {
            return Outcome::ready(json!(ty).to_string(), at);
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
        let call = Call {
            thing,
            field: place,
            arguments: arguments.clone(),
        };
        self.log.call(call, at);
        self.count += i32::from(mutates);
        let answer = &self.data.things[thing].answers[place];
        self.complete(&definition.ty.node, answer, &arguments, fields, path, at)
    }

    /// `CompleteValue`, once the answer is there.
    fn complete(
        &mut self,
        ty: &'a Type,
        answer: &Answer,
        arguments: &str,
        fields: &Fields<'a>,
        path: &Path,
        begun: u32,
    ) -> Outcome {
        let timing = self.timings[answer.number];
        let at = begun + timing.latency();
        if at > begun {
            self.log.waits.push(begun..at);
        }
        let failed = |message: &str| Outcome::failed(error(message, fields, path), at);
        let scalar = |value: Value| Outcome::ready(value.to_string(), at);
        let outcome = match (&answer.what, &ty.base) {
            (What::Fails(message), _) => failed(message),
            (What::Null, _) if ty.nullable => scalar(Value::Null),
            (What::Null, _) => failed("a non-null field is null"),
            (What::Boolean(value), BaseType::Named(ty)) if ty != "Boolean" => {
                failed(&format!("{value} is no `{ty}`"))
            }
            (What::Boolean(value), _) => scalar(json!(value)),
            (What::Float(value), _) => scalar(json!(value)),
            (What::Count, _) => scalar(json!(self.count)),
            (What::Int(value), BaseType::Named(ty)) if ty == "ID" => {
                scalar(json!(value.to_string()))
            }
            (What::Int(value), _) => scalar(json!(value)),
            (What::Text(value), _) => scalar(json!(format!("{value}{arguments}"))),
            (What::List(items), BaseType::List(ty)) => {
                let mut gathered = Gathered::new(&self.log, at, false);
                let mut texts = Vec::new();
                for (place, item) in items.iter().enumerate() {
                    let Some(at) = gathered.next(at) else {
                        break;
                    };
                    let path = below(path, json!(place));
                    let outcome = self.complete(ty, item, arguments, fields, &path, at);
                    texts.extend(gathered.add(&mut self.log, outcome));
                }
                gathered.outcome(&mut self.log, format!("[{}]", texts.join(",")))
            }
            (What::Thing(thing, _), BaseType::Named(ty)) => {
                let ty = self.types.get_key_value(ty.as_str());
                let (ty, _) = ty.expect("a known type");
                let sets = fields.iter().map(|field| &field.node.selection_set.node);
                self.selection(ty, *thing, &sets.collect::<Vec<_>>(), path, at)
            }
            (What::List(_) | What::Thing(..), _) => unreachable!("an answer of another type"),
        };
        let outcome = self.stop_at(ty.nullable, outcome);
        match timing {
            Timing::Ready => outcome,
            _ => Outcome {
                ready: false,
                pending: Some(dotted(path)),
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

fn error(message: &str, fields: &Fields<'_>, path: &Path) -> String {
    let at = fields[0].pos;
    let (message, path) = (json!(message), json!(path));
    format!(
        r#"{{"message":{message},"locations":[{{"line":{},"column":{}}}],"path":{path}}}"#,
        at.line, at.column
    )
}

fn below(path: &Path, segment: Value) -> Path {
    let mut path = path.clone();
    path.push(segment);
    path
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

//! What is to be resolved: the fields of a request, without its fragments, directives and variables.

use std::collections::HashSet;
use std::ops::Range;

use async_graphql_parser::types::{
    Directive, Field, OperationType, Selection, SelectionSet, Type as TypeRef,
};
use async_graphql_parser::{Pos, Positioned};
use async_graphql_value::Name;
use indexmap::IndexMap;
use indexmap::map::Entry;
use serde_json::Value as Json;

use super::input::Variables;
use super::output::Segment;
use super::response::write_json;
use super::schema::{Argument, FieldType, Schema};
use super::{Error, PathSegment, Request};

/// No request selects more fields and fragments, however these multiply.
const MOST_SELECTIONS: usize = 10_000;

/// No request is nested deeper, even if a fragment contains itself.
pub(super) const MOST_LEVELS: usize = 200;

pub(super) struct Plan<'c, C> {
    /// Those of one selection are side by side, in the order of the response.
    pub(super) fields: Vec<Planned<'c, C>>,
    pub(super) roots: Range<usize>,
    /// Whether one root field is to be done before the next begins.
    pub(super) is_serial: bool,
}

/// A field of the response.
pub(super) struct Planned<'c, C> {
    /// The name in the response.
    pub(super) key: &'c str,
    /// The same as JSON, with the punctuation around it.
    pub(super) label: Vec<u8>,
    pub(super) position: Pos,
    pub(super) answer: Answer<'c, C>,
    /// What is selected of the objects in it.
    pub(super) selection: Range<usize>,
}

pub(super) enum Answer<'c, C> {
    /// `__typename`
    TypeName(&'c str),
    Resolve {
        field: &'c FieldType<C>,
        arguments: Vec<(&'c str, Json)>,
    },
}

impl<'c, C> Plan<'c, C> {
    pub(super) fn new(request: &'c Request, schema: &'c Schema<C>) -> Result<Self, Error> {
        let Positioned {
            pos,
            node: operation,
        } = request.chosen()?;
        let root = match operation.ty {
            OperationType::Query => Some(schema.query),
            OperationType::Mutation => schema.mutation,
            OperationType::Subscription => None,
        };
        let root =
            root.ok_or_else(|| Error::at(*pos, format!("there is no `{}`", operation.ty)))?;
        let condition = Argument {
            name: "if".to_owned(),
            ty: TypeRef::new("Boolean!").expect("this is a type"),
            default: None,
        };
        let mut planner = Planner {
            request,
            schema,
            variables: Variables::new(&operation.variable_definitions, &request.variables)?,
            condition: [condition],
            levels: 0,
            selections: 0,
            fields: Vec::new(),
        };
        let roots = planner.selection(&[&operation.selection_set.node], root)?;
        let is_serial = operation.ty == OperationType::Mutation;
        Ok(Plan {
            fields: planner.fields,
            roots,
            is_serial,
        })
    }

    /// Names the steps of a path.
    pub(super) fn path(&self, path: &[Segment]) -> Vec<PathSegment> {
        let name = |segment: &Segment| match *segment {
            Segment::Field(field) => PathSegment::Field(self.fields[field].key.to_owned()),
            Segment::Index(index) => PathSegment::Index(index),
        };
        path.iter().map(name).collect()
    }
}

struct Planner<'c, C> {
    request: &'c Request,
    schema: &'c Schema<C>,
    variables: Variables<'c>,
    /// The argument of `@skip` and `@include`.
    condition: [Argument; 1],
    levels: usize,
    selections: usize,
    fields: Vec<Planned<'c, C>>,
}

/// The fields of a selection, by their keys in the response.
type Groups<'c> = IndexMap<&'c str, Group<'c>>;

struct Group<'c> {
    first: &'c Positioned<Field>,
    /// What is selected by the first and the others.
    selections: Vec<&'c SelectionSet>,
}

impl<'c, C> Planner<'c, C> {
    /// Plans what is selected of an object.
    fn selection(
        &mut self,
        selections: &[&'c SelectionSet],
        object: usize,
    ) -> Result<Range<usize>, Error> {
        let mut groups = Groups::new();
        let mut seen = HashSet::new();
        self.enter()?;
        for selection in selections {
            self.collect(selection, object, &mut groups, &mut seen)?;
        }
        let fields = self.groups(&groups, object)?;
        self.levels -= 1;
        Ok(fields)
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.levels += 1;
        if self.levels > MOST_LEVELS {
            return Err(Error::of_request(format!(
                "there are more than {MOST_LEVELS} levels; does a fragment contain itself?"
            )));
        }
        Ok(())
    }

    fn groups(&mut self, groups: &Groups<'c>, object: usize) -> Result<Range<usize>, Error> {
        let roots = self.fields.len()..self.fields.len() + groups.len();
        let mut objects = Vec::with_capacity(groups.len());
        for (key, group) in groups {
            let (answer, object) = self.answer(group, object)?;
            let mut label = Vec::new();
            if self.fields.len() > roots.start {
                label.push(b',');
            }
            write_json(&mut label, key);
            label.push(b':');
            let position = group.first.pos;
            self.fields.push(Planned {
                key,
                label,
                position,
                answer,
                selection: 0..0,
            });
            objects.push(object);
        }
        for (index, (group, object)) in roots.clone().zip(groups.values().zip(objects)) {
            if let Some(object) = object {
                self.fields[index].selection = self.selection(&group.selections, object)?;
            }
        }
        Ok(roots)
    }

    /// Finds what answers a field, and the object that its selection is of.
    fn answer(
        &self,
        group: &Group<'c>,
        object: usize,
    ) -> Result<(Answer<'c, C>, Option<usize>), Error> {
        let Positioned { pos, node: field } = group.first;
        let object = &self.schema.objects[object];
        let refuse = |reason: &str| {
            Error::at(
                *pos,
                format!("field `{}` of `{}` {reason}", field.name, object.name),
            )
        };
        let (answer, inner) = if field.name.node == "__typename" {
            if !field.arguments.is_empty() {
                return Err(refuse("has no arguments"));
            }
            (Answer::TypeName(&object.name), None)
        } else {
            let ty = object.fields.get(field.name.node.as_str());
            let ty = ty.ok_or_else(|| refuse("does not exist"))?;
            let arguments = self
                .variables
                .arguments(*pos, &field.arguments, &ty.arguments)?;
            (
                Answer::Resolve {
                    field: ty,
                    arguments,
                },
                ty.ty.object(),
            )
        };
        let selects = group
            .selections
            .iter()
            .any(|selection| !selection.items.is_empty());
        match (inner, selects) {
            (None, true) => Err(refuse("has no fields to select")),
            (Some(_), false) => Err(refuse("needs a selection of fields")),
            _ => Ok((answer, inner)),
        }
    }

    /// Collects the fields of a selection and of the fragments in it, each of which is spread once.
    fn collect(
        &mut self,
        selection: &'c SelectionSet,
        object: usize,
        groups: &mut Groups<'c>,
        seen: &mut HashSet<&'c Name>,
    ) -> Result<(), Error> {
        self.selections += selection.items.len();
        if self.selections > MOST_SELECTIONS {
            return Err(Error::of_request(format!(
                "there are more than {MOST_SELECTIONS} fields and fragments"
            )));
        }
        for item in &selection.items {
            if self.is_included(item.node.directives())? {
                self.item(&item.node, object, groups, seen)?;
            } else {
                // It is checked all the same.
                let (mut groups, start) = (Groups::new(), self.fields.len());
                self.item(&item.node, object, &mut groups, &mut HashSet::new())?;
                self.groups(&groups, object)?;
                self.fields.truncate(start);
            }
        }
        Ok(())
    }

    fn item(
        &mut self,
        item: &'c Selection,
        object: usize,
        groups: &mut Groups<'c>,
        seen: &mut HashSet<&'c Name>,
    ) -> Result<(), Error> {
        let (condition, selection) = match item {
            Selection::Field(field) => return add(groups, field),
            Selection::InlineFragment(fragment) => (
                fragment.node.type_condition.as_ref(),
                &fragment.node.selection_set,
            ),
            Selection::FragmentSpread(spread) => {
                let name = &spread.node.fragment_name;
                if !seen.insert(&name.node) {
                    return Ok(());
                }
                let fragment = self.request.document()?.fragments.get(&name.node);
                let fragment = fragment
                    .ok_or_else(|| Error::at(name.pos, format!("there is no fragment `{name}`")))?;
                (
                    Some(&fragment.node.type_condition),
                    &fragment.node.selection_set,
                )
            }
        };
        if let Some(Positioned {
            pos,
            node: condition,
        }) = condition
        {
            let name = &self.schema.objects[object].name;
            if condition.on.node != name.as_str() {
                let message = format!("a fragment on `{}` is spread in `{name}`", condition.on);
                return Err(Error::at(*pos, message));
            }
        }
        self.enter()?;
        self.collect(&selection.node, object, groups, seen)?;
        self.levels -= 1;
        Ok(())
    }

    /// Whether `@skip` and `@include` let an item pass.
    fn is_included(&self, directives: &[Positioned<Directive>]) -> Result<bool, Error> {
        let mut included = true;
        for Positioned {
            pos,
            node: directive,
        } in directives
        {
            let wanted = match directive.name.node.as_str() {
                "include" => true,
                "skip" => false,
                name => return Err(Error::at(*pos, format!("there is no directive `@{name}`"))),
            };
            let condition =
                self.variables
                    .arguments(*pos, &directive.arguments, &self.condition)?;
            included &= condition[0].1 == wanted;
        }
        Ok(included)
    }
}

/// Adds a field to those of the same key, which ask for the same.
fn add<'c>(groups: &mut Groups<'c>, field: &'c Positioned<Field>) -> Result<(), Error> {
    let key = &field.node.response_key().node;
    let selection = &field.node.selection_set.node;
    match groups.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(Group {
                first: field,
                selections: vec![selection],
            });
        }
        Entry::Occupied(mut entry) if is_alike(&entry.get().first.node, &field.node) => {
            entry.get_mut().selections.push(selection);
        }
        Entry::Occupied(_) => {
            return Err(Error::at(
                field.pos,
                format!("there is another field `{key}`"),
            ));
        }
    }
    Ok(())
}

/// Whether two fields have the same name and arguments.
fn is_alike(one: &Field, other: &Field) -> bool {
    one.name == other.name
        && one.arguments.len() == other.arguments.len()
        && one
            .arguments
            .iter()
            .all(|(name, value)| other.get_argument(&name.node) == Some(value))
}

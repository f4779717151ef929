//! What a client hands in: variables and arguments.

use std::collections::HashMap;

use async_graphql_parser::types::{BaseType, Type, VariableDefinition};
use async_graphql_parser::{Pos, Positioned};
use async_graphql_value::{ConstValue, Name, Value};
use serde_json::{Map, Value as Json};

use super::Error;
use super::schema::{Argument, Scalar, named};

/// Coerces a value to a type. The error says what it is not.
pub(super) fn coerce(value: ConstValue, ty: &Type) -> Result<Json, String> {
    match (value, &ty.base) {
        (ConstValue::Null, _) if ty.nullable => Ok(Json::Null),
        (ConstValue::Null, _) => Err(format!("null is no `{ty}`")),
        (ConstValue::List(items), BaseType::List(item)) => {
            items.into_iter().map(|value| coerce(value, item)).collect()
        }
        // A single value stands for a list of it.
        (value, BaseType::List(item)) => Ok(Json::Array(vec![coerce(value, item)?])),
        (value, BaseType::Named(name)) => {
            scalar(&value, name).ok_or_else(|| format!("{value} is no `{name}`"))
        }
    }
}

fn scalar(value: &ConstValue, name: &str) -> Option<Json> {
    match (value, Scalar::from_name(name)?) {
        (ConstValue::Boolean(value), Scalar::Boolean) => Some((*value).into()),
        (ConstValue::Number(number), Scalar::Float) => number.as_f64().map(Json::from),
        (ConstValue::Number(number), Scalar::Int) => {
            i32::try_from(number.as_i64()?).ok().map(Json::from)
        }
        (ConstValue::Number(number), Scalar::Id) => number.as_i64().map(|id| id.to_string().into()),
        (ConstValue::String(value), Scalar::Id | Scalar::String) => Some(value.as_str().into()),
        _ => None,
    }
}

/// The variables of an operation.
pub(super) struct Variables<'r>(HashMap<&'r Name, Variable<'r>>);

struct Variable<'r> {
    definition: &'r VariableDefinition,
    /// `None` if it was left out.
    value: Option<Json>,
}

impl<'r> Variables<'r> {
    pub(super) fn new(
        definitions: &'r [Positioned<VariableDefinition>],
        given: &Map<String, Json>,
    ) -> Result<Self, Error> {
        let mut variables = HashMap::new();
        for Positioned {
            pos,
            node: definition,
        } in definitions
        {
            let (name, ty) = (&definition.name.node, &definition.var_type.node);
            let refuse = |reason: &str| Error::at(*pos, format!("variable `${name}`: {reason}"));
            if Scalar::from_name(named(ty)).is_none() {
                return Err(refuse(&format!("there is no input type `{}`", named(ty))));
            }
            let default = definition.default_value.as_ref();
            let default = default.map(|default| coerce(default.node.clone(), ty));
            let default = default.transpose().map_err(|reason| refuse(&reason))?;
            let value = match given.get(name.as_str()) {
                Some(value) => {
                    let value = ConstValue::from_json(value.clone());
                    let value = value.map_err(|error| refuse(&error.to_string()))?;
                    Some(coerce(value, ty).map_err(|reason| refuse(&reason))?)
                }
                None => default,
            };
            if value.is_none() && !ty.nullable {
                return Err(refuse(&format!("a value of type `{ty}` is required")));
            }
            if variables
                .insert(name, Variable { definition, value })
                .is_some()
            {
                return Err(refuse("it is defined twice"));
            }
        }
        Ok(Variables(variables))
    }

    fn value(&self, name: &Name) -> Option<&Json> {
        self.0.get(name)?.value.as_ref()
    }

    /// Coerces the arguments of a field or a directive. Those that are left out have their default
    /// or nothing.
    pub(super) fn arguments<'a>(
        &self,
        at: Pos,
        given: &[(Positioned<Name>, Positioned<Value>)],
        arguments: &'a [Argument],
    ) -> Result<Vec<(&'a str, Json)>, Error> {
        for (index, (name, _)) in given.iter().enumerate() {
            if arguments
                .iter()
                .all(|argument| argument.name != name.node.as_str())
            {
                return Err(Error::at(
                    name.pos,
                    format!("there is no argument `{name}`"),
                ));
            }
            if given[..index]
                .iter()
                .any(|(other, _)| other.node == name.node)
            {
                return Err(Error::at(
                    name.pos,
                    format!("argument `{name}` is given twice"),
                ));
            }
        }
        let mut values = Vec::new();
        for Argument { name, ty, default } in arguments {
            let given = given.iter().find(|(given, _)| given.node == name.as_str());
            let value = match given {
                Some((_, value)) => {
                    self.argument(&value.node, ty, default.is_some())
                        .map_err(|reason| {
                            Error::at(value.pos, format!("argument `{name}`: {reason}"))
                        })?
                }
                None => None,
            };
            if let Some(value) = value.or_else(|| default.clone()) {
                values.push((name.as_str(), value));
            } else if !ty.nullable {
                return Err(Error::at(
                    at,
                    format!("argument `{name}`: a value of type `{ty}` is required"),
                ));
            }
        }
        Ok(values)
    }

    /// Coerces a value that is given for an argument. `None` is a variable without a value.
    fn argument(
        &self,
        value: &Value,
        ty: &Type,
        has_default: bool,
    ) -> Result<Option<Json>, String> {
        self.check(value, ty, has_default)?;
        if let Value::Variable(name) = value {
            return match self.value(name) {
                Some(Json::Null) if !ty.nullable => Err(format!("null is no `{ty}`")),
                value => Ok(value.cloned()),
            };
        }
        let value = value.clone().into_const_with(|name| {
            let value = self.value(&name).cloned().unwrap_or_default();
            ConstValue::from_json(value).map_err(|error| error.to_string())
        })?;
        coerce(value, ty).map(Some)
    }

    /// Checks that the variables in a value are of the types that their places require.
    fn check(&self, value: &Value, ty: &Type, has_default: bool) -> Result<(), String> {
        match (value, &ty.base) {
            (Value::Variable(name), _) => {
                let variable = self.0.get(name);
                let Variable { definition, .. } =
                    variable.ok_or_else(|| format!("variable `${name}` is not defined"))?;
                let given = &definition.var_type.node;
                // A default stands in for what is left out.
                let has_default = has_default
                    || definition
                        .default_value
                        .as_ref()
                        .is_some_and(|default| default.node != ConstValue::Null);
                if fits(given, ty, has_default) {
                    Ok(())
                } else {
                    Err(format!(
                        "variable `${name}` is of type `{given}`, not `{ty}`"
                    ))
                }
            }
            (Value::List(items), BaseType::List(item)) => items
                .iter()
                .try_for_each(|value| self.check(value, item, false)),
            _ => Ok(()),
        }
    }
}

/// Whether a variable of one type may stand where another is required.
fn fits(given: &Type, required: &Type, has_default: bool) -> bool {
    (required.nullable || !given.nullable || has_default)
        && match (&given.base, &required.base) {
            (BaseType::List(given), BaseType::List(required)) => fits(given, required, false),
            (BaseType::Named(given), BaseType::Named(required)) => given == required,
            _ => false,
        }
}

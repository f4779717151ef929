use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition};
use async_graphql_parser::{Error as ParseError, Positioned, parse_query};
use serde_json::{Map, Value as Json};

use super::Error;

/// A query or mutation, parsed once and executed any number of times.
///
/// What is wrong with it is reported by each execution.
#[derive(Clone, Debug)]
pub struct Request {
    document: Result<ExecutableDocument, Error>,
    operation: Option<String>,
    pub(super) variables: Map<String, Json>,
}

impl Request {
    /// Parses a document.
    #[must_use]
    pub fn new(document: &str) -> Self {
        Request {
            document: parse_query(document).map_err(|error| syntax_error(&error)),
            operation: None,
            variables: Map::new(),
        }
    }

    /// Chooses an operation of the document by its name. A document with one needs no choice.
    #[must_use]
    pub fn operation(mut self, name: impl Into<String>) -> Self {
        self.operation = Some(name.into());
        self
    }

    /// Sets the values of variables.
    #[must_use]
    pub fn variables(mut self, variables: Map<String, Json>) -> Self {
        self.variables = variables;
        self
    }

    pub(super) fn document(&self) -> Result<&ExecutableDocument, Error> {
        self.document.as_ref().map_err(Error::clone)
    }

    /// The operation to execute.
    pub(super) fn chosen(&self) -> Result<&Positioned<OperationDefinition>, Error> {
        let refuse = |message| Error {
            message,
            locations: Vec::new(),
            path: Vec::new(),
        };
        match (&self.document()?.operations, &self.operation) {
            (DocumentOperations::Single(operation), None) => Ok(operation),
            (DocumentOperations::Single(_), Some(name)) => Err(refuse(format!(
                "there is no operation `{name}`, but one without a name"
            ))),
            (DocumentOperations::Multiple(operations), Some(name)) => operations
                .get(name.as_str())
                .ok_or_else(|| refuse(format!("there is no operation `{name}`"))),
            (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => {
                Ok(operations.values().next().expect("there is one"))
            }
            (DocumentOperations::Multiple(_), None) => Err(refuse(
                "there are several operations, and none was chosen".to_owned(),
            )),
        }
    }
}

/// Makes one line of the parser's drawing of the place.
fn syntax_error(error: &ParseError) -> Error {
    let message = match error {
        ParseError::Syntax { message, .. } => {
            let reason = message
                .rsplit_once("= ")
                .map_or(&**message, |(_, reason)| reason);
            format!("syntax error: {}", reason.trim())
        }
        other => other.to_string(),
    };
    Error {
        message,
        locations: error.positions().take(1).collect(),
        path: Vec::new(),
    }
}

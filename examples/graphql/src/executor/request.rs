use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition};
use async_graphql_parser::{Error as ParseError, Positioned, parse_query};
use serde_json::{Map, Value as Json};

use super::Error;
use super::plan::MOST_LEVELS;

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
            document: parse(document),
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
        match (&self.document()?.operations, &self.operation) {
            (DocumentOperations::Single(operation), None) => Ok(operation),
            (DocumentOperations::Single(_), Some(name)) => Err(Error::of_request(format!(
                "there is no operation `{name}`, but one without a name"
            ))),
            (DocumentOperations::Multiple(operations), Some(name)) => operations
                .get(name.as_str())
                .ok_or_else(|| Error::of_request(format!("there is no operation `{name}`"))),
            (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => {
                Ok(operations.values().next().expect("there is one"))
            }
            (DocumentOperations::Multiple(_), None) => Err(Error::of_request(
                "there are several operations, and none was chosen".to_owned(),
            )),
        }
    }
}

fn parse(document: &str) -> Result<ExecutableDocument, Error> {
    // The parser would use the stack for them.
    if depth(document) > MOST_LEVELS {
        let message = format!("brackets are nested in more than {MOST_LEVELS} levels");
        return Err(Error::of_request(message));
    }
    parse_query(document).map_err(|error| syntax_error(&error))
}

/// How deeply the brackets outside of strings and comments are nested.
fn depth(document: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut text = document.as_bytes();
    while let [first, rest @ ..] = text {
        text = match first {
            b'"' => after_string(text),
            b'#' => after_line(rest),
            _ => rest,
        };
        match first {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn after_line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| b"\n\r".contains(byte));
    &text[end.unwrap_or(text.len())..]
}

/// What follows a string, which the text begins with.
fn after_string(text: &[u8]) -> &[u8] {
    let is_block = text.starts_with(b"\"\"\"");
    let (quotes, escape): (&[u8], _) = if is_block { (b"\"\"\"", 4) } else { (b"\"", 2) };
    let mut rest = &text[quotes.len()..];
    while !rest.is_empty() && !rest.starts_with(quotes) {
        let is_escape = if is_block {
            rest.starts_with(b"\\\"\"\"")
        } else {
            rest[0] == b'\\'
        };
        rest = rest
            .get(if is_escape { escape } else { 1 }..)
            .unwrap_or_default();
    }
    rest.get(quotes.len()..).unwrap_or_default()
}

/// Makes one line of the parser's drawing of the place.
pub(super) fn syntax_error(error: &ParseError) -> Error {
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

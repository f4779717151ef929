use std::fmt;

use async_graphql_parser::Pos;
use serde::Serialize;

/// The answer to a request: JSON text, as a server sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    json: Vec<u8>,
    errors: Vec<Error>,
}

impl Response {
    /// Takes `{"data":..` and completes it.
    pub(super) fn new(mut json: Vec<u8>, errors: Vec<Error>) -> Self {
        if !errors.is_empty() {
            json.extend_from_slice(br#","errors":"#);
            write_json(&mut json, &errors);
        }
        json.push(b'}');
        Response { json, errors }
    }

    /// The answer to a request that was not executed.
    pub(super) fn refused(error: Error) -> Self {
        let errors = vec![error];
        let mut json = br#"{"errors":"#.to_vec();
        write_json(&mut json, &errors);
        json.push(b'}');
        Response { json, errors }
    }

    /// The whole response as JSON text.
    #[must_use]
    pub fn as_json(&self) -> &[u8] {
        &self.json
    }

    /// The whole response as JSON text.
    #[must_use]
    pub fn into_json(self) -> Vec<u8> {
        self.json
    }

    /// What went wrong, in the order of the positions in the response.
    #[must_use]
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }
}

/// Something that went wrong: in a field if it has a path, else with the request as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// What went wrong.
    pub message: String,
    /// Where in the query the field or the mistake is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Pos>,
    /// Where in the response the value is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<PathSegment>,
}

impl Error {
    /// A mistake in a request that has no place of its own.
    pub(super) fn of_request(message: impl Into<String>) -> Self {
        Error {
            message: message.into(),
            locations: Vec::new(),
            path: Vec::new(),
        }
    }

    /// A mistake in a request.
    pub(super) fn at(position: Pos, message: impl Into<String>) -> Self {
        Error {
            message: message.into(),
            locations: vec![position],
            path: Vec::new(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.path.is_empty() {
            write!(f, ", at `{}`", Path(&self.path))?;
        }
        for Pos { line, column } in &self.locations {
            write!(f, ", line {line}, column {column}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// One step of a path into a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PathSegment {
    /// A field, by its alias if it has one.
    Field(String),
    /// An item of a list.
    Index(usize),
}

/// Displays a path as `posts.0.title`.
pub(super) struct Path<'p>(pub(super) &'p [PathSegment]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(".")?;
            }
            match segment {
                PathSegment::Field(key) => f.write_str(key)?,
                PathSegment::Index(index) => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}

/// Appends a value that has no reason to fail.
#[inline]
pub(super) fn write_json(json: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(json, value).expect("memory takes all, and no key is odd");
}

/// Appends a string. Most need no escapes, and are found not to many bytes at a time.
#[inline]
pub(super) fn write_string(json: &mut Vec<u8>, string: &str) {
    let is_special = |byte| byte < b' ' || byte == b'"' || byte == b'\\';
    if string
        .bytes()
        .fold(false, |found, byte| found | is_special(byte))
    {
        write_json(json, string);
    } else {
        json.push(b'"');
        json.extend_from_slice(string.as_bytes());
        json.push(b'"');
    }
}

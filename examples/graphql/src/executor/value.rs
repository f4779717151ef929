use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use maybe_ready::MaybeReady;

/// What a resolver answers: a value or an error, now or later.
///
/// A ready value may borrow from the object whose field it is (`'s`). A pending one outlives that
/// object, so it borrows from nothing but the context (`'c`). What several resolvers share is a
/// function, as in the example of [`ready`], for a closure would be bound to one `'c`; and an async
/// block that borrows from the object does not compile, for [`Value`] "is invariant over `'c`".
pub type Resolved<'s, 'c> =
    MaybeReady<Result<Value<'s, 'c>, FieldError>, BoxFuture<'c, Result<Value<'c, 'c>, FieldError>>>;

/// The answer of a resolver that knows it: what can become a [`Value`].
///
/// # Examples
///
/// ```
/// use graphql_example::executor::{Field, Resolved, Schema, ready};
///
/// struct Post {
///     title: String,
///     tags: Vec<String>,
/// }
///
/// fn tags<'s, 'c>(post: &'s Post, _: &'s Field<'s, 'c, ()>) -> Resolved<'s, 'c> {
///     ready(post.tags.iter().map(ready).collect::<Vec<_>>())
/// }
///
/// let mut schema = Schema::<()>::builder(
///     "type Query { post: Post }
///      type Post { title: String!, tags: [String!]! }",
/// );
/// schema.object::<()>("Query").field("post", |(), _| ready(None::<bool>));
/// schema.object::<Post>("Post").field("title", |post, _| ready(&post.title)).field("tags", tags);
/// schema.build()?;
/// # Ok::<(), graphql_example::executor::SchemaError>(())
/// ```
#[inline]
pub fn ready<'s, 'c>(value: impl Into<Value<'s, 'c>>) -> Resolved<'s, 'c> {
    MaybeReady::Ready(Ok(value.into()))
}

/// A value of a field, before it is completed by its type.
///
/// Every type has its null. An `ID` is a [`String`](Self::String) or an [`Int`](Self::Int).
#[derive(Debug)]
pub enum Value<'s, 'c> {
    /// No value.
    Null,
    /// A `Boolean`.
    Boolean(bool),
    /// An `Int`, a `Float` or an `ID`.
    Int(i64),
    /// A `Float`.
    Float(f64),
    /// A `String` or an `ID`.
    String(Cow<'s, str>),
    /// An object, whose selected fields are resolved next.
    Object(Object<'s>),
    /// A list. Each item may be ready or pending, a value or an error.
    List(Vec<Resolved<'s, 'c>>),
}

/// The Rust value behind a GraphQL object, borrowed or shared.
///
/// It is of the type that [`Builder::object`](super::Builder::object) was given for the object.
pub struct Object<'s>(Source<'s>);

enum Source<'s> {
    Borrowed(&'s Opaque),
    Shared(Arc<Opaque>),
}

pub(super) type Opaque = dyn Any + Send + Sync;

impl Object<'_> {
    #[inline]
    pub(super) fn source(&self) -> &Opaque {
        match &self.0 {
            Source::Borrowed(source) => *source,
            Source::Shared(source) => &**source,
        }
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Object(..)")
    }
}

impl<'s> Value<'s, '_> {
    /// An object that lives in the context, or in the object whose field it is.
    #[inline]
    pub fn object<T: Any + Send + Sync>(object: &'s T) -> Self {
        Value::Object(Object(Source::Borrowed(object)))
    }

    /// An object that is shared, as those of a cache are.
    #[inline]
    pub fn shared<T: Any + Send + Sync>(object: Arc<T>) -> Self {
        Value::Object(Object(Source::Shared(object)))
    }
}

impl From<bool> for Value<'_, '_> {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}

impl From<i32> for Value<'_, '_> {
    fn from(value: i32) -> Self {
        Value::Int(value.into())
    }
}

impl From<u32> for Value<'_, '_> {
    fn from(value: u32) -> Self {
        Value::Int(value.into())
    }
}

impl From<i64> for Value<'_, '_> {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value<'_, '_> {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl<'s> From<&'s str> for Value<'s, '_> {
    fn from(value: &'s str) -> Self {
        Value::String(Cow::Borrowed(value))
    }
}

impl<'s> From<&'s String> for Value<'s, '_> {
    fn from(value: &'s String) -> Self {
        Value::String(Cow::Borrowed(value))
    }
}

impl From<String> for Value<'_, '_> {
    fn from(value: String) -> Self {
        Value::String(Cow::Owned(value))
    }
}

impl<'s, 'c, T: Into<Value<'s, 'c>>> From<Option<T>> for Value<'s, 'c> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<'s, 'c> From<Vec<Resolved<'s, 'c>>> for Value<'s, 'c> {
    fn from(items: Vec<Resolved<'s, 'c>>) -> Self {
        Value::List(items)
    }
}

/// Why a field or an item of a list has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError(Box<str>);

impl FieldError {
    /// An error with the message that the client gets to read. So of errors that tell too much, such
    /// as the panic of a batch function, give the client another one.
    pub fn new(message: impl fmt::Display) -> Self {
        FieldError(message.to_string().into())
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FieldError {}

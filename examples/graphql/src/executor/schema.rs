use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use async_graphql_parser::parse_schema;
use async_graphql_parser::types::{
    BaseType, FieldDefinition, ObjectType as ObjectDefinition, Type as TypeRef, TypeKind,
    TypeSystemDefinition,
};
use maybe_ready::MaybeReady;
use serde_json::Value as Json;

use super::input::coerce;
use super::request::syntax_error;
use super::value::Opaque;
use super::{Error, FieldError, Resolved};

/// Types with their resolvers, which share a context of type `C`.
pub struct Schema<C> {
    pub(super) objects: Vec<Object<C>>,
    /// The object whose fields a query selects.
    pub(super) query: usize,
    pub(super) mutation: Option<usize>,
}

/// An object type.
pub(super) struct Object<C> {
    pub(super) name: String,
    pub(super) fields: HashMap<String, FieldType<C>>,
}

pub(super) struct FieldType<C> {
    pub(super) ty: Type,
    pub(super) arguments: Vec<Argument>,
    pub(super) resolver: Resolver<C>,
}

pub(super) struct Argument {
    pub(super) name: String,
    pub(super) ty: TypeRef,
    pub(super) default: Option<Json>,
}

/// The type of a field or an item.
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) nullable: bool,
}

pub(super) enum Kind {
    Scalar(Scalar),
    /// An object, by its index in the schema.
    Object(usize),
    List(Box<Type>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Boolean,
    Float,
    Id,
    Int,
    String,
}

impl Scalar {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Boolean" => Scalar::Boolean,
            "Float" => Scalar::Float,
            "ID" => Scalar::Id,
            "Int" => Scalar::Int,
            "String" => Scalar::String,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Scalar::Boolean => "Boolean",
            Scalar::Float => "Float",
            Scalar::Id => "ID",
            Scalar::Int => "Int",
            Scalar::String => "String",
        }
    }
}

type Resolver<C> =
    Box<dyn for<'s, 'c> Fn(&'s Opaque, &'s Field<'s, 'c, C>) -> Resolved<'s, 'c> + Send + Sync>;

/// What a resolver gets beside its object.
pub struct Field<'s, 'c, C> {
    /// What the whole request shares: loaders, connections, the user.
    pub context: &'c C,
    pub(super) arguments: &'s [(&'c str, Json)],
}

impl<C> Field<'_, '_, C> {
    /// The value of an argument, coerced to its type: an `ID` is a string, whatever it was. It is
    /// [`Json::Null`] if it was left out and has no default, or if the field has no such argument.
    #[must_use]
    pub fn argument(&self, name: &str) -> &Json {
        let given = self.arguments.iter().find(|(given, _)| *given == name);
        given.map_or(&Json::Null, |(_, value)| value)
    }
}

impl<C> fmt::Debug for Field<'_, '_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field")
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

impl<C> Schema<C> {
    /// Starts with the types, in GraphQL's schema definition language.
    ///
    /// There are objects, lists and non-null types of them and of the five built-in scalars, and
    /// arguments of scalars and lists. The roots are called `Query` and `Mutation`.
    #[must_use]
    pub fn builder(types: &str) -> Builder<C> {
        Builder {
            types: types.to_owned(),
            resolvers: HashMap::new(),
            objects: HashMap::new(),
            mistake: None,
        }
    }
}

impl<C> fmt::Debug for Schema<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.objects.iter().map(|object| &object.name))
            .finish()
    }
}

/// Collects the resolvers of a [`Schema`].
pub struct Builder<C> {
    types: String,
    /// By object and field.
    resolvers: HashMap<(String, String), Resolver<C>>,
    /// The Rust types of the objects.
    objects: HashMap<String, (TypeId, &'static str)>,
    /// What was wrong first, reported by `build`.
    mistake: Option<SchemaError>,
}

impl<C> Builder<C> {
    /// Goes on with the fields of an object, which is a `T` in Rust. The roots are of `()`.
    pub fn object<T: Any>(&mut self, name: impl Into<String>) -> Fields<'_, T, C> {
        let (name, ty) = (name.into(), (TypeId::of::<T>(), type_name::<T>()));
        let known = match &*name {
            "Query" | "Mutation" => (TypeId::of::<()>(), "()"),
            _ => *self.objects.entry(name.clone()).or_insert(ty),
        };
        if known.0 != ty.0 {
            let message = format!("`{name}` is a `{}`, and a `{}` as well", known.1, ty.1);
            self.mistake.get_or_insert(SchemaError(message));
        }
        Fields {
            name,
            builder: self,
            object: PhantomData,
        }
    }

    /// Checks that types and resolvers fit together.
    ///
    /// # Errors
    ///
    /// If the types cannot be parsed, name what does not exist or is not supported, a field has no
    /// resolver or two of them, a resolver has no field, or an object is of two types in Rust.
    pub fn build(mut self) -> Result<Schema<C>, SchemaError> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        let mut definitions = Vec::new();
        let types = parse_schema(&self.types).map_err(|error| {
            let Error {
                message, locations, ..
            } = syntax_error(&error);
            let place = locations
                .first()
                .map_or(String::new(), |place| format!(" at {place}"));
            SchemaError(format!("in the types{place}: {message}"))
        })?;
        for definition in types.definitions {
            match definition {
                TypeSystemDefinition::Type(ty) => {
                    let name = ty.node.name.node;
                    let TypeKind::Object(object) = ty.node.kind else {
                        let message =
                            format!("`{name}` is no object, and others are not supported");
                        return Err(SchemaError(message));
                    };
                    definitions.push((name, object));
                }
                _ => return Err(SchemaError::new("there is something that is no type")),
            }
        }

        let mut indices = HashMap::new();
        for (index, (name, _)) in definitions.iter().enumerate() {
            if Scalar::from_name(name).is_some() || indices.insert(name.as_str(), index).is_some() {
                return Err(SchemaError(format!("there are two types `{name}`")));
            }
        }
        let query = indices.get("Query").copied();
        let objects = definitions
            .iter()
            .map(|(name, object)| self.object_type(name, object, &indices))
            .collect::<Result<_, _>>()?;
        if let Some((object, field)) = self.resolvers.keys().min() {
            return Err(SchemaError(format!(
                "there is no field `{object}.{field}` to resolve"
            )));
        }
        Ok(Schema {
            objects,
            query: query.ok_or_else(|| SchemaError::new("there is no `Query`"))?,
            mutation: indices.get("Mutation").copied(),
        })
    }

    /// Takes the resolvers of an object.
    fn object_type(
        &mut self,
        name: &str,
        object: &ObjectDefinition,
        indices: &HashMap<&str, usize>,
    ) -> Result<Object<C>, SchemaError> {
        let mut fields = HashMap::new();
        for FieldDefinition {
            name: field,
            arguments,
            ty,
            ..
        } in object.fields.iter().map(|field| &field.node)
        {
            let at = |message: &str| SchemaError(format!("`{name}.{field}`: {message}"));
            let mut coerced = Vec::new();
            for argument in arguments.iter().map(|argument| &argument.node) {
                let ty = argument.ty.node.clone();
                if Scalar::from_name(named(&ty)).is_none() {
                    return Err(at(&format!("there is no input type `{}`", named(&ty))));
                }
                let default = argument.default_value.as_ref();
                let default = default
                    .map(|default| coerce(default.node.clone(), &ty))
                    .transpose()
                    .map_err(|error| at(&error))?;
                coerced.push(Argument {
                    name: argument.name.to_string(),
                    ty,
                    default,
                });
            }
            let resolver = self
                .resolvers
                .remove(&(name.to_owned(), field.to_string()))
                .ok_or_else(|| at("it has no resolver"))?;
            let ty = Type::new(&ty.node, indices)
                .ok_or_else(|| at(&format!("there is no type `{}`", named(&ty.node))))?;
            fields.insert(
                field.to_string(),
                FieldType {
                    ty,
                    arguments: coerced,
                    resolver,
                },
            );
        }
        Ok(Object {
            name: name.to_owned(),
            fields,
        })
    }
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.resolvers.keys()).finish()
    }
}

/// Collects the resolvers of one object.
pub struct Fields<'b, T, C> {
    name: String,
    builder: &'b mut Builder<C>,
    object: PhantomData<fn(&T)>,
}

impl<T: Any + Send + Sync, C> Fields<'_, T, C> {
    /// Sets the resolver of a field: a closure, or a function with the signature of the bound.
    ///
    /// It fails with `MaybeReady::Ready(Err(FieldError::new(..)))`; where much of it can, `?` works
    /// in [`MaybeReady::try_from_fn`]. What it gives later borrows neither from the object nor from
    /// the arguments, so it copies what it needs of them first.
    pub fn field<R>(&mut self, name: impl Into<String>, resolve: R) -> &mut Self
    where
        R: for<'s, 'c> Fn(&'s T, &'s Field<'s, 'c, C>) -> Resolved<'s, 'c> + Send + Sync + 'static,
    {
        let resolver: Resolver<C> = Box::new(move |object, field| match object.downcast_ref() {
            Some(object) => resolve(object, field),
            None => MaybeReady::Ready(Err(FieldError::new("the object is of another Rust type"))),
        });
        let field = (self.name.clone(), name.into());
        let message = format!("`{}.{}` has two resolvers", field.0, field.1);
        if self.builder.resolvers.insert(field, resolver).is_some() {
            self.builder.mistake.get_or_insert(SchemaError(message));
        }
        self
    }
}

impl<T, C> fmt::Debug for Fields<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fields").field(&self.name).finish()
    }
}

impl Kind {
    /// What its values are.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::Scalar(scalar) => scalar.name(),
            Kind::Object(_) => "object",
            Kind::List(_) => "list",
        }
    }
}

impl Type {
    /// Returns `None` if the type has a name that is not known.
    fn new(ty: &TypeRef, indices: &HashMap<&str, usize>) -> Option<Self> {
        let kind = match &ty.base {
            BaseType::List(item) => Kind::List(Box::new(Type::new(item, indices)?)),
            BaseType::Named(name) => match Scalar::from_name(name) {
                Some(scalar) => Kind::Scalar(scalar),
                None => Kind::Object(*indices.get(name.as_str())?),
            },
        };
        Some(Type {
            kind,
            nullable: ty.nullable,
        })
    }

    /// The object of the innermost items.
    pub(super) fn object(&self) -> Option<usize> {
        match &self.kind {
            Kind::Scalar(_) => None,
            Kind::Object(object) => Some(*object),
            Kind::List(item) => item.object(),
        }
    }
}

/// The name of the innermost items.
pub(super) fn named(ty: &TypeRef) -> &str {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(item) => named(item),
    }
}

/// Why types and resolvers make no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(String);

impl SchemaError {
    fn new(message: impl fmt::Display) -> Self {
        SchemaError(message.to_string())
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

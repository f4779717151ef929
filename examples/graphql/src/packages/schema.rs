use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use maybe_ready::MaybeReady;
use serde_json::Value as Json;

use super::select::no_package;
use super::{Error, Lookup, Package, PackageId, Packages, Page};
use crate::executor::{Field, FieldError, Resolved, Schema, Value, ready};
use crate::loader::Loader;

/// What can be asked of [`Packages`]:
///
/// ```graphql
#[doc = include_str!("schema.graphql")]
/// ```
///
/// # Panics
///
/// If `schema.graphql` and the resolvers here do not belong together, which any test would find.
#[must_use]
pub fn schema() -> Schema<Packages> {
    let mut schema = Schema::builder(include_str!("schema.graphql"));
    schema
        .object::<()>("Query")
        .field("package", |(), field| find(field))
        .field("packages", |(), field| page(field));
    schema
        .object::<()>("Mutation")
        .field("updatePackage", |(), field| update(field));
    schema
        .object::<Package>("Package")
        .field("id", |package, _| ready(package.id.0))
        .field("name", |package, _| ready(&*package.name))
        .field("version", |package, _| ready(&*package.version))
        .field("source", |package, _| ready(package.source.as_deref()))
        .field("checksum", |package, _| ready(package.checksum.as_deref()))
        .field("dependencies", |package, Field { context, .. }| {
            list(context, &context.dependencies, package.id)
        })
        .field("dependents", |package, Field { context, .. }| {
            list(context, &context.dependents, package.id)
        });
    schema.build().expect("types and resolvers belong together")
}

fn find<'c>(field: &Field<'_, 'c, Packages>) -> Resolved<'c, 'c> {
    let packages = field.context;
    packages
        .lookups
        .load(lookup(field))
        .then(|found| match found {
            Ok(Some(id)) => one(packages, id),
            Ok(None) => ready(Value::Null),
            Err(error) => failed(error),
        })
        .boxed()
}

fn page<'c>(field: &Field<'_, 'c, Packages>) -> Resolved<'c, 'c> {
    match page_key(field) {
        Ok(key) => list(field.context, &field.context.pages, key),
        Err(error) => failed(error),
    }
}

fn update<'c>(field: &Field<'_, 'c, Packages>) -> Resolved<'c, 'c> {
    let packages = field.context;
    let (package, to) = (lookup(field), text(field, "to").unwrap_or_default());
    MaybeReady::Pending(async move { packages.update(package, &to).await })
        .then(|updated| match updated {
            Ok(id) => one(packages, id),
            Err(error) => failed(error),
        })
        .boxed()
}

/// A package, which usually is there: whatever gave the id has primed it.
fn one(packages: &Packages, id: PackageId) -> Resolved<'_, '_> {
    packages
        .packages
        .load(id)
        .map(|package| package.map(Value::shared).map_err(FieldError::new))
        .boxed()
}

/// The packages of a list, some of which may be there and others not.
fn list<'c, K: Clone + Eq + Hash + Send + 'static>(
    packages: &'c Packages,
    lists: &'c Loader<K, Arc<[PackageId]>, Error>,
    key: K,
) -> Resolved<'c, 'c> {
    lists
        .load(key)
        .map(|ids| match ids {
            Ok(ids) => Ok(Value::List(
                ids.iter().map(|&id| one(packages, id)).collect(),
            )),
            Err(error) => Err(FieldError::new(error)),
        })
        .boxed()
}

fn lookup(field: &Field<'_, '_, Packages>) -> Lookup {
    Lookup {
        name: text(field, "name").unwrap_or_default(),
        version: text(field, "version"),
    }
}

fn page_key(field: &Field<'_, '_, Packages>) -> Result<Page, Error> {
    let first = match field.argument("first") {
        Json::Null => None,
        first => Some(
            first
                .as_u64()
                .and_then(|first| u32::try_from(first).ok())
                .ok_or_else(|| {
                    Error::new(format_args!("`first` must not be negative, and is {first}"))
                })?,
        ),
    };
    let after = match field.argument("after") {
        Json::Null => None,
        Json::String(id) => Some(PackageId(id.parse().map_err(|_| no_package(id))?)),
        id => Some(PackageId(id.as_i64().ok_or_else(|| no_package(id))?)),
    };
    Ok(Page {
        first,
        after,
        name: text(field, "name"),
    })
}

fn text(field: &Field<'_, '_, Packages>, argument: &str) -> Option<Box<str>> {
    field.argument(argument).as_str().map(Into::into)
}

fn failed<'c>(error: impl fmt::Display) -> Resolved<'c, 'c> {
    MaybeReady::Ready(Err(FieldError::new(error)))
}

//! Executes queries, and is done at once if all resolvers are.

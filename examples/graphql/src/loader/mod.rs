//! A batching loader with a cache.

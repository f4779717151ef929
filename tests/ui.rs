//! What must not compile, and what the compiler says of it. A target of its own, for it runs cargo.

#[test]
fn misuse_is_refused_with_help() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

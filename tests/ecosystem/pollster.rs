//! pollster, which blocks a thread and nothing else.

use maybe_ready::AlwaysReady;
use pollster::FutureExt;

use crate::support::name;

#[test]
fn block_on_takes_a_maybe_ready_as_a_function_and_as_a_method() {
    assert_eq!(pollster::block_on(name(1)), "user 1");
    assert_eq!(name(1).block_on(), "user 1");
    assert_eq!(name(2).block_on(), "user 2");
}

#[test]
fn block_on_as_the_slow_path_costs_a_hit_nothing() {
    let hit = allocation_counter::measure(|| {
        let known = AlwaysReady::Ready(7);
        assert_eq!(known.unwrap_or_else(pollster::block_on), 7);
    });
    assert_eq!(hit.count_total, 0);
    assert_eq!(name(1).unwrap_or_else(pollster::block_on), "user 1");
}

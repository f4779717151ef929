//! The arguments of a command, as an interpreter resolves them: most are values, some have to be
//! computed, and the command wants them all, in order.

use maybe_ready::{MaybeReady, try_join_all};

use crate::support::{Log, Yield, drive};

#[derive(Clone, Copy)]
enum Arg {
    Literal(i32),
    /// A call of another command, which takes so many turns.
    Call {
        turns: usize,
        result: i32,
    },
    Undefined(&'static str),
}

type Value = Result<i32, String>;
type Values = Result<Vec<i32>, String>;

fn evaluate(arg: Arg, log: &Log) -> MaybeReady<Value, impl Future<Output = Value>> {
    match arg {
        Arg::Literal(value) => {
            log.push(format!("literal {value}"));
            MaybeReady::Ready(Ok(value))
        }
        Arg::Undefined(name) => MaybeReady::Ready(Err(format!("{name} is undefined"))),
        Arg::Call { turns, result } => MaybeReady::Pending(async move {
            log.push(format!("call for {result}"));
            let result = Yield::new(turns, result).await;
            log.push(format!("got {result}"));
            Ok(result)
        }),
    }
}

fn resolve(args: &[Arg], log: &Log) -> MaybeReady<Values, impl Future<Output = Values>> {
    try_join_all(args.iter().map(|arg| evaluate(*arg, log)))
}

#[test]
fn literals_are_resolved_in_place() {
    let log = Log::default();
    let values = resolve(&[Arg::Literal(1), Arg::Literal(2)], &log);
    assert_eq!(values.unwrap_ready(), Ok(vec![1, 2]));
    assert_eq!(log.take(), ["literal 1", "literal 2"]);
}

#[test]
fn a_slow_argument_does_not_delay_those_after_it() {
    let log = Log::default();
    let call = |turns, result| Arg::Call { turns, result };
    let args = [call(2, 1), Arg::Literal(2), call(1, 3), Arg::Literal(4)];
    let values = resolve(&args, &log);
    assert_eq!(log.take(), ["literal 2", "literal 4"], "before any poll");

    assert_eq!(drive(values).0, Ok(vec![1, 2, 3, 4]));
    let together = ["call for 1", "call for 3", "got 3", "got 1"];
    assert_eq!(log.take(), together);
}

#[test]
fn an_error_at_hand_returns_before_anything_is_awaited() {
    let log = Log::default();
    let slow = Arg::Call {
        turns: 1,
        result: 1,
    };
    let args = [slow, Arg::Undefined("x"), Arg::Literal(3)];
    let values = resolve(&args, &log).unwrap_ready();
    assert_eq!(values, Err("x is undefined".to_owned()));
    assert!(log.take().is_empty(), "nothing is called or evaluated");
}

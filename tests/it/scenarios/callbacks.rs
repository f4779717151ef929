//! Callbacks with defaults, as a protocol stack offers them to foreign code: nearly all return at
//! once, any may have to wait, and an implementor writes only those that it cares for.

use maybe_ready::{BoxMaybeReady, MaybeReady};

use crate::support::{Log, Yield, drive};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Refused(u16);

type Answer = BoxMaybeReady<'static, Result<(), Refused>>;

trait Handler {
    fn begin(&mut self, _objects: u16) -> Answer {
        MaybeReady::Ready(Ok(()))
    }

    fn object(&mut self, _index: u16) -> Answer {
        MaybeReady::Ready(Ok(()))
    }

    fn end(&mut self) -> Answer {
        MaybeReady::Ready(Ok(()))
    }
}

/// A message of so many objects; the first refusal ends it.
async fn session(handler: &mut dyn Handler, objects: u16) -> Result<(), Refused> {
    handler.begin(objects).await?;
    for index in 0..objects {
        handler.object(index).await?;
    }
    handler.end().await
}

#[derive(Default)]
struct Sum(u16);

impl Handler for Sum {
    fn object(&mut self, index: u16) -> Answer {
        self.0 += index;
        MaybeReady::Ready(Ok(()))
    }
}

#[test]
fn synchronous_callbacks_allocate_nothing_and_suspend_nothing() {
    let mut sum = Sum::default();
    let driver = allocation_counter::measure(|| {
        drive(async {});
    });
    let all = allocation_counter::measure(|| {
        // With the default ones before and after, these are 41 callbacks.
        assert_eq!(drive(session(&mut sum, 39)), (Ok(()), 1));
    });
    assert_eq!(sum.0, 741);
    assert_eq!(all.count_total, driver.count_total, "no callback allocates");
}

#[test]
fn one_asynchronous_callback_suspends_the_session() {
    struct SlowAt(u16, Log);

    impl Handler for SlowAt {
        fn object(&mut self, index: u16) -> Answer {
            self.1.push(format!("object {index}"));
            if index == self.0 {
                MaybeReady::Pending(Yield::new(1, Ok(()))).boxed()
            } else {
                MaybeReady::Ready(Ok(()))
            }
        }

        fn end(&mut self) -> Answer {
            self.1.push("end");
            MaybeReady::Ready(Ok(()))
        }
    }

    let log = Log::default();
    let done = drive(session(&mut SlowAt(1, log.clone()), 3));
    assert_eq!(done, (Ok(()), 2), "it waits once");
    assert_eq!(log.take(), ["object 0", "object 1", "object 2", "end"]);
}

#[test]
fn an_immediate_error_ends_the_session_without_a_box() {
    struct RefuseAt(u16);

    impl Handler for RefuseAt {
        fn object(&mut self, index: u16) -> Answer {
            assert!(index <= self.0, "the session went on after a refusal");
            MaybeReady::Ready(if index == self.0 {
                Err(Refused(index))
            } else {
                Ok(())
            })
        }
    }

    let driver = allocation_counter::measure(|| {
        drive(async {});
    });
    let refused = allocation_counter::measure(|| {
        let ended = drive(session(&mut RefuseAt(2), 5));
        assert_eq!(ended, (Err(Refused(2)), 1));
    });
    assert_eq!(refused.count_total, driver.count_total);
}

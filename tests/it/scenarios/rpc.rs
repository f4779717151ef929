//! The middleware of an RPC server: every layer names its future, none boxes it, and what is
//! refused, unknown or synchronous is answered at once.

use std::cell::Cell;
use std::convert::Infallible;

use maybe_ready::{MapOk, MaybeReady, fold};

use crate::support::{Yield, drive};

#[derive(Clone, Debug, PartialEq)]
enum Reply {
    Result(i32),
    UnknownMethod,
    TooManyRequests,
    BatchTooLarge,
}

struct Request {
    method: &'static str,
    param: i32,
}

/// A service whose answer may be there. `Future` is what its layers build theirs from.
trait Service {
    type Error;
    type Future: Future<Output = Result<Reply, Self::Error>>;

    fn call(&self, request: &Request) -> Answer<Self>;
}

type Answer<S> = MaybeReady<Result<Reply, <S as Service>::Error>, <S as Service>::Future>;

/// The innermost: looks the method up. It cannot fail.
struct Router;

impl Service for Router {
    type Error = Infallible;
    type Future = Yield<Result<Reply, Infallible>>;

    fn call(&self, request: &Request) -> Answer<Self> {
        match request.method {
            "negate" => MaybeReady::Ready(Ok(Reply::Result(-request.param))),
            "slow" => MaybeReady::Pending(Yield::new(1, Ok(Reply::Result(request.param)))),
            _ => MaybeReady::Ready(Ok(Reply::UnknownMethod)),
        }
    }
}

/// Refuses at once what is over its limit. The future and the error are those inside.
struct RateLimit<S> {
    inner: S,
    left: Cell<usize>,
}

impl<S: Service> Service for RateLimit<S> {
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: &Request) -> Answer<S> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                self.inner.call(request)
            }
            None => MaybeReady::Ready(Ok(Reply::TooManyRequests)),
        }
    }
}

/// Changes every result. Its future has a name, too.
struct Doubled<S>(S);

impl<S: Service> Service for Doubled<S> {
    type Error = S::Error;
    type Future = MapOk<S::Future, fn(Reply) -> Reply>;

    fn call(&self, request: &Request) -> Answer<Self> {
        self.0.call(request).map_ok(|reply| match reply {
            Reply::Result(n) => Reply::Result(2 * n),
            other => other,
        })
    }
}

/// Answers a batch in its order, one request after the other, unless there are too many.
fn batch<S: Service<Error = Infallible>>(
    service: &S,
    requests: &[Request],
) -> MaybeReady<Vec<Reply>, impl Future<Output = Vec<Reply>>> {
    const LIMIT: usize = 5;

    let (replies, requests) = match requests.len() {
        0..=LIMIT => (Vec::with_capacity(requests.len()), requests),
        _ => (vec![Reply::BatchTooLarge], &[][..]),
    };
    fold(requests, replies, |mut replies, request| {
        service.call(request).map(|Ok(reply)| {
            replies.push(reply);
            replies
        })
    })
}

fn server(limit: usize) -> Doubled<RateLimit<Router>> {
    Doubled(RateLimit {
        inner: Router,
        left: Cell::new(limit),
    })
}

fn request(method: &'static str, param: i32) -> Request {
    Request { method, param }
}

#[test]
fn what_needs_no_waiting_is_answered_at_once_through_all_layers() {
    let server = server(2);
    let all = allocation_counter::measure(|| {
        let answer = |method| {
            let Ok(reply) = server.call(&request(method, 1)).unwrap_ready();
            reply
        };
        assert_eq!(answer("negate"), Reply::Result(-2));
        assert_eq!(answer("unknown"), Reply::UnknownMethod);
        assert_eq!(answer("slow"), Reply::TooManyRequests, "over the limit");
    });
    assert_eq!(all.count_total, 0, "no layer boxes");
}

#[test]
fn an_asynchronous_handler_is_pending_and_not_boxed() {
    let server = server(1);
    let mut answer = None;
    let made = allocation_counter::measure(|| {
        answer = Some(server.call(&request("slow", 1)));
    });
    assert_eq!(made.count_total, 0, "no layer boxes");
    let (Ok(reply), polls) = drive(answer.unwrap());
    assert_eq!((reply, polls), (Reply::Result(2), 2));
}

#[test]
fn a_batch_keeps_its_order_and_waits_only_for_what_is_slow() {
    let requests = [
        request("negate", 1),
        request("slow", 2),
        request("other", 3),
        request("slow", 4),
    ];
    let expected = vec![
        Reply::Result(-2),
        Reply::Result(4),
        Reply::UnknownMethod,
        Reply::TooManyRequests,
    ];
    let (server_of_3, all_at_hand) = (server(3), server(3));
    assert_eq!(drive(batch(&server_of_3, &requests)), (expected, 2));

    let replies = batch(&all_at_hand, &requests[..1]).unwrap_ready();
    assert_eq!(replies, [Reply::Result(-2)]);
    let too_many: Vec<_> = (0..6).map(|n| request("slow", n)).collect();
    let replies = batch(&all_at_hand, &too_many).unwrap_ready();
    assert_eq!(replies, [Reply::BatchTooLarge]);
}

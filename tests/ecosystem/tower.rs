//! tower: a service may name the future of a `MaybeReady`, and so may a layer.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::{self, BoxFuture, FutureExt};
use maybe_ready::{MapErr, MaybeReady, MaybeReadyFuture};
use smol::future::poll_once;
use tokio::time::{Instant, timeout};
use tower::layer::layer_fn;
use tower::timeout::error::Elapsed;
use tower::util::Oneshot;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};

use crate::support::{Unknown, checked_name};

type Name = Arc<str>;
type Found<E> = Result<Name, E>;

/// Has names at hand or not, and a future that can be named.
#[derive(Clone)]
struct Names;

impl Service<u32> for Names {
    type Response = Name;
    type Error = Unknown;
    type Future = MaybeReadyFuture<Found<Unknown>, BoxFuture<'static, Found<Unknown>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Unknown>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, id: u32) -> Self::Future {
        checked_name(id).map_ok(Name::from).boxed().into()
    }
}

/// Answers what is known. Only what is not known waits for the service inside, and calls it.
#[derive(Clone)]
struct Known<S> {
    inner: S,
    names: Arc<HashMap<u32, Name>>,
}

impl<S: Service<u32, Response = Name> + Clone> Service<u32> for Known<S> {
    type Response = Name;
    type Error = S::Error;
    type Future = MaybeReadyFuture<Found<S::Error>, Oneshot<S, u32>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, id: u32) -> Self::Future {
        let answer = match self.names.get(&id) {
            Some(name) => MaybeReady::Ready(Ok(name.clone())),
            None => MaybeReady::Pending(self.inner.clone().oneshot(id)),
        };
        answer.into()
    }
}

struct KnownLayer(Arc<HashMap<u32, Name>>);

impl<S> Layer<S> for KnownLayer {
    type Service = Known<S>;

    fn layer(&self, inner: S) -> Known<S> {
        Known {
            inner,
            names: self.0.clone(),
        }
    }
}

/// Knows user 0.
fn known() -> KnownLayer {
    KnownLayer(Arc::new(HashMap::from([(0, "root".into())])))
}

/// Refuses at once what is over its limit. The future is the one inside, or none.
struct Quota<S> {
    inner: S,
    left: usize,
}

#[derive(Debug, PartialEq)]
enum Refused<E> {
    OverQuota,
    Inner(E),
}

impl<S: Service<Request>, Request> Service<Request> for Quota<S> {
    type Response = S::Response;
    type Error = Refused<S::Error>;
    type Future = MaybeReadyFuture<
        Result<S::Response, Self::Error>,
        MapErr<S::Future, fn(S::Error) -> Self::Error>,
    >;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx).map_err(Refused::Inner)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Some(left) = self.left.checked_sub(1) else {
            return MaybeReady::Ready(Err(Refused::OverQuota)).into();
        };
        self.left = left;
        let answer = MaybeReady::Pending(self.inner.call(request));
        answer.map_err(Refused::Inner as _).into()
    }
}

/// Changes the errors of a service whose answers may be there, and leaves them there.
struct Labelled<S>(S);

impl<S, F, Request, T, E> Service<Request> for Labelled<S>
where
    S: Service<Request, Response = T, Error = E, Future = MaybeReadyFuture<Result<T, E>, F>>,
    F: Future<Output = Result<T, E>>,
    E: fmt::Display,
{
    type Response = T;
    type Error = String;
    type Future = MaybeReadyFuture<Result<T, String>, MapErr<F, fn(E) -> String>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        self.0.poll_ready(cx).map_err(label)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let answer = self.0.call(request).into_inner();
        let answer = answer.expect("it has not been polled");
        answer.map_err(label as _).into()
    }
}

fn label<E: fmt::Display>(error: E) -> String {
    format!("names: {error}")
}

/// Makes it ready, as whoever calls a service has to, and calls it.
fn call<S: Service<u32>>(service: &mut S, id: u32) -> S::Future {
    let ready = service.ready().now_or_never().expect("it is ready at once");
    ready.unwrap_or_else(|_| panic!("it is ready")).call(id)
}

#[test]
fn a_service_names_the_future_and_a_hit_is_taken_out_of_it_without_a_poll() {
    let hit = call(&mut Names, 2);
    assert!(hit.is_ready());
    let hit = hit.into_inner().expect("it has not been polled");
    assert_eq!(hit.unwrap_ready().as_deref(), Ok("user 2"));

    let miss = call(&mut Names, 1);
    assert!(!miss.is_ready());
    assert_eq!(pollster::block_on(miss).as_deref(), Ok("user 1"));
}

#[test]
fn service_fn_makes_a_service_of_a_function_with_into_future() {
    let mut names = service_fn(|id| checked_name(id).into_future());
    assert!(call(&mut names, 2).is_ready());
    let miss = pollster::block_on(call(&mut names, 1));
    assert_eq!(miss.as_deref(), Ok("user 1"));
}

#[test]
fn layers_that_answer_early_name_their_future_and_box_nothing() {
    let quota = layer_fn(|inner| Quota { inner, left: 2 });
    let never = service_fn(|_| future::pending::<Found<Unknown>>());
    let layers = ServiceBuilder::new().layer(quota).layer(known());
    let mut service = layers.service(never);

    let allocations = allocation_counter::measure(|| {
        let hit = call(&mut service, 0);
        let hit = hit.now_or_never().expect("it is there");
        assert_eq!(hit.as_deref(), Ok("root"));
        assert!(!call(&mut service, 1).is_ready());
        let refused = call(&mut service, 0).into_inner().expect("unpolled");
        assert_eq!(refused.unwrap_ready(), Err(Refused::OverQuota));
    });
    assert_eq!(allocations.count_total, 0);
}

#[test]
fn a_layer_keeps_a_hit_ready_if_it_knows_that_its_service_gives_this_future() {
    let mut service = Labelled(Names);
    let now = |future: <Labelled<Names> as Service<u32>>::Future| {
        let answer = future.into_inner().expect("it has not been polled");
        answer.unwrap_ready()
    };
    assert_eq!(now(call(&mut service, 2)).as_deref(), Ok("user 2"));
    let error = Err("names: there is no user 102".to_owned());
    assert_eq!(now(call(&mut service, 102)), error);

    let miss = pollster::block_on(call(&mut service, 101));
    assert_eq!(miss, Err("names: there is no user 101".to_owned()));
}

#[test]
fn a_hit_is_answered_while_the_service_inside_is_at_its_limit() {
    let layers = ServiceBuilder::new().layer(known()).concurrency_limit(1);
    let mut service = layers.service(Names);
    let (mut first, mut second) = (call(&mut service, 1), call(&mut service, 3));
    pollster::block_on(async {
        assert!(poll_once(&mut first).await.is_none());
        assert!(poll_once(&mut second).await.is_none());
        assert!(call(&mut service, 0).is_ready());

        let held = poll_once(&mut second).await;
        assert!(held.is_none(), "the first still has the permit");
        let done = poll_once(&mut first).await.expect("it waits one turn");
        assert_eq!(done.as_deref(), Ok("user 1"));
        assert_eq!(second.await.as_deref(), Ok("user 3"));
    });
}

#[tokio::test(start_paused = true)]
async fn buffer_timeout_and_limit_see_the_misses_of_a_layer_that_answers_early_and_no_hit() {
    const LIMIT: Duration = Duration::from_secs(5);
    const SLOW: u32 = 99;

    let names_and_slow = service_fn(|id| async move {
        match id {
            SLOW => future::pending().await,
            id => Names.call(id).await,
        }
    });
    let mut service = ServiceBuilder::new()
        .layer(known())
        .buffer(8)
        .timeout(LIMIT)
        .concurrency_limit(1)
        .service(names_and_slow);

    let slow = tokio::spawn(call(&mut service, SLOW));
    tokio::task::yield_now().await;
    let hit = call(&mut service, 0).into_inner().expect("unpolled");
    assert_eq!(&*hit.unwrap_ready().expect("a name"), "root");

    let start = Instant::now();
    let miss = timeout(2 * LIMIT, call(&mut service, 1)).await;
    let miss = miss.expect("the slow one makes room for it");
    assert_eq!(&*miss.expect("a name"), "user 1");
    assert_eq!(start.elapsed(), LIMIT, "the slow one had to end first");
    let error = slow.await.expect("no panic").expect_err("it is slow");
    assert!(error.is::<Elapsed>());
    let error = call(&mut service, 102).await.expect_err("it is unknown");
    assert_eq!(error.downcast_ref(), Some(&Unknown(102)));
}

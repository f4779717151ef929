//! A credential provider, as a cloud SDK has it: its trait must name one future type for all
//! implementors, and most of them have the credentials at hand.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use async_trait::async_trait;
use futures::future::BoxFuture;
use maybe_ready::{AlwaysReady, BoxMaybeReady, MaybeReady, MaybeReadyFuture, fold};

use crate::support::{Yield, drive};

type Credentials = Arc<str>;
type Provided = Result<Credentials, NotFound>;

#[derive(Clone, Debug, PartialEq)]
struct NotFound;

/// What the SDK publishes: a future like any other, which tells the SDK itself a little more.
struct ProvideFuture<'a>(MaybeReadyFuture<Provided, BoxFuture<'a, Provided>>);

impl<'a> ProvideFuture<'a> {
    fn ready(provided: Provided) -> Self {
        Self(MaybeReady::Ready(provided).into())
    }

    /// The way back, for those inside the SDK that poll it never or to the end.
    fn into_maybe_ready(self) -> BoxMaybeReady<'a, Provided> {
        self.0.into_inner().expect("not polled to its end before")
    }
}

impl<'a> From<BoxMaybeReady<'a, Provided>> for ProvideFuture<'a> {
    fn from(provided: BoxMaybeReady<'a, Provided>) -> Self {
        Self(provided.into())
    }
}

impl Future for ProvideFuture<'_> {
    type Output = Provided;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Provided> {
        Pin::new(&mut self.0).poll(cx)
    }
}

trait Provide: Send + Sync + Debug {
    fn provide(&self) -> ProvideFuture<'_>;
}

/// Known from the start. Who has this type needs no future at all.
#[derive(Debug)]
struct Static(Provided);

impl Static {
    fn get(&self) -> AlwaysReady<Provided> {
        MaybeReady::Ready(self.0.clone())
    }
}

impl Provide for Static {
    fn provide(&self) -> ProvideFuture<'_> {
        self.get().boxed().into()
    }
}

/// Asks a service, through a trait that `async_trait` made.
#[derive(Debug)]
struct Remote<S>(S);

#[async_trait]
trait Service: Send + Sync + Debug {
    async fn fetch(&self) -> Provided;
}

impl<S: Service> Provide for Remote<S> {
    fn provide(&self) -> ProvideFuture<'_> {
        ProvideFuture(MaybeReady::Pending(self.0.fetch()).into())
    }
}

/// The first that has credentials.
#[derive(Debug)]
struct Chain(Vec<Arc<dyn Provide>>);

impl Provide for Chain {
    fn provide(&self) -> ProvideFuture<'_> {
        fold(&self.0, Err(NotFound), |found, next| match found {
            Ok(_) => MaybeReady::Ready(found),
            Err(NotFound) => next.provide().into_maybe_ready(),
        })
        .boxed()
        .into()
    }
}

/// Asks once, if that was a success.
#[derive(Debug)]
struct Cached<P> {
    inner: P,
    known: Mutex<Option<Credentials>>,
}

impl<P: Provide> Provide for Cached<P> {
    fn provide(&self) -> ProvideFuture<'_> {
        if let Some(credentials) = self.known.lock().unwrap().clone() {
            return ProvideFuture::ready(Ok(credentials));
        }
        self.inner
            .provide()
            .into_maybe_ready()
            .inspect_ok(|found| *self.known.lock().unwrap() = Some(found.clone()))
            .boxed()
            .into()
    }
}

/// A service that answers at the second poll, and once only.
#[derive(Debug)]
struct Once(Mutex<Option<Credentials>>);

#[async_trait]
impl Service for Once {
    async fn fetch(&self) -> Provided {
        Yield::new(1, ()).await;
        self.0.lock().unwrap().take().ok_or(NotFound)
    }
}

fn known(credentials: &str) -> Arc<dyn Provide> {
    Arc::new(Static(Ok(credentials.into())))
}

fn remote(credentials: &str) -> Remote<Once> {
    Remote(Once(Mutex::new(Some(credentials.into()))))
}

#[test]
fn a_static_provider_allocates_nothing_behind_dyn() {
    let provider = known("static");
    let hit = allocation_counter::measure(|| {
        let found = provider.provide().into_maybe_ready().unwrap_ready();
        assert_eq!(found.as_deref(), Ok("static"));
    });
    assert_eq!(hit.count_total, 0);

    let MaybeReady::Ready(found) = Static(Ok("static".into())).get();
    assert_eq!(found.as_deref(), Ok("static"), "and cannot be pending");
}

#[test]
fn providers_go_to_tasks_and_threads() {
    let provider = known("static");
    let task = std::thread::spawn(move || pollster::block_on(provider.provide()));
    assert_eq!(task.join().unwrap().as_deref(), Ok("static"));
}

#[test]
fn a_chain_takes_the_first_success_and_waits_only_for_it() {
    let missing = || Arc::new(Static(Err(NotFound)));
    let at_hand = Chain(vec![missing(), known("second"), Arc::new(remote("third"))]);
    let found = at_hand.provide().into_maybe_ready().unwrap_ready();
    assert_eq!(found.as_deref(), Ok("second"));

    let slow = Chain(vec![missing(), Arc::new(remote("second")), known("third")]);
    let (found, polls) = drive(slow.provide());
    assert_eq!((found.as_deref(), polls), (Ok("second"), 2));

    let (found, polls) = drive(slow.provide());
    let why = "the remote one has nothing now, so the third is asked";
    assert_eq!((found.as_deref(), polls), (Ok("third"), 2), "{why}");
    assert_eq!(drive(Chain(vec![]).provide()), (Err(NotFound), 1));
}

#[test]
fn a_cached_provider_is_ready_the_second_time() {
    let provider = Cached {
        inner: remote("remote"),
        known: Mutex::default(),
    };
    let first = provider.provide();
    assert_eq!(drive(first).0.as_deref(), Ok("remote"));

    let second = provider.provide().into_maybe_ready().unwrap_ready();
    assert_eq!(second.as_deref(), Ok("remote"));
}

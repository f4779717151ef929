//! Recipes: a situation, the code with a caller that waits and one that cannot, and what to watch.
//!
//! - Remember: [a cache](#a-cache-whose-callers-share-a-fetch), [a batching
//!   loader](#a-batching-loader), [something learnt once](#something-learnt-once), [a caller that comes
//!   back](#a-caller-that-cannot-wait-but-comes-back)
//! - Behind `dyn`: [a trait](#a-trait-for-those-who-know-and-those-who-ask), [a synchronous
//!   facade](#a-store-with-a-synchronous-facade), [callbacks](#callbacks-with-defaults)
//! - In between: [middleware](#middleware-that-names-its-future), [a tower
//!   layer](#a-tower-layer-that-answers-early), [timeouts and
//!   tracing](#a-timeout-for-the-slow-path-only), [loops of `select!`](#waiting-in-a-loop),
//!   [arguments](#an-argument-that-may-be-a-future)
//! - Many: [steps that may end early](#steps-that-may-end-early), [all
//!   errors](#all-errors-not-the-first)
//! - Make sure: [a test with everything pending](#a-test-with-everything-pending), [does it pay at
//!   all?](#does-it-pay-at-all)
//!
//! The methods say what they do, and the [laws](crate#what-is-ready-stays-ready) what holds for all
//! of them; neither is repeated here.
//!
//! # A cache whose callers share a fetch
//!
//! *Most reads are hits. Those that miss the same key at the same time are to wait for one fetch.*
//!
//! What the map holds is itself a `MaybeReady`: a value, or a fetch that any number of callers wait
//! for.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//!
//! use futures::future::{BoxFuture, FutureExt, Shared};
//! use maybe_ready::MaybeReady;
//!
//! type Title = MaybeReady<Arc<str>, Shared<BoxFuture<'static, Arc<str>>>>;
//!
//! #[derive(Default)]
//! struct Titles(Mutex<HashMap<u32, Title>>);
//!
//! impl Titles {
//!     fn get(&self, id: u32) -> Title {
//!         let mut titles = self.0.lock().unwrap();
//!         let title = titles
//!             .entry(id)
//!             .or_insert_with(|| MaybeReady::Pending(fetch(id).boxed().shared()));
//!         // A fetch that has completed since makes its entry ready.
//!         if let MaybeReady::Pending(fetch) = title {
//!             if let Some(fetched) = fetch.peek().cloned() {
//!                 *title = MaybeReady::Ready(fetched);
//!             }
//!         }
//!         title.clone()
//!     }
//! }
//!
//! async fn fetch(id: u32) -> Arc<str> {
//!     format!("title {id}").into()
//! }
//!
//! async fn page(titles: &Titles) -> String {
//!     let (heading, footer) = titles.get(7).zip(titles.get(7)).await;
//!     assert!(Arc::ptr_eq(&heading, &footer), "they should share one fetch");
//!     format!("{heading} .. {footer}")
//! }
//!
//! fn label(titles: &Titles) -> Option<Arc<str>> {
//!     titles.get(7).try_into_ready().ok()
//! }
//!
//! let titles = Titles::default();
//! assert_eq!(label(&titles), None);
//! assert_eq!(pollster::block_on(page(&titles)), "title 7 .. title 7");
//! assert_eq!(label(&titles).as_deref(), Some("title 7"));
//! ```
//!
//! **Watch:** what is stored stays, so a cache of `Result`s removes an error, or keeps it on purpose.
//! All who share a fetch get a clone, so an error such as `io::Error` goes into an `Arc`. The lock is
//! released before anyone waits. A fetch that all have given up stays in the map, and the next caller
//! goes on with it.
//!
//! A cache behind `&mut self` had better hand out clones of an `Rc` as well. A `match` on
//! `self.0.get(..)` that lends the hit keeps the miss from using `self` (E0505); if the hit has to be
//! lent, ask `contains_key` before.
//!
//! # A batching loader
//!
//! *Many places ask for one row each, and the backend answers a hundred as fast as one.*
//!
//! The first miss opens a batch, which closes when it is first polled: all that was asked for until
//! then is fetched together.
//!
//! ```
//! use std::cell::RefCell;
//! use std::collections::{BTreeSet, HashMap};
//! use std::mem;
//! use std::rc::Rc;
//!
//! use futures::future::{FutureExt, LocalBoxFuture, WeakShared};
//! use maybe_ready::{MaybeReady, join_all};
//!
//! #[derive(Default)]
//! struct State {
//!     known: HashMap<u32, Rc<str>>,
//!     queue: BTreeSet<u32>,
//!     // Weak, for a batch that nobody waits for has no need to be.
//!     batch: Option<WeakShared<LocalBoxFuture<'static, ()>>>,
//! }
//!
//! #[derive(Clone, Default)]
//! struct Loader(Rc<RefCell<State>>);
//!
//! impl Loader {
//!     fn load(&self, id: u32) -> MaybeReady<Rc<str>, impl Future<Output = Rc<str>> + use<>> {
//!         let mut state = self.0.borrow_mut();
//!         if let Some(name) = state.known.get(&id) {
//!             return MaybeReady::Ready(name.clone());
//!         }
//!         let open = state.batch.as_ref().and_then(WeakShared::upgrade);
//!         let batch = open.unwrap_or_else(|| self.clone().run().boxed_local().shared());
//!         state.batch = batch.downgrade();
//!         state.queue.insert(id);
//!         let loader = self.clone();
//!         MaybeReady::Pending(async move {
//!             batch.await;
//!             loader.0.borrow().known[&id].clone()
//!         })
//!     }
//!
//!     async fn run(self) {
//!         let ids: Vec<u32> = {
//!             let mut state = self.0.borrow_mut();
//!             state.batch = None;
//!             mem::take(&mut state.queue).into_iter().collect()
//!         };
//!         let names = fetch(&ids).await;
//!         self.0.borrow_mut().known.extend(ids.into_iter().zip(names));
//!     }
//! }
//!
//! async fn fetch(ids: &[u32]) -> Vec<Rc<str>> {
//!     let size = ids.len();
//!     ids.iter().map(|id| format!("{id}, of a batch of {size}").into()).collect()
//! }
//!
//! async fn list(loader: &Loader) -> Vec<Rc<str>> {
//!     join_all([3, 1, 3].map(|id| loader.load(id))).await
//! }
//!
//! fn label(loader: &Loader) -> Rc<str> {
//!     loader.load(1).unwrap_or_else(|_dropped| "..".into())
//! }
//!
//! let loader = Loader::default();
//! assert_eq!(&*label(&loader), "..");
//! let names = pollster::block_on(list(&loader));
//! assert_eq!(names[0], names[2]);
//! assert_eq!(&*names[1], "1, of a batch of 2");
//! assert_eq!(label(&loader), names[1]);
//! ```
//!
//! **Watch:** a caller that gives up leaves its key in the queue, and the next batch fetches it too.
//! What is in flight is asked for once more; the loader in the repository's `examples/graphql`
//! shares that as well, bounds its batches, and survives a backend that fails.
//!
//! # Something learnt once
//!
//! *A client has to find out something before its first use, and then knows it.*
//!
//! ```
//! use std::io;
//!
//! use maybe_ready::MaybeReady;
//! use tokio::sync::OnceCell;
//!
//! type Region<'a> = io::Result<&'a str>;
//!
//! #[derive(Default)]
//! struct Client {
//!     region: OnceCell<String>,
//! }
//!
//! impl Client {
//!     fn region(&self) -> MaybeReady<Region<'_>, impl Future<Output = Region<'_>>> {
//!         match self.region.get() {
//!             Some(region) => MaybeReady::Ready(Ok(region.as_str())),
//!             None => MaybeReady::Pending(async move {
//!                 let region = self.region.get_or_try_init(ask_for_region).await?;
//!                 Ok(region.as_str())
//!             }),
//!         }
//!     }
//! }
//!
//! async fn ask_for_region() -> io::Result<String> {
//!     Ok("eu".to_owned())
//! }
//!
//! async fn address(client: &Client) -> io::Result<String> {
//!     Ok(format!("{}.example.org", client.region().await?))
//! }
//!
//! /// A line of a log, which must not wait.
//! fn line(client: &Client, text: &str) -> String {
//!     match client.region() {
//!         MaybeReady::Ready(Ok(region)) => format!("[{region}] {text}"),
//!         _ => format!("[?] {text}"),
//!     }
//! }
//!
//! let client = Client::default();
//! assert_eq!(line(&client, "started"), "[?] started");
//! assert_eq!(pollster::block_on(address(&client)).unwrap(), "eu.example.org");
//! assert_eq!(line(&client, "done"), "[eu] done");
//! ```
//!
//! Where a single owner has `&mut self`, the field can be the `MaybeReady`, and its value takes the
//! place of its future:
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! struct Client {
//!     region: BoxMaybeReady<'static, String>,
//! }
//!
//! impl Client {
//!     async fn region(&mut self) -> &str {
//!         if let MaybeReady::Pending(ask) = &mut self.region {
//!             self.region = MaybeReady::Ready(ask.await);
//!         }
//!         self.region.as_ref().expect_ready("it was just waited for")
//!     }
//!
//!     fn known_region(&self) -> Option<&str> {
//!         self.region.as_ref().try_into_ready().ok().map(String::as_str)
//!     }
//! }
//!
//! let ask = async { "eu".to_owned() };
//! let mut client = Client { region: MaybeReady::Pending(ask).boxed() };
//! assert_eq!(client.known_region(), None);
//! assert_eq!(pollster::block_on(client.region()), "eu");
//! assert_eq!(client.known_region(), Some("eu"));
//! ```
//!
//! **Watch:** the cell keeps no error, so the next caller asks again. If the caller that asks gives up,
//! the next one starts anew with the cell, and goes on with the same future in the field.
//!
//! # A caller that cannot wait but comes back
//!
//! *A frame is drawn now. What is not loaded is left out, and should be there for one of the next.*
//!
//! The future owns what it uses, so that it can be spawned: `use<>` says that it borrows nothing.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//!
//! use maybe_ready::MaybeReady;
//!
//! #[derive(Default)]
//! struct Icons(Mutex<HashMap<u32, Arc<str>>>);
//!
//! impl Icons {
//!     fn get(
//!         self: &Arc<Self>,
//!         id: u32,
//!     ) -> MaybeReady<Arc<str>, impl Future<Output = Arc<str>> + Send + use<>> {
//!         let known = self.0.lock().unwrap().get(&id).cloned();
//!         match known {
//!             Some(icon) => MaybeReady::Ready(icon),
//!             None => {
//!                 // Here, where a hit does not pay for it.
//!                 let icons = Arc::clone(self);
//!                 MaybeReady::Pending(async move {
//!                     let icon = load(id).await;
//!                     icons.0.lock().unwrap().insert(id, icon.clone());
//!                     icon
//!                 })
//!             }
//!         }
//!     }
//! }
//!
//! async fn load(id: u32) -> Arc<str> {
//!     format!("icon {id}").into()
//! }
//!
//! fn draw(icons: &Arc<Icons>) -> Option<Arc<str>> {
//!     match icons.get(7) {
//!         MaybeReady::Ready(icon) => Some(icon),
//!         MaybeReady::Pending(load) => {
//!             tokio::spawn(load);
//!             None
//!         }
//!     }
//! }
//!
//! async fn print(icons: &Arc<Icons>) -> Arc<str> {
//!     icons.get(8).await
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let icons = Arc::<Icons>::default();
//! assert_eq!(draw(&icons), None);
//! tokio::task::yield_now().await;
//! assert_eq!(draw(&icons).as_deref(), Some("icon 7"));
//!
//! assert_eq!(&*print(&icons).await, "icon 8");
//! # });
//! ```
//!
//! **Watch:** a frame that comes too early spawns another load. A [shared
//! fetch](#a-cache-whose-callers-share-a-fetch) loads once.
//!
//! # A trait for those who know and those who ask
//!
//! *Some implementors have their answer at hand, some go over the network, and you hold them as
//! `dyn`.*
//!
//! ```
//! use std::collections::HashMap;
//!
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! type Port = Option<u16>;
//!
//! trait Resolve: Send + Sync {
//!     fn port<'a>(&'a self, service: &'a str) -> BoxMaybeReady<'a, Port>;
//! }
//!
//! /// Knows.
//! struct Table(HashMap<String, u16>);
//!
//! impl Resolve for Table {
//!     fn port<'a>(&'a self, service: &'a str) -> BoxMaybeReady<'a, Port> {
//!         MaybeReady::Ready(self.0.get(service).copied())
//!     }
//! }
//!
//! /// Asks.
//! struct Registry;
//!
//! impl Registry {
//!     async fn ask(&self, service: &str) -> Port {
//!         (service == "chat").then_some(5222)
//!     }
//! }
//!
//! impl Resolve for Registry {
//!     fn port<'a>(&'a self, service: &'a str) -> BoxMaybeReady<'a, Port> {
//!         MaybeReady::Pending(self.ask(service)).boxed()
//!     }
//! }
//!
//! /// Tries one, then the other.
//! struct Both(Box<dyn Resolve>, Box<dyn Resolve>);
//!
//! impl Resolve for Both {
//!     fn port<'a>(&'a self, service: &'a str) -> BoxMaybeReady<'a, Port> {
//!         let found = self.0.port(service).then(move |port| match port {
//!             Some(port) => MaybeReady::Ready(Some(port)),
//!             None => self.1.port(service),
//!         });
//!         found.boxed()
//!     }
//! }
//!
//! /// Asks for another name.
//! struct Secure(Box<dyn Resolve>);
//!
//! impl Resolve for Secure {
//!     fn port<'a>(&'a self, service: &'a str) -> BoxMaybeReady<'a, Port> {
//!         let service = format!("{service}s");
//!         if let MaybeReady::Ready(port) = self.0.port(&service) {
//!             return MaybeReady::Ready(port);
//!         }
//!         MaybeReady::Pending(async move { self.0.port(&service).await }).boxed()
//!     }
//! }
//!
//! async fn address(resolve: &dyn Resolve, service: &str) -> String {
//!     format!("localhost:{}", resolve.port(service).await.unwrap_or(80))
//! }
//!
//! fn is_known(resolve: &dyn Resolve, service: &str) -> bool {
//!     matches!(resolve.port(service), MaybeReady::Ready(Some(_)))
//! }
//!
//! let table = Table(HashMap::from([("https".to_owned(), 443)]));
//! let both = Both(Box::new(table), Box::new(Registry));
//! assert!(is_known(&both, "https") && !is_known(&both, "chat"));
//! assert_eq!(pollster::block_on(address(&both, "chat")), "localhost:5222");
//!
//! let secure = Secure(Box::new(both));
//! assert!(is_known(&secure, "http") && !is_known(&secure, "chat"));
//! assert_eq!(pollster::block_on(address(&secure, "http")), "localhost:443");
//! ```
//!
//! **Watch:** a wrapper that calls [`boxed`] boxes a miss once more. One that passes a boxed future on,
//! untouched, does not. One that makes a key of its own, as `Secure` does, has to ask twice: the
//! first answer borrows the key, and cannot leave the method (E0515). With all of it in the async
//! block it would compile, and no hit would stay one.
//!
//! An answer that borrows from `self` [needs a second
//! lifetime](crate::_migration#from-async-trait-or-a-boxed-future). Where nobody holds the trait as
//! `dyn`, its method can return `MaybeReady<Port, impl Future<Output = Port>>`, and nothing is boxed.
//!
//! # A store with a synchronous facade
//!
//! *Part of the code is not async and cannot be, but what it reads is in memory nearly always.*
//!
//! One method, instead of `get` beside `try_get`. The facade turns a miss into an error of its own,
//! which names the operation.
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady};
//!
//! #[derive(Debug, PartialEq)]
//! enum Error {
//!     Missing,
//!     NotReady(&'static str),
//! }
//!
//! trait Store {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>>;
//! }
//!
//! struct Memory;
//!
//! impl Store for Memory {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>> {
//!         MaybeReady::Ready(if key == "answer" { Ok(42) } else { Err(Error::Missing) })
//!     }
//! }
//!
//! struct Disk;
//!
//! impl Store for Disk {
//!     fn get<'a>(&'a self, key: &'a str) -> BoxMaybeReady<'a, Result<usize, Error>> {
//!         MaybeReady::Pending(async { Ok(key.len()) }).boxed()
//!     }
//! }
//!
//! async fn sum(store: &dyn Store) -> Result<usize, Error> {
//!     Ok(store.get("answer").await? + store.get("answer").await?)
//! }
//!
//! struct Facade<'a>(&'a dyn Store);
//!
//! impl Facade<'_> {
//!     fn get(&self, key: &str) -> Result<usize, Error> {
//!         self.0.get(key).unwrap_or_else(|_dropped| Err(Error::NotReady("get")))
//!     }
//! }
//!
//! assert_eq!(pollster::block_on(sum(&Disk)), Ok(12));
//! assert_eq!(Facade(&Memory).get("answer"), Ok(42));
//! assert_eq!(Facade(&Disk).get("answer"), Err(Error::NotReady("get")));
//! ```
//!
//! **Watch:** a store whose lock is taken answers pending, not "missing". A facade that may block
//! instead of refusing passes an executor to [`unwrap_or_else`]: from inside of an async runtime
//! most of them panic or dead-lock.
//!
//! # Callbacks with defaults
//!
//! *A protocol has forty callbacks, an implementor cares for three, and one of those may have to
//! wait.*
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady, fold};
//!
//! enum Event {
//!     Header(String),
//!     Body(Vec<u8>),
//! }
//!
//! trait Handler {
//!     fn header(&mut self, _name: String) -> BoxMaybeReady<'static, ()> {
//!         MaybeReady::Ready(())
//!     }
//!
//!     fn body(&mut self, _bytes: Vec<u8>) -> BoxMaybeReady<'static, ()> {
//!         MaybeReady::Ready(())
//!     }
//! }
//!
//! fn run(
//!     handler: &mut dyn Handler,
//!     events: Vec<Event>,
//! ) -> MaybeReady<(), impl Future<Output = ()>> {
//!     fold(events, (), |(), event| match event {
//!         Event::Header(name) => handler.header(name),
//!         Event::Body(bytes) => handler.body(bytes),
//!     })
//! }
//!
//! #[derive(Default)]
//! struct Size(usize);
//!
//! impl Handler for Size {
//!     fn body(&mut self, bytes: Vec<u8>) -> BoxMaybeReady<'static, ()> {
//!         self.0 += bytes.len();
//!         MaybeReady::Ready(())
//!     }
//! }
//!
//! struct Save;
//!
//! impl Handler for Save {
//!     fn body(&mut self, bytes: Vec<u8>) -> BoxMaybeReady<'static, ()> {
//!         MaybeReady::Pending(write(bytes)).boxed()
//!     }
//! }
//!
//! async fn write(_bytes: Vec<u8>) {
//!     // ...
//! }
//!
//! let session = || vec![Event::Header("to".into()), Event::Body(vec![1, 2, 3])];
//!
//! // A parser that is not async runs handlers that never wait:
//! let mut size = Size::default();
//! assert!(run(&mut size, session()).try_into_ready().is_ok());
//! assert_eq!(size.0, 3);
//!
//! // The same for all of them, in a task:
//! pollster::block_on(async { run(&mut Save, session()).await });
//! ```
//!
//! **Watch:** `'static` keeps the handler free while a callback waits, so the future owns what it uses.
//! [`fold`] calls the next callback only when the one before is done.
//!
//! # Middleware that names its future
//!
//! *A layer in a stack of services, where the stack is static and no layer may cost an allocation.*
//!
//! A combinator's type is a type like any other:
//!
//! ```
//! use maybe_ready::{AlwaysReady, MapErr, MaybeReady, Never};
//!
//! type Reply = Result<String, String>;
//!
//! trait Service {
//!     type Future: Future<Output = Reply>;
//!     fn call(&self, request: &str) -> MaybeReady<Reply, Self::Future>;
//! }
//!
//! struct Labelled<S>(S);
//!
//! impl<S: Service> Service for Labelled<S> {
//!     type Future = MapErr<S::Future, fn(String) -> String>;
//!
//!     fn call(&self, request: &str) -> MaybeReady<Reply, Self::Future> {
//!         self.0.call(request).map_err(|error| format!("service: {error}"))
//!     }
//! }
//!
//! struct Refuse;
//!
//! impl Service for Refuse {
//!     type Future = Never<Reply>;
//!
//!     fn call(&self, _request: &str) -> AlwaysReady<Reply> {
//!         MaybeReady::Ready(Err("closed".to_owned()))
//!     }
//! }
//!
//! async fn serve(service: &impl Service) -> Reply {
//!     service.call("ping").await
//! }
//!
//! fn serve_now(service: &impl Service) -> Option<Reply> {
//!     service.call("ping").try_into_ready().ok()
//! }
//!
//! let refused = Err("service: closed".to_owned());
//! assert_eq!(serve_now(&Labelled(Refuse)), Some(refused.clone()));
//! assert_eq!(pollster::block_on(serve(&Labelled(Refuse))), refused);
//! ```
//!
//! **Watch:** a closure has a type that can be named, `fn(..) -> ..`, only if it captures nothing. With
//! captures, box the future, or return `impl Future` from a method. Before a further call, such as an
//! `.into()`, it has to be cast: `.map_err(label as fn(_) -> _).into()`.
//!
//! # A tower layer that answers early
//!
//! *A request that is rejected, limited or cached is answered without the service behind.*
//!
//! [`MaybeReadyFuture`] is the future that such a trait asks for. Nothing is boxed, and the errors
//! stay what they are.
//!
//! ```
//! use std::task::{Context, Poll};
//!
//! use maybe_ready::{MaybeReady, MaybeReadyFuture};
//! use tower_layer::Layer;
//! use tower_service::Service;
//!
//! struct SignedIn;
//!
//! struct Guard<S>(S);
//!
//! impl<S> Layer<S> for SignedIn {
//!     type Service = Guard<S>;
//!
//!     fn layer(&self, inner: S) -> Guard<S> {
//!         Guard(inner)
//!     }
//! }
//!
//! struct Request {
//!     user: Option<&'static str>,
//! }
//!
//! impl<S: Service<Request, Response = u16>> Service<Request> for Guard<S> {
//!     type Response = u16;
//!     type Error = S::Error;
//!     type Future = MaybeReadyFuture<Result<u16, S::Error>, S::Future>;
//!
//!     fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
//!         self.0.poll_ready(cx)
//!     }
//!
//!     fn call(&mut self, request: Request) -> Self::Future {
//!         let answer = match request.user {
//!             Some(_) => MaybeReady::Pending(self.0.call(request)),
//!             None => MaybeReady::Ready(Ok(401)),
//!         };
//!         answer.into_future()
//!     }
//! }
//! # struct App;
//! # impl Service<Request> for App {
//! #     type Response = u16;
//! #     type Error = std::convert::Infallible;
//! #     type Future = futures::future::BoxFuture<'static, Result<u16, Self::Error>>;
//! #     fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
//! #         Poll::Ready(Ok(()))
//! #     }
//! #     fn call(&mut self, _: Request) -> Self::Future {
//! #         Box::pin(async { Ok(200) })
//! #     }
//! # }
//!
//! let mut service = SignedIn.layer(App);
//!
//! let answer = service.call(Request { user: Some("ada") });
//! assert_eq!(pollster::block_on(answer), Ok(200));
//!
//! // Whoever holds the future can look, without an executor:
//! let answer = service.call(Request { user: None });
//! assert!(matches!(answer.into_inner(), Some(MaybeReady::Ready(Ok(401)))));
//! ```
//!
//! **Watch:** the service's own `poll_ready` is called before it is known that it will not be asked. What
//! that reserves in the service behind, such as a permit, is kept for the next call. The future of
//! an inner service counts as pending, even if that service answers early too. Layers that pass
//! readiness on ask for `S: Service<R, Future = MaybeReadyFuture<Result<T, E>, F>>`, get the answer
//! back with [`into_inner`] before it is polled, and go on from there.
//!
//! # A timeout for the slow path only
//!
//! *Timeouts, tracing spans, metrics of waiting: they are for what waits, and a hit is to stay one.*
//!
//! What every answer needs goes into [`inspect`], what only waiting needs into [`map_pending`].
//!
//! ```
//! use std::cell::Cell;
//! use std::time::Duration;
//!
//! use maybe_ready::{AlwaysReady, MaybeReady};
//! use tokio::time::{sleep, timeout};
//!
//! fn in_time<T, F: Future<Output = T>>(
//!     failures: &Cell<u32>,
//!     answer: MaybeReady<T, F>,
//! ) -> MaybeReady<Option<T>, impl Future<Output = Option<T>>> {
//!     answer
//!         .map_ready(Some)
//!         .map_pending(|slow| async { timeout(Duration::from_secs(5), slow).await.ok() })
//!         .inspect(|answer| failures.set(failures.get() + u32::from(answer.is_none())))
//! }
//!
//! let failures = Cell::new(0);
//!
//! // No timer, no runtime:
//! assert_eq!(in_time(&failures, AlwaysReady::Ready(42)).unwrap_ready(), Some(42));
//!
//! # tokio::runtime::Builder::new_current_thread()
//! #     .enable_time()
//! #     .start_paused(true)
//! #     .build()
//! #     .unwrap()
//! #     .block_on(async {
//! let slow = MaybeReady::Pending(sleep(Duration::from_secs(60)));
//! assert_eq!(in_time(&failures, slow).await, None);
//! assert_eq!(failures.get(), 1);
//! # });
//! ```
//!
//! **Watch:** what the async block adds starts with the first poll. Without it,
//! `.map_ready(Ok).map_pending(|slow| timeout(LIMIT, slow))`, the future has a name, `Timeout<F>`, but
//! a miss needs the runtime at the call, and its time runs from then on. A `timeout` around the whole
//! answer needs the runtime even for a hit. What is to happen for every *call*, answered or given up,
//! is done before it, not in `inspect`. A span is `slow.instrument(span)`.
//!
//! # Waiting in a loop
//!
//! *While it waits for the answer, a task has other things to do: to show progress, to serve requests.*
//!
//! Made a future and pinned before the loop, the answer keeps its progress from turn to turn.
//!
//! ```
//! use std::pin::pin;
//! use std::time::Duration;
//!
//! use futures::future::FusedFuture;
//! use maybe_ready::{AlwaysReady, MaybeReady};
//! use tokio::sync::mpsc::{Receiver, channel};
//! use tokio::time::{sleep, timeout};
//!
//! async fn with_dots<F: Future<Output = u32>>(answer: MaybeReady<u32, F>) -> String {
//!     let mut answer = pin!(answer.into_future());
//!     let mut dots = String::new();
//!     loop {
//!         match timeout(Duration::from_secs(1), answer.as_mut()).await {
//!             Ok(answer) => return format!("{dots}{answer}"),
//!             Err(_) => dots.push('.'),
//!         }
//!     }
//! }
//!
//! /// Serves until there are no requests left, and has the answer somewhere in between.
//! async fn serve<F: Future<Output = u32>>(
//!     answer: MaybeReady<u32, F>,
//!     mut requests: Receiver<u32>,
//! ) -> (Option<u32>, u32) {
//!     let mut answer = pin!(answer.into_future());
//!     let (mut known, mut sum) = (None, 0);
//!     loop {
//!         tokio::select! {
//!             // One that has given its value must not be polled again.
//!             value = &mut answer, if !answer.is_terminated() => known = Some(value),
//!             request = requests.recv() => match request {
//!                 Some(request) => sum += request,
//!                 None => return (known, sum),
//!             },
//!         }
//!     }
//! }
//!
//! fn without_dots<F>(answer: MaybeReady<u32, F>) -> String {
//!     answer.map_ready(|answer| answer.to_string()).unwrap_or_else(|_dropped| "?".to_owned())
//! }
//!
//! assert_eq!(without_dots(AlwaysReady::Ready(42)), "42");
//!
//! # tokio::runtime::Builder::new_current_thread()
//! #     .enable_time()
//! #     .start_paused(true)
//! #     .build()
//! #     .unwrap()
//! #     .block_on(async {
//! let slow = || {
//!     MaybeReady::Pending(async {
//!         sleep(Duration::from_millis(2500)).await;
//!         42
//!     })
//! };
//! assert_eq!(with_dots(AlwaysReady::Ready(42)).await, "42");
//! assert_eq!(with_dots(slow()).await, "..42");
//!
//! let (sender, requests) = channel(1);
//! let send = async move {
//!     for request in [1, 2, 3] {
//!         sender.send(request).await.unwrap();
//!         sleep(Duration::from_secs(1)).await;
//!     }
//! };
//! let (_, served) = tokio::join!(send, serve(slow(), requests));
//! assert_eq!(served, (Some(42), 6));
//! # });
//! ```
//!
//! **Watch:** the `select!` of futures leaves out by itself what has given its value. A `timeout` that
//! takes the answer by value drops it when the time is up.
//!
//! # An argument that may be a future
//!
//! *Callers have the value, or a future of it, or do not know which.*
//!
//! ```
//! use maybe_ready::{AlwaysReady, IntoMaybeReady, MaybeReady};
//!
//! fn greet<N: IntoMaybeReady<Output = String>>(
//!     name: N,
//! ) -> MaybeReady<String, impl Future<Output = String>> {
//!     name.into_maybe_ready().map(|name| format!("Hello, {name}"))
//! }
//!
//! // A value, for a caller that is not async:
//! let greeting = greet(AlwaysReady::Ready("Ada".to_owned()));
//! assert_eq!(greeting.unwrap_ready(), "Hello, Ada");
//!
//! // A future:
//! async fn name() -> String {
//!     "Grace".to_owned()
//! }
//! pollster::block_on(async {
//!     assert_eq!(greet(name()).await, "Hello, Grace");
//! });
//! ```
//!
//! **Watch:** a plain value is no [`IntoMaybeReady`], for it would make every future a value as well. For
//! a result that is [`Send`] add `where N::Future: Send`.
//!
//! # Steps that may end early
//!
//! *Checks, rules, handlers: one after the other, the first refusal ends it, and few of them wait.*
//!
//! ```
//! use maybe_ready::{BoxMaybeReady, MaybeReady, try_fold};
//!
//! #[derive(Debug, PartialEq)]
//! struct Refused(&'static str);
//!
//! type Rule = fn(&str) -> BoxMaybeReady<'_, Result<(), Refused>>;
//!
//! fn not_empty(text: &str) -> BoxMaybeReady<'_, Result<(), Refused>> {
//!     MaybeReady::Ready(if text.is_empty() { Err(Refused("empty")) } else { Ok(()) })
//! }
//!
//! fn not_spam(text: &str) -> BoxMaybeReady<'_, Result<(), Refused>> {
//!     let ask = async move { if text.contains("offer") { Err(Refused("spam")) } else { Ok(()) } };
//!     MaybeReady::Pending(ask).boxed()
//! }
//!
//! fn check<'a>(
//!     rules: &'a [Rule],
//!     text: &'a str,
//! ) -> MaybeReady<Result<(), Refused>, impl Future<Output = Result<(), Refused>>> {
//!     try_fold(rules, (), move |(), rule| rule(text))
//! }
//!
//! let rules: [Rule; 2] = [not_empty, not_spam];
//!
//! // While the text is typed, what is known at once is enough:
//! fn hint(rules: &[Rule], text: &str) -> Option<Refused> {
//!     check(rules, text).try_into_ready().ok()?.err()
//! }
//! assert_eq!(hint(&rules, ""), Some(Refused("empty")));
//! assert_eq!(hint(&rules, "an offer"), None);
//!
//! // When it is sent, all rules count:
//! pollster::block_on(async {
//!     assert_eq!(check(&rules, "an offer").await, Err(Refused("spam")));
//! });
//! ```
//!
//! **Watch:** to end early with a success, make it the `Err`; the type is yours. What the steps share
//! goes through the accumulator.
//!
//! # All errors, not the first
//!
//! *Something is sent to many, and whoever sent it wants to know of all that failed.*
//!
//! [`join_all`] keeps every [`Result`] in its place, where [`try_join_all`] stops at the first error.
//!
//! ```
//! use maybe_ready::{MaybeReady, join_all};
//!
//! type Sent = Result<(), String>;
//!
//! struct Peer {
//!     name: &'static str,
//!     connected: bool,
//!     busy: bool,
//! }
//!
//! impl Peer {
//!     fn send(&self) -> MaybeReady<Sent, impl Future<Output = Sent>> {
//!         let sent = if self.connected { Ok(()) } else { Err(format!("{} is gone", self.name)) };
//!         if self.busy { MaybeReady::Pending(async { sent }) } else { MaybeReady::Ready(sent) }
//!     }
//! }
//!
//! fn broadcast(peers: &[Peer]) -> MaybeReady<Vec<String>, impl Future<Output = Vec<String>>> {
//!     join_all(peers.iter().map(Peer::send))
//!         .map(|sent| sent.into_iter().filter_map(Result::err).collect())
//! }
//!
//! let mut peers = ["a", "b", "c"].map(|name| Peer { name, connected: name == "b", busy: false });
//!
//! // From a signal handler, say, where nothing can wait:
//! assert_eq!(broadcast(&peers).unwrap_ready(), ["a is gone", "c is gone"]);
//!
//! // And where it can, the order is the same:
//! peers[0].busy = true;
//! pollster::block_on(async {
//!     assert_eq!(broadcast(&peers).await, ["a is gone", "c is gone"]);
//! });
//! ```
//!
//! **Watch:** a caller that drops a pending broadcast has sent to those that were ready, and to no other.
//!
//! # A test with everything pending
//!
//! *Your code treats hits and misses alike, as far as you know.*
//!
//! Readiness must not change results. So run the same test again with all answers [`defer`]red: a
//! different outcome is a bug, most often two paths that drifted apart, or a closure that counts on
//! being called at once.
//!
//! ```
//! use maybe_ready::{AlwaysReady, Defer, MaybeReady, Never, fold};
//!
//! trait Prices {
//!     type Future: Future<Output = u32>;
//!     fn price(&self, item: &str) -> MaybeReady<u32, Self::Future>;
//! }
//!
//! // What is to be tested:
//! fn total<P: Prices>(prices: &P, items: &[&str]) -> MaybeReady<u32, impl Future<Output = u32>> {
//!     fold(items, 0, |sum, item| prices.price(item).map(move |price| sum + price))
//! }
//!
//! struct ByLength;
//!
//! impl Prices for ByLength {
//!     type Future = Never<u32>;
//!
//!     fn price(&self, item: &str) -> AlwaysReady<u32> {
//!         MaybeReady::Ready(item.len() as u32)
//!     }
//! }
//!
//! struct Deferred<P>(P);
//!
//! impl<P: Prices> Prices for Deferred<P> {
//!     type Future = Defer<u32, P::Future>;
//!
//!     fn price(&self, item: &str) -> MaybeReady<u32, Self::Future> {
//!         self.0.price(item).defer()
//!     }
//! }
//!
//! let items = ["bread", "salt"];
//!
//! // All ready, and no executor:
//! assert_eq!(total(&ByLength, &items).unwrap_ready(), 9);
//!
//! // All pending, and each wakes its task once:
//! let later = total(&Deferred(ByLength), &items);
//! assert!(later.is_pending());
//! assert_eq!(pollster::block_on(async { later.await }), 9);
//! ```
//!
//! **Watch:** what may differ are the things that differ in any concurrent program, listed under the
//! [first law](crate#what-is-ready-stays-ready).
//!
//! # Does it pay at all?
//!
//! *You suspect that nearly all answers are ready, or that hardly any is.*
//!
//! You cannot tell from the code. Count where the answers are made, in production, before and after
//! you build on it.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
//!
//! use maybe_ready::MaybeReady;
//!
//! #[derive(Default)]
//! struct Answers {
//!     ready: AtomicU64,
//!     pending: AtomicU64,
//! }
//!
//! impl Answers {
//!     fn count<T, F>(&self, answer: MaybeReady<T, F>) -> MaybeReady<T, F> {
//!         let kind = if answer.is_ready() { &self.ready } else { &self.pending };
//!         kind.fetch_add(1, Relaxed);
//!         answer
//!     }
//! }
//!
//! static ANSWERS: Answers = Answers { ready: AtomicU64::new(0), pending: AtomicU64::new(0) };
//!
//! fn read(key: u32) -> MaybeReady<u32, impl Future<Output = u32>> {
//!     ANSWERS.count(match key {
//!         0..9 => MaybeReady::Ready(2 * key),
//!         _ => MaybeReady::Pending(async move { 2 * key }),
//!     })
//! }
//!
//! fn known(keys: &[u32]) -> usize {
//!     keys.iter().filter(|key| read(**key).is_ready()).count()
//! }
//!
//! async fn sum(keys: &[u32]) -> u32 {
//!     let mut sum = 0;
//!     for key in keys {
//!         sum += read(*key).await;
//!     }
//!     sum
//! }
//!
//! assert_eq!(known(&[1, 2, 30]), 2);
//! assert_eq!(pollster::block_on(sum(&[1, 2, 30])), 66);
//! assert_eq!((ANSWERS.ready.load(Relaxed), ANSWERS.pending.load(Relaxed)), (4, 2));
//! ```
//!
//! **Watch:** with few hits a plain future is simpler; with only hits, [`AlwaysReady`] or a plain
//! function is. In between it depends on [where it pays](crate#when-to-use-it). A `Pending` that
//! completes on its first poll is a hit that was not recognised: look there first.
//!
//! [`AlwaysReady`]: crate::AlwaysReady
//! [`IntoMaybeReady`]: crate::IntoMaybeReady
//! [`MaybeReadyFuture`]: crate::MaybeReadyFuture
//! [`boxed`]: crate::MaybeReady::boxed
//! [`defer`]: crate::MaybeReady::defer
//! [`fold`]: crate::fold()
//! [`inspect`]: crate::MaybeReady::inspect
//! [`into_inner`]: crate::MaybeReadyFuture::into_inner
//! [`join_all`]: crate::join_all()
//! [`map_pending`]: crate::MaybeReady::map_pending
//! [`try_join_all`]: crate::try_join_all()
//! [`unwrap_or_else`]: crate::MaybeReady::unwrap_or_else

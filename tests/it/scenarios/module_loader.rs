//! A module loader, as a JavaScript runtime has it: most modules are at hand, some are files, and
//! not every consumer can wait.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use futures::stream::{FuturesUnordered, StreamExt};
use maybe_ready::{LocalBoxMaybeReady, MaybeReady};

use crate::support::{Drops, Token, Yield, drive};

#[derive(Debug, PartialEq)]
struct Module {
    imports: Vec<Rc<str>>,
}

#[derive(Clone, Debug, PartialEq)]
enum LoadError {
    NotFound(Rc<str>),
    /// A synchronous import came before the module did.
    NotYet(Rc<str>),
}

type Loaded = Result<Rc<Module>, LoadError>;

#[derive(Clone, Copy, Default)]
struct Options {
    /// Not from a cache.
    reload: bool,
}

trait Loader {
    fn load(&self, name: &str, options: Options) -> LocalBoxMaybeReady<'static, Loaded>;
}

/// What is compiled in: there, or not there.
struct Static(HashMap<Rc<str>, Rc<Module>>);

impl Loader for Static {
    fn load(&self, name: &str, _: Options) -> LocalBoxMaybeReady<'static, Loaded> {
        let module = self.0.get(name).cloned();
        MaybeReady::Ready(module.ok_or_else(|| LoadError::NotFound(name.into())))
    }
}

/// What has to be read first. It counts its reads, and holds a token while it does.
#[derive(Default)]
struct Files {
    reads: Cell<usize>,
    reading: Drops,
}

impl Loader for Files {
    fn load(&self, _: &str, _: Options) -> LocalBoxMaybeReady<'static, Loaded> {
        async fn read(_reading: Token) -> Loaded {
            let imports = Yield::new(1, vec![]).await;
            Ok(Rc::new(Module { imports }))
        }

        self.reads.set(self.reads.get() + 1);
        MaybeReady::Pending(read(self.reading.token())).boxed_local()
    }
}

/// Keeps what another loader found.
struct Cached<L> {
    inner: L,
    known: Rc<RefCell<HashMap<Rc<str>, Rc<Module>>>>,
}

impl<L> Cached<L> {
    fn new(inner: L) -> Self {
        Self {
            inner,
            known: Rc::default(),
        }
    }
}

impl<L: Loader> Loader for Cached<L> {
    fn load(&self, name: &str, options: Options) -> LocalBoxMaybeReady<'static, Loaded> {
        let known = self.known.borrow().get(name).cloned();
        if let Some(module) = known.filter(|_| !options.reload) {
            return MaybeReady::Ready(Ok(module));
        }
        let (known, name) = (self.known.clone(), Rc::from(name));
        self.inner
            .load(&name, options)
            .inspect_ok(move |module| {
                known.borrow_mut().insert(name, module.clone());
            })
            .boxed_local()
    }
}

/// The asynchronous consumer: loads what `root` needs, and queues only what is not there.
/// Returns how many modules there were, and how many it had to wait for.
async fn load_graph(loader: &dyn Loader, root: &str) -> Result<(usize, usize), LoadError> {
    let mut seen = HashSet::with_capacity(1000);
    let mut to_load: Vec<Rc<str>> = vec![root.into()];
    let mut loading = FuturesUnordered::new();
    let mut waited = 0;
    loop {
        while let Some(name) = to_load.pop() {
            if seen.insert(name.clone()) {
                match loader.load(&name, Options::default()) {
                    MaybeReady::Ready(module) => to_load.extend_from_slice(&module?.imports),
                    MaybeReady::Pending(future) => loading.push(future),
                }
            }
        }
        let Some(module) = loading.next().await else {
            return Ok((seen.len(), waited));
        };
        waited += 1;
        to_load.extend_from_slice(&module?.imports);
    }
}

/// The synchronous consumer: a value, or a typed refusal.
fn import_now(loader: &dyn Loader, name: &str) -> Loaded {
    let module = loader.load(name, Options::default());
    module.unwrap_or_else(|_| Err(LoadError::NotYet(name.into())))
}

/// Modules "0", "1", ... in which each imports the two after it.
fn chain(len: usize) -> Static {
    let name = |n: usize| Rc::from(n.to_string());
    let module = |n| Module {
        imports: (n + 1..len.min(n + 3)).map(name).collect(),
    };
    Static((0..len).map(|n| (name(n), Rc::new(module(n)))).collect())
}

#[test]
fn a_graph_of_static_modules_boxes_no_future_and_waits_for_none() {
    let (uncached, cached) = (chain(1000), Cached::new(chain(1000)));
    assert_eq!(drive(load_graph(&cached, "0")), (Ok((1000, 0)), 1));

    for loader in [&uncached as &dyn Loader, &cached] {
        let graph = allocation_counter::measure(|| {
            assert_eq!(drive(load_graph(loader, "0")), (Ok((1000, 0)), 1));
        });
        assert!(
            graph.count_total < 50,
            "1000 modules at hand cost {} allocations, more than the lists they are kept in",
            graph.count_total
        );
    }
}

#[test]
fn only_files_are_waited_for_and_only_once() {
    struct Mixed(Static, Files);

    impl Loader for Mixed {
        fn load(&self, name: &str, options: Options) -> LocalBoxMaybeReady<'static, Loaded> {
            if name.ends_with('9') {
                self.1.load(name, options)
            } else {
                self.0.load(name, options)
            }
        }
    }

    let loader = Cached::new(Mixed(chain(20), Files::default()));
    let (graph, polls) = drive(load_graph(&loader, "0"));
    assert_eq!(graph, Ok((20, 2)), "files 9 and 19 are waited for");
    assert!(polls > 1);

    assert_eq!(drive(load_graph(&loader, "0")), (Ok((20, 0)), 1));
    assert_eq!(loader.inner.1.reads.get(), 2, "the cache has them now");

    let reload = Options { reload: true };
    assert!(loader.load("9", reload).is_pending(), "not from the cache");
    assert!(loader.load("8", reload).is_ready(), "it needs no cache");
}

#[test]
fn a_synchronous_import_refuses_what_is_pending_and_drops_it() {
    let loader = Cached::new(Files::default());
    let refusal = import_now(&loader, "a.js");
    assert_eq!(refusal, Err(LoadError::NotYet("a.js".into())));
    let Files { reads, reading } = &loader.inner;
    assert_eq!((reads.get(), reading.alive()), (1, 0), "dropped once");

    let (loaded, _) = drive(loader.load("a.js", Options::default()));
    assert!(loaded.is_ok());
    assert_eq!(import_now(&loader, "a.js"), loaded, "it is cached now");
    let not_found = import_now(&chain(1), "b.js");
    assert_eq!(not_found, Err(LoadError::NotFound("b.js".into())));
}

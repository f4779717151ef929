//! What a query meets when it is executed: resolvers that write down that they were called, and
//! answers that are waited for.

use std::collections::BTreeMap;
use std::future::{Future, IntoFuture};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use graphql_example::executor::{Field, FieldError, Resolved, Schema, Value};
use maybe_ready::MaybeReady;
use serde_json::{Value as Json, json};

use super::case::{Case, Timing, WakeOrder};
use super::data::{Answer, Data, Thing, What};
use super::schema::{self, MUTATION, QUERY};

/// The context of one execution.
pub(super) struct World {
    data: Arc<Data>,
    timings: Vec<Timing>,
    state: Mutex<State>,
    /// Every answer that is waited for holds a clone.
    alive: Arc<()>,
}

#[derive(Default)]
struct State {
    /// The poll that is going on; 0 before the first one.
    turn: usize,
    now: u32,
    /// The number of mutations up to now.
    count: i32,
    calls: Vec<Call>,
    waits: usize,
    gates: BTreeMap<usize, Gate>,
}

/// A call of a resolver.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    /// The place of the object in the data.
    pub(super) thing: usize,
    /// The place of the field in its type.
    pub(super) field: usize,
    pub(super) arguments: String,
}

/// What an answer waits for.
struct Gate {
    due: u32,
    /// Whom to wake; nobody any more when it is open.
    waker: Option<Waker>,
}

/// The schema of a case, with resolvers.
pub(super) fn schema_of(case: &Case) -> Schema<World> {
    let mut builder = Schema::<World>::builder(&case.schema.to_string());
    for (place, ty) in case.schema.types.iter().enumerate() {
        if ty.fields.is_empty() {
            continue;
        }
        if place == QUERY || place == MUTATION {
            let mut object = builder.object::<()>(ty.name);
            for (field, name, arguments) in fields(ty) {
                object.field(name, move |(), context| {
                    let root = &context.context.data.things[place];
                    resolve(root, field, &arguments, context)
                });
            }
        } else {
            let mut object = builder.object::<Thing>(ty.name);
            for (field, name, arguments) in fields(ty) {
                object.field(name, move |thing: &Thing, context| {
                    resolve(thing, field, &arguments, context)
                });
            }
        }
    }
    builder.build().expect("a valid schema")
}

/// The fields of a type: the place, the name, the names of the arguments.
fn fields(ty: &schema::Type) -> impl Iterator<Item = (usize, &'static str, Vec<&'static str>)> {
    ty.fields.iter().enumerate().map(|(place, field)| {
        let arguments = field.arguments.iter().map(|argument| argument.name);
        (place, field.name, arguments.collect())
    })
}

fn resolve<'s, 'c: 's>(
    thing: &'s Thing,
    field: usize,
    arguments: &[&str],
    context: &Field<'_, 'c, World>,
) -> Resolved<'s, 'c> {
    let world = context.context;
    let mut text = String::new();
    for name in arguments {
        text += &written(name, context.argument(name));
    }
    world.state().calls.push(Call {
        thing: thing.place,
        field,
        arguments: text.clone(),
    });
    let answer = Place {
        here: &thing.answers[field],
        lasting: &world.data.things[thing.place].answers[field],
        mutates: thing.place == MUTATION,
    };
    world.resolved(answer, text)
}

/// An answer of the data.
#[derive(Clone, Copy)]
struct Place<'s, 'c> {
    /// In the object that was resolved.
    here: &'s Answer,
    /// The same in the context, for those that are waited for.
    lasting: &'c Answer,
    mutates: bool,
}

/// How an argument is written down. A number is a number, whether it is written 2 or 2.0.
pub(super) fn written(name: &str, value: &Json) -> String {
    fn with_floats(value: &Json) -> Json {
        match value {
            Json::Array(items) => items.iter().map(with_floats).collect(),
            Json::Number(number) => json!(number.as_f64()),
            value => value.clone(),
        }
    }
    format!(" {name}: {}", with_floats(value))
}

impl World {
    pub(super) fn new(case: &Case, timings: &[Timing]) -> Self {
        Self {
            data: case.data.clone(),
            timings: timings.to_vec(),
            state: Mutex::default(),
            alive: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_turn(&self) -> usize {
        let mut state = self.state();
        state.turn += 1;
        state.turn
    }

    pub(super) fn take_calls(&self) -> Vec<Call> {
        mem::take(&mut self.state().calls)
    }

    /// How many answers there are that are waited for.
    pub(super) fn alive(&self) -> usize {
        Arc::strong_count(&self.alive) - 1
    }

    pub(super) fn now(&self) -> u32 {
        self.state().now
    }

    /// When the next gate is due.
    pub(super) fn next(&self) -> u32 {
        let state = self.state();
        let closed = state.gates.values().filter(|gate| gate.waker.is_some());
        let next = closed.map(|gate| gate.due).min();
        next.expect("waits, and nothing is pending")
    }

    /// Opens gates that are due at that time, and returns whom to wake.
    pub(super) fn open(&self, now: u32, order: WakeOrder) -> Vec<Waker> {
        let mut state = self.state();
        state.now = now;
        let mut due: Vec<_> = (state.gates.values_mut())
            .filter(|gate| gate.waker.is_some() && gate.due == now)
            .collect();
        match order {
            WakeOrder::First => due.truncate(1),
            WakeOrder::Last => drop(due.drain(..due.len() - 1)),
            WakeOrder::All => {}
        }
        due.into_iter()
            .filter_map(|gate| gate.waker.take())
            .collect()
    }

    fn resolved<'s, 'c: 's>(&'c self, place: Place<'s, 'c>, arguments: String) -> Resolved<'s, 'c> {
        let timing = self.timings[place.here.number];
        if timing == Timing::Ready {
            return MaybeReady::Ready(self.value(place, &arguments));
        }
        let lasting = Place {
            here: place.lasting,
            ..place
        };
        let value: BoxFuture<'c, _> = match timing {
            Timing::Deferred => {
                let ready: Resolved<'c, 'c> = MaybeReady::Ready(self.value(lasting, &arguments));
                ready.defer().into_future().boxed()
            }
            _ => async move { self.value(lasting, &arguments) }.boxed(),
        };
        MaybeReady::Pending(self.wait(timing, value).boxed())
    }

    fn value<'s, 'c: 's>(&'c self, place: Place<'s, 'c>, arguments: &str) -> Output<'s, 'c> {
        let count = {
            let mut state = self.state();
            state.count += i32::from(place.mutates);
            state.count
        };
        Ok(match (&place.here.what, &place.lasting.what) {
            (What::Fails(message), _) => return Err(FieldError::new(message)),
            (What::Null, _) => Value::Null,
            (What::Boolean(value), _) => (*value).into(),
            (What::Int(value), _) => (*value).into(),
            (What::Count, _) => count.into(),
            (What::Float(value), _) => (*value).into(),
            (What::Text(value), _) if arguments.is_empty() => value.as_str().into(),
            (What::Text(value), _) => format!("{value}{arguments}").into(),
            (What::Thing(thing, false), _) => Value::object(&*self.data.things[*thing]),
            (What::Thing(thing, true), _) => Value::shared(self.data.things[*thing].clone()),
            (What::List(here), What::List(lasting)) => {
                let items = here.iter().zip(lasting).map(|(here, lasting)| {
                    let place = Place {
                        here,
                        lasting,
                        mutates: false,
                    };
                    self.resolved(place, arguments.to_owned())
                });
                Value::List(items.collect())
            }
            (What::List(_), _) => unreachable!("two answers in one place"),
        })
    }

    fn wait<F>(&self, timing: Timing, then: F) -> Wait<'_, F> {
        let mut state = self.state();
        state.waits += 1;
        Wait {
            world: self,
            timing,
            number: state.waits,
            due: state.now + timing.latency(),
            done: false,
            then,
            _alive: self.alive.clone(),
        }
    }
}

type Output<'s, 'c> = Result<Value<'s, 'c>, FieldError>;

/// A future of an answer, which panics if it is polled for nothing.
struct Wait<'c, F> {
    world: &'c World,
    timing: Timing,
    number: usize,
    due: u32,
    done: bool,
    then: F,
    _alive: Arc<()>,
}

impl<F: Future + Unpin> Future for Wait<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        assert!(!self.done, "an answer was polled after it was there");
        let Self {
            world,
            timing,
            number,
            due,
            ..
        } = &mut *self;
        let mut state = world.state();
        assert!(state.turn > 0, "an answer was polled before the first poll");
        match timing {
            Timing::Ready => unreachable!("a ready answer is no future"),
            Timing::Deferred | Timing::Yields(0) => {}
            Timing::Yields(left) => {
                *left -= 1;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Timing::After(_) => match state.gates.get(number) {
                None => {
                    let waker = Some(cx.waker().clone());
                    state.gates.insert(*number, Gate { due: *due, waker });
                    return Poll::Pending;
                }
                Some(gate) => assert!(
                    gate.waker.is_none(),
                    "an answer was polled, and nobody had woken it"
                ),
            },
        }
        drop(state);
        let value = ready!(Pin::new(&mut self.then).poll(cx));
        self.done = true;
        Poll::Ready(value)
    }
}

impl<F> Drop for Wait<'_, F> {
    fn drop(&mut self) {
        self.world.state().gates.remove(&self.number);
    }
}

//! A node that sends each block through all of its sockets, and wants every error.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use maybe_ready::{LocalBoxMaybeReady, MaybeReady, join_all};

use crate::support::drive;

type Block = Rc<str>;
type Sent = Result<(), String>;
type Errors = Vec<String>;

trait Socket {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent>;
}

/// Writes into memory, at once. It is full or not.
struct Buffer {
    name: &'static str,
    full: bool,
}

impl Socket for Buffer {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent> {
        MaybeReady::Ready(if self.full {
            Err(format!("{}: no room for {block}", self.name))
        } else {
            Ok(())
        })
    }
}

/// Does the same, but later.
struct Slow<S>(S);

impl<S: Socket> Socket for Slow<S> {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent> {
        self.0.send(block).defer().boxed_local()
    }
}

/// Sends through every socket, whatever fails, and lists the errors in the sockets' order.
fn send_all(sockets: &[&dyn Socket], block: &Block) -> LocalBoxMaybeReady<'static, Errors> {
    join_all(sockets.iter().map(|socket| socket.send(block)))
        .map(|all| all.into_iter().filter_map(Result::err).collect())
        .boxed_local()
}

/// What is left to do where a socket could not send at once. Nothing is lost if it is kept.
struct NotDone {
    block: Block,
    rest: LocalBoxFuture<'static, Errors>,
}

fn send_now(sockets: &[&dyn Socket], block: Block) -> Result<Errors, NotDone> {
    send_all(sockets, &block)
        .try_into_ready()
        .map_err(|rest| NotDone { block, rest })
}

const fn buffer(name: &'static str, full: bool) -> Buffer {
    Buffer { name, full }
}

const FULL: &Buffer = &buffer("full", true);
const FREE: &Buffer = &buffer("free", false);
const LAST: &Buffer = &buffer("last", true);
const ERRORS: [&str; 2] = ["full: no room for block", "last: no room for block"];

#[test]
fn synchronous_sockets_are_done_at_once_with_every_error() {
    let errors = send_all(&[FULL, FREE, LAST], &"block".into());
    assert_eq!(errors.unwrap_ready(), ERRORS);
    assert_eq!(send_now(&[FREE, FREE], "block".into()).ok(), Some(vec![]));
}

#[test]
fn one_asynchronous_socket_makes_it_pending_with_the_same_errors_in_order() {
    let slow = [FULL, FREE, LAST].map(|socket| Slow(buffer(socket.name, socket.full)));
    for (index, slow) in slow.iter().enumerate() {
        let mut sockets: [&dyn Socket; 3] = [FULL, FREE, LAST];
        sockets[index] = slow;
        let errors = send_all(&sockets, &"block".into());
        assert!(errors.is_pending());
        assert_eq!(drive(errors).0, ERRORS, "with socket {index} slow");
    }
}

#[test]
fn a_synchronous_sender_refuses_and_loses_nothing() {
    let slow = &Slow(buffer("last", true));
    let Err(refused) = send_now(&[FULL, FREE, slow], "block".into()) else {
        panic!("a slow socket has to be waited for");
    };
    assert_eq!(&*refused.block, "block");
    assert_eq!(drive(refused.rest).0, ERRORS);
}

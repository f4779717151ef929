//! A node that sends each block through all of its sockets, and wants every error.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use maybe_ready::{LocalBoxMaybeReady, MaybeReady, join_all};

use crate::support::{Yield, drive};

type Block = Rc<str>;
type Sent = Result<(), String>;
type Errors = Vec<String>;

trait Socket {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent>;
}

/// Writes into memory, at once. It is full or not.
struct Buffer {
    full: bool,
}

impl Socket for Buffer {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent> {
        MaybeReady::Ready(if self.full {
            Err(format!("no room for {block}"))
        } else {
            Ok(())
        })
    }
}

/// Waits for the other end, which is there or not.
struct Peer {
    there: bool,
}

impl Socket for Peer {
    fn send(&self, block: &Block) -> LocalBoxMaybeReady<'static, Sent> {
        let (there, block) = (self.there, block.clone());
        MaybeReady::Pending(async move {
            Yield::new(1, ()).await;
            there.then_some(()).ok_or(format!("no peer for {block}"))
        })
        .boxed_local()
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

const FREE: &Buffer = &Buffer { full: false };
const FULL: &Buffer = &Buffer { full: true };

#[test]
fn synchronous_sockets_are_done_at_once_with_every_error() {
    let errors = send_all(&[FULL, FREE, FULL], &"block".into());
    assert_eq!(errors.unwrap_ready(), ["no room for block"; 2]);
    assert_eq!(send_now(&[FREE, FREE], "block".into()).ok(), Some(vec![]));
}

#[test]
fn one_asynchronous_socket_makes_it_pending_with_the_errors_in_order() {
    let gone = &Peer { there: false };
    let errors = send_all(&[gone, FREE, FULL], &"block".into());
    assert!(errors.is_pending());
    let (errors, _) = drive(errors);
    assert_eq!(errors, ["no peer for block", "no room for block"]);
}

#[test]
fn a_synchronous_sender_refuses_and_loses_nothing() {
    let peer = &Peer { there: true };
    let Err(refused) = send_now(&[FULL, peer, FREE], "block".into()) else {
        panic!("a peer has to be waited for");
    };
    assert_eq!(&*refused.block, "block");
    assert_eq!(drive(refused.rest).0, ["no room for block"]);
}

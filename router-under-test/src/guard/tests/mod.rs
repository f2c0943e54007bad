//! What is let through, that it is the same however it arrives, and that the parser behind reads it
//! alike.

mod agreement;
mod connection;
mod heads;

use super::follow::Follower;
use super::presence::Watched;
use super::request_error::RequestError;
use std::io;

impl Watched for tokio::io::DuplexStream {
    fn failure(&self) -> Option<io::Error> {
        None
    }

    fn has_half_closed(&self) -> bool {
        false
    }

    fn break_off(&self) {}
}

/// What comes of bytes: those let through, the length of each body, and what is wrong with the
/// rest.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    passed: Vec<u8>,
    requests: u64,
    fault: Option<RequestError>,
}

/// Feeds a follower with pieces, as a connection does.
fn follow<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let (mut follower, mut held, mut passed) = (Follower::new(), Vec::new(), Vec::new());
    for piece in pieces {
        held.extend_from_slice(piece);
        loop {
            let (length, fault) = follower.advance(&held);
            passed.extend(held.drain(..length));
            if fault.is_some() {
                return Outcome { passed, requests: follower.requests(), fault };
            }
            if !follower.is_undecided() {
                break;
            }
            // Nobody agrees to a change of protocol here.
            follower.decide(false);
        }
    }
    Outcome { passed, requests: follower.requests(), fault: None }
}

//! HTTP/1.1 as bytes (RFC 9112), for both sides of the router: what heads and bodies say, and how
//! they are written. Nothing here knows of cells or users.
//!
//! A router that sends requests on, and again, must read them as every other parser does. So of all
//! that RFC 9112 lets a recipient take, only what is unambiguous is taken: no line that ends in LF,
//! no `Content-Length` beside `Transfer-Encoding` and no length that is said twice, no folded field
//! (Z-42, Z-47, Z-50, Z-54, Z-55, Z-56). Each byte of a head is looked at once, however the bytes
//! arrive.

mod body;
mod chunks;
mod date;
mod error;
mod input;
mod lines;
mod request;
mod response;
#[cfg(test)]
mod tests;
mod token;
mod write;

pub(crate) use body::{Decoder, Framing};
pub(crate) use error::HeadError;
pub(crate) use input::{Input, MOST_OF_A_USER};
pub(crate) use lines::MOST_FIELDS;
pub(crate) use request::RequestReader;
pub(crate) use response::{Reason, ResponseReader};
pub(crate) use write::{CONTINUE, Encoding, Pieces, request_head, response_head};

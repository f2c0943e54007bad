//! When steps below a request: raw bytes, connections that users share, WebSockets, cookies.

use cucumber::when;

use super::doc_strings::{SharedText, WireText};
use super::meaning::Meaning;
use super::parameters::{Person, Route};
use crate::action::{Action, CookieChange, SocketAction};

#[when(expr = "{person} sends raw bytes:")]
fn bytes(step: &mut Meaning, person: Person) {
    let Some(WireText(text)) = step.doc_string() else { return };
    step.action(Action::RawBytes { person, text, half_close: false });
}

#[when(expr = "{person} sends raw bytes, then half-closes:")]
fn bytes_and_close(step: &mut Meaning, person: Person) {
    let Some(WireText(text)) = step.doc_string() else { return };
    step.action(Action::RawBytes { person, text, half_close: true });
}

#[when(expr = "several users share a connection, in turns:")]
fn shared(step: &mut Meaning) {
    let Some(SharedText(text)) = step.doc_string() else { return };
    step.action(Action::Shared { text, pipelined: false });
}

#[when(expr = "several users share a connection, pipelining:")]
fn shared_pipelined(step: &mut Meaning) {
    let Some(SharedText(text)) = step.doc_string() else { return };
    step.action(Action::Shared { text, pipelined: true });
}

#[when(expr = "{person} opens a WebSocket at {string}{route}")]
fn socket_open(step: &mut Meaning, person: Person, target: String, route: Route) {
    step.action(Action::WebSocket { person, socket: SocketAction::Open { target, route } });
}

#[when(expr = "{person} sends the message {string}")]
fn socket_say(step: &mut Meaning, person: Person, text: String) {
    step.action(Action::WebSocket { person, socket: SocketAction::Say { text } });
}

#[when(expr = "{person} closes the WebSocket")]
fn socket_close(step: &mut Meaning, person: Person) {
    step.action(Action::WebSocket { person, socket: SocketAction::Close });
}

#[when(expr = "{person} forges the router's cookies as {string}")]
fn forge_cookies(step: &mut Meaning, person: Person, value: String) {
    step.action(Action::Cookies { person, change: CookieChange::Forge { value } });
}

#[when(expr = "{person} forges the JWT with {string}")]
fn forge_session(step: &mut Meaning, person: Person, with: String) {
    step.action(Action::Cookies { person, change: CookieChange::ForgeSession { with } });
}

#[when(expr = "{person} copies the cookies of {person}")]
fn copy_cookies(step: &mut Meaning, person: Person, from: Person) {
    step.action(Action::Cookies { person, change: CookieChange::Copy { from } });
}

#[when(expr = "{person} uses the router's cookies of {person}")]
fn take_over_cookies(step: &mut Meaning, person: Person, from: Person) {
    step.action(Action::Cookies { person, change: CookieChange::TakeOver { from } });
}

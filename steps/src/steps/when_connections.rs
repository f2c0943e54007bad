//! When steps below a request: raw bytes, connections that users share, WebSockets, cookies.

use super::definition::{Definition, when};
use super::doc_strings::{SharedText, WireText};
use super::parameters::{Person, Route};
use crate::action::{Action, CookieChange, SocketAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when(expression::BYTES, |person: Person, WireText(text): WireText| Action::RawBytes {
            person,
            text,
            half_close: false,
        }),
        when(expression::BYTES_AND_CLOSE, |person: Person, WireText(text): WireText| {
            Action::RawBytes { person, text, half_close: true }
        }),
        when(expression::SHARED, |SharedText(text): SharedText| Action::Shared {
            text,
            pipelined: false,
        }),
        when(expression::SHARED_PIPELINED, |SharedText(text): SharedText| Action::Shared {
            text,
            pipelined: true,
        }),
        when(expression::SOCKET_OPEN, |person: Person, target: String, route: Route| {
            Action::WebSocket { person, socket: SocketAction::Open { target, route } }
        }),
        when(expression::SOCKET_SAY, |person: Person, text: String| Action::WebSocket {
            person,
            socket: SocketAction::Say { text },
        }),
        when(expression::SOCKET_CLOSE, |person: Person| Action::WebSocket {
            person,
            socket: SocketAction::Close,
        }),
        when(expression::FORGE_COOKIES, |person: Person, value: String| Action::Cookies {
            person,
            change: CookieChange::Forge { value },
        }),
        when(expression::FORGE_SESSION, |person: Person, with: String| Action::Cookies {
            person,
            change: CookieChange::ForgeSession { with },
        }),
        when(expression::TAKE_OVER_COOKIES, |person: Person, from: Person| Action::Cookies {
            person,
            change: CookieChange::TakeOver { from },
        }),
    ]
}

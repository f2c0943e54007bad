//! When steps in which a person sends requests: one, several, or one whose body flows at a given pace;
//! and those below a request: raw bytes, connections that users share, WebSockets, cookies.

use super::doc_strings::{SharedText, WireText};
use super::parameters::{
    Cell, Chosen, Framing, HalfClosing, Joining, MediaType, Method, Number, Person, Pipelining,
    Route,
};
use crate::action::{Action, CookieChange, Flow, RequestKind, SocketAction, Until, Visits};
use crate::literal::Request;

when!("{person} visits {string}{route}", |person: Person, target: String, route: Route| {
    Action::Request { person, request: RequestKind::Visit { target }, route }
});
when!(
    "{person} sends the target {string}{route}",
    |person: Person, target: String, route: Route| {
        Action::Request { person, request: RequestKind::Target { target }, route }
    }
);
when!(
    "{person} sends {method} {string}{route}",
    |person: Person, method: Method, target: String, route: Route| {
        Action::Request { person, request: RequestKind::Method { method, target }, route }
    }
);
when!(
    "{person} sends {method} {string} with {number} random byte(s){framing}{route}",
    |person: Person,
     method: Method,
     target: String,
     length: Number,
     framing: Framing,
     route: Route| {
        Action::Request {
            person,
            request: RequestKind::RandomBody { method, target, length, framing },
            route,
        }
    }
);
step!(
    when, "{person} sends {method} {string} with the {media} {string}{route}"
        named TYPED_BODY,
    |
        step, person: Person, method: Method, target: String, media: MediaType, body: String,
        route: Route
    | {
        let fields = vec![media.field()];
        let message = RequestKind::Message { method: method.0, target, fields, body };
        step.action(Action::request(person, message, route));
    }
);
step!(
    when, "{person} sends{route}:" named MESSAGE with message: Request,
    |step, person: Person, route: Route| {
        step.action(Action::request(person, RequestKind::message(message), route));
    }
);
when!("{person} follows the redirect{route}", |person: Person, route: Route| {
    Action::Request { person, request: RequestKind::FollowRedirect, route }
});
when!(
    "{person} visits the page {string} below the last one{route}",
    |person: Person, below: String, route: Route| {
        Action::Request { person, request: RequestKind::PageBelow { below }, route }
    }
);
when!(
    "{person} chooses {cell} in the list of cells{route}",
    |person: Person, cell: Cell, route: Route| {
        Action::Request { person, request: RequestKind::ChooseCell { cell }, route }
    }
);
when!(
    "{person} visits {string}{route} with the token on the last page of {person}",
    |person: Person, target: String, route: Route, owner: Person| {
        Action::Request { person, request: RequestKind::WithToken { target, owner }, route }
    }
);
when!("{person} signs in{route}", |person: Person, route: Route| {
    Action::Request { person, request: RequestKind::SignIn, route }
});
when!("{person} signs out{route}", |person: Person, route: Route| {
    Action::Request { person, request: RequestKind::SignOut, route }
});
when!(
    "{person} creates the group {string}{chosen}{route}",
    |person: Person, path: String, organization: Chosen, route: Route| {
        Action::Request { person, request: RequestKind::CreateGroup { path, organization }, route }
    }
);
when!("{person} signs up, {joining}{route}", |person: Person, joining: Joining, route: Route| {
    Action::Request { person, request: RequestKind::SignUp { joining }, route }
});
when!(
    "{person} uploads {number} bytes to {string}, the second half once a cell reads",
    |person: Person, length: Number, target: String| {
        Action::Flow { person, flow: Flow::Halves { target, length } }
    }
);
when!(
    "{person} uploads {number} bytes to {string} until the transfer stalls",
    |person: Person, length: Number, target: String| {
        Action::Flow { person, flow: Flow::UploadUntilStalled { target, length } }
    }
);
when!(
    "{person} visits {string} and stops reading until the transfer stalls",
    |person: Person, target: String| {
        Action::Flow { person, flow: Flow::ReadAfterStall { target } }
    }
);
when!("{person} has received the first bytes", |person: Person| Action::AwaitFirstBytes { person });
when!(
    "{person} visits {string} {number} times",
    |person: Person, target: String, times: Number| {
        Action::Visits { person, visits: Visits::Same { target, times } }
    }
);
when!(
    "{person} visits {string} until {cell} was asked, at most {number} times",
    |person: Person, target: String, cell: Cell, most: Number| {
        Action::Visits { person, visits: Visits::Until { target, cell, most } }
    }
);
when!(
    "{person} visits {number} paths with different cold prefixes",
    |person: Person, count: Number| {
        Action::Visits { person, visits: Visits::ColdPrefixes { count } }
    }
);
step!(
    when,
    "{person} visits {number} paths with long names" named LONG_PATHS,
    |step, person: Person, count: Number| {
        step.action(Action::Visits {
            person,
            visits: Visits::LongPaths { one_in: 1, count: count.0 },
        });
    }
);
when!(
    "{person} visits one in {number} of {number} paths with long names",
    |person: Person, one_in: Number, count: Number| {
        Action::Visits { person, visits: Visits::LongPaths { one_in, count } }
    }
);
when!(
    "{person} visits {string} {number} times at once",
    |person: Person, target: String, times: Number| {
        Action::Begin { person, request: RequestKind::Visit { target }, times, until: Until::Ended }
    }
);
when!("{person} starts to visit {string}", |person: Person, target: String| {
    Action::Begin {
        person,
        request: RequestKind::Visit { target },
        times: 1,
        until: Until::Arrived,
    }
});
when!("{person} starts to visit {string} as well", |person: Person, target: String| {
    Action::Begin { person, request: RequestKind::Visit { target }, times: 1, until: Until::Sent }
});
step!(
    when, "{person} starts to send:" named BEGIN_MESSAGE with message: Request,
    |step, person: Person| {
        let request = RequestKind::message(message);
        step.action(Action::Begin { person, request, times: 1, until: Until::Arrived });
    }
);
step!(
    when, "{person} starts to visit {string} {number} times" named BEGIN_MANY,
    |step, person: Person, target: String, times: Number| {
        let request = RequestKind::Visit { target };
        step.action(Action::Begin { person, request, times: times.0, until: Until::Arrived });
    }
);
when!("{person} leaves", |person: Person| Action::Leave { person });
when!("every cell is asked about {string}", |path: String| Action::AskEveryCell { path });
when!(
    "{person} sends raw bytes{half_closing}:" with text: WireText,
    |person: Person, half_close: HalfClosing| Action::RawBytes { person, text, half_close }
);
when!(
    "several users share a connection, {pipelining}:" with text: SharedText,
    |pipelined: Pipelining| Action::Shared { text, pipelined }
);
when!(
    "{person} opens a WebSocket at {string}{route}",
    |person: Person, target: String, route: Route| {
        Action::WebSocket { person, socket: SocketAction::Open { target, route } }
    }
);
when!("{person} sends the message {string}", |person: Person, text: String| {
    Action::WebSocket { person, socket: SocketAction::Say { text } }
});
when!("{person} closes the WebSocket", |person: Person| {
    Action::WebSocket { person, socket: SocketAction::Close }
});
when!("{person} forges the router's cookies as {string}", |person: Person, value: String| {
    Action::Cookies { person, change: CookieChange::Forge { value } }
});
when!("{person} forges the JWT with {string}", |person: Person, with: String| {
    Action::Cookies { person, change: CookieChange::ForgeSession { with } }
});
when!("{person} copies the cookies of {person}", |person: Person, from: Person| {
    Action::Cookies { person, change: CookieChange::Copy { from } }
});
when!("{person} uses the router's cookies of {person}", |person: Person, from: Person| {
    Action::Cookies { person, change: CookieChange::TakeOver { from } }
});

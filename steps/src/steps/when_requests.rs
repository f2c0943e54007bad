//! When steps in which a person sends requests: one, several, or one whose body flows at a given pace;
//! and those below a request: raw bytes, connections that users share, WebSockets, cookies.

use super::doc_strings::{SharedText, WireText};
use super::parameters::{Cell, Framing, MediaType, Method, Number, Person, Route};
use crate::action::{
    Action, CookieChange, Flow, Joining, RequestKind, SocketAction, Until, Visits,
};
use crate::literal::Request;

when!(VISIT, "{person} visits {string}{route}", |person: Person, target: String, route: Route| {
    Action::request(person, RequestKind::Visit { target }, route)
});
when!(
    SEND_TARGET,
    "{person} sends the target {string}{route}",
    |person: Person, target: String, route: Route| {
        Action::request(person, RequestKind::Target { target }, route)
    }
);
when!(
    SEND_METHOD,
    "{person} sends {method} {string}{route}",
    |person: Person, method: Method, target: String, route: Route| {
        Action::request(person, RequestKind::Method { method: method.0, target }, route)
    }
);
step!(
    when, "{person} sends {method} {string} with {number} random byte(s){framing}{route}"
        named RANDOM_BODY,
    |
        step, person: Person, method: Method, target: String, length: Number, framing: Framing,
        route: Route
    | {
        let (method, length) = (method.0, length.0);
        if framing != Framing::Plain && route != Route::Default {
            step.cannot_be_read("a body that flows goes through the default router".to_owned());
        }
        step.action(match framing {
            Framing::Plain => {
                Action::request(person, RequestKind::RandomBody { method, target, length }, route)
            }
            Framing::InChunks => {
                Action::Flow { person, flow: Flow::Chunked { method, target, length } }
            }
            Framing::AfterContinue => {
                Action::Flow { person, flow: Flow::AfterContinue { method, target, length } }
            }
        });
    }
);
when!(
    TYPED_BODY,
    "{person} sends {method} {string} with the {media} {string}{route}",
    |person: Person,
     method: Method,
     target: String,
     media: MediaType,
     body: String,
     route: Route| {
        let fields = vec![media.field()];
        let message = RequestKind::Message { method: method.0, target, fields, body };
        Action::request(person, message, route)
    }
);
when!(
    MESSAGE, "{person} sends{route}:" with message: Request,
    |person: Person, route: Route| Action::request(person, RequestKind::message(message), route)
);
when!(FOLLOW_REDIRECT, "{person} follows the redirect{route}", |person: Person, route: Route| {
    Action::request(person, RequestKind::FollowRedirect, route)
});
when!(
    PAGE_BELOW,
    "{person} visits the page {string} below the last one{route}",
    |person: Person, below: String, route: Route| {
        Action::request(person, RequestKind::PageBelow { below }, route)
    }
);
when!(
    CHOOSE_CELL,
    "{person} chooses {cell} in the list of cells{route}",
    |person: Person, cell: Cell, route: Route| {
        Action::request(person, RequestKind::ChooseCell { cell: cell.0 }, route)
    }
);
when!(
    WITH_TOKEN,
    "{person} visits {string}{route} with the token on the last page of {person}",
    |person: Person, target: String, route: Route, owner: Person| {
        Action::request(person, RequestKind::WithToken { target, owner }, route)
    }
);
when!(SIGN_IN, "{person} signs in{route}", |person: Person, route: Route| {
    Action::request(person, RequestKind::SignIn, route)
});
when!(SIGN_OUT, "{person} signs out{route}", |person: Person, route: Route| {
    Action::request(person, RequestKind::SignOut, route)
});
when!(
    CREATE_GROUP,
    "{person} creates the group {string} in {string}{route}",
    |person: Person, path: String, organization: String, route: Route| {
        let organization = Some(organization);
        Action::request(person, RequestKind::CreateGroup { path, organization }, route)
    }
);
when!(
    CREATE_GROUP_WITHOUT,
    "{person} creates the group {string} without choosing an organization{route}",
    |person: Person, path: String, route: Route| {
        Action::request(person, RequestKind::CreateGroup { path, organization: None }, route)
    }
);
when!(
    SIGN_UP_JOINING,
    "a new customer signs up, joining {string}{route}",
    |organization: String, route: Route| sign_up(Joining::Existing(organization), route)
);
when!(
    SIGN_UP_CREATING,
    "a new customer signs up, creating the organization {string}{route}",
    |organization: String, route: Route| sign_up(Joining::New(organization), route)
);
when!(SIGN_UP_NEITHER, "a new customer signs up, choosing neither{route}", |route: Route| {
    sign_up(Joining::Neither, route)
});

fn sign_up(joining: Joining, route: Route) -> Action {
    Action::request(Person::customer(), RequestKind::SignUp { joining }, route)
}

when!(
    HALVES,
    "{person} uploads {number} bytes to {string}, the second half once a cell reads",
    |person: Person, length: Number, target: String| {
        Action::Flow { person, flow: Flow::Halves { target, length: length.0 } }
    }
);
when!(
    UPLOAD_UNTIL_STALLED,
    "{person} uploads {number} bytes to {string} until the transfer stalls",
    |person: Person, length: Number, target: String| {
        Action::Flow { person, flow: Flow::UploadUntilStalled { target, length: length.0 } }
    }
);
when!(
    READ_AFTER_STALL,
    "{person} visits {string} and stops reading until the transfer stalls",
    |person: Person, target: String| {
        Action::Flow { person, flow: Flow::ReadAfterStall { target } }
    }
);
when!(FIRST_BYTES, "{person} has received the first bytes", |person: Person| {
    Action::AwaitFirstBytes { person }
});

when!(
    VISIT_TIMES,
    "{person} visits {string} {number} times",
    |person: Person, target: String, times: Number| {
        Action::Visits { person, visits: Visits::Same { target, times: times.0 } }
    }
);
when!(
    VISIT_UNTIL,
    "{person} visits {string} until {cell} was asked, at most {number} times",
    |person: Person, target: String, cell: Cell, most: Number| {
        Action::Visits { person, visits: Visits::Until { target, cell: cell.0, most: most.0 } }
    }
);
when!(
    VISIT_COLD,
    "{person} visits {number} paths with different cold prefixes",
    |person: Person, count: Number| {
        Action::Visits { person, visits: Visits::ColdPrefixes { count: count.0 } }
    }
);
when!(
    VISIT_LONG,
    "{person} visits {number} paths with long names",
    |person: Person, count: Number| {
        Action::Visits { person, visits: Visits::LongPaths { one_in: 1, count: count.0 } }
    }
);
when!(
    VISIT_SOME_LONG,
    "{person} visits one in {number} of {number} paths with long names",
    |person: Person, one_in: Number, count: Number| {
        Action::Visits { person, visits: Visits::LongPaths { one_in: one_in.0, count: count.0 } }
    }
);
when!(
    TOGETHER,
    "{person} visits {string} {number} times at once",
    |person: Person, target: String, times: Number| {
        let request = RequestKind::Visit { target };
        Action::Begin { person, request, times: times.0, until: Until::Ended }
    }
);
when!(BEGIN, "{person} starts to visit {string}", |person: Person, target: String| {
    Action::begin(person, target, Until::Arrived)
});
when!(
    BEGIN_AS_WELL,
    "{person} starts to visit {string} as well",
    |person: Person, target: String| Action::begin(person, target, Until::Sent)
);
when!(BEGIN_MESSAGE, "{person} starts to send:" with message: Request, |person: Person| {
    let request = RequestKind::message(message);
    Action::Begin { person, request, times: 1, until: Until::Arrived }
});
when!(
    BEGIN_MANY,
    "{person} starts to visit {string} {number} times",
    |person: Person, target: String, times: Number| {
        let request = RequestKind::Visit { target };
        Action::Begin { person, request, times: times.0, until: Until::Arrived }
    }
);
when!(LEAVE, "{person} leaves", |person: Person| Action::Leave { person });
when!(ASK_EVERY_CELL, "every cell is asked about {string}", |path: String| {
    Action::AskEveryCell { path }
});

when!(
    BYTES, "{person} sends raw bytes:" with text: WireText,
    |person: Person| Action::RawBytes { person, text: text.0, half_close: false }
);
when!(
    BYTES_AND_CLOSE, "{person} sends raw bytes, then half-closes:" with text: WireText,
    |person: Person| Action::RawBytes { person, text: text.0, half_close: true }
);
when!(
    SHARED, "several users share a connection, in turns:" with text: SharedText,
    || Action::Shared { text: text.0, pipelined: false }
);
when!(
    SHARED_PIPELINED, "several users share a connection, pipelining:" with text: SharedText,
    || Action::Shared { text: text.0, pipelined: true }
);
when!(
    SOCKET_OPEN,
    "{person} opens a WebSocket at {string}{route}",
    |person: Person, target: String, route: Route| {
        Action::WebSocket { person, socket: SocketAction::Open { target, route } }
    }
);
when!(SOCKET_SAY, "{person} sends the message {string}", |person: Person, text: String| {
    Action::WebSocket { person, socket: SocketAction::Say { text } }
});
when!(SOCKET_CLOSE, "{person} closes the WebSocket", |person: Person| {
    Action::WebSocket { person, socket: SocketAction::Close }
});
when!(
    FORGE_COOKIES,
    "{person} forges the router's cookies as {string}",
    |person: Person, value: String| {
        Action::Cookies { person, change: CookieChange::Forge { value } }
    }
);
when!(FORGE_SESSION, "{person} forges the JWT with {string}", |person: Person, with: String| {
    Action::Cookies { person, change: CookieChange::ForgeSession { with } }
});
when!(COPY_COOKIES, "{person} copies the cookies of {person}", |person: Person, from: Person| {
    Action::Cookies { person, change: CookieChange::Copy { from } }
});
when!(
    TAKE_OVER_COOKIES,
    "{person} uses the router's cookies of {person}",
    |person: Person, from: Person| {
        Action::Cookies { person, change: CookieChange::TakeOver { from } }
    }
);

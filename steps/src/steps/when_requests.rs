//! When steps in which a person sends one request, also one whose body flows at a given pace.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, Framing, MediaType, Method, Number, Person, Route};
use crate::action::{Action, Flow, Joining, RequestKind};
use crate::literal::Request;

#[when(expr = "{person} visits {string}{route}")]
fn visit(step: &mut Meaning, person: Person, target: String, route: Route) {
    step.action(Action::request(person, RequestKind::Visit { target }, route));
}

#[when(expr = "{person} sends the target {string}{route}")]
fn send_target(step: &mut Meaning, person: Person, target: String, route: Route) {
    step.action(Action::request(person, RequestKind::Target { target }, route));
}

#[when(expr = "{person} sends {method} {string}{route}")]
fn send_method(step: &mut Meaning, person: Person, method: Method, target: String, route: Route) {
    step.action(Action::request(person, RequestKind::Method { method: method.0, target }, route));
}

#[when(expr = "{person} sends {method} {string} with {number} random byte(s){framing}{route}")]
fn random_body(
    step: &mut Meaning,
    person: Person,
    method: Method,
    target: String,
    length: Number,
    framing: Framing,
    route: Route,
) {
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

#[when(expr = "{person} sends {method} {string} with the {media} {string}{route}")]
fn typed_body(
    step: &mut Meaning,
    person: Person,
    method: Method,
    target: String,
    media: MediaType,
    body: String,
    route: Route,
) {
    let fields = vec![media.field()];
    let message = RequestKind::Message { method: method.0, target, fields, body };
    step.action(Action::request(person, message, route));
}

#[when(expr = "{person} sends{route}:")]
fn message(step: &mut Meaning, person: Person, route: Route) {
    let Some(message) = step.doc_string::<Request>() else { return };
    step.action(Action::request(person, RequestKind::message(message), route));
}

#[when(expr = "{person} follows the redirect{route}")]
fn follow_redirect(step: &mut Meaning, person: Person, route: Route) {
    step.action(Action::request(person, RequestKind::FollowRedirect, route));
}

#[when(expr = "{person} visits the page {string} below the last one{route}")]
fn page_below(step: &mut Meaning, person: Person, below: String, route: Route) {
    step.action(Action::request(person, RequestKind::PageBelow { below }, route));
}

#[when(expr = "{person} chooses {cell} in the list of cells{route}")]
fn choose_cell(step: &mut Meaning, person: Person, cell: Cell, route: Route) {
    step.action(Action::request(person, RequestKind::ChooseCell { cell: cell.0 }, route));
}

#[when(expr = "{person} visits {string}{route} with the token on the last page of {person}")]
fn with_token(step: &mut Meaning, person: Person, target: String, route: Route, owner: Person) {
    step.action(Action::request(person, RequestKind::WithToken { target, owner }, route));
}

#[when(expr = "{person} signs in{route}")]
fn sign_in(step: &mut Meaning, person: Person, route: Route) {
    step.action(Action::request(person, RequestKind::SignIn, route));
}

#[when(expr = "{person} signs out{route}")]
fn sign_out(step: &mut Meaning, person: Person, route: Route) {
    step.action(Action::request(person, RequestKind::SignOut, route));
}

#[when(expr = "{person} creates the group {string} in {string}{route}")]
fn create_group(
    step: &mut Meaning,
    person: Person,
    path: String,
    organization: String,
    route: Route,
) {
    let organization = Some(organization);
    step.action(Action::request(person, RequestKind::CreateGroup { path, organization }, route));
}

#[when(expr = "{person} creates the group {string} without choosing an organization{route}")]
fn create_group_without(step: &mut Meaning, person: Person, path: String, route: Route) {
    let group = RequestKind::CreateGroup { path, organization: None };
    step.action(Action::request(person, group, route));
}

#[when(expr = "a new customer signs up, joining {string}{route}")]
fn sign_up_joining(step: &mut Meaning, organization: String, route: Route) {
    step.action(sign_up(Joining::Existing(organization), route));
}

#[when(expr = "a new customer signs up, creating the organization {string}{route}")]
fn sign_up_creating(step: &mut Meaning, organization: String, route: Route) {
    step.action(sign_up(Joining::New(organization), route));
}

#[when(expr = "a new customer signs up, choosing neither{route}")]
fn sign_up_neither(step: &mut Meaning, route: Route) {
    step.action(sign_up(Joining::Neither, route));
}

fn sign_up(joining: Joining, route: Route) -> Action {
    Action::request(Person::customer(), RequestKind::SignUp { joining }, route)
}

#[when(expr = "{person} uploads {number} bytes to {string}, the second half once a cell reads")]
fn halves(step: &mut Meaning, person: Person, length: Number, target: String) {
    step.action(Action::Flow { person, flow: Flow::Halves { target, length: length.0 } });
}

#[when(expr = "{person} uploads {number} bytes to {string} until the transfer stalls")]
fn upload_until_stalled(step: &mut Meaning, person: Person, length: Number, target: String) {
    step.action(Action::Flow {
        person,
        flow: Flow::UploadUntilStalled { target, length: length.0 },
    });
}

#[when(expr = "{person} visits {string} and stops reading until the transfer stalls")]
fn read_after_stall(step: &mut Meaning, person: Person, target: String) {
    step.action(Action::Flow { person, flow: Flow::ReadAfterStall { target } });
}

#[when(expr = "{person} has received the first bytes")]
fn first_bytes(step: &mut Meaning, person: Person) {
    step.action(Action::AwaitFirstBytes { person });
}

//! Which deviations exist. What is not here cannot be drawn.

use super::condition::{Condition as When, Count, Size, Verb};
use super::element::{
    CELL_FIELDS, Element as E, FieldName, Kind, REQUEST_FIELDS, REQUEST_LISTS, RESPONSE_FIELDS,
    RESPONSE_LISTS,
};
use super::operation::{Before, Operation as O};
use super::seam::{Seam, Stage};
use crate::protocol::Protocol;

macro_rules! elements {
    ($($name:ident)*) => { &[$(E::$name),*] };
}

/// A swap stands for each of its kinds.
macro_rules! operations {
    ($($name:ident)*) => { &[$(operations!(@one $name)),*] };
    (@one Swap) => { O::Swap(Before::Any) };
    (@one Inherit) => { O::Inherit(Before::Any) };
    (@one $name:ident) => { O::$name };
}

const REQUEST: &[E] = elements!(Whole Method Target Segment Escape Letters FinalSlash Query AnyField FieldOrder FirstByte MiddleByte LastByte SecondRead Body Length);
const RESPONSE: &[E] = elements!(Whole Status AnyField FieldOrder FirstByte MiddleByte LastByte SecondRead Body Length);

/// The elements of a seam, in this protocol.
pub(super) fn elements(seam: Seam, protocol: Protocol) -> Vec<E> {
    let elements: &[E] = match seam {
        Seam::UserRequest | Seam::CellRequest => REQUEST,
        Seam::CellResponse | Seam::UserResponse => RESPONSE,
        Seam::Interim => elements!(Whole Status),
        Seam::PreFlight => {
            elements!(Whole Method LearnPath MethodParameter PathInfo)
        }
        Seam::LearnResponse => elements!(Whole Prefix CellName Exactness),
        Seam::RedirectField => elements!(Whole CellName),
        Seam::CacheField => elements!(Whole Prefix),
        Seam::EntryWritten => elements!(Whole Prefix Exactness Cell Lifetime),
        Seam::EntryLookedUp => {
            elements!(Target Segment Letters FinalSlash Cell Age)
        }
        Seam::Eviction => elements!(Whole Entry),
        Seam::ColdPick => elements!(Order Cell),
        Seam::HopCount => elements!(Count),
        Seam::Retry => elements!(Again Elsewhere Reached),
        Seam::Timers => elements!(ConnectTime ResponseTime PreFlightTime),
        Seam::CellConnections => elements!(Reuse Quiet Keeping),
        Seam::UserConnections => elements!(Keeping Ending),
        Seam::BodyBuffer => elements!(Bytes),
        Seam::Tunnel => elements!(FromUser FromCell),
        Seam::Leaving => elements!(Others Memory),
        Seam::Refusal => elements!(Status AnyField Body),
        Seam::Topology => {
            elements!(Ids Names Region Cells LearnPath Ttl MaxEntries MaxHops MaxBody ConnectTime ResponseTime)
        }
        Seam::Capabilities => elements!(CookieCache NotFoundDelay),
        Seam::Start => elements!(Whole Port),
        Seam::Stop => elements!(Whole),
    };
    let of_the_other: &[E] = match protocol {
        Protocol::Buffering => elements!(PreFlightTime LearnPath Ids),
        // Under learning no other cell gets a request whose owner is known, whatever its cell got.
        Protocol::Learning => elements!(MaxHops MaxBody Names Reached),
    };
    // An entry of buffering is a prefix, and does not depend on a final slash. A body that was kept
    // leaves in one piece.
    let without_effect = |element: &E| {
        protocol == Protocol::Buffering
            && [(Seam::EntryLookedUp, E::FinalSlash), (Seam::CellRequest, E::SecondRead)]
                .contains(&(seam, *element))
    };
    let exists = |element: &E| !of_the_other.contains(element) && !without_effect(element);
    elements.iter().copied().filter(exists).collect()
}

/// The names that `Element::AnyField` stands for at a seam. What is no list comes in one line
/// (RFC 9110 5.3), which has no order.
pub(super) fn fields(seam: Seam, operation: O) -> Vec<&'static str> {
    match seam {
        Seam::CellResponse | Seam::UserResponse if operation == O::Reorder => {
            RESPONSE_LISTS.to_vec()
        }
        Seam::UserRequest | Seam::CellRequest if operation == O::Reorder => REQUEST_LISTS.to_vec(),
        Seam::UserResponse => RESPONSE_FIELDS.to_vec(),
        Seam::CellResponse => [RESPONSE_FIELDS, CELL_FIELDS].concat(),
        Seam::Refusal => vec!["content-type"],
        _ => REQUEST_FIELDS.to_vec(),
    }
}

/// What can happen to an element of a seam.
pub(super) fn operations(seam: Seam, element: E, protocol: Protocol) -> Vec<O> {
    let operations: &[O] = match (seam, element) {
        (Seam::Start | Seam::Stop, E::Whole) => operations!(LeaveOut Delay),
        (Seam::Eviction, E::Whole) => operations!(LeaveOut DoTwice NeverAgain),
        (Seam::LearnResponse | Seam::RedirectField | Seam::CacheField, E::Whole)
        | (Seam::EntryWritten, E::Whole) => operations!(LeaveOut NeverAgain),
        (Seam::UserRequest | Seam::CellResponse, E::Whole) => {
            operations!(LeaveOut Delay NeverAgain)
        }
        // It has one line.
        (Seam::Refusal, E::AnyField) => {
            operations!(LeaveOut Double Alter Cut Swap Inherit Constant)
        }
        // Every one has the same.
        (Seam::EntryWritten, E::Exactness) if protocol == Protocol::Buffering => operations!(Alter),
        // What covers a page covers the place that it is at, and no more is asked of buffering.
        (Seam::EntryLookedUp, E::Segment) if protocol == Protocol::Buffering => {
            operations!(Double Alter Cut Swap Constant)
        }
        // Every one has the same method.
        (Seam::PreFlight, E::Method) => operations!(Double Alter Cut),
        (Seam::PreFlight, E::LearnPath) => operations!(Double Alter Cut Constant),
        (Seam::Interim, E::Status) => operations!(Alter),
        (_, E::Method) => operations!(Alter Cut Swap Constant),
        (_, E::Status) => operations!(Alter Swap Constant),
        (_, E::Length) => operations!(LeaveOut Alter Cut Constant),
        (_, E::Entry) => operations!(Alter LeaveOut),
        (_, E::FinalSlash) => operations!(Alter LeaveOut Constant),
        (_, E::Letters) => operations!(Constant),
        (_, E::Port) => operations!(Alter),
        (_, element) if element.kind() == Kind::Flag && element != E::Exactness => {
            operations!(Alter)
        }
        (_, E::FieldOrder) => operations!(Reorder),
        (Seam::EntryLookedUp, E::Cell) => operations!(Alter Constant Swap Inherit LeaveOut),
        (Seam::Topology, E::Cells) => operations!(LeaveOut Cut Double Reorder),
        (Seam::Topology, E::Ids | E::Names | E::Region | E::LearnPath) => {
            operations!(LeaveOut Double Alter Cut Constant)
        }
        (_, element) => match element.kind() {
            Kind::Event => operations!(LeaveOut Delay DoTwice NeverAgain),
            Kind::Text => operations!(LeaveOut Double Alter Cut Swap Constant),
            Kind::Lines => operations!(LeaveOut Double Alter Cut Swap Inherit Constant Reorder),
            Kind::Number => operations!(LeaveOut Double Alter Cut Constant),
            Kind::Flag => operations!(Alter Swap),
            Kind::Choice => operations!(Alter Constant Swap),
            Kind::List => operations!(LeaveOut Cut Double Reorder Constant),
            Kind::Place => operations!(LeaveOut Double Alter Cut Constant Delay),
            Kind::Body => operations!(LeaveOut Double Swap Reorder Delay),
        },
    };
    operations.to_vec()
}

/// The conditions that can hold at a seam, where it has this element.
pub(super) fn conditions(seam: Seam, element: E, protocol: Protocol) -> Vec<When> {
    let stage = seam.stage(protocol);
    let mut all = Vec::new();
    if stage >= Stage::Read {
        for count in Count::ALL {
            all.extend([2, 3, 5].map(|times| When::Times(*count, times)));
        }
        all.extend([When::AfterFailure, When::AfterLeaving, When::InFlight, When::Old]);
        all.extend([true, false].map(When::NewUser));
        all.extend([true, false].map(When::Chunked));
        all.extend(Verb::ALL.iter().map(|verb| When::Method(*verb)));
        all.extend([16, 1_000, 60_000].map(|bytes| When::Above(Size::Length, bytes)));
        all.extend([1, 2, 4].map(|depth| When::Above(Size::Depth, depth)));
        all.extend([4, 8, 16].map(|fields| When::Above(Size::Fields, fields)));
    }
    if stage >= Stage::LookedUp {
        all.extend([When::Cold, When::Warm, When::Evicted, When::Expired]);
    }
    if stage >= Stage::Sent && protocol == Protocol::Buffering {
        all.extend([When::AfterBounce, When::Stale]);
    }
    if stage >= Stage::Answered {
        all.extend([true, false].map(When::NewCell));
        let statuses = [200, 201, 204, 206, 302, 304, 404, 500, 503];
        all.extend(statuses.map(When::Status));
    }
    all.retain(|condition| can_hold(*condition, seam, element));
    // Under learning an entry is written where none covers the path.
    if protocol == Protocol::Learning && matches!(seam, Seam::EntryWritten | Seam::Eviction) {
        all.retain(|condition| *condition != When::Warm);
    }
    all
}

/// Whether a condition can hold at a seam with this element, which is there in most cases.
fn can_hold(condition: When, seam: Seam, element: E) -> bool {
    let is_of_body = matches!(element.kind(), Kind::Place | Kind::Body) || element == E::Length;
    let has_body = |verb| matches!(verb, Verb::Post | Verb::Put | Verb::Patch);
    match (seam, condition) {
        // These come before an entry is used, or instead of it.
        (Seam::ColdPick | Seam::PreFlight | Seam::LearnResponse, When::Warm | When::Stale) => false,
        // After a bounce no other cell gets the request, whatever the named one got.
        (Seam::Retry, When::AfterBounce) => element != E::Reached,
        // The status says it already.
        (Seam::RedirectField | Seam::HopCount | Seam::Tunnel, When::Status(_)) => false,
        (Seam::Tunnel, When::Method(verb)) => verb == Verb::Get,
        (Seam::Tunnel, When::Old | When::Chunked(_) | When::Above(Size::Length, _)) => false,
        (Seam::Interim, When::Old) => false,
        (Seam::Interim, When::Method(verb)) => has_body(verb),
        (Seam::UserRequest | Seam::CellRequest, When::Method(verb)) if is_of_body => has_body(verb),
        (Seam::CellResponse | Seam::UserResponse, When::Method(Verb::Head)) => !is_of_body,
        (Seam::CellResponse | Seam::UserResponse, When::Status(204 | 304)) => !is_of_body,
        (Seam::UserRequest | Seam::CellRequest, When::Method(verb)) => {
            element != E::Method || verb != Verb::Get
        }
        _ => true,
    }
}

/// The kinds of a drawn operation: for whose request before it asks. An entry that is written for a
/// cell names that cell, as the one before did; what follows from the path is the same for one path; and
/// where a cell was asked with a whole body, all statuses of a refusal are equally right.
pub(super) fn kinds(seam: Seam, element: E, operation: O, protocol: Protocol) -> Vec<O> {
    let follows_from_path = matches!(
        element,
        E::Target | E::Segment | E::Escape | E::Exactness | E::PathInfo | E::Prefix
    );
    let is_same = |before: &Before| match (seam, before) {
        (_, Before::Path) => follows_from_path,
        (Seam::EntryWritten, Before::Cell) => true,
        (Seam::Refusal, Before::Cell) => element == E::Status && protocol == Protocol::Buffering,
        _ => false,
    };
    let before = Before::ALL.iter().copied().filter(|it| !is_same(it));
    match operation {
        O::Swap(_) => before.map(O::Swap).collect(),
        O::Inherit(_) => before.map(O::Inherit).collect(),
        other => vec![other],
    }
}

/// The element of a name, where it stands for the fields of all names.
pub(super) fn named(element: E, name: &'static str) -> E {
    if element == E::AnyField { E::Field(FieldName(name)) } else { element }
}

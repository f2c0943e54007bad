//! The parameters of expressions. A pattern fits only what can be read: cucumber panics at the rest.

use std::convert::Infallible;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use cell_fleet::fault::{ConnectionFault, Ending};
use cell_fleet::population::Visibility;
use cell_fleet::{
    CellId, IdDisturbance, Region, ScriptedAction, ScriptedResponse, SessionModel, SettingsModel,
    UnknownSpelling,
};
use cucumber::Parameter;

pub(super) use crate::action::{
    CellGroup, Framing, Joining, MediaType, Person, Route, RouterAction, Scope,
};
use crate::action::{quoted_in_step as quoted, region_word};
use crate::judge::{self, Proof};
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// Names and patterns of these parameters, and of cucumber's own `{string}`.
macro_rules! patterns {
    ($($parameter:ident)*) => {
        &[
            ("string", r#""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'"#),
            $(($parameter::NAME, $parameter::REGEX)),*
        ]
    };
}

/// Names and patterns of all parameters.
pub(super) const PATTERNS: &[(&str, &str)] = patterns! {
    Person Route RegionName Cell Cells Number Method MediaType Statuses Once About Breaks Moment
    Covered Private Framing Delivery Redirected Owned OfRegion CellGroup RouterAction
    OnConnections Part Sessions Settings Copies Kept Amount Topic AndField Sees Joining
    Scope Chosen HalfClosing Pipelining Tried Disturbance Last LastAlone Exactly Within OrGivesUp
    OrRefused
};

/// What an action holds of a parameter, and how a step writes it.
pub(super) trait Word {
    type Value;

    fn value(self) -> Self::Value;
    fn text(value: &Self::Value) -> String;
}

macro_rules! words {
    ($($parameter:ty as $value:ty: |$own:ident| $held:expr, $text:expr;)*) => {
        $(impl Word for $parameter {
            type Value = $value;

            fn value(self) -> $value {
                let $own = self;
                $held
            }

            fn text(value: &$value) -> String {
                $text(value)
            }
        })*
    };
}

words! {
    Person as Person: |own| own, ToString::to_string;
    Route as Route: |own| own, ToString::to_string;
    CellGroup as CellGroup: |own| own, ToString::to_string;
    RouterAction as RouterAction: |own| own, ToString::to_string;
    String as String: |own| own, quoted;
    Method as String: |own| own.0, String::clone;
    Cell as CellId: |own| own.0, ToString::to_string;
    Number as u64: |own| own.0, ToString::to_string;
    RegionName as Region: |own| own.0, region_word;
    Framing as Framing: |own| own, ToString::to_string;
    Joining as Joining: |own| own, ToString::to_string;
    Scope as Scope: |own| own, ToString::to_string;
}

/// How a parameter is read from its text.
macro_rules! read {
    ($parameter:ident, $error:ty, |$text:ident| $read:expr) => {
        impl FromStr for $parameter {
            type Err = $error;

            fn from_str($text: &str) -> Result<Self, Self::Err> {
                $read
            }
        }
    };
}

/// Parameters for one of two texts: whether it is the first.
macro_rules! either {
    ($(
        $(#[$doc:meta])*
        $parameter:ident $name:literal $regex:literal: $first:literal or $second:literal;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Parameter)]
            #[param(name = $name, regex = $regex)]
            pub(super) struct $parameter(pub(super) bool);

            read!($parameter, Infallible, |text| Ok(Self(text == $first)));

            impl Word for $parameter {
                type Value = bool;

                fn value(self) -> bool {
                    self.0
                }

                fn text(value: &bool) -> String {
                    (if *value { $first } else { $second }).to_owned()
                }
            }
        )*
    };
}

either! {
    /// Whether a fault happens the first time only.
    Once "once" "(?:, once)?": ", once" or "";
    /// Whether a row of the routes table covers its path alone, or everything below it, too.
    Covered "covered" "namespace|exact route": "exact route" or "namespace";
    /// Whether somebody sees something.
    Sees "sees" "sees|does not see": "sees" or "does not see";
    /// Whether a person closes the sending half of a connection after some bytes.
    HalfClosing "half_closing" "(?:, then half-closes)?": ", then half-closes" or "";
    /// Whether requests are sent at once, or each after the response to the one before.
    Pipelining "pipelining" "pipelining|in turns": "pipelining" or "in turns";
    /// Whether a move may be stopped by a replica that lags.
    Tried "tried" "is tried|runs": "is tried" or "runs";
    /// Whether only the exchange of the last request is compared.
    Last "last" "(?:last )?": "last " or "";
    /// Whether only the last request is judged.
    LastAlone "last_alone" "the last|every": "the last" or "every";
    /// Whether a number is the only right one, or the highest.
    Exactly "exactly" "exactly|at most": "exactly" or "at most";
    /// Whether a number is the highest, or the lowest.
    Within "within" "at most|at least": "at most" or "at least";
    /// Whether the router may have given up as well on what it had begun to forward.
    OrGivesUp "or_gives_up" "(?:, or gave up on it)?": ", or gave up on it" or "";
    /// Whether the router may have refused the bytes instead.
    OrRefused "or_refused" "(?:, or the router refused the raw request)?":
        ", or the router refused the raw request" or "";
}

/// A region as people write it.
#[derive(Parameter)]
#[param(name = "region", regex = "[A-Z]{2,8}")]
pub(super) struct RegionName(pub(super) Region);

read!(RegionName, UnknownSpelling, |text| text.parse().map(Self));

/// A cell as the documents' drawings spell it.
#[derive(Parameter)]
#[param(name = "cell", regex = "cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) struct Cell(pub(super) CellId);

read!(Cell, UnknownSpelling, |text| text.parse().map(Self));

/// One cell, every cell, or every cell of a region.
#[derive(Clone, Parameter)]
#[param(name = "cells", regex = "every (?:[A-Z]{2,8} )?cell|cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) enum Cells {
    Every,
    /// Every cell of a region.
    Of(Region),
    One(CellId),
}

read!(Cells, UnknownSpelling, |text| match text.strip_prefix("every ") {
    Some("cell") => Ok(Self::Every),
    Some(region) => region.trim_end_matches(" cell").parse().map(Self::Of),
    None => text.parse().map(Self::One),
});

impl Cells {
    /// The cells of a plan, `None` for every one.
    pub(super) fn of(self, plan: &ScenarioPlan) -> Result<Vec<Option<CellId>>, String> {
        let region = match self {
            Self::Every => return Ok(vec![None]),
            Self::One(cell) => return Ok(vec![Some(cell)]),
            Self::Of(region) => region,
        };
        let all = plan.fleet.topology.cells.iter();
        let cells: Vec<_> =
            all.filter(|cell| *cell.region() == region).cloned().map(Some).collect();
        if cells.is_empty() {
            Err(format!("there is no cell in region {region}"))
        } else {
            Ok(cells)
        }
    }
}

/// A count. ASCII digits, since a pattern of all Unicode digits is slow to compile.
#[derive(Parameter)]
#[param(name = "number", regex = "[0-9]{1,18}")]
pub(super) struct Number(pub(super) u64);

read!(Number, ParseIntError, |text| text.parse().map(Self));

impl Number {
    /// As a size. A number that does not fit becomes the largest size.
    pub(super) fn size(&self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

#[derive(Parameter)]
#[param(name = "method", regex = "[A-Z]+")]
pub(super) struct Method(pub(super) String);

read!(Method, Infallible, |text| Ok(Self(text.to_owned())));

/// A status, or several with commas between.
#[derive(Parameter)]
#[param(name = "statuses", regex = "[1-5][0-9][0-9](?:, [1-5][0-9][0-9])*")]
pub(super) struct Statuses(pub(super) Vec<u16>);

read!(Statuses, ParseIntError, |text| text
    .split(", ")
    .map(str::parse)
    .collect::<Result<_, _>>()
    .map(Self));

/// `a pre-flight about ` before a path, or nothing: what has the fault.
#[derive(Parameter)]
#[param(name = "about", regex = "(?:a pre-flight about )?")]
pub(super) struct About {
    /// Whether it is about a pre-flight, not about a request for the path itself.
    pub(super) preflight: bool,
}

read!(About, Infallible, |text| Ok(Self { preflight: !text.is_empty() }));

impl About {
    /// What a cell responds.
    pub(super) fn scripted(&self, response: ScriptedResponse) -> ScriptedAction {
        match self.preflight {
            true => ScriptedAction::LearnResponse(response),
            false => ScriptedAction::Response(response),
        }
    }
}

/// How a connection breaks off.
#[derive(Parameter)]
#[param(name = "ending", regex = "closes|resets")]
pub(super) struct Breaks(pub(super) Ending);

read!(Breaks, Infallible, |text| {
    Ok(Self(if text == "closes" { Ending::Close } else { Ending::Reset }))
});

/// When a connection breaks off.
#[derive(Parameter, strum::EnumString)]
#[param(
    name = "moment",
    regex = "instead of responding to|within the (?:head|body|chunked body) of its response to"
)]
pub(super) enum Moment {
    #[strum(serialize = "instead of responding to")]
    BeforeResponse,
    #[strum(serialize = "within the head of its response to")]
    WithinHead,
    #[strum(serialize = "within the body of its response to")]
    WithinBody,
    #[strum(serialize = "within the chunked body of its response to")]
    WithinChunkedBody,
}

/// What a cell does with its connections.
#[derive(Parameter)]
#[param(
    name = "connections",
    regex = "refuses connections\
             |does not answer attempts to connect\
             |accepts connections and reads nothing\
             |closes each connection after one response\
             |closes each idle connection when it is reused\
             |closes its first connection before it reads"
)]
pub(super) struct OnConnections(pub(super) ConnectionFault);

read!(OnConnections, Infallible, |text| {
    Ok(Self(match text {
        "refuses connections" => ConnectionFault::Refuses,
        "does not answer attempts to connect" => ConnectionFault::AnswersNoConnection,
        "accepts connections and reads nothing" => ConnectionFault::ReadsNothing,
        "closes each connection after one response" => ConnectionFault::ClosesAfterOneResponse,
        "closes each idle connection when it is reused" => ConnectionFault::ClosesWhenUsedAgain,
        _ => ConnectionFault::ClosesBeforeReading { connections: 1 },
    }))
});

#[derive(Parameter, strum::EnumString)]
#[param(name = "part", regex = "head|body")]
#[strum(serialize_all = "lowercase")]
pub(super) enum Part {
    Head,
    Body,
}

/// What the allocator of ids does from now on.
#[derive(Parameter)]
#[param(
    name = "disturbance",
    regex = "stops\
             |starts again\
             |takes [0-9]{1,9} ms for an answer\
             |crashes once after its counter has moved"
)]
pub(super) struct Disturbance(IdDisturbance);

read!(Disturbance, ParseIntError, |text| {
    Ok(Self(match text {
        "stops" => IdDisturbance::Stop,
        "starts again" => IdDisturbance::Start,
        "crashes once after its counter has moved" => IdDisturbance::Crash,
        slow => {
            let digits = slow.trim_matches(|other: char| !other.is_ascii_digit());
            IdDisturbance::Slow(Duration::from_millis(digits.parse()?))
        }
    }))
});

impl Word for Disturbance {
    type Value = IdDisturbance;

    fn value(self) -> IdDisturbance {
        self.0
    }

    fn text(disturbance: &IdDisturbance) -> String {
        match disturbance {
            IdDisturbance::Stop => "stops".to_owned(),
            IdDisturbance::Start => "starts again".to_owned(),
            IdDisturbance::Crash => "crashes once after its counter has moved".to_owned(),
            IdDisturbance::Slow(by) => format!("takes {} ms for an answer", by.as_millis()),
        }
    }
}

/// Where the sessions of users are.
#[derive(Parameter)]
#[param(
    name = "sessions",
    regex = "kept in one store with replicas\
             |kept in a store for each region\
             |JWTs, and a list names the revoked"
)]
pub(super) struct Sessions(pub(super) SessionModel);

read!(Sessions, Infallible, |text| {
    Ok(Self(match text {
        "kept in one store with replicas" => SessionModel::Shared,
        "kept in a store for each region" => SessionModel::Regional,
        _ => SessionModel::Jwt,
    }))
});

/// Where settings that differ between cells are.
#[derive(Parameter)]
#[param(
    name = "settings",
    regex = "the same on all cells\
             |templates that each cell fills in\
             |rows of a table, one for each cell"
)]
pub(super) struct Settings(pub(super) SettingsModel);

read!(Settings, Infallible, |text| {
    Ok(Self(match text {
        "the same on all cells" => SettingsModel::Shared,
        "templates that each cell fills in" => SettingsModel::Template,
        _ => SettingsModel::Table,
    }))
});

/// `private ` before what is private, or nothing.
#[derive(Parameter)]
#[param(name = "private", regex = "(?:private )?")]
pub(super) struct Private(pub(super) Visibility);

read!(Private, Infallible, |text| {
    Ok(Self(if text.is_empty() { Visibility::Public } else { Visibility::Private }))
});

/// How a cell sends many bytes: at once with their length, where nothing is said.
#[derive(Clone, Copy, PartialEq, Eq, Parameter, strum::EnumString)]
#[param(name = "delivery", regex = "(?: in chunks|, the second half when released)?")]
pub(super) enum Delivery {
    #[strum(serialize = "")]
    Plain,
    #[strum(serialize = " in chunks")]
    InChunks,
    #[strum(serialize = ", the second half when released")]
    InHalves,
}

/// Where a cell redirects a user.
#[derive(Parameter, strum::EnumString)]
#[param(name = "redirected", regex = "its own address|the host it received")]
pub(super) enum Redirected {
    #[strum(serialize = "its own address")]
    OwnAddress,
    #[strum(serialize = "the host it received")]
    ReceivedHost,
}

/// ` and that belongs to cell_eu0`, or nothing.
#[derive(Parameter)]
#[param(name = "owned", regex = "(?: and that belongs to cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2}))?")]
pub(super) struct Owned(pub(super) Option<CellId>);

read!(Owned, UnknownSpelling, |text| {
    text.strip_prefix(" and that belongs to ").map(str::parse).transpose().map(Self)
});

/// ` of the EU region`, or nothing.
#[derive(Parameter)]
#[param(name = "of_region", regex = "(?: of the [A-Z]{2,8} region)?")]
pub(super) struct OfRegion(pub(super) Option<Region>);

read!(OfRegion, UnknownSpelling, |text| {
    text.split(' ').nth(3).map(str::parse).transpose().map(Self)
});

/// Which copies of the last request are judged.
#[derive(Clone, Copy, PartialEq, Eq, Parameter, strum::EnumString)]
#[param(name = "copies", regex = "every copy of the request|every request that reached a cell")]
pub(super) enum Copies {
    /// At least one has to have reached a cell.
    #[strum(serialize = "every copy of the request")]
    AtLeastOne,
    /// The router may have refused the request.
    #[strum(serialize = "every request that reached a cell")]
    IfAny,
}

/// What a copy of a request has of the user's request.
#[derive(Parameter)]
#[param(
    name = "kept",
    regex = "carried the same method, target and body\
             |carried the user's fields\
             |kept the lines of the user's fields\
             |kept the bytes of the user's values"
)]
pub(super) struct Kept(pub(super) fn(&Trace) -> Proof);

read!(Kept, Infallible, |text| {
    Ok(Self(match text {
        "carried the same method, target and body" => judge::copies_unchanged,
        "carried the user's fields" => judge::copies_carry_fields,
        "kept the lines of the user's fields" => judge::copies_keep_lines,
        _ => judge::copies_keep_values,
    }))
});

/// How many there are, in words or digits; `a` is at least one.
#[derive(Parameter)]
#[param(name = "amount", regex = "no|a|one|[0-9]{1,9}")]
pub(super) struct Amount(pub(super) Option<usize>);

read!(Amount, ParseIntError, |text| match text {
    "a" => Ok(Self(None)),
    "no" => Ok(Self(Some(0))),
    "one" => Ok(Self(Some(1))),
    digits => digits.parse().map(Some).map(Self),
});

/// ` about "/path"`, or nothing.
#[derive(Parameter)]
#[param(name = "topic", regex = "(?: about \"[^\"]*\")?")]
pub(super) struct Topic(pub(super) Option<String>);

read!(Topic, Infallible, |text| Ok(Self(text.split('"').nth(1).map(str::to_owned))));

/// ` and "Field: value"`, or nothing: a further line.
#[derive(Parameter)]
#[param(name = "and_field", regex = "(?: and (?:\"[^\"]*\"|'[^']*'))?")]
pub(super) struct AndField(pub(super) String);

read!(AndField, Infallible, |text| {
    let quoted = text.strip_prefix(" and ");
    Ok(Self(
        quoted.map_or_else(String::new, |quoted| format!("\n{}", &quoted[1..quoted.len() - 1])),
    ))
});

/// ` in "slug"`, or that no organization is chosen.
#[derive(Parameter)]
#[param(name = "chosen", regex = " in \"[^\"]*\"| without choosing an organization")]
pub(super) struct Chosen(Option<String>);

read!(Chosen, Infallible, |text| Ok(Self(text.split('"').nth(1).map(str::to_owned))));

impl Word for Chosen {
    type Value = Option<String>;

    fn value(self) -> Option<String> {
        self.0
    }

    fn text(slug: &Option<String>) -> String {
        match slug {
            Some(slug) => format!(" in {}", quoted(slug)),
            None => " without choosing an organization".to_owned(),
        }
    }
}

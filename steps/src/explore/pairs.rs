//! Which pairs of a router's state and an action were met: rarer ones are preferred.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray as _;

use super::deed::{Deed, Situation};
use super::facts::facts;
use super::state::{State, states};
use crate::action::{Action, Flow, RequestKind, Visits};
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// The kind of the visits that fill a cache.
const CROWD: &str = "crowd";

/// A pair that was met: the state of the router, and the kind of the action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Met(State, &'static str);

impl Met {
    /// The pair that a drawn scene is expected to meet.
    pub(super) fn expected(situation: Situation, deed: Deed) -> Self {
        Self(expected(situation), deed_kind(deed))
    }

    /// The pairs of a journey, as often as they were met.
    pub(super) fn of(trace: &Trace, plan: &ScenarioPlan) -> Vec<Self> {
        let mut met = Vec::new();
        for (user, state) in states(&facts(plan, &trace.actions), trace) {
            let kind = trace.action_of(&trace.users[user]).and_then(kind);
            met.extend(kind.map(|kind| Self(state, kind)));
        }
        met
    }
}

/// How often each pair was met.
#[derive(Clone, Default, Debug)]
pub(crate) struct Pairs(BTreeMap<(State, &'static str), u64>);

impl Pairs {
    /// Counts pairs.
    pub(super) fn add(&mut self, met: &[Met]) {
        for Met(state, kind) in met {
            *self.0.entry((*state, *kind)).or_default() += 1;
        }
    }

    /// How many different pairs were met.
    pub(crate) fn met(&self) -> usize {
        self.0.len()
    }

    /// How many pairs there are, possible or not.
    pub(crate) fn all() -> usize {
        State::VARIANTS.len() * kinds().len()
    }

    /// How often a pair was met.
    fn count(&self, state: State, kind: &'static str) -> u64 {
        self.0.get(&(state, kind)).copied().unwrap_or(0)
    }

    /// How rare a pair is: 1 if it was never met.
    pub(super) fn rarity(&self, Met(state, kind): Met) -> f64 {
        1.0 / (1.0 + self.count(state, kind) as f64)
    }

    /// The pairs as a table: a row for each kind of action, a column for each state.
    pub(crate) fn table(&self) -> Vec<(&'static str, Vec<u64>)> {
        let kinds: BTreeSet<_> = self.0.keys().map(|(_, kind)| *kind).chain(kinds()).collect();
        let row =
            |kind| (kind, State::VARIANTS.iter().map(|state| self.count(*state, kind)).collect());
        kinds.into_iter().map(row).collect()
    }
}

/// The kinds of requests that the deeds make.
fn kinds() -> BTreeSet<&'static str> {
    // Before the deed, other places may be visited to fill the cache.
    Deed::VARIANTS.iter().copied().map(deed_kind).chain([CROWD]).collect()
}

/// The state that a situation brings a router into.
fn expected(situation: Situation) -> State {
    match situation {
        Situation::AsItIs | Situation::Restarted => State::Cold,
        Situation::Visited | Situation::OwnerSlow => State::Warm,
        Situation::Moved | Situation::MovedUnseen => State::Stale,
        Situation::Outlived | Situation::OutlivedInUse => State::Expired,
        Situation::Crowded => State::Evicted,
        Situation::OwnerDown | Situation::RegionDown | Situation::OwnerBreaks => {
            State::OwnerInTrouble
        }
    }
}

/// The kind of an action that sends requests.
fn kind(action: &Action) -> Option<&'static str> {
    Some(match action {
        Action::Request { request, .. } => match request {
            RequestKind::Method { method, .. } if method == "HEAD" => "head",
            RequestKind::Method { .. } => "other method",
            RequestKind::RandomBody { .. } => "body",
            RequestKind::Message { .. } => "forged fields",
            RequestKind::Target { target } | RequestKind::Visit { target } => of_target(target),
            _ => "form",
        },
        Action::Visits { visits: Visits::ColdPrefixes { .. }, .. } => CROWD,
        Action::Visits { .. } => "visit",
        Action::Together { .. } => "together",
        Action::Begin { .. } | Action::BeginMessage { .. } | Action::BeginMany { .. } => "held",
        Action::Shared { .. } => "shared connection",
        Action::Flow { flow: Flow::Chunked { .. }, .. } => "chunks",
        Action::Flow { flow: Flow::AfterContinue { .. }, .. } => "awaited body",
        Action::Flow { .. } => "halves",
        Action::RawBytes { half_close: true, .. } => "left",
        Action::RawBytes { .. } => "raw bytes",
        _ => return None,
    })
}

fn of_target(target: &str) -> &'static str {
    if target == "/" {
        "root"
    } else if target.starts_with("/api/v4/internal") {
        "learn look-alike"
    } else if target.starts_with("/api/") {
        "api"
    } else if target.starts_with("/users/") {
        "sign-in page"
    } else if target.starts_with("/organizations/") {
        "organization"
    } else if target.contains('?') {
        "query"
    } else if ["%", "//", "/./", "/../"].iter().any(|piece| target.contains(piece)) {
        "respelt"
    } else {
        "visit"
    }
}

fn deed_kind(deed: Deed) -> &'static str {
    match deed {
        Deed::Head => "head",
        Deed::Delete | Deed::OtherMethod => "other method",
        Deed::Post | Deed::PutAtLimit | Deed::PutAboveLimit => "body",
        Deed::PostInChunks => "chunks",
        Deed::PutInHalves => "halves",
        Deed::ForgeFields | Deed::Graphql => "forged fields",
        Deed::RawTarget | Deed::RawFields | Deed::RawVersion | Deed::RawPair => "raw bytes",
        Deed::SignIn | Deed::CreateGroup => "form",
        Deed::FirstByOther => "other method",
        Deed::PutLarge => "body",
        Deed::PostForm | Deed::WithToken | Deed::ClientFields => "forged fields",
        Deed::ExpectContinue => "awaited body",
        Deed::WhileHeld | Deed::UploadTogether => "held",
        Deed::ShareConnection => "shared connection",
        Deed::VisitFixed => "sign-in page",
        Deed::VisitOften => "root",
        Deed::Together => "together",
        Deed::BeginHeld | Deed::BeginHeldPreflight | Deed::ReleaseInOrder | Deed::Leave => "held",
        Deed::LeaveInBody => "left",
        Deed::VisitRoot => "root",
        Deed::VisitLearnLike => "learn look-alike",
        Deed::VisitById | Deed::VisitByPath => "api",
        Deed::VisitSignIn => "sign-in page",
        Deed::VisitOrganization => "organization",
        Deed::VisitWithQuery => "query",
        Deed::VisitRespelt => "respelt",
        _ => "visit",
    }
}

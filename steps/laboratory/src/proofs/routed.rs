//! The properties of routing, with the bounds of each.

use cell_fleet::Protocol::{self, Buffering, Learning};

use super::check::check;
use super::routing::story::Story;
use super::routing::world::{Mover, Region};
use super::routing::{After, Claim, Mend, Method, Routing};
use super::{Answered, Asked, Bounds, Question, answer};
use conformance_suite::stage::Stop;

/// A proposal, and what is added to it.
type Of = (Protocol, Mend);

const BUFFERING: Of = (Buffering, Mend::None);
const LEARNING: Of = (Learning, Mend::None);
const ACTS_FIRST: Of = (Buffering, Mend::ActsFirst);
const VERSION: Of = (Buffering, Mend::Version);
const AGAIN: Of = (Learning, Mend::AskAgain);
const EPOCH: Of = (Learning, Mend::Epoch);
const ALL: &[Of] = &[BUFFERING, VERSION, LEARNING, AGAIN, EPOCH];
const OF_LEARNING: &[Of] = &[LEARNING, AGAIN, EPOCH];

fn subject(model: &Routing) -> &'static str {
    match (model.protocol, model.mend) {
        (Buffering, Mend::Version) => "buffering, with a version in the redirect field",
        (Buffering, Mend::ActsFirst) => "buffering, where cells act before they bounce",
        (Buffering, _) => "buffering",
        (Learning, Mend::AskAgain) => "learning, asking again after a 404",
        (Learning, Mend::Epoch) => "learning, with the route's epoch in entries",
        (Learning, _) => "learning",
    }
}

const fn writes(claim: Claim) -> Routing {
    Routing { methods: &[Method::Post], ..Routing::reads(claim) }
}

/// Writes through a router in each region.
const fn by_two_routers(claim: Claim) -> Routing {
    Routing { routers: &[Region::Us, Region::Eu], ..writes(claim) }
}

/// What is asked of a model.
fn question(mut model: Routing) -> Question {
    // Two routers and three writes of learning are 12,171,840 states. The fleet's mover stood that
    // once, by hand. Two writes show as much: one leaves an entry, the other comes late by it.
    if model.routers.len() > 1 && model.protocol == Learning {
        model.requests = 2;
    }
    let mended = matches!(model.mend, Mend::Version | Mend::AskAgain | Mend::Epoch);
    let ask = move |bounds, stop: &Stop| {
        let mut model = model.clone();
        if bounds == Bounds::Quick {
            let (expires, nth) = match model.claim {
                Claim::Converges { after, nth } => (after > After::Calm, nth),
                _ => (false, 1),
            };
            model.requests = 1 + nth;
            model.troubles = u8::from(expires);
        }
        checked(&model, stop)
    };
    Question { mended, ask: Box::new(ask) }
}

fn in_words(model: &Routing) -> String {
    let routers = model.routers.len();
    let s = if routers == 1 { "" } else { "s" };
    let lag = if model.lagging { "replicas lag and are released once" } else { "no lag" };
    let move_or = match model.mover {
        Mover::Phases => "a move in phases",
        Mover::Naive => "copy and switch",
        Mover::Creation => "a namespace is created",
    };
    let early = if model.early { "" } else { ", requests after the switch" };
    let at_once = if model.quiet { "one after the other" } else { "2 in flight" };
    let (requests, troubles) = (model.requests, model.troubles);
    format!(
        "{routers} router{s}, {requests} requests, {at_once}, {move_or}{early}, {lag}, {troubles} \
         crash or expiry"
    )
}

/// Checks a property. The counterexample is told in words, and played where nothing is added to the
/// proposal.
fn checked(model: &Routing, stop: &Stop) -> Answered {
    let checked = check(model, stop);
    let mut steps = Vec::new();
    let mut story = None;
    if let Some(path) = &checked.broken {
        steps.extend(path.first().map(|(state, _)| model.beginning(state)));
        steps.extend(path.iter().filter_map(|(state, step)| Some(model.words(state, (*step)?))));
        let is_plain = model.mend == Mend::None && model.methods == [Method::Get];
        story = is_plain.then(|| Story::from_path(model, path)).flatten();
    }
    Answered { answer: answer(subject(model), in_words(model), &checked, steps), story }
}

fn asked(
    id: &'static str,
    says: &'static str,
    source: &'static str,
    model: &Routing,
    of: &[Of],
) -> Asked {
    let of = of.iter();
    let questions =
        of.map(|&(protocol, mend)| question(Routing { protocol, mend, ..model.clone() }));
    Asked { id, says, source, questions: questions.collect() }
}

/// The properties, in the order in which they are read.
pub(super) fn properties() -> Vec<Asked> {
    let converges = |after, nth| Routing::reads(Claim::Converges { after, nth });
    let mut one_effect = ALL.to_vec();
    one_effect.push(ACTS_FIRST);
    vec![
        asked(
            "one-effect",
            "A request takes effect at most once.",
            "Differences of both proposals, BF-08, LN-10, A-57",
            &writes(Claim::OneEffect),
            &one_effect,
        ),
        asked(
            "inert-404",
            "What gets a 404 had no effect.",
            "A-70, RT-07",
            &writes(Claim::InertNotFound),
            ALL,
        ),
        asked(
            "few-hops",
            "Without a limit on hops, a request reaches at most three cells. The number is ours; no \
             document has one.",
            "Z-01, A-50; buffering, Summary of changes, item 7",
            &Routing::reads(Claim::FewHops(3)),
            ALL,
        ),
        asked(
            "served-in-step",
            "A member gets the page, while no replica lags.",
            "Pros 2, RT-08, A-70",
            &Routing { lagging: false, ..Routing::reads(Claim::Served) },
            ALL,
        ),
        asked(
            "served-in-quiet",
            "A member gets the page, while no replica lags and nothing else happens meanwhile.",
            "Pros 2, RT-08, A-70",
            &Routing { lagging: false, quiet: true, ..Routing::reads(Claim::Served) },
            ALL,
        ),
        asked(
            "served",
            "A member gets the page, although replicas lag.",
            "Pros 2, RT-08, DB-06, A-50",
            &Routing::reads(Claim::Served),
            ALL,
        ),
        asked(
            "served-new",
            "A member gets the page of a namespace that was just created.",
            "Creates a new top level namespace, Z-15, DB-06, A-50",
            &Routing { mover: Mover::Creation, early: false, ..Routing::reads(Claim::Served) },
            ALL,
        ),
        asked(
            "converges",
            "The first read after the move and the release gets its page.",
            "TD-01, TD-02, RT-08",
            &converges(After::Calm, 1),
            ALL,
        ),
        asked(
            "converges-at-last",
            "The second and every later read get the page.",
            "TD-01, TD-02, RT-08",
            &converges(After::Calm, 2),
            ALL,
        ),
        asked(
            "learned-in-step",
            "The first one does, where all requests begin after the switch and no replica lags.",
            "TD-03",
            &Routing { lagging: false, early: false, ..converges(After::Calm, 1) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "learned-late",
            "The first one does, where all requests begin after the switch and replicas lag.",
            "TD-03, A-50",
            &Routing { early: false, ..converges(After::Calm, 1) },
            ALL,
        ),
        asked(
            "learned-late-in-quiet",
            "The first one does, where besides nothing else happens while a request is under way.",
            "TD-03, A-50",
            &Routing { early: false, quiet: true, ..converges(After::Calm, 1) },
            ALL,
        ),
        asked(
            "lifetime-of-switch",
            "A read gets its page one lifetime of entries after the switch.",
            "TD-03, A-70",
            &converges(After::LifetimeOfSwitch, 1),
            OF_LEARNING,
        ),
        asked(
            "lifetime-of-release",
            "A read gets its page one lifetime after the move and the release.",
            "TD-03, A-50",
            &converges(After::LifetimeOfCalm, 1),
            OF_LEARNING,
        ),
        asked(
            "lifetime-of-last-answer",
            "A read gets its page one lifetime after both, and after the last answer to a pre-flight \
             that had begun before.",
            "TD-03, A-50",
            &converges(After::LifetimeOfLastAsk, 1),
            OF_LEARNING,
        ),
        asked(
            "nothing-lost",
            "The owner has every write that was acknowledged, with the fleet's mover.",
            "MV-01, A-112",
            &by_two_routers(Claim::NothingLost),
            &[BUFFERING, LEARNING],
        ),
        asked(
            "one-taker",
            "No two cells take writes of one organization, with the fleet's mover.",
            "MV-06, A-112",
            &by_two_routers(Claim::OneTaker),
            &[BUFFERING, LEARNING],
        ),
        asked(
            "nothing-lost-naive",
            "The owner has every write that was acknowledged, with a mover that copies and switches.",
            "MV-01, A-112; An organization is moved: TODO",
            &Routing { mover: Mover::Naive, ..by_two_routers(Claim::NothingLost) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "one-taker-naive",
            "No two cells take writes of one organization, with a mover that copies and switches.",
            "MV-06, A-112; An organization is moved: TODO",
            &Routing { mover: Mover::Naive, ..by_two_routers(Claim::OneTaker) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "home-read",
            "A read that finds its entry and is served at home does no step abroad.",
            "SE-03, DB-05; Summary of changes of both, the last item",
            &Routing::reads(Claim::AtHome),
            ALL,
        ),
        asked(
            "home-write",
            "A write of shared data stays in its region.",
            "DB-05; Summary of changes of both, the last item; Cons 1",
            &Routing { methods: &[Method::Share], ..Routing::reads(Claim::AtHome) },
            &[BUFFERING, LEARNING],
        ),
    ]
}

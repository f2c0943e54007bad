//! The properties of routing, with the bounds of each.

use super::asked::{Answered, Asked, Bounds, Question, answer};
use super::check::check;
use super::routing::buffering::Buffering;
use super::routing::learning::Learning;
use super::routing::played::Played;
use super::routing::story::Story;
use super::routing::world::Mover;
use super::routing::{After, Claim, Mend, Method, ONE_ROUTER, Setting, TWO_ROUTERS, beginning};

/// A proposal, with what is added to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Buffering(Mend),
    Learning(Mend),
}

const BUFFERING: Of = Of::Buffering(Mend::None);
const LEARNING: Of = Of::Learning(Mend::None);
const VERSION: Of = Of::Buffering(Mend::Version);
const AGAIN: Of = Of::Learning(Mend::AskAgain);
const EPOCH: Of = Of::Learning(Mend::Epoch);
const ALL: &[Of] = &[BUFFERING, VERSION, LEARNING, AGAIN, EPOCH];
const OF_LEARNING: &[Of] = &[LEARNING, AGAIN, EPOCH];

impl Of {
    fn words(self) -> &'static str {
        match self {
            Self::Buffering(Mend::Version) => "buffering, with a version in the redirect field",
            Self::Buffering(Mend::ActsFirst) => "buffering, where cells act before they bounce",
            Self::Buffering(_) => "buffering",
            Self::Learning(Mend::AskAgain) => "learning, asking again after a 404",
            Self::Learning(Mend::Epoch) => "learning, with the route's epoch in entries",
            Self::Learning(_) => "learning",
        }
    }
}

/// What differs between the properties; reads through one router, replicas that lag, the fleet's
/// mover.
struct Draft {
    claim: Claim,
    methods: &'static [Method],
    mover: Mover,
    lagging: bool,
    early: bool,
    quiet: bool,
    two_routers: bool,
}

impl Draft {
    const fn reads(claim: Claim) -> Self {
        let methods = &[Method::Get];
        let (mover, quiet, two_routers) = (Mover::Phases, false, false);
        Self { claim, methods, mover, lagging: true, early: true, quiet, two_routers }
    }

    const fn writes(claim: Claim) -> Self {
        Self { methods: &[Method::Post], ..Self::reads(claim) }
    }

    /// What is asked of a proposal.
    fn of(&self, of: Of) -> Question {
        let (Of::Buffering(mend) | Of::Learning(mend)) = of;
        let &Self { claim, methods, mover, lagging, early, quiet, two_routers } = self;
        let routers = if two_routers { TWO_ROUTERS } else { ONE_ROUTER };
        // Two routers and three writes of learning are 12,171,840 states. The fleet's mover stood that
        // once, by hand. Two writes show as much: one leaves an entry, the other comes late by it.
        let requests = if two_routers && matches!(of, Of::Learning(_)) { 2 } else { 3 };
        let troubles = 1;
        let setting = Setting {
            claim,
            mend,
            mover,
            lagging,
            early,
            quiet,
            routers,
            methods,
            requests,
            troubles,
        };
        let ask = move |bounds| {
            let mut setting = setting.clone();
            if bounds == Bounds::Quick {
                let (expires, nth) = match claim {
                    Claim::Converges { after, nth } => (after > After::Calm, nth),
                    _ => (false, 1),
                };
                setting.requests = 1 + nth;
                setting.troubles = u8::from(expires);
            }
            match of {
                Of::Buffering(_) => {
                    let model = Buffering(setting.clone());
                    checked(of.words(), &setting, &model, |state, step| model.words(state, *step))
                }
                Of::Learning(_) => {
                    let model = Learning(setting.clone());
                    checked(of.words(), &setting, &model, |state, step| model.words(state, *step))
                }
            }
        };
        let mended = matches!(mend, Mend::Version | Mend::AskAgain | Mend::Epoch);
        Question { mended, ask: Box::new(ask) }
    }
}

fn in_words(setting: &Setting) -> String {
    let routers = setting.routers.len();
    let s = if routers == 1 { "" } else { "s" };
    let lag = if setting.lagging { "replicas lag and are released once" } else { "no lag" };
    let move_or = match setting.mover {
        Mover::Phases => "a move in phases",
        Mover::Naive => "copy and switch",
        Mover::Creation => "a namespace is created",
    };
    let early = if setting.early { "" } else { ", requests after the switch" };
    let at_once = if setting.quiet { "one after the other" } else { "2 in flight" };
    let (requests, troubles) = (setting.requests, setting.troubles);
    format!(
        "{routers} router{s}, {requests} requests, {at_once}, {move_or}{early}, {lag}, {troubles} \
         crash or expiry"
    )
}

/// Checks a property. The counterexample is told by `words`, and played where nothing is added to
/// the proposal.
fn checked<M: Played>(
    subject: &str,
    setting: &Setting,
    model: &M,
    words: impl Fn(&M::State, &M::Step) -> String,
) -> Answered {
    let checked = check(model);
    let mut steps = Vec::new();
    let mut story = None;
    if let Some(path) = &checked.broken {
        let first = path.first().map(|(state, _)| beginning(setting.mover, model.world(state)));
        steps.extend(first);
        steps.extend(path.iter().filter_map(|(state, step)| Some(words(state, step.as_ref()?))));
        let is_plain = setting.mend == Mend::None && setting.methods == [Method::Get];
        story = is_plain.then(|| Story::of(model, path)).flatten();
    }
    Answered { answer: answer(subject, in_words(setting), &checked, steps), story }
}

fn asked(
    id: &'static str,
    says: &'static str,
    source: &'static str,
    draft: &Draft,
    of: &[Of],
) -> Asked {
    let questions = of.iter().map(|of| draft.of(*of)).collect();
    Asked { id, says, source, questions }
}

/// The properties, in the order in which they are read.
pub(super) fn properties() -> Vec<Asked> {
    let converges = |after, nth| Draft::reads(Claim::Converges { after, nth });
    let mut one_effect = ALL.to_vec();
    one_effect.push(Of::Buffering(Mend::ActsFirst));
    vec![
        asked(
            "one-effect",
            "A request takes effect at most once.",
            "Differences of both proposals, BF-08, LN-10, A-57",
            &Draft::writes(Claim::OneEffect),
            &one_effect,
        ),
        asked(
            "inert-404",
            "What gets a 404 had no effect.",
            "A-70, RT-07",
            &Draft::writes(Claim::InertNotFound),
            ALL,
        ),
        asked(
            "few-hops",
            "Without a limit on hops, a request reaches at most three cells. The number is ours; no \
             document has one.",
            "Z-01, A-50; buffering, Summary of changes, item 7",
            &Draft::reads(Claim::FewHops(3)),
            ALL,
        ),
        asked(
            "served-in-step",
            "A member gets the page, while no replica lags.",
            "Pros 2, RT-08, A-70",
            &Draft { lagging: false, ..Draft::reads(Claim::Served) },
            ALL,
        ),
        asked(
            "served-in-quiet",
            "A member gets the page, while no replica lags and nothing else happens meanwhile.",
            "Pros 2, RT-08, A-70",
            &Draft { lagging: false, quiet: true, ..Draft::reads(Claim::Served) },
            ALL,
        ),
        asked(
            "served",
            "A member gets the page, although replicas lag.",
            "Pros 2, RT-08, DB-06, A-50",
            &Draft::reads(Claim::Served),
            ALL,
        ),
        asked(
            "served-new",
            "A member gets the page of a namespace that was just created.",
            "Creates a new top level namespace, Z-15, DB-06, A-50",
            &Draft { mover: Mover::Creation, early: false, ..Draft::reads(Claim::Served) },
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
            "learnt-in-step",
            "The first one does, where all requests begin after the switch and no replica lags.",
            "TD-03",
            &Draft { lagging: false, early: false, ..converges(After::Calm, 1) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "learnt-late",
            "The first one does, where all requests begin after the switch and replicas lag.",
            "TD-03, A-50",
            &Draft { early: false, ..converges(After::Calm, 1) },
            ALL,
        ),
        asked(
            "learnt-late-in-quiet",
            "The first one does, where besides nothing else happens while a request is under way.",
            "TD-03, A-50",
            &Draft { early: false, quiet: true, ..converges(After::Calm, 1) },
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
            &Draft { two_routers: true, ..Draft::writes(Claim::NothingLost) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "one-taker",
            "No two cells take writes of one organization, with the fleet's mover.",
            "MV-06, A-112",
            &Draft { two_routers: true, ..Draft::writes(Claim::OneTaker) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "nothing-lost-naive",
            "The owner has every write that was acknowledged, with a mover that copies and switches.",
            "MV-01, A-112; An organization is moved: TODO",
            &Draft { two_routers: true, mover: Mover::Naive, ..Draft::writes(Claim::NothingLost) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "one-taker-naive",
            "No two cells take writes of one organization, with a mover that copies and switches.",
            "MV-06, A-112; An organization is moved: TODO",
            &Draft { two_routers: true, mover: Mover::Naive, ..Draft::writes(Claim::OneTaker) },
            &[BUFFERING, LEARNING],
        ),
        asked(
            "home-read",
            "A read that finds its entry and is served at home does no step abroad.",
            "SE-03, DB-05; Summary of changes of both, the last item",
            &Draft::reads(Claim::AtHome),
            ALL,
        ),
        asked(
            "home-write",
            "A write of shared data stays in its region.",
            "DB-05; Summary of changes of both, the last item; Cons 1",
            &Draft { methods: &[Method::Share], ..Draft::reads(Claim::AtHome) },
            &[BUFFERING, LEARNING],
        ),
    ]
}

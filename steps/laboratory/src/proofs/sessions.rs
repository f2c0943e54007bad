//! Sessions: two regions, two clients that are signed in as one user, and one sign-out or new
//! password; and what is claimed of them.

use super::check::{Claimed, check};
use super::{Answered, Asked, Question, answer};
use conformance_suite::stage::Stop;

/// Where sessions are kept (ARCHITECTURE.md, the cells behind).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// One store: each region reads its replica, and asks the primary about what is not there.
    Shared,
    /// The store of the region that the session names.
    Regional,
    /// JWTs, and a list of revoked ones in each region. `same_id` says whether a renewed JWT keeps
    /// the id of the one before, and the time of the sign-in.
    JwtWithList { same_id: bool },
    /// JWTs alone.
    Jwt,
}

/// How the session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// The other one has a copy of the cookie.
    SignOut,
    /// `copied` says whether the other one has a copy of the cookie, or a separate session.
    NewPassword { copied: bool },
}

/// From when on no cell may accept the other one's cookie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    /// The response to the sign-out, or to the new password, has come.
    TheEnd,
    /// The response has come, and no replica lags anymore.
    Release,
    /// One life of a JWT after the end.
    LifeOfEnd,
    /// One life after both.
    LifeOfBoth,
}

#[derive(Clone, Debug)]
struct Sessions {
    form: Form,
    end: End,
    from: From,
    /// Whether replicas may lag.
    lagging: bool,
}

/// A life of a JWT, in steps of the clock. It is renewed after half of it.
const LIFE: u8 = 2;
/// The last tick of the clock.
const LAST: u8 = 6;

/// A state. Both were signed in at the time 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    now: u8,
    /// Whether the replica of the US and of Europe lags.
    lags: [bool; 2],
    /// When the JWT of each was issued: the user's, and the other one's.
    issued: [u8; 2],
    /// Whether the other one's JWT was renewed after the end had begun, as its time of issue says.
    late: bool,
    /// Whether the copy still has the id of the user's JWT.
    same_id: bool,
    /// Whether the primary, or the session's store, has the end.
    stored: bool,
    /// The regions whose lists have it.
    listed: [bool; 2],
    /// When the user was told of the end, and when the last replica followed.
    ended: Option<u8>,
    released: u8,
    broken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// One of the two sends a request to a cell of a region.
    Use { copy: bool, region: usize },
    /// The user signs out, or has a new password; a list of one region is written.
    Begin,
    /// The list of the other region is written as well, and the user gets the response.
    End,
    /// The replicas follow.
    Release,
    /// Half of a life passes.
    Tick,
}

impl Claimed for Sessions {
    type State = State;
    type Step = Step;

    fn beginnings(&self) -> Vec<State> {
        let begin = |lags| State {
            now: 0,
            lags,
            issued: [0; 2],
            late: false,
            same_id: true,
            stored: false,
            listed: [false; 2],
            ended: None,
            released: 0,
            broken: false,
        };
        let lags = [[false, false], [false, true], [true, false], [true, true]];
        lags[..if self.lagging { 4 } else { 1 }].iter().map(|lags| begin(*lags)).collect()
    }

    fn steps(&self, state: &State, steps: &mut Vec<Step>) {
        // The order says which of two shortest paths is shown: the end comes as late as it can,
        // since the fleet does both of its steps in one request.
        for (copy, region) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
            steps.push(Step::Use { copy, region });
        }
        steps.extend([Step::Release, Step::Tick]);
        steps.push(if state.stored { Step::End } else { Step::Begin });
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Use { copy, region } => {
                // Who has signed out has no cookie anymore.
                if !copy && state.stored || !self.accepts(state, copy, region) {
                    return None;
                }
                next.broken |= copy && self.is_over(state);
                if self.renews(state, copy, region) {
                    next.issued[usize::from(copy)] = state.now;
                    let keeps = matches!(self.form, Form::JwtWithList { same_id: true });
                    next.same_id &= keeps;
                    next.late |= copy && state.stored && !keeps;
                }
            }
            // Whoever ends the session is signed in.
            Step::Begin if self.accepts(state, false, 0) => {
                next.stored = true;
                next.listed[0] = true;
            }
            Step::Begin => return None,
            Step::End => {
                next.listed[1] = true;
                next.ended = next.ended.or(Some(state.now));
            }
            Step::Release if state.lags != [false; 2] => {
                next.lags = [false; 2];
                next.released = state.now;
            }
            Step::Release => return None,
            Step::Tick if state.now < LAST => next.now += 1,
            Step::Tick => return None,
        }
        Some(next)
    }

    fn is_bad(&self, state: &State) -> bool {
        state.broken
    }
}

impl Sessions {
    /// Whether a cell of a region accepts the cookie of the user, or the other one's.
    fn accepts(&self, state: &State, copy: bool, region: usize) -> bool {
        // A store ends all sessions of the user but the one in use.
        let stays = self.end == End::NewPassword { copied: true };
        let lives = state.now < state.issued[usize::from(copy)] + LIFE;
        match self.form {
            Form::Shared => !state.stored || stays || state.lags[region],
            Form::Regional => !state.stored || stays,
            Form::Jwt => lives,
            Form::JwtWithList { .. } => {
                // A new password revokes by time, a sign-out by the id of the user's JWT.
                let revokes = if self.end == End::SignOut { state.same_id } else { !state.late };
                lives && !(state.listed[region] && revokes)
            }
        }
    }

    /// Whether the response has a new JWT. A cell compares the password of the sign-in with the one
    /// that its replica has.
    fn renews(&self, state: &State, copy: bool, region: usize) -> bool {
        let is_jwt = matches!(self.form, Form::Jwt | Form::JwtWithList { .. });
        let is_old = (state.now - state.issued[usize::from(copy)]) * 2 >= LIFE;
        let changed = self.end != End::SignOut && state.stored && !state.lags[region];
        is_jwt && is_old && !changed
    }

    /// Whether nobody may be accepted anymore.
    fn is_over(&self, state: &State) -> bool {
        let Some(ended) = state.ended else { return false };
        let follows = state.lags == [false; 2];
        match self.from {
            From::TheEnd => true,
            From::Release => follows,
            From::LifeOfEnd => state.now >= ended + LIFE,
            From::LifeOfBoth => follows && state.now >= ended.max(state.released) + LIFE,
        }
    }

    fn words(&self, step: Step) -> String {
        let place = |region: usize| ["the US", "Europe"][region];
        match step {
            Step::Use { copy: true, region } => {
                let what = match self.end {
                    End::NewPassword { copied: false } => "other session",
                    _ => "copy of the cookie",
                };
                format!("the {what} is used in {}, and counts", place(region))
            }
            Step::Use { copy: false, region } => {
                format!("the user's cookie is used in {}", place(region))
            }
            Step::Begin => match self.end {
                End::SignOut => "the user signs out".to_owned(),
                End::NewPassword { .. } => "the user has a new password".to_owned(),
            },
            Step::End => "the user gets the response".to_owned(),
            Step::Release => "the replicas follow".to_owned(),
            Step::Tick => "half of a JWT's life passes".to_owned(),
        }
    }
}

const SOURCE: &str = "SE-05, SE-09, SE-11, A-110; Replicating User Sessions";

const NEW_PASSWORD: End = End::NewPassword { copied: false };
const BESIDE_A_COPY: End = End::NewPassword { copied: true };

fn question(form: Form, from: From, end: End, lagging: bool) -> Question {
    let model = Sessions { form, end, from, lagging };
    Question { mended: false, ask: Box::new(move |_, stop| checked(&model, stop)) }
}

fn checked(model: &Sessions, stop: &Stop) -> Answered {
    let &Sessions { form, end, from, lagging } = model;
    let kept = match form {
        Form::Shared => "one store",
        Form::Regional => "a store for each region",
        Form::JwtWithList { same_id: false } => "JWTs with a list",
        Form::JwtWithList { same_id: true } => "JWTs with a list, whose renewals keep id and time",
        Form::Jwt => "JWTs without a list",
    };
    let (how, who) = match end {
        End::SignOut => ("sign-out", "the user and a copy of the cookie"),
        End::NewPassword { copied: true } => {
            ("new password while a copy exists", "the user and a copy of the cookie")
        }
        End::NewPassword { copied: false } => ("new password", "two sessions of a user"),
    };
    let lag = if lagging { "replicas lag and are released once" } else { "no lag" };
    let result = check(model, stop);
    let mut steps = Vec::new();
    if let Some(path) = &result.broken {
        let lags = path.first().is_some_and(|(state, _)| state.lags != [false; 2]);
        steps.push(if lags { "replicas lag" } else { "no replica lags" }.to_owned());
        steps.extend(path.iter().filter_map(|(_, step)| Some(model.words((*step)?))));
    }
    let bounds = format!("2 regions, {who}, one {how}, three lives, {lag}");
    let late = if lagging || from == From::TheEnd { "" } else { ", no lag" };
    let subject = format!("{kept}, {how}{late}");
    Answered { answer: answer(&subject, bounds, &result, steps), story: None }
}

/// The properties, in the order in which they are read.
pub(super) fn properties() -> Vec<Asked> {
    let forms = [
        Form::Shared,
        Form::Regional,
        Form::JwtWithList { same_id: false },
        Form::JwtWithList { same_id: true },
        Form::Jwt,
    ];
    let both = |from: From, forms: &[Form]| {
        let ends = [End::SignOut, NEW_PASSWORD];
        let pairs = forms.iter().flat_map(|form| ends.map(|end| (*form, end)));
        pairs.map(|(form, end)| question(form, from, end, true)).collect::<Vec<_>>()
    };
    vec![
        Asked {
            id: "ends-at-once",
            says: "After a session ends, no cell accepts it.",
            source: SOURCE,
            questions: {
                let mut questions = both(From::TheEnd, &forms);
                let stores = [Form::Shared, Form::Regional];
                questions
                    .extend(stores.map(|form| question(form, From::TheEnd, BESIDE_A_COPY, true)));
                questions
            },
        },
        Asked {
            id: "ends-after-release",
            says: "After a session ends and the replicas catch up, no cell accepts it.",
            source: SOURCE,
            questions: both(From::Release, &[Form::Shared, Form::Jwt]),
        },
        Asked {
            id: "ends-after-a-life",
            says: "One token lifetime after the end, no cell accepts the session.",
            source: SOURCE,
            questions: vec![
                question(Form::Jwt, From::LifeOfEnd, End::SignOut, false),
                question(Form::Jwt, From::LifeOfEnd, NEW_PASSWORD, false),
                question(Form::Jwt, From::LifeOfEnd, NEW_PASSWORD, true),
            ],
        },
        Asked {
            id: "ends-after-lag-and-life",
            says: "One token lifetime after the end and the release, no cell accepts the session.",
            source: SOURCE,
            questions: {
                let listed = Form::JwtWithList { same_id: false };
                let mut questions = both(From::LifeOfBoth, &[listed, Form::Jwt]);
                questions.push(question(Form::Shared, From::LifeOfBoth, BESIDE_A_COPY, true));
                questions
            },
        },
    ]
}

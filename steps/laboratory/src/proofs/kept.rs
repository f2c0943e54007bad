//! The properties of sessions.

use super::asked::{Answered, Asked, Question, answer};
use super::check::check;
use super::sessions::{End, Form, From, Sessions};

const SOURCE: &str = "SE-05, SE-09, SE-11, A-110; Replicating User Sessions";

const NEW_PASSWORD: End = End::NewPassword { copied: false };
const BESIDE_A_COPY: End = End::NewPassword { copied: true };

fn question(form: Form, from: From, end: End, lagging: bool) -> Question {
    Question { mended: false, ask: Box::new(move |_| checked(form, from, end, lagging)) }
}

fn checked(form: Form, from: From, end: End, lagging: bool) -> Answered {
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
    let model = Sessions { form, end, from, lagging };
    let result = check(&model);
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

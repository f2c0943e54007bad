//! Pre-flights, as they are asked.

use super::learn::{correct, expired};
use crate::around::prelude::*;

super::wrong! {
    "sends-all-fields-with-the-pre-flight": Learning, "Z-11",
        "the pre-flight is made from a copy of the user's request" =>
        &[PreFlight(|at, mut question| {
            let mut fields = at.ask.arrival.headers.clone();
            for name in [HOST, CONTENT_LENGTH, TRANSFER_ENCODING] {
                fields.remove(name);
            }
            question.headers_mut().extend(fields);
            Question::Send(question)
        })];
    "cuts-at-the-last-question-mark": Learning, "LN-03",
        "path_info ends at the last question mark, so that it includes a part of the query" =>
        &[PreFlight(|at, question| {
            let target = at.ask.arrival.target.as_str();
            let cut = target.rsplit_once('?').map_or(target, |(cut, _)| cut);
            let learn_path = question.uri().path();
            match preflight::target(learn_path, &at.note().method, cut) {
                Ok(target) => asked_at(question, target.as_str()),
                Err(_) => Question::Refused(Refusal::TargetTooLong),
            }
        })];
    "abandons-those-who-wait": Learning, "Z-66",
        "requests that wait for a pre-flight wait for ever if the user behind it leaves" =>
        &[
            PreFlightLater(|at, _, question, _| Box::pin(async move {
                while at.state.texts().get(at.path()).is_some_and(|first| *first != at.user()) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                at.state.texts().insert(at.path().to_owned(), at.user());
                known(at).unwrap_or(Question::Send(question))
            })),
            Learn(|at, _, head, body| {
                at.state.texts().remove(at.path());
                correct(at, head, body)
            }),
            Refuse(|at, refusal, given| {
                at.state.texts().retain(|_, first| refusal.is_none() || *first != at.user());
                given
            }),
        ];
    "joins-pre-flights-by-top-level": Learning, "RT-14",
        "a request waits for a pre-flight under the same first segment, and uses its response" =>
        &[
            PreFlightLater(|at, _, question, _| Box::pin(async move {
                let waits = waits(at, leading(at.path(), 1)).await;
                match at.state.cells().get(leading(at.path(), 1)) {
                    Some(cell) if waits => Question::Known(Destination::Owner(*cell)),
                    _ => Question::Send(question),
                }
            })),
            Learn(|at, _, head, body| {
                let said = correct(at, head, body)?;
                if let Destination::Owner(cell) = said.to {
                    at.state.cells().insert(leading(at.path(), 1).to_owned(), cell);
                }
                at.held().take();
                Ok(said)
            }),
        ];
    "posts-the-pre-flight": Learning, "LN-01", "the pre-flight is a POST" =>
        &[PreFlight(|_, mut question| {
            *question.method_mut() = Method::POST;
            Question::Send(question)
        })];
    "asks-at-the-other-learn-path": Learning, "LN-02",
        "the learn path of the other document is used instead of the configured one" =>
        &[PreFlight(|_, question| {
            let target = question.uri().to_string();
            let other = match target.strip_prefix("/api/v4/internal/") {
                Some(rest) => format!("/api/v4/{rest}"),
                None => target.replacen("/api/v4/", "/api/v4/internal/", 1),
            };
            asked_at(question, &other)
        })];
    "path-info-with-bare-plus": Learning, "Z-12",
        "a plus in path_info is not encoded, and decodes to a space" =>
        &[PreFlight(|_, question| {
            let target = question.uri().to_string().replace("%2B", "+");
            asked_at(question, &target)
        })];
    "sends-the-body-with-the-pre-flight": Learning, "LN-11",
        "the pre-flight has a body where the user's request has one" =>
        &[PreFlight(|at, mut question| {
            let fields = &at.ask.arrival.headers;
            let length: usize = text(fields, "content-length").parse().unwrap_or_default();
            let in_chunks = usize::from(fields.contains_key(TRANSFER_ENCODING));
            // No pre-flight has a longer body.
            let length = length.max(in_chunks).min(64 * 1024);
            super::bodies::put(&mut question, vec![b'-'; length].into());
            Question::Send(question)
        })];
    "treats-the-dashboard-like-root": Learning, "LN-20",
        "/dashboard is sent to any cell without a pre-flight" =>
        &[Knows(|at| (at.path() == "/dashboard").then_some(Destination::Anywhere))];
    "serves-admin-anywhere": Learning, "AD-04",
        "/admin is sent to any cell without a pre-flight" =>
        &[Knows(|at| (at.path() == "/admin").then_some(Destination::Anywhere))];
    "turns-waiters-away": Learning, "Z-28", "a single-flight waiter is told to retry" =>
        &[
            PreFlight(|at, question| {
                if let Ok(place) = at.state.place(at.path()).try_lock_owned() {
                    *at.held() = Some(place);
                }
                if at.held().is_none() {
                    return Question::Refused(Refusal::Overloaded);
                }
                Question::Send(question)
            }),
            Learn(|at, _, head, body| {
                at.held().take();
                correct(at, head, body)
            }),
        ];
    "uses-expired-entries-while-it-asks": Learning, "TD-03",
        "while a pre-flight is under way, others use the expired entry" =>
        &[PreFlight(|at, question| {
            if let Ok(place) = at.state.place(at.path()).try_lock_owned() {
                *at.held() = Some(place);
            }
            match expired(at) {
                Some(cell) if at.held().is_none() => Question::Known(Destination::Owner(cell)),
                _ => Question::Send(question),
            }
        })];
    "serves-those-who-wait-in-a-row": Learning, "Z-14",
        "of those who wait for a pre-flight that fails, each asks when the one before has gone" =>
        &[PreFlightLater(|at, _, question, _| Box::pin(async move {
            waits(at, at.path()).await;
            known(at).unwrap_or(Question::Send(question))
        }))];
}

super::variants! {
    "asks-about-the-root": Learning, "a pre-flight is sent for /, too" =>
        &[ToCellLater(|at, step, _, cells| Box::pin(async move {
            if let Protocol::Learning { learn_path } = &at.ask.topology.protocol
                && at.path() == "/"
            {
                ask_before(at, step, learn_path, cells).await;
            }
        }))];
    "single-flight": Learning, "simultaneous misses of one path share a pre-flight" =>
        &[
            PreFlightLater(|at, _, question, _| Box::pin(async move {
                let waits = waits(at, &format!("{} {}", at.note().method, at.path())).await;
                let known = known(at).filter(|_| waits);
                // Where the one before has failed, nobody waits for the next.
                if waits && known.is_none() {
                    at.held().take();
                }
                known.unwrap_or(Question::Send(question))
            })),
            Learn(|at, _, head, body| {
                at.held().take();
                correct(at, head, body)
            }),
        ];
    "encodes-slashes": Learning, "path_info comes first and has its slashes encoded" =>
        &[PreFlight(|_, question| {
            let target = question.uri().to_string();
            let (learn_path, query) = target.split_once('?').unwrap_or((&target, ""));
            let (method, path_info) = query.split_once('&').unwrap_or((query, ""));
            let path_info = path_info.replace('/', "%2F");
            asked_at(question, &format!("{learn_path}?{path_info}&{method}"))
        })];
}

/// The question at another target; a target that cannot be one is refused.
fn asked_at(mut question: Request<Outgoing>, target: &str) -> Question {
    match target.parse() {
        Ok(target) => {
            *question.uri_mut() = target;
            Question::Send(question)
        }
        Err(_) => Question::Refused(Refusal::TargetTooLong),
    }
}

/// What the cache knows by now.
fn known(at: &At<'_>) -> Option<Question> {
    at.ask.cache.entry(at.path()).map(|entry| Question::Known(Destination::Owner(entry.cell)))
}

/// Takes a place, and says whether another request had it until now.
async fn waits(at: &At<'_>, name: &str) -> bool {
    if at.held().is_some() {
        return false;
    }
    let place = at.state.place(name);
    let waits = place.try_lock().is_err();
    let place = place.lock_owned().await;
    *at.held() = Some(place);
    waits
}

//! Checks of what was cloned from Git repositories.

use cell_fleet::git::{self, GitRepository, MAIN};

use super::responses::{asked, response_to};
use super::{Proof, ensure};
use crate::trace::{Trace, UserRequest};

const REFS: &[u8] = b"/info/refs?service=git-upload-pack";
const CLONE: &[u8] = b"/git-upload-pack";
const PUSH: &[u8] = b"/git-receive-pack";

/// The last clone of a person is whole, and its branch `main` has a commit with this title.
pub fn cloned_commit(trace: &Trace, person: &str, title: &str) -> Proof {
    let titles = last_clone(trace, person)?.titles(MAIN).map_err(|missing| missing.to_string())?;
    ensure(titles.iter().any(|found| found == title), || {
        format!("the clone of {person} has the commits {titles:?}, without `{title}`")
    })
}

/// The last clone of a person is whole, and has the tip of each push that was acknowledged.
pub fn cloned_all(trace: &Trace, person: &str) -> Proof {
    let clone = last_clone(trace, person)?;
    let mut any = false;
    for (_, push) in trace.acted().filter(|(_, request)| ends(request, PUSH)) {
        let got = response_to(push)?;
        if got.status != 200 || git::push_result(&got.body.beginning).is_err() {
            continue;
        }
        any = true;
        for tip in git::pushed(&push.body.beginning) {
            ensure(clone.objects.contains_key(&tip), || {
                format!("the push of {tip} was acknowledged, and the clone has it not")
            })?;
        }
    }
    ensure(any, || "no push was acknowledged".to_owned())
}

/// What a person cloned last, with all objects.
fn last_clone(trace: &Trace, person: &str) -> Result<GitRepository, String> {
    let own: Vec<_> = trace
        .acted()
        .map(|(_, request)| request)
        .filter(|request| request.person == person && (ends(request, REFS) || ends(request, CLONE)))
        .collect();
    let Some((last, before)) = own.split_last() else {
        return Err(format!("{person} cloned nothing"));
    };
    let failed = |why: String| format!("{} gave no clone: {why}", asked(last));
    let got = response_to(last)?;
    ensure(got.status == 200, || failed(format!("it received {}", got.status)))?;
    let Some(refs) = before.last().filter(|_| ends(last, CLONE)) else {
        return Err(failed("the repository is empty".to_owned()));
    };
    let refs = git::advertised(&response_to(refs)?.body.beginning);
    git::cloned(refs, &got.body.beginning).map_err(|error| failed(error.to_string()))
}

fn ends(request: &UserRequest, end: &[u8]) -> bool {
    request.target.as_bytes().ends_with(end)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use cell_fleet::git::Service;
    use cell_fleet::{BodySeen, Stamp};

    use super::*;
    use crate::trace::{Phase, ReceivedResponse, UserResponse};

    const REPOSITORY: &str = "/a/b.git";

    fn asked_for(target: &str, body: &[u8], status: u16, response: &[u8]) -> UserRequest {
        let seen = |bytes: &[u8]| BodySeen::of(&Bytes::copy_from_slice(bytes));
        let got = ReceivedResponse { status, fields: Vec::new(), body: seen(response) };
        let at = Stamp { sequence: 0, at: Duration::ZERO };
        UserRequest {
            person: "anna".to_owned(),
            phase: Phase::Step(0),
            target: format!("{REPOSITORY}{target}").as_str().into(),
            body: seen(body),
            response: Some(UserResponse { at, got: Ok(got) }),
            ..UserRequest::default()
        }
    }

    /// A push that the repository takes, and its request.
    fn push(repository: &mut GitRepository, title: &str) -> UserRequest {
        let refs = git::advertised(&git::advertisement(repository, Service::Receive));
        let (body, _) = git::push_request(&refs, title);
        let report = git::received(repository, &body);
        asked_for("/git-receive-pack", &body, 200, &report)
    }

    fn clone(repository: &GitRepository) -> [UserRequest; 2] {
        let shown = git::advertisement(repository, Service::Upload);
        let body = git::clone_request(&git::advertised(&shown));
        let sent = git::uploaded(repository, &body).unwrap_or_else(|refusal| refusal);
        [
            asked_for("/info/refs?service=git-upload-pack", b"", 200, &shown),
            asked_for("/git-upload-pack", &body, 200, &sent),
        ]
    }

    fn trace(users: impl IntoIterator<Item = UserRequest>) -> Trace {
        Trace { users: users.into_iter().collect(), ..Trace::default() }
    }

    #[test]
    fn a_push_that_is_lost_is_found() {
        let mut repository = GitRepository::default();
        let first = push(&mut repository, "First");
        let before = repository.clone();
        let second = push(&mut repository, "Second");
        let judged = |last: &GitRepository| {
            let users = [first.clone(), second.clone()].into_iter().chain(clone(last));
            let trace = trace(users);
            (cloned_all(&trace, "anna"), cloned_commit(&trace, "anna", "Second"))
        };
        assert_eq!(judged(&repository), (Ok(()), Ok(())));
        let (all, commit) = judged(&before);
        assert!(all.is_err() && commit.is_err());
        let mut hollow = repository.clone();
        hollow.objects.clear();
        assert!(judged(&hollow).0.unwrap_err().contains("is missing"));
        // A push that was refused need not be there.
        let refused = asked_for("/git-receive-pack", b"", 503, b"");
        let users = [first.clone(), refused].into_iter().chain(clone(&before));
        assert_eq!(cloned_all(&trace(users), "anna"), Ok(()));
        assert!(cloned_all(&trace(clone(&before)), "anna").is_err());
    }

    #[test]
    fn an_empty_repository_is_no_clone() {
        let refs = clone(&GitRepository::default())[0].clone();
        let error = cloned_commit(&trace([refs]), "anna", "First").unwrap_err();
        assert!(error.ends_with("the repository is empty"), "{error}");
        assert!(cloned_commit(&trace([]), "anna", "First").is_err());
    }
}

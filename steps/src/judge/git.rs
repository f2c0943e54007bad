//! Checks of what was cloned from Git repositories.

use cell_fleet::git::{self, GitRepository, MAIN};

use super::responses::asked;
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
        let got = push.received()?;
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
    let got = last.received()?;
    ensure(got.status == 200, || failed(format!("it received {}", got.status)))?;
    let Some(refs) = before.last().filter(|_| ends(last, CLONE)) else {
        return Err(failed("the repository is empty".to_owned()));
    };
    let refs = git::advertised(&refs.received()?.body.beginning);
    git::cloned(refs, &got.body.beginning).map_err(|error| failed(error.to_string()))
}

fn ends(request: &UserRequest, end: &[u8]) -> bool {
    request.target.as_bytes().ends_with(end)
}

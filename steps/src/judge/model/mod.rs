//! The model: what a router may do, as the documents have it.
//!
//! It is a third reading of the documents, after the fleet and the reference router, and imports
//! neither: it knows who owns what and what a router may remember (`installation`, `entries`), and
//! what cells said (`exchange`). Judging is a pure function of these and the trace. Where the
//! documents are silent, the model allows everything. What no request explains is judged for every
//! scenario (Z-75), and so is what is passed on. Its sentences, with the requirements that carry
//! them and the places that they stand on (C is the router contract; the others are sections of the
//! proposals or of RFCs):
//!
//! | requirement | sentence | source |
//! | --- | --- | --- |
//! | BF-01 | buffering asks nothing ahead | Differences |
//! | LN-01 | learning asks about what no entry covers, by a GET | Summary of changes 6 |
//! | LN-02, LN-03, Z-12 | a pre-flight has the user's method and path | Summary of changes 6 |
//! | LN-11, Z-11 | and neither a body nor credentials | Differences |
//! | BF-11, LN-17 | a cold pick is in the region, if one is up | Summary of changes 8 |
//! | BF-11, LN-17, Z-76 | and drawn at random, so that each is asked | C, *Choosing a cell* |
//! | CA-03 | an entry leads straight to its cell | Summary of changes 7 |
//! | LN-05, LN-06, CA-08 | what it covers needs no pre-flight | Pre-flight request learning |
//! | LN-21 | it serves all methods | Request flows |
//! | RT-09 | a corrected choice leads straight to the owner | Pros 2 |
//! | LN-18, Z-34 | a request goes where its cell said | Request flows; Cons 9 |
//! | LN-13 | an entry is used for one lifetime | Pre-flight request learning |
//! | CA-06, CA-07, LN-06 | it covers whole segments, or one path | C, *What an entry covers* |
//! | CA-10, Z-38 | exact, then longer, then later ones decide | C, *What an entry covers* |
//! | CA-04, Z-36 | what is not announced is not remembered | Request flows: / |
//! | Z-65 | nor is `/` | C, *What an entry covers* |
//! | CA-18, Z-06 | nor what a bounce says | Request flows |
//! | Z-07 | nor what does not cover its request | C, *What an entry covers* |
//! | Z-02, Z-14, Z-34 | nor unknown cells, errors, nobody's paths | C, *Learning on the wire* |
//! | BF-03, BF-10 | a bounce is followed to the cell it names | Summary of changes 7 |
//! | LN-04, LN-07, Z-64 | a learn response of any form is understood | Summary of changes 6 |
//! | Z-02, Z-35 | what names no cell is refused | C, *Limits* |
//! | LN-10, LN-25 | learning sends a request once | Differences; RFC 9110 9.2.2 |
//! | Z-17, Z-52 | buffering repeats what bounced or is unread | RFC 9110 9.2.2 |
//! | Z-01 | a request is sent 16 times at most; 3 work | C, *Limits* |
//! | BF-04, BF-05, BF-06 | each cell receives the same again | Differences |
//! | Z-13, Z-46, Z-68, Z-61 | as the user sent it, and no part as a whole | RFC 9110; RFC 9112 8 |
//! | Z-04, Z-72 | and no field by which cells speak | C, *What is left* |
//! | Z-60, Z-74 | and no cookie of others or of a bounce | RFC 6265 5.3 and 5.4 |
//! | Z-22, Z-53, Z-63 | and no field about one connection, and no NUL | RFC 9110 7.6.1; 5.5 |
//! | Z-95 | nor a length next to chunks | RFC 9112 6.1 |
//! | Z-26, Z-83 | nor a host that somebody forged | C, *What is left* |
//! | Z-47 | and a long head is whole, or refused | C, *Limits* |
//! | Z-69, Z-88, Z-90 | and it is told what is empty, and who was before | RFC 9110 8.6; RFC 8586 2 |
//! | Z-96 | and nothing of others on its connection | RFC 9110 3.3 |
//! | RT-08, UN-08 | the user receives what the cell responded | Pros 2; Cons 9 |
//! | CA-17 | and nothing stored | Router contract |
//! | RT-07 | a page comes from the owner of its path | Introduction |
//! | Z-37, Z-03, RT-12, Z-58 | the user sees no field and no name of cells | Introduction |
//! | Z-10 | and no response to a pre-flight | C, *What is left* |
//! | Z-60, Z-73 | and no cookie of a bounce or a pre-flight | C, *on the wire* |
//! | Z-05, Z-46, Z-77 | each line of its fields, and the tags of its content | RFC 9110 5.3; 7.7 |
//! | Z-51, Z-24 | and its 204, 206 and 304 | RFC 9110 13 and 14 |
//! | Z-26, Z-87 | and no address of a cell | C, *What is left* |
//! | Z-48, Z-49 | what is no response is refused | RFC 9112 2.1 and 6.3 |
//! | Z-50, Z-55, Z-56 | a request whose end is not sure is refused | RFC 9112 5 and 6 |
//! | Z-62, Z-94, Z-93 | so is one without a host, or of much for little | RFC 9112 3.2; 7.1 |
//! | Z-42, Z-84, Z-85 | CONNECT and the last hop go nowhere | RFC 9110 7.6.2; 9.3 |
//! | Z-41 | what broke off does not look complete | RFC 9112 8 |
//! | Z-98 | also to a method that nobody knows | RFC 9110 16.1 |
//! | Z-21 | and is asked for a body that waits | RFC 9110 10.1.1 |
//! | BF-04, Z-20 | 413 is for bodies above the limit | C, *Limits* |
//! | RT-08, Z-35 | a refusal needs a cell in trouble | C, *Limits* |
//! | Z-99 | and has no singleton field twice | RFC 9110 5.3 |
//! | Z-16 | once it was reached again, nothing is refused | Resilience |

mod by_hand;
mod draws;
mod entries;
mod exchange;
mod forwarding;
mod installation;
mod planned;
mod refusals;
mod routing;
mod state;
mod taught;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::{CellId, Region, Stamp};

pub(crate) use installation::Installation;
pub(in crate::judge) use routing::row_of_again;
pub use state::{State, states};

use crate::trace::Trace;
use entries::{Entries, Entry, Sure};
use exchange::{Case, Learned};
use taught::Lessons;

/// The step that lets the model judge a scenario.
pub const JUDGED: &str = crate::steps::expression::JUDGED;

/// What contradicts the documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    pub(crate) requirement: &'static str,
    /// What was observed, and what was expected.
    pub(crate) why: String,
    pub(crate) user: usize,
}

/// Judges every request of a user: no violation means that the documents permit what happened.
pub(crate) fn judge(installation: &Installation, trace: &Trace) -> Vec<Violation> {
    let model = Model::new(installation, trace);
    let mut found = Vec::new();
    for case in &model.cases {
        let (user, request) = (case.user, case.request);
        let mut say = |requirement, why: String| {
            let why = format!("{} {}: {why}", request.method, request.target);
            found.push(Violation { requirement, why, user });
        };
        if by_hand::is_all_said(case, &mut say) {
            continue;
        }
        model.routing(case, &mut say);
        forwarding::requests(&model.cases, case, &mut say);
        model.response(case, &mut say);
    }
    found.extend(model.draws());
    found
}

/// Judges whether these requests, and what cells responded to them, were passed on as they came.
/// Where one of both is not sound, nothing is said.
pub(crate) fn passed_on(trace: &Trace, judged: &[usize]) -> Vec<Violation> {
    let cases = exchange::cases(trace, &[], &[]);
    let mut found = Vec::new();
    for case in cases.iter().filter(|case| judged.contains(&case.user)) {
        if by_hand::is_all_said(case, &mut |_, _| ()) {
            continue;
        }
        let user = case.user;
        let mut say = |requirement, why: String| {
            let why = format!("{} {}: {why}", case.request.method, case.request.target);
            found.push(Violation { requirement, why, user });
        };
        forwarding::requests(&cases, case, &mut say);
        forwarding::response(trace, case, &mut say);
    }
    found
}

/// What is known of an installation and of one trace.
struct Model<'a> {
    installation: &'a Installation,
    trace: &'a Trace,
    /// The requests to routers, in the order in which they were sent.
    cases: Vec<Case<'a>>,
    /// What the routers may remember, by region.
    entries: BTreeMap<&'a Region, Entries>,
}

impl<'a> Model<'a> {
    fn new(installation: &'a Installation, trace: &'a Trace) -> Self {
        let cases = exchange::cases(trace, &installation.troubles, &installation.absences);
        let regions: BTreeSet<_> = cases.iter().map(|case| case.region).collect();
        let lessons = Lessons { installation, trace, cases: &cases };
        let heard = regions.into_iter().map(|region| (region, lessons.heard_in(region)));
        Self { installation, trace, entries: heard.collect(), cases }
    }

    /// The entries that cover the path of a request, as the router may have them when it decides.
    fn covering(&self, case: &Case<'_>, decided: Stamp) -> Vec<(&Entry, Sure)> {
        self.entries_of(case).covering(case, decided, self.installation)
    }

    /// Whether so much was taught before a request that entries may have been evicted.
    fn is_full(&self, case: &Case<'_>) -> bool {
        self.entries_of(case).is_full(case.decided(), self.installation)
    }

    fn entries_of(&self, case: &Case<'_>) -> &Entries {
        &self.entries[case.region]
    }

    /// The cell that a learn response names.
    fn owner(&self, said: &Learned) -> Option<&'a CellId> {
        match said {
            Learned::Owner { cell, .. } => self.installation.called(cell),
            Learned::Nobody | Learned::Unreadable => None,
        }
    }
}

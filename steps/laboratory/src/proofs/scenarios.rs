//! Which scenario plays which counterexample on the fleet.

use cell_fleet::Protocol;
use conformance_suite::spec::proofs::Answer;

use super::routing::story::Story;
use super::routing::tales::{model, tales};

/// The scenarios of a proposal that the models write: the property whose counterexample each plays,
/// and its title.
type Written = [(&'static str, &'static str)];

const OF_BUFFERING: &Written = &[
    ("served", "two cells bounce a visit back and forth while a replica lags"),
    ("served-new", "a namespace just created is unknown while a replica lags"),
];

const OF_LEARNING: &Written = &[
    ("served-new", "a lagging cell knows no owner of a namespace just created"),
    ("served-in-quiet", "an entry learned before the move leads to a 404"),
    ("served-in-step", "an answer from before the switch leads to a 404"),
    ("converges", "what an answer from before the switch taught stays"),
    ("converges-at-last", "no later visit is better until the entry expires"),
    ("learned-late", "an answer of a lagging cell is learned after the release"),
    ("learned-late-in-quiet", "what a lagging cell taught outlives the lag"),
    ("lifetime-of-switch", "a lagging cell teaches a lifetime after the switch"),
    ("lifetime-of-release", "an answer that took a lifetime is learned"),
];

/// The counterexamples that a scenario plays which somebody wrote, or that of another property:
/// property, subject, and the name of the scenario.
const OTHERS: &[(&str, &str, &str)] = &[
    ("few-hops", "buffering", LOOP),
    ("served", "learning", "proposals::learning::an_answer_from_before_the_switch_leads_to_a_404"),
    (
        "home-write",
        "buffering",
        "proposals::shared_data::a_write_of_europe_by_its_entry_goes_to_the_primary_by_buffering",
    ),
    (
        "home-write",
        "learning",
        "proposals::shared_data::a_write_of_europe_by_its_entry_goes_to_the_primary_by_learning",
    ),
    (
        "ends-at-once",
        "one store, sign-out",
        "proposals::sessions::a_lagging_replica_takes_a_copy_after_the_sign_out",
    ),
    (
        "ends-at-once",
        "one store, new password",
        "proposals::sessions::a_lagging_replica_takes_a_session_of_the_old_password",
    ),
    (
        "ends-at-once",
        "one store, new password while a copy exists",
        "proposals::sessions::a_new_password_leaves_a_copy_in_one_store",
    ),
    (
        "ends-after-lag-and-life",
        "one store, new password while a copy exists",
        "proposals::sessions::a_new_password_leaves_a_copy_in_one_store",
    ),
    (
        "ends-at-once",
        "a store for each region, new password while a copy exists",
        "proposals::sessions::a_new_password_leaves_a_copy_in_a_store_for_each_region",
    ),
    ("ends-at-once", "JWTs with a list, sign-out", RENEWED),
    ("ends-after-lag-and-life", "JWTs with a list, sign-out", RENEWED),
    ("ends-at-once", "JWTs without a list, new password", OLD_PASSWORD),
    ("ends-after-release", "JWTs without a list, new password", OLD_PASSWORD),
    ("ends-at-once", "JWTs without a list, sign-out", COPY),
    ("ends-after-release", "JWTs without a list, sign-out", COPY),
    ("ends-after-a-life", "JWTs without a list, sign-out, no lag", COPY),
    ("ends-after-lag-and-life", "JWTs without a list, sign-out", COPY),
    (
        "ends-after-a-life",
        "JWTs without a list, new password",
        "proposals::sessions::a_lagging_replica_renews_a_jwt_of_the_old_password",
    ),
    (
        "unique-ids",
        "some tables (3.4)",
        "cells::ids_some_tables::ids_of_the_tables::merge_request_10000_exists_on_every_cell",
    ),
    (
        "true-links",
        "some tables (3.4)",
        "proposals::ids::a_link_by_a_former_id_meets_another_row_after_a_move",
    ),
];

const LOOP: &str =
    "proposals::buffering::two_cells_bounce_a_visit_back_and_forth_while_a_replica_lags";
const OLD_PASSWORD: &str =
    "proposals::sessions::a_jwt_of_the_old_password_counts_after_the_new_one";
const COPY: &str = "proposals::sessions::a_copy_that_is_in_use_outlives_the_sign_out_forever";
const RENEWED: &str = "proposals::sessions::a_copy_that_was_renewed_is_not_on_the_list";

/// A proposal, its names as a file and in `@doc`, and what the models write of it.
const PROPOSALS: [(Protocol, &str, &str, &Written); 2] = [
    (Protocol::Buffering, "proposals/buffering.feature", "buffering", OF_BUFFERING),
    (Protocol::Learning, "proposals/learning.feature", "routes-learning", OF_LEARNING),
];

/// The feature files in which a router and the cells do each kind of step of the models of routing:
/// each exchange is what the model says.
pub fn transitions() -> Vec<(&'static str, String)> {
    let of_proposal = |(protocol, path, document, _): (Protocol, _, &str, _)| {
        let subject = protocol.as_str();
        let mut text = "Feature: Steps of the model\n".to_owned();
        for tale in tales(protocol) {
            let model = model(protocol, tale.mover);
            let story = tale.path(&model).and_then(|path| Story::from_path(&model, &path));
            if let Some(story) = story {
                text.push_str(&format!(
                    "\n  @{subject} @req:RT-07 @doc:{document}/organization-moved\n  Scenario: \
                     {}\n{}",
                    tale.title,
                    story.as_gherkin("RT-07")
                ));
            }
        }
        (path, text)
    };
    PROPOSALS.map(of_proposal).into()
}

/// The name of the scenario that plays a counterexample.
pub(super) fn that_plays(id: &str, answer: &Answer, is_told: bool) -> Option<String> {
    if answer.holds {
        return None;
    }
    let other = OTHERS.iter().find(|(of, subject, _)| *of == id && *subject == answer.subject);
    if let Some((_, _, name)) = other {
        return Some((*name).to_owned());
    }
    let (protocol, _, _, written) =
        PROPOSALS.iter().find(|(of, ..)| of.as_str() == answer.subject).filter(|_| is_told)?;
    let (_, title) = written.iter().find(|(of, _)| *of == id)?;
    Some(format!("proposals::{}::{}", protocol.as_str(), title.replace([' ', '-'], "_")))
}

/// The feature files of the stories, each with its property and its subject.
pub(super) fn features(stories: &[(&str, &str, &Story)]) -> Vec<(&'static str, String)> {
    let of_proposal = |(protocol, path, document, written): (Protocol, _, &str, &Written)| {
        let subject = protocol.as_str();
        let mut text = format!(
            "Feature: What {subject} permits\n  The shortest counterexamples of the models of this \
             proposal. They show what the proposal itself\n  permits, however good the router is, \
             and judge no router. `ci/proofs --keep` writes this file.\n"
        );
        for (id, title) in written {
            let is_it = |(its, of, _): &&(&str, &str, _)| its == id && *of == subject;
            let Some((_, _, story)) = stories.iter().find(is_it) else { continue };
            let (requirement, section) = match (*id, protocol) {
                ("served-new", _) => ("DB-06", "new-namespace"),
                (_, Protocol::Buffering) => ("BF-08", "organization-moved"),
                (_, Protocol::Learning) => ("RT-07", "organization-moved"),
            };
            text.push_str(&format!(
                "\n  # {id}\n  @{subject} @req:{requirement} @doc:{document}/{section}\n  Scenario: \
                 {title}\n{}",
                story.as_gherkin(requirement)
            ));
        }
        (path, text)
    };
    PROPOSALS.map(of_proposal).into()
}

//! Which scenario plays which counterexample on the fleet.

use cell_fleet::Protocol;
use conformance_suite::spec::proofs::Answer;

use super::routing::story::Story;
use super::routing::tales::{model, tales};

/// A scenario of routing that the models write: the property and the proposal whose counterexample
/// it plays, the requirement that its exchange shows, and its title.
const WRITTEN: &[(&str, &str, &str, &str)] = &[
    (
        "served",
        "buffering",
        "BF-08",
        "two cells bounce a visit back and forth while a replica lags",
    ),
    (
        "served-new",
        "buffering",
        "DB-06",
        "a namespace just created is unknown while a replica lags",
    ),
    (
        "served-new",
        "learning",
        "DB-06",
        "a lagging cell knows no owner of a namespace just created",
    ),
    ("served-in-quiet", "learning", "RT-07", "an entry learned before the move leads to a 404"),
    ("served-in-step", "learning", "RT-07", "an answer from before the switch leads to a 404"),
    ("converges", "learning", "RT-07", "what an answer from before the switch taught stays"),
    ("converges-at-last", "learning", "RT-07", "no later visit is better until the entry expires"),
    (
        "learned-late",
        "learning",
        "RT-07",
        "an answer of a lagging cell is learned after the release",
    ),
    ("learned-late-in-quiet", "learning", "RT-07", "what a lagging cell taught outlives the lag"),
    (
        "lifetime-of-switch",
        "learning",
        "RT-07",
        "a lagging cell teaches a lifetime after the switch",
    ),
    ("lifetime-of-release", "learning", "RT-07", "an answer that took a lifetime is learned"),
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

/// A proposal, and its names: as a file, in `@doc`, and as its feature.
const PROPOSALS: [(Protocol, &str, &str, &str); 2] = [
    (Protocol::Buffering, "proposals/buffering.feature", "buffering", "What buffering permits"),
    (Protocol::Learning, "proposals/learning.feature", "routes-learning", "What learning permits"),
];

/// The feature files of the tales, as [`features`] has those of the stories.
pub(super) fn tale_features() -> Vec<(&'static str, String)> {
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
    let written = WRITTEN.iter().find(|(of, subject, ..)| *of == id && *subject == answer.subject);
    match (other, written) {
        (Some((_, _, name)), _) => Some((*name).to_owned()),
        (None, Some((_, subject, _, title))) if is_told => {
            Some(format!("proposals::{subject}::{}", title.replace([' ', '-'], "_")))
        }
        _ => None,
    }
}

/// The feature files of the stories, each with its property and its subject.
pub(super) fn features(stories: &[(&str, &str, &Story)]) -> Vec<(&'static str, String)> {
    PROPOSALS
        .iter()
        .map(|(protocol, path, document, title)| {
            let subject = protocol.as_str();
            let mut text = format!(
                "Feature: {title}\n  The shortest counterexamples of the models of this proposal. \
                 They show what the proposal itself\n  permits, however good the router is, and \
                 judge no router. `ci/proofs --keep` writes this file.\n"
            );
            for (id, of, requirement, title) in WRITTEN.iter().filter(|(_, of, ..)| *of == subject)
            {
                let found = stories.iter().find(|(its, subject, _)| its == id && subject == of);
                if let Some((_, _, story)) = found {
                    let section = match *id {
                        "served-new" => "new-namespace",
                        _ => "organization-moved",
                    };
                    text.push_str(&format!(
                        "\n  # {id}\n  @{subject} @req:{requirement} \
                         @doc:{document}/{section}\n  Scenario: {title}\n{}",
                        story.as_gherkin(requirement)
                    ));
                }
            }
            (*path, text)
        })
        .collect()
}

//! Which scenario plays which counterexample on the fleet.

use conformance_suite::spec::proofs::Answer;

use super::routing::story::Story;

/// A scenario of routing that the models write: the property and the proposal whose counterexample
/// it plays, the requirement that its exchange shows, and its title.
const WRITTEN: &[(&str, &str, &str, &str)] = &[
    ("served", "buffering", "BF-08", "two cells bounce a visit to and fro while a replica lags"),
    ("served-in-quiet", "learning", "RT-07", "an entry of before the move leads to a 404"),
    ("served-in-step", "learning", "RT-07", "an answer of before the switch leads to a 404"),
    ("converges", "learning", "RT-07", "what an answer of before the switch taught stays"),
    ("converges-at-last", "learning", "RT-07", "no later visit is better until the entry expires"),
    ("learnt-late", "learning", "RT-07", "an answer of a lagging cell is learnt after the release"),
    ("learnt-late-in-quiet", "learning", "RT-07", "what a lagging cell taught outlives the lag"),
    (
        "lifetime-of-switch",
        "learning",
        "RT-07",
        "a lagging cell teaches a lifetime after the switch",
    ),
    ("lifetime-of-release", "learning", "RT-07", "an answer that took a lifetime is learnt"),
];

/// The counterexamples that a scenario plays which somebody wrote, or that of another property:
/// property, subject, and the name of the scenario.
const OTHERS: &[(&str, &str, &str)] = &[
    ("few-hops", "buffering", LOOP),
    ("served", "learning", "proposals::learning::an_answer_of_before_the_switch_leads_to_a_404"),
    ("served-new", "buffering", NEW_GROUP),
    ("served-new", "learning", NEW_GROUP),
    ("home-write", "buffering", WRITE_ABROAD),
    ("home-write", "learning", WRITE_ABROAD),
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

const LOOP: &str = "proposals::buffering::two_cells_bounce_a_visit_to_and_fro_while_a_replica_lags";
const NEW_GROUP: &str =
    "cells::shared_databases::shared_routes::a_new_group_is_unknown_while_the_replica_lags";
const WRITE_ABROAD: &str = "cells::database_tables::writes_from_europe::a_write_from_europe_to_the_primary_takes_longer_than_\
     one_from_the_us";
const OLD_PASSWORD: &str = "cells::sessions_jwt::a_short_life_ends_jwts_without_a_list::\
                            a_jwt_of_the_old_password_counts_until_its_life_ends";
const COPY: &str = "proposals::sessions::a_copy_that_is_in_use_outlives_the_sign_out_for_ever";

/// The names of a proposal: as a subject, as a file, and as its feature.
const PROPOSALS: [(&str, &str, &str, &str); 2] = [
    ("buffering", "proposals/buffering.feature", "buffering", "What buffering permits"),
    ("learning", "proposals/learning.feature", "routes-learning", "What learning permits"),
];

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
        .map(|(subject, path, document, title)| {
            let mut text = format!(
                "Feature: {title}\n  The shortest counterexamples of the models of this proposal. \
                 They show what the proposal itself\n  permits, however good the router is, and \
                 judge no router. `ci/proofs --keep` writes this file.\n\n  Background:\n    Given \
                 the cells and people of the documents\n"
            );
            for (id, of, requirement, title) in WRITTEN.iter().filter(|(_, of, ..)| of == subject) {
                let found = stories.iter().find(|(its, subject, _)| its == id && subject == of);
                if let Some((_, _, story)) = found {
                    text.push_str(&format!(
                        "\n  # {id}\n  @{subject} @req:{requirement} \
                         @doc:{document}/organization-moved\n  Scenario: {title}\n{}",
                        story.as_gherkin(requirement)
                    ));
                }
            }
            (*path, text)
        })
        .collect()
}

use super::super::Catalog;
use super::*;

const VALID: &str = concat!(
    "Feature: F\n\n  @buffering @req:BF-03\n  Scenario: a page arrives whole\n",
    "    Given a cold EU router\n    When anna visits \"/a\"\n    Then it is so (BF-03)\n"
);

fn errors(text: &str) -> Vec<String> {
    Catalog::load([Source { path: "a/b.feature", text }])
        .errors
        .into_iter()
        .map(|error| error.message)
        .collect()
}

#[test]
fn a_valid_file_gives_a_case_and_no_error() {
    let catalog = Catalog::load([Source { path: "a/01_b.feature", text: VALID }]);
    assert_eq!(catalog.errors, []);
    assert_eq!(catalog.cases[0].name, "a::b::a_page_arrives_whole[buffering]");
    assert_eq!(catalog.cases[0].location, "a/01_b.feature:4");
}

#[test]
fn a_description_says_why_in_sentences() {
    let said = VALID.replace("    Given a", "    A page is what people see.\n\n    Given a");
    assert_eq!(errors(&said), Vec::<String>::new());
}

#[test]
fn what_gherkin_would_silently_drop_is_an_error() {
    for (from, to, word) in [
        ("Feature: F\n", "Feature: F\n\n  Scenaro: lost\n", "not a keyword"),
        ("    Given a", "    Givn a", "takes a misspelled step"),
        ("    Given a", "    Why it is so.\n    Givn a", "takes a misspelled step"),
        ("  @buffering", "  Rule: a rule\n\n  Scenaro\n  @buffering", "takes a misspelled keyword"),
        ("    Then it is so (BF-03)", "", "no Then step"),
        ("    Then it is so (BF-03)", "    Then it is so", "ends with what it proves"),
        ("    Then it is so (BF-03)", "    Then it is so (BF-99)", "not in the ledger"),
        ("@req:BF-03", "@req:BF-04", "proved by no Then step"),
        ("@buffering ", "", "never run"),
        (
            "@buffering ",
            "@buffering @capability:upgrade @capability:early-hints ",
            "one capability",
        ),
        ("Feature: F\n", "Feature:\n", "the title of the feature"),
        ("Scenario: a page arrives whole", "Scenario:", "the title of the scenario"),
        ("Feature: F\n", "Feature: F\n\n  Rule:\n", "the title of the rule"),
        ("Scenario: a", "Scenario Outline: a", "needs Examples"),
        ("Scenario: a page", "Scenario: when a page", "stand alone"),
        (
            "    When anna visits \"/a\"\n",
            "    When anna visits \"/a\"\n      | a | b |\n      | 1 | 2 | 3 |\n",
            "more or fewer cells",
        ),
        (
            "    Given a cold EU router\n",
            "    When it is\n    Given a cold EU router\n",
            "come first",
        ),
    ] {
        let damaged = VALID.replace(from, to);
        assert_ne!(damaged, VALID, "{word}");
        let found = errors(&damaged);
        assert!(found.iter().any(|message| message.contains(word)), "{word}: {found:?}\n{damaged}");
    }
}

#[test]
fn a_case_has_the_id_that_a_step_cites_for_its_protocol() {
    let text = VALID
        .replace("@buffering @req:BF-03", "@buffering @learning @req:BF-03 @req:LN-10")
        .replace("(BF-03)", "(buffering BF-03, learning LN-10)");
    let catalog = Catalog::load([Source { path: "a/b.feature", text: &text }]);
    assert_eq!(catalog.errors, []);
    for (case, id) in catalog.cases.iter().zip(["BF-03", "LN-10"]) {
        assert_eq!(case.requirements, [id.parse().unwrap()]);
        assert_eq!(case.step_text(2), format!("Then it is so ({id})"));
        assert!(case.tags.contains(&format!("req:{id}")) && case.tags.len() == 3, "{case:?}");
    }
}

/// A scenario whose exchange leaves a choice.
fn choosing(id: &str) -> String {
    let exchange = format!(
        "      user->>router_eu: GET /a\n      %% choice {id}\n      \
         router_eu->>any_eu_cell: GET {{learn}}?method=GET&path_info=/a\n"
    );
    let step = format!("    Then the exchange was (LN-18)\n      \"\"\"\n{exchange}      \"\"\"\n");
    VALID
        .replace("@buffering @req:BF-03", "@learning @req:LN-18")
        .replace("    Then it is so (BF-03)\n", &step)
}

#[test]
fn a_choice_needs_no_tag_and_is_a_should() {
    assert_eq!(errors(&choosing("LN-17")), Vec::<String>::new());
    assert!(errors(&choosing("LN-18")).iter().any(|message| message.contains("leaves no choice")));
    assert!(errors(&choosing("LN-99")).iter().any(|message| message.contains("LN-99")));
    let unsaid = choosing("LN-17").replace("      %% choice LN-17\n", "");
    assert!(errors(&unsaid).iter().any(|message| message.contains("%% choice")));
}

#[test]
fn a_scenario_about_the_cells_alone_names_one_protocol() {
    let twice = VALID.replace("@buffering", "@buffering @learning");
    assert_eq!(errors(&twice), Vec::<String>::new());
    let without = twice
        .replace("    Given a cold EU router\n", "")
        .replace("visits \"/a\"", "visits \"/a\" on cell_eu0 directly");
    assert!(errors(&without)[0].contains("one protocol is enough"));
    assert_eq!(errors(&without.replace(" @learning", "")), Vec::<String>::new());
    let background = without
        .replace("Feature: F\n", "Feature: F\n\n  Background:\n    Given a cold EU router\n");
    assert_eq!(errors(&background), Vec::<String>::new());
}

#[test]
fn invalid_gherkin_and_two_cases_of_one_name_are_errors() {
    assert!(errors("Featur: x\n")[0].contains("begins with `Feature:`"));
    assert!(errors(&VALID.replace("Scenario: a", "Scenaro: a"))[0].contains("cannot stand here"));
    let twice = format!("{VALID}{}", VALID.split_once("\n\n").unwrap().1);
    assert!(errors(&twice)[0].contains("same name"));
    let long = VALID.replace("a page arrives", &"a page ".repeat(20));
    assert!(errors(&long)[0].contains("at most 140"));
}

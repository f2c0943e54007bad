//! Sign-up.

use cell_fleet::inside::{Call, Form};

use crate::mutant::mutants;
use crate::ways::{Misreads, Writes, with_choice, without_lines};

mutants! {
    SignUpDoesNotAsk: Both, "SU-01",
        "the sign-up form does not ask about organizations" => Writes(without_the_question);
    SignUpOffersNoNewOrganization: Both, "SU-01",
        "the sign-up form asks who joins an organization, and not who would like to create one"
            => Writes(without_a_new_one);
    SignUpIgnoresTheChoice: Both, "OR-01",
        "joining an organization does not make it the default" => Misreads(neither_for_join);
    SignUpEnrolsEverybody: Both, "SU-02",
        "new users who neither join nor create an organization get the first existing one"
            => Misreads(join_for_neither);
}

/// The field that asks about organizations.
const MEMBERSHIP: &str = "membership";

fn is_sign_up(call: &Call) -> bool {
    call.asked.path == "/users/sign_up"
}

fn without_the_question(call: &Call, text: String) -> String {
    if is_sign_up(call) { with_choice(text, "") } else { text }
}

fn without_a_new_one(_: &Call, text: String) -> String {
    without_lines(&text, "<label><input type=\"radio\" name=\"membership\" value=\"create\">")
}

fn neither_for_join(call: &Call, form: &mut Form) {
    if is_sign_up(call) && form.filled(MEMBERSHIP) == Some("join") {
        form.0.insert(MEMBERSHIP.to_owned(), "neither".to_owned());
    }
}

fn join_for_neither(call: &Call, form: &mut Form) {
    let is_neither = form.filled(MEMBERSHIP).is_none_or(|choice| choice == "neither");
    let organizations = &call.cell.installation.plan.population.organizations;
    if let Some(first) = organizations.first().filter(|_| is_sign_up(call) && is_neither) {
        form.0.insert(MEMBERSHIP.to_owned(), "join".to_owned());
        form.0.insert("organization".to_owned(), first.slug.clone());
    }
}

use cell_fleet::CellId;

use super::*;

#[test]
fn an_action_is_worded_as_a_step() {
    let visit = |target: &str, route| {
        let request = RequestKind::Visit { target: target.to_owned() };
        Action::request(Person("anna".to_owned()), request, route).as_gherkin().to_string()
    };
    assert_eq!(visit("/a", Route::Default), "anna visits \"/a\"");
    assert_eq!(visit("/\"", Route::Cell(CellId::eu(1))), "anna visits '/\"' on cell_eu1 directly");
}

#[test]
fn one_byte_is_written_in_the_singular() {
    let values = ["anna", "POST", "\"/a\"", "1", "", ""].map(str::to_owned);
    assert_eq!(
        filled(expression::RANDOM_BODY, &values),
        "anna sends POST \"/a\" with 1 random byte"
    );
}

#[test]
fn a_doc_string_keeps_its_blank_lines() {
    let text = "\nGET / HTTP/1.1\n\nGET /b HTTP/1.1\nConnection: close\n\n".to_owned();
    let bytes = Action::RawBytes { person: Person::visitor(), text, half_close: false };
    assert_eq!(
        bytes.as_gherkin().to_string(),
        concat!(
            "visitor sends raw bytes:\n      \"\"\"\n      GET / HTTP/1.1\n\n",
            "      GET /b HTTP/1.1\n      Connection: close\n\n      \"\"\""
        )
    );
}

#[test]
fn a_doc_string_follows_its_step() {
    let bytes = Action::RawBytes {
        person: Person::visitor(),
        text: "GET / HTTP/1.1\nHost: {host}\n".to_owned(),
        half_close: true,
    };
    assert_eq!(
        bytes.as_gherkin().to_string(),
        concat!(
            "visitor sends raw bytes, then half-closes:\n",
            "      \"\"\"\n      GET / HTTP/1.1\n      Host: {host}\n      \"\"\""
        )
    );
}

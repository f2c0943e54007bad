use super::*;

#[test]
fn a_response_is_parsed() {
    let response = ExpectedResponse::parse(
        "302 /a?b=/c X-Gitlab-Cell-Redirect={cell:Cell EU0} without Set-Cookie",
    )
    .unwrap();
    assert_eq!(response.statuses, [302]);
    assert_eq!(response.location.as_deref(), Some("/a?b=/c"));
    assert_eq!(response.head.with[0].value, "{cell:Cell EU0}");
    assert_eq!(response.head.without, ["Set-Cookie"]);
}

#[test]
fn fields_in_brackets_are_those_of_the_cell() {
    let response = ExpectedResponse::parse(
        "200 [cell: X-Gitlab-Cell-Cache={path_prefix:/a b/} without X-Page] without Vary",
    )
    .unwrap();
    assert_eq!(response.at_cell.with[0].value, "{path_prefix:/a b/}");
    assert_eq!(response.at_cell.without, ["X-Page"]);
    assert_eq!(
        (response.head.with.len(), response.head.without.as_slice()),
        (0, &["Vary".to_owned()][..])
    );
    assert!(response.check_places(true).is_ok() && response.check_places(false).is_err());
}

#[test]
fn a_learn_response_is_parsed_as_the_documents_write_it() {
    let response =
        ExpectedResponse::parse(r#"200 {path: "/my-company", cell: "cell_eu0", exact: true}"#)
            .unwrap();
    let json = response.json.unwrap();
    assert_eq!(json["path"], "/my-company");
    assert_eq!(json["exact"], true);
}

#[test]
fn a_pre_flight_is_distinguished_from_a_request() {
    let request = ExpectedRequest::parse("GET {learn}?method=POST&path_info=/a&b").unwrap();
    let expected =
        Target::PreFlight { path: None, method: "POST".to_owned(), path_info: "/a&b".to_owned() };
    assert_eq!(request.target, expected);
    assert!(ExpectedRequest::parse("GET {learn}").is_err());
    assert_eq!(
        ExpectedRequest::parse("GET /a?x={learn}").unwrap().target,
        Target::Literal("/a?x={learn}".to_owned())
    );
}

#[test]
fn invalid_messages_are_refused() {
    for text in
        ["", "ok", "200 page", "700", "200 X={a", "200 [cell: X=a", "200 [X=a]", "200 [cell: page]"]
    {
        assert!(ExpectedResponse::parse(text).is_err(), "{text:?}");
    }
    for text in ["GET", "get /a", "GET a", "GET /a b"] {
        assert!(ExpectedRequest::parse(text).is_err(), "{text:?}");
    }
}

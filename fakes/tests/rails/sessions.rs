//! Sign-in and sign-out across cells.

use axum::http::StatusCode;
use cell_fleet::Protocol;

use crate::support::{Site, cell};

const ANNA: [(&str, &str); 2] = [("username", "anna"), ("password", "anna-password")];

#[tokio::test]
async fn a_wrong_password_shows_the_form_again() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for form in
        [[("username", "anna"), ("password", "x")], [("username", "nobody"), ("password", "x")]]
    {
        let response =
            site.post(&cell("celleu0"), "/users/sign_in?redirect=/my-company", &form, None).await;
        assert_eq!(
            (response.status, response.heading()),
            (StatusCode::UNPROCESSABLE_ENTITY, "Sign in")
        );
        assert_eq!((response.session(), response.notices().len()), (None, 1));
    }
    assert_eq!(site.writes(), []);
}

#[tokio::test]
async fn a_sign_in_never_redirects_to_another_host() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for target in ["https://evil.example/", "//evil.example/", "/%5Cevil.example", "evil"] {
        let response = site
            .post(&cell("celleu0"), &format!("/users/sign_in?redirect={target}"), &ANNA, None)
            .await;
        assert_eq!(response.location(), "/", "{target}");
    }
    assert_eq!(site.post(&cell("celleu0"), "/users/sign_in", &ANNA, None).await.location(), "/");
}

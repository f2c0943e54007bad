//! Who is sent to sign-in, and where a sign-in leads.

use axum::http::StatusCode;
use cell_fleet::{FleetPlan, LoginBy, Protocol};

use crate::support::{PROTOCOLS, REDIRECT, Site, cell};

const ANNA: [(&str, &str); 2] = [("username", "anna"), ("password", "anna-password")];

#[tokio::test]
async fn a_visitor_is_sent_to_sign_in_from_a_missing_path_as_from_a_private_one() {
    let planned = PROTOCOLS
        .into_iter()
        .flat_map(|protocol| [LoginBy::AskedCell, LoginBy::Owner].map(|by| (protocol, by)));
    for (protocol, by) in planned {
        let plan = FleetPlan { login_by: Some(by), ..FleetPlan::documents(protocol) };
        let site = Site::planned(plan).await;
        let at = cell("cellus1");
        for path in [
            "/not-my-company/not-my-project",
            "/not-my-company/nothing",
            "/not-my-company",
            "/nobody",
            "/nobody/nothing",
            "/organizations/nobody/-/dashboard",
            "/admin/cells/cellap7",
            "/users/nothing",
            "/-/nothing",
        ] {
            let response = site.get(&at, path, None).await;
            assert_eq!(response.location(), format!("/users/sign_in?redirect={path}"));
            assert_eq!(response.field(REDIRECT), None, "{path}");
        }
        for path in ["/api/v4/projects/5101", "/api/v4/projects/999", "/api/v4/nothing"] {
            assert_eq!(site.get(&at, path, None).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        let git = site.get(&at, "/nobody/nothing.git/info/refs", None).await;
        assert_eq!(git.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn the_plan_chooses_which_cell_redirects_to_sign_in() {
    let target = "/my-company/my-project";
    let plan = |protocol, by| FleetPlan { login_by: Some(by), ..FleetPlan::documents(protocol) };
    let site = Site::planned(plan(Protocol::Buffering, LoginBy::Owner)).await;
    let bounced = site.get(&cell("celleu1"), target, None).await;
    assert_eq!(bounced.field(REDIRECT), Some("{cell:Cell EU0}"));
    let site = Site::planned(plan(Protocol::Learning, LoginBy::AskedCell)).await;
    let sent = site.get(&cell("celleu1"), target, None).await;
    assert_eq!(sent.location(), format!("/users/sign_in?redirect={target}"));
}

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

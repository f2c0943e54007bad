//! Sign-in and sign-out across cells.

use std::time::Duration;

use axum::http::StatusCode;
use cell_fleet::{CellId, FleetPlan, Protocol, Region, ReplicationLag, SessionModel, SessionPlan};

use crate::support::{Ask, Site, cell};

const ANNA: [(&str, &str); 2] = [("username", "anna"), ("password", "anna-password")];

#[tokio::test]
async fn a_sign_in_leads_back_and_is_valid_on_every_cell() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let turned =
        site.get(&cell("celleu1"), "/my-company/my-project/-/issues?a=b&c=%2F+d", None).await;
    assert_eq!(
        turned.location(),
        "/users/sign_in?redirect=/my-company/my-project/-/issues%3Fa%3Db%26c%3D%252F%2Bd"
    );
    let page = site.get(&cell("cellus1"), turned.location(), None).await;
    assert_eq!(page.heading(), "Sign in");
    let action = format!("action=\"{}\"", turned.location());
    assert!(page.shows(&action), "{}", page.body);
    assert_eq!(site.writes(), []);
    let signed_in = site.post(&cell("cellus1"), turned.location(), &ANNA, None).await;
    assert_eq!(
        (signed_in.status, signed_in.location()),
        (StatusCode::FOUND, "/my-company/my-project/-/issues?a=b&c=%2F+d")
    );
    let cookie = signed_in.field("set-cookie").unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{cookie}");
    let session = signed_in.session().unwrap();
    for asked in ["celleu0", "cellus0", "celleu1"] {
        let response = site.ask(&cell(asked), &Ask::get("/-/profile").session(session)).await;
        assert!(response.shows("Username: anna"), "{asked}");
    }
    let writes = site.writes();
    assert_eq!(writes.len(), 1);
    assert_eq!((&*writes[0].table, &*writes[0].server), ("sessions", "primary us"));
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

#[tokio::test]
async fn signing_out_ends_the_session_everywhere() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let session = site.installation.create_session("anna").await.unwrap();
    assert_eq!(
        site.ask(&cell("celleu1"), &Ask::get("/users/sign_out").session(&session)).await.status,
        405
    );
    let response =
        site.ask(&cell("celleu1"), &Ask::post("/users/sign_out", &[]).session(&session)).await;
    assert_eq!((response.status, response.location()), (StatusCode::FOUND, "/users/sign_in"));
    assert!(response.field("set-cookie").unwrap().contains("Max-Age=0"));
    for asked in &site.cells {
        let response = site.ask(asked, &Ask::get("/-/profile").session(&session)).await;
        assert_eq!(response.location(), "/users/sign_in?redirect=/-/profile", "{asked}");
    }
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        sessions.push(site.installation.create_session("anna").await.unwrap());
    }
    let change = |current| {
        Ask::post(
            "/-/user_settings/password",
            &[("current_password", current), ("password", "other")],
        )
    };
    let refused = site.ask(&cell("cellus1"), &change("wrong").session(&sessions[0])).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let changed = site.ask(&cell("cellus1"), &change("anna-password").session(&sessions[0])).await;
    assert_eq!(changed.location(), "/-/user_settings");
    for asked in &site.cells {
        let statuses = [
            site.ask(asked, &Ask::get("/-/profile").session(&sessions[0])).await.status.as_u16(),
            site.ask(asked, &Ask::get("/-/profile").session(&sessions[1])).await.status.as_u16(),
        ];
        assert_eq!(statuses, [200, 302], "{asked}");
    }
    let form = [("username", "anna"), ("password", "other")];
    assert!(site.post(&cell("celleu0"), "/users/sign_in", &form, None).await.session().is_some());
}

#[tokio::test]
async fn a_sign_in_is_valid_at_once_and_read_near_after_the_lag() {
    let plan = FleetPlan {
        lag: ReplicationLag::UntilReleased,
        ..FleetPlan::documents(Protocol::Buffering)
    };
    let site = Site::planned(plan).await;
    assert_eq!(
        site.get(&cell("celleu0"), "/my-company/my-project", Some("anna")).await.status,
        200
    );
    let signed_in = site.post(&cell("celleu0"), "/users/sign_in", &ANNA, None).await;
    let ask = Ask::get("/-/profile").session(signed_in.session().unwrap());
    assert_eq!(site.ask(&cell("celleu0"), &ask).await.status, 200);
    let servers = || -> Vec<_> {
        let reads = site.accesses().into_iter().filter(|it| !it.write && it.table == "sessions");
        reads.map(|read| read.server).collect()
    };
    assert_eq!(servers().split_off(1), ["replica eu", "primary us"]);
    let position = site.installation.position().await.unwrap();
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    site.installation.wait_until_replayed(&Region::eu(), position).await.unwrap();
    assert_eq!(site.ask(&cell("celleu0"), &ask).await.status, 200);
    assert_eq!(servers().split_off(3), ["replica eu"]);
    assert!(site.installation.create_session("nobody").await.is_err());
}

#[tokio::test]
async fn a_token_works_for_the_api_on_every_cell_and_only_there() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let owner = CellId::eu(0);
    let read = |token: &str| Ask::get("/api/v4/projects/5001").field("PRIVATE-TOKEN", token);
    assert_eq!(site.ask(&owner, &read("glpat-anna")).await.status, 200);
    assert_eq!(site.ask(&owner, &read("glpat-gabe")).await.status, 404);
    assert_eq!(
        site.ask(&owner, &Ask::get("/-/profile").field("PRIVATE-TOKEN", "glpat-anna")).await.status,
        302
    );
    let created = site
        .post(&cell("cellus1"), "/-/user_settings/personal_access_tokens", &[], Some("anna"))
        .await;
    assert_eq!(created.status, StatusCode::CREATED);
    let (_, rest) = created.body.split_once("<code id=\"token\">").unwrap();
    assert_eq!(site.ask(&owner, &read(rest.split_once('<').unwrap().0)).await.status, 200);
}

/// The status of a profile's page on each cell of the documents, with this session.
async fn profiles(site: &Site, session: &str) -> Vec<u16> {
    let mut statuses = Vec::new();
    for asked in &site.cells {
        let ask = Ask::get("/-/profile").session(session);
        statuses.push(site.ask(asked, &ask).await.status.as_u16());
    }
    statuses
}

#[tokio::test]
async fn each_way_ends_one_session_and_all_of_a_user() {
    for model in SessionModel::ALL {
        let session_plan = SessionPlan::of(model);
        let plan = FleetPlan { session_plan, ..FleetPlan::documents(Protocol::Buffering) };
        let site = Site::planned(plan).await;
        let mut sessions = Vec::new();
        for asked in ["cellus0", "celleu0", "celleu1"] {
            let response = site.post(&cell(asked), "/users/sign_in", &ANNA, None).await;
            sessions.push(response.session().unwrap().to_owned());
        }
        assert_eq!(profiles(&site, &sessions[1]).await, [200; 4], "{model}");
        let out = Ask::post("/users/sign_out", &[]).session(&sessions[1]);
        site.ask(&cell("cellus1"), &out).await;
        assert_eq!(profiles(&site, &sessions[1]).await, [302; 4], "{model}");
        assert_eq!(profiles(&site, &sessions[2]).await, [200; 4], "{model}");
        let all = Ask::post("/-/user_settings/active_sessions", &[]).session(&sessions[0]);
        let response = site.ask(&cell("cellus1"), &all).await;
        assert!(response.field("set-cookie").unwrap().contains("Max-Age=0"), "{model}");
        for session in &sessions {
            assert_eq!(profiles(&site, session).await, [302; 4], "{model}");
        }
        // A control of the fleet ends a session as well.
        let made = site.installation.create_session("gabe").await.unwrap();
        assert_eq!(profiles(&site, &made).await, [200; 4], "{model}");
        site.installation.end_session(&made).await.unwrap();
        assert_eq!(profiles(&site, &made).await, [302; 4], "{model}");
    }
}

#[tokio::test]
async fn a_jwt_without_a_list_ends_with_its_life_and_is_renewed_in_use() {
    let session_plan = SessionPlan { revocation_list: false, ..SessionPlan::of(SessionModel::Jwt) };
    let plan = FleetPlan { session_plan, ..FleetPlan::documents(Protocol::Buffering) };
    let site = Site::planned(plan).await;
    let session = site.installation.create_session("anna").await.unwrap();
    let ask = Ask::get("/-/profile").session(&session);
    assert_eq!(site.ask(&cell("celleu0"), &ask).await.field("set-cookie"), None);
    site.installation.advance_clock(Duration::from_secs(160));
    let renewed = site.ask(&cell("celleu0"), &ask).await;
    let renewed = renewed.session().unwrap().to_owned();
    site.installation.advance_clock(Duration::from_secs(160));
    assert_eq!(profiles(&site, &session).await, [302; 4]);
    assert_eq!(profiles(&site, &renewed).await, [200; 4]);
    assert!(site.accesses().iter().all(|access| access.table != "sessions"));
}

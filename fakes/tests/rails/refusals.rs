//! What cells and the controls of an installation refuse, and why they say so.

use axum::http::StatusCode;
use cell_fleet::inside::CorrectMover;
use cell_fleet::population::Visibility;
use cell_fleet::{CellId, FleetPlan, MovePhase, Protocol, Region, ReplicationLag};
use serde_json::json;

use crate::support::{Ask, PROTOCOLS, Site, cell};

#[tokio::test]
async fn a_group_needs_a_path_that_is_free_and_an_organization_that_exists() {
    for protocol in PROTOCOLS {
        let site = Site::of_the_documents(protocol).await;
        let at = cell("cellus0");
        for path in ["admin", "-", "a/b", "", "users", "a b", "gitlab-org"] {
            let refused = site.post(&at, "/groups", &[("path", path)], Some("anna")).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path:?}");
        }
        let body = json!({ "path": "x", "organization": "nobody" });
        let ask = site.as_user(Ask::json("/groups", &body), Some("anna")).await;
        assert_eq!(site.ask(&at, &ask).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        for (path, organization) in [("gitlab-org", None), ("a/b", None), ("other", Some("nobody"))]
        {
            let made = site.installation.create_namespace(path, organization, Visibility::Public);
            made.await.unwrap_err();
        }
        assert_eq!(site.writes(), []);
    }
}

#[tokio::test]
async fn a_sign_up_needs_a_free_name_and_an_organization_that_fits() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for (name, membership, organization) in [
        ("anna", "neither", ""),
        ("dee", "join", "nobody"),
        ("dee", "create", "my-organization"),
        ("dee", "create", "!"),
        ("", "neither", ""),
    ] {
        let form = [
            ("username", name),
            ("password", "secret"),
            ("membership", membership),
            ("organization", organization),
        ];
        let refused = site.post(&cell("celleu1"), "/users/sign_up", &form, None).await;
        assert_eq!(
            (refused.status, refused.session()),
            (StatusCode::UNPROCESSABLE_ENTITY, None),
            "{name} {membership} {organization}"
        );
    }
}

#[tokio::test]
async fn a_move_that_is_not_possible_says_why() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let (there, nowhere) = (CellId::us(1), CellId::us(9));
    let moved = |slug, to| site.installation.move_organization(&CorrectMover, slug, to);
    let error = moved("nobody", &there).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no organization `nobody`");
    let error = moved("my-organization", &nowhere).await.unwrap_err();
    assert_eq!(error.to_string(), "the installation has no cell_us9");
}

#[tokio::test]
async fn a_move_waits_for_replicas_and_is_one_at_a_time() {
    let plan = FleetPlan {
        lag: ReplicationLag::UntilReleased,
        ..FleetPlan::documents(Protocol::Buffering)
    };
    let site = Site::planned(plan).await;
    let (slug, new) = ("my-organization", CellId::us(1));
    let through = |phase| site.installation.run_move(&CorrectMover, slug, &new, phase);
    through(MovePhase::Thaw).await.unwrap();
    let lags = through(MovePhase::CleanUp).await.unwrap_err();
    assert!(lags.to_string().contains("run the move again"), "{lags}");
    let installation = &site.installation;
    let other = installation.move_organization(&CorrectMover, slug, &CellId::eu(1)).await;
    let other = other.unwrap_err();
    assert!(other.to_string().contains("on its way to cell_us1"), "{other}");
    let position = site.installation.position().await.unwrap();
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    site.installation.wait_until_replayed(&Region::eu(), position).await.unwrap();
    through(MovePhase::CleanUp).await.unwrap();
    assert!(installation.take_move_back(&CorrectMover, slug).await.is_err());
}

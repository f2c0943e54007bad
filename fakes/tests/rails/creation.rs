//! New namespaces and new customers.

use axum::http::StatusCode;
use cell_fleet::population::Visibility;
use std::time::Duration;

use cell_fleet::{CellId, Id, IdAllocation, IdTable, Protocol};
use serde_json::json;

use crate::support::{Ask, CACHE, PROTOCOLS, REDIRECT, Site, cell};

#[tokio::test]
async fn a_group_without_an_organization_is_isolated() {
    for protocol in PROTOCOLS {
        let site = Site::of_the_documents(protocol).await;
        let created = site
            .post(
                &cell("cellus0"),
                "/groups",
                &[("path", "apart"), ("visibility", "public")],
                Some("anna"),
            )
            .await;
        assert_eq!(created.location(), "/apart");
        assert_eq!(created.field(CACHE), None);
        assert_eq!(site.installation.owner_of("/apart").await.unwrap(), Some(CellId::us(0)));
        let page = site.get(&cell("cellus0"), "/apart", Some("anna")).await;
        assert!(
            page.notices().iter().any(|notice| notice.contains("isolated from My Organization"))
        );
        let dashboard = site
            .get(&cell("celleu0"), "/organizations/my-organization/-/dashboard", Some("anna"))
            .await;
        assert!(!dashboard.shows("apart"));
        for path in ["admin", "-", "a/b", "", "users", "a b"] {
            let refused =
                site.post(&cell("cellus0"), "/groups", &[("path", path)], Some("anna")).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path:?}");
        }
    }
}

#[tokio::test]
async fn the_body_may_name_the_organization_in_the_buffering_protocol() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let ask = site
        .as_user(
            Ask::json("/groups", &json!({ "path": "by-body", "organization": "my-organization" })),
            Some("anna"),
        )
        .await;
    for asked in ["cellus0", "celleu1"] {
        assert_eq!(
            site.ask(&cell(asked), &ask).await.field(REDIRECT),
            Some("{cell:Cell EU0}"),
            "{asked}"
        );
    }
    assert_eq!(site.writes(), []);
    let created = site.ask(&cell("celleu0"), &ask).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
    let told: serde_json::Value = serde_json::from_str(&created.body).unwrap();
    assert_eq!(
        (&told["path"], &told["organization"]),
        (&json!("by-body"), &json!("my-organization"))
    );
    let id = told["id"].as_u64().unwrap();
    assert!(id > 1 << 53);
    assert_eq!(site.allocations().last(), Some(&allocated(CellId::eu(0), Id::Number(id))));
    let plain = site.as_user(Ask::json("/groups", &json!({ "path": "plain" })), Some("anna")).await;
    assert_eq!(site.ask(&cell("celleu0"), &plain).await.field(REDIRECT), Some("{cell:Cell US0}"));
    let unknown = site
        .as_user(
            Ask::json("/groups", &json!({ "path": "x", "organization": "nobody" })),
            Some("anna"),
        )
        .await;
    assert_eq!(site.ask(&cell("celleu0"), &unknown).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn the_path_alone_names_the_organization_in_the_learning_protocol() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    let form = [("path", "by-body"), ("organization", "my-organization")];
    assert_eq!(
        site.post(&cell("cellus0"), "/groups", &form, Some("anna")).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        site.post(&cell("celleu0"), "/groups", &form, Some("anna")).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(site.writes(), []);
}

#[tokio::test]
async fn a_new_customer_joins_or_creates_an_organization_or_neither() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let asked = cell("celleu1");
    let form = site.get(&asked, "/users/sign_up", None).await;
    for choice in ["join", "create", "neither"] {
        assert!(form.shows(&format!("value=\"{choice}\"")));
    }
    for (name, membership, organization, dashboard) in [
        ("ada", "join", "my-organization", "/organizations/my-organization/-/dashboard"),
        ("bob", "create", "Bob & Sons", "/organizations/bob-sons/-/dashboard"),
        ("cyd", "neither", "", "/dashboard"),
    ] {
        let form = [
            ("username", name),
            ("password", "secret"),
            ("membership", membership),
            ("organization", organization),
        ];
        let signed_up = site.post(&asked, "/users/sign_up", &form, None).await;
        assert_eq!((signed_up.status, signed_up.location()), (StatusCode::FOUND, "/"), "{name}");
        let root =
            site.ask(&cell("cellus1"), &Ask::get("/").session(signed_up.session().unwrap())).await;
        assert_eq!(root.location(), dashboard, "{name}");
    }
    // An organization that is created is placed on the configured cell.
    let page = site.get(&CellId::us(1), "/organizations/bob-sons/-/dashboard", Some("bob")).await;
    assert_eq!(page.heading(), "Bob &amp; Sons Dashboard");
    for (name, membership, organization) in [
        ("anna", "neither", ""),
        ("dee", "join", "nobody"),
        ("dee", "create", "Bob Sons"),
        ("dee", "create", "!"),
        ("", "neither", ""),
    ] {
        let form = [
            ("username", name),
            ("password", "secret"),
            ("membership", membership),
            ("organization", organization),
        ];
        let refused = site.post(&asked, "/users/sign_up", &form, None).await;
        assert_eq!(
            (refused.status, refused.session()),
            (StatusCode::UNPROCESSABLE_ENTITY, None),
            "{name} {membership} {organization}"
        );
    }
}

/// The journal's record of a namespace's id, by the default strategy.
fn allocated(cell: CellId, id: Id) -> IdAllocation {
    let (range, waited) = (None, Duration::ZERO);
    IdAllocation { cell, table: IdTable::Namespaces, id, range, waited }
}

#[tokio::test]
async fn a_scenario_can_create_a_namespace() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let id = site
        .installation
        .create_namespace("made", Some("my-organization"), Visibility::Public)
        .await
        .unwrap();
    assert!(id > Id::Number(1 << 53));
    assert_eq!(site.allocations(), [allocated(CellId::eu(0), id)]);
    assert_eq!(site.get(&cell("celleu0"), "/made", None).await.status, 200);
    for (path, organization) in [("made", None), ("a/b", None), ("other", Some("nobody"))] {
        assert!(
            site.installation
                .create_namespace(path, organization, Visibility::Public)
                .await
                .is_err(),
            "{path}"
        );
    }
    assert_eq!(site.writes(), []);
}

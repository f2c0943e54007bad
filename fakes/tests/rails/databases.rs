//! The databases that a request reads and writes.

use std::time::{Duration, Instant};

use cell_fleet::{CellId, FleetPlan, Protocol};

use crate::support::{PROTOCOLS, Site, cell};

#[tokio::test]
async fn reading_writes_nothing_and_stays_in_the_region() {
    for protocol in PROTOCOLS {
        let site = Site::of_the_documents(protocol).await;
        for asked in &site.cells {
            for path in [
                "/",
                "/dashboard",
                "/my-company/my-project",
                "/gitlab-org/gitlab",
                "/organizations/my-organization/-/dashboard",
            ] {
                for who in [None, Some("anna"), Some("gabe")] {
                    site.get(asked, path, who).await;
                }
            }
        }
        assert_eq!(site.writes(), []);
        for access in site.accesses() {
            let own = access.schema == "gitlab_main" || access.schema == "gitlab_ci";
            let server = if own {
                format!("own {}", access.cell)
            } else {
                format!("replica {}", access.cell.region())
            };
            assert_eq!(access.server, server);
        }
    }
}

#[tokio::test]
async fn only_the_owner_reads_its_own_databases() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for asked in &site.cells {
        site.get(asked, "/my-company/my-project", Some("anna")).await;
    }
    let own: Vec<_> =
        site.accesses().into_iter().filter(|access| access.server.starts_with("own")).collect();
    assert!(!own.is_empty() && own.iter().all(|access| access.cell == CellId::eu(0)));
    assert!(own.iter().any(|access| access.schema == "gitlab_ci"));
}

#[tokio::test]
async fn writes_go_to_the_primary_from_every_region() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for asked in ["celleu1", "cellus1"] {
        let form = [("default_organization", "not-my-organization")];
        let response = site.post(&cell(asked), "/-/user_settings", &form, Some("anna")).await;
        assert_eq!(response.location(), "/-/user_settings");
    }
    let writes: Vec<_> =
        site.writes().into_iter().map(|write| (write.cell, write.schema, write.server)).collect();
    let primary = || "primary us".to_owned();
    assert_eq!(
        writes,
        [CellId::eu(1), CellId::us(1)].map(|cell| (cell, "gitlab_users".into(), primary()))
    );
    for asked in &site.cells {
        assert_eq!(
            site.get(asked, "/", Some("anna")).await.location(),
            "/organizations/not-my-organization/-/dashboard"
        );
    }
    let refused = site
        .post(
            &cell("celleu0"),
            "/-/user_settings",
            &[("default_organization", "nobody")],
            Some("anna"),
        )
        .await;
    assert_eq!(refused.status, 422);
    site.post(&cell("celleu0"), "/-/user_settings", &[("default_organization", "")], Some("anna"))
        .await;
    assert_eq!(site.get(&cell("celleu0"), "/", Some("anna")).await.location(), "/dashboard");
}

#[tokio::test]
async fn a_write_from_another_region_takes_the_write_distance() {
    let distance = Duration::from_millis(30);
    let site = Site::planned(FleetPlan {
        write_distance: distance,
        ..FleetPlan::documents(Protocol::Buffering)
    })
    .await;
    let form = [("default_organization", "")];
    site.post(&cell("cellus1"), "/-/user_settings", &form, Some("anna")).await;
    let begin = Instant::now();
    site.post(&cell("celleu1"), "/-/user_settings", &form, Some("anna")).await;
    assert!(begin.elapsed() >= distance);
    let under_way: Vec<_> = site.writes().into_iter().map(|write| write.under_way).collect();
    assert_eq!(under_way, [Duration::ZERO, distance]);
}

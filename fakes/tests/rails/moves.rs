//! An organization moves to another cell.

use cell_fleet::{
    CellId, FleetPlan, Id, IdPlan, IdStrategy, MovePhase, Protocol, Region, ReplicationLag,
};

use crate::support::{Ask, CACHE, REDIRECT, Site, cell};

#[tokio::test]
async fn a_move_keeps_ids_and_reverses_the_redirects() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let before = site.installation.project_id("my-company/my-project").await.unwrap();
    assert_eq!(before, Some(Id::Number(5001)));
    site.installation.move_organization("my-organization", &CellId::us(1)).await.unwrap();
    assert_eq!(site.installation.project_id("my-company/my-project").await.unwrap(), before);
    assert_eq!(
        site.installation.owner_of("/my-company/my-project").await.unwrap(),
        Some(CellId::us(1))
    );
    for path in [
        "/my-company/my-project",
        "/organizations/my-organization/-/dashboard",
        "/api/v4/projects/5001",
    ] {
        let old = site.get(&cell("celleu0"), path, Some("anna")).await;
        assert_eq!(old.field(REDIRECT), Some("{cell:Cell US1}"), "{path}");
        assert_eq!(site.get(&cell("cellus1"), path, Some("anna")).await.status, 200, "{path}");
    }
    let page = site.get(&cell("cellus1"), "/my-company/my-project", Some("anna")).await;
    assert_eq!(page.field(CACHE), Some("{path_prefix:/my-company/}"));
    assert!(
        page.shows("Project id: 5001. Pipelines: 2.") && page.shows("<span id=\"todos\">3</span>")
    );
    let created = site
        .post(
            &cell("cellus1"),
            "/organizations/my-organization/groups",
            &[("path", "later")],
            Some("anna"),
        )
        .await;
    assert_eq!(created.location(), "/later");
    assert_eq!(site.installation.owner_of("/later").await.unwrap(), Some(CellId::us(1)));
}

#[tokio::test]
async fn learning_cells_name_the_new_owner_once_their_replica_has_it() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    site.installation.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
    site.installation.move_organization("my-organization", &CellId::us(1)).await.unwrap();
    let ask = Ask::get("/api/v4/cells/learn?method=GET&path_info=/my-company/my-project");
    assert!(site.ask(&cell("celleu1"), &ask).await.shows("\"cell_eu0\""));
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    assert!(site.ask(&cell("celleu1"), &ask).await.shows("\"cell_us1\""));
    let stale = site.get(&cell("celleu0"), "/my-company/my-project", Some("anna")).await;
    assert_eq!((stale.status.as_u16(), stale.field(REDIRECT)), (404, None));
}

#[tokio::test]
async fn a_move_that_is_not_possible_says_why() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let error = site.installation.move_organization("nobody", &CellId::us(1)).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no organization `nobody`");
    let error =
        site.installation.move_organization("my-organization", &CellId::us(9)).await.unwrap_err();
    assert_eq!(error.to_string(), "the installation has no cell_us9");
}

#[tokio::test]
async fn a_renamed_group_is_found_by_its_new_path_alone() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    site.installation.rename_namespace("/my-company", "/our-company").await.unwrap();
    let page = site.get(&cell("celleu0"), "/our-company/handbook", None).await;
    assert_eq!(
        (page.status.as_u16(), page.field(CACHE)),
        (200, Some("{path_prefix:/our-company/}"))
    );
    let gone = site.get(&cell("celleu0"), "/my-company/handbook", Some("gabe")).await;
    assert_eq!(gone.status, 404);
    let api = site.get(&cell("celleu0"), "/api/v4/projects/5003", None).await;
    assert!(api.shows("our-company/handbook"));
    let taken = site.installation.rename_namespace("/our-company", "/gitlab-org").await;
    assert!(taken.unwrap_err().to_string().contains("`/gitlab-org` is taken"));
    assert!(site.installation.rename_namespace("/my-company", "/x").await.is_err());
}

#[tokio::test]
async fn what_is_created_is_served_by_its_cell() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    site.installation.create_route("/my-company/new", &CellId::us(1)).await.unwrap();
    assert_eq!(site.get(&cell("cellus1"), "/my-company/new/x", None).await.status, 200);
    let bounced = site.get(&cell("celleu0"), "/my-company/new/x", None).await;
    assert_eq!(bounced.field(REDIRECT), Some("{cell:Cell US1}"));
    site.installation.create_project("my-company/later").await.unwrap();
    assert_eq!(site.get(&cell("celleu0"), "/my-company/later", None).await.status, 200);
    for (path, made) in [
        ("taken", site.installation.create_route("/my-company/new", &CellId::us(1)).await),
        ("no cell", site.installation.create_route("/other", &CellId::us(9)).await),
        ("no group", site.installation.create_project("nobody/x").await.map(drop)),
        ("a project", site.installation.create_project("my-company/later").await.map(drop)),
    ] {
        assert!(made.is_err(), "{path}");
    }
}

/// The merge requests of the moved project, as its cell lists them.
async fn titles(site: &Site, owner: &CellId) -> Vec<String> {
    let listed = site.get(owner, "/api/v4/projects/5001/merge_requests", Some("anna")).await;
    let rows: serde_json::Value = serde_json::from_str(&listed.body).unwrap_or_default();
    let rows = rows.as_array().cloned().unwrap_or_default();
    rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

async fn open(site: &Site, owner: &CellId, title: &str) -> u16 {
    let form = [("title", title)];
    let target = "/api/v4/projects/5001/merge_requests";
    site.post(owner, target, &form, Some("anna")).await.status.as_u16()
}

#[tokio::test]
async fn whatever_was_acknowledged_survives_a_mover_that_dies_in_any_phase() {
    let (slug, old, new) = ("my-organization", CellId::eu(0), CellId::us(1));
    for strategy in IdStrategy::ALL {
        for (phase, back) in MovePhase::ALL.into_iter().flat_map(|it| [(it, false), (it, true)]) {
            let id_plan = IdPlan::of(strategy);
            let plan = FleetPlan { id_plan, ..FleetPlan::documents(Protocol::Buffering) };
            let site = Site::planned(plan).await;
            let mut acknowledged = Vec::new();
            for title in ["first", "second"] {
                assert_eq!(open(&site, &old, title).await, 201);
                acknowledged.push(title);
            }
            site.installation.kill_mover_in(slug, &new, phase).await.unwrap();
            for (cell, title) in [(&old, "third"), (&new, "fourth")] {
                if open(&site, cell, title).await == 201 {
                    acknowledged.push(title);
                }
            }
            let owner = if back {
                site.installation.take_move_back(slug).await.unwrap();
                &old
            } else {
                site.installation.run_move(slug, &new, MovePhase::CleanUp).await.unwrap();
                &new
            };
            assert_eq!(open(&site, owner, "last").await, 201, "{strategy} {phase} {back}");
            acknowledged.push("last");
            assert_eq!(titles(&site, owner).await, acknowledged, "{strategy} {phase} {back}");
        }
    }
}

#[tokio::test]
async fn a_move_waits_for_replicas_and_is_one_at_a_time() {
    let plan = FleetPlan {
        lag: ReplicationLag::UntilReleased,
        ..FleetPlan::documents(Protocol::Buffering)
    };
    let site = Site::planned(plan).await;
    let (slug, new) = ("my-organization", CellId::us(1));
    let through = |phase| site.installation.run_move(slug, &new, phase);
    through(MovePhase::Thaw).await.unwrap();
    let lags = through(MovePhase::CleanUp).await.unwrap_err();
    assert!(lags.to_string().contains("run the move again"), "{lags}");
    let other = site.installation.move_organization(slug, &CellId::eu(1)).await.unwrap_err();
    assert!(other.to_string().contains("on its way to cell_us1"), "{other}");
    let position = site.installation.position().await.unwrap();
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    site.installation.wait_until_replayed(&Region::eu(), position).await.unwrap();
    through(MovePhase::CleanUp).await.unwrap();
    assert!(site.installation.take_move_back(slug).await.is_err());
}

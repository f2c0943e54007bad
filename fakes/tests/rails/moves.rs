//! An organization moves to another cell.

use cell_fleet::{CellId, FleetPlan, MovePhase, Protocol, Region, ReplicationLag};

use crate::support::{CACHE, Site, cell};

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

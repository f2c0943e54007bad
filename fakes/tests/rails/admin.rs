//! The Admin Area.

use cell_fleet::population::Visibility;
use cell_fleet::{Protocol, ReplicationLag};

use crate::support::{CACHE, REDIRECT, Site, cell};

#[tokio::test]
async fn the_admin_area_names_its_cell_and_links_to_the_others() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for (spelling, owner) in
        [("celleu1", "celleu1"), ("cell_eu1", "celleu1"), ("cell_0", "cellus0")]
    {
        let path = format!("/admin/cells/{spelling}/projects");
        let page = site.get(&cell(owner), &path, Some("olga")).await;
        assert_eq!(page.heading(), "Admin Area");
        assert_eq!(
            page.field(CACHE),
            Some(format!("{{path_prefix:/admin/cells/{spelling}/}}").as_str())
        );
        assert!(page.shows(&format!("<strong id=\"cell\">{}</strong>", cell(owner).name())));
        for other in &site.cells {
            assert!(page.shows(&format!(
                "<a href=\"/admin/cells/{}/projects\">{}</a>",
                other.slug(),
                other.name()
            )));
        }
        let bounce = site.get(&cell("celleu0"), &path, Some("olga")).await;
        assert_eq!(
            bounce.field(REDIRECT),
            Some(format!("{{cell:{}}}", cell(owner).name()).as_str())
        );
        assert_eq!(site.get(&cell(owner), &path, Some("gabe")).await.status, 404);
        assert_eq!(
            site.get(&cell(owner), &path, None).await.location(),
            format!("/users/sign_in?redirect={path}")
        );
    }
    assert!(
        site.get(&cell("celleu0"), "/admin/cells/celleu0/projects", Some("olga"))
            .await
            .shows("My Project")
    );
}

#[tokio::test]
async fn all_cells_share_their_settings() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    let form = [("elasticsearch_url", "http://%{cell}.search"), ("unknown", "x")];
    let saved =
        site.post(&cell("cellus0"), "/admin/cells/cellus0/settings", &form, Some("olga")).await;
    assert_eq!(saved.location(), "/admin/cells/cellus0/settings");
    let writes = site.writes();
    assert_eq!((writes.len(), &*writes[0].schema), (1, "gitlab_admin"));
    let page = site.get(&cell("celleu1"), "/admin/cells/celleu1/settings", Some("olga")).await;
    assert!(
        page.shows("value=\"http://%{cell}.search\"")
            && page.shows("<output>http://celleu1.search</output>")
    );
    let refused = site
        .post(&cell("cellus0"), "/admin/cells/cellus0/settings", &[("unknown", "x")], Some("olga"))
        .await;
    assert_eq!(refused.status, 422);
}

#[tokio::test]
async fn a_setting_reaches_another_region_when_its_replica_replays_it() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    site.installation.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
    let form = [("signup_enabled", "false")];
    site.post(&cell("cellus0"), "/admin/cells/cellus0/settings", &form, Some("olga")).await;
    let shown = async || {
        site.get(&cell("celleu1"), "/admin/cells/celleu1/settings", Some("olga"))
            .await
            .shows("value=\"false\"")
    };
    assert!(!shown().await);
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    assert!(shown().await);
}

#[tokio::test]
async fn the_routes_page_lists_what_the_regions_replica_has() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    site.installation.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
    site.installation
        .create_namespace("acme", Some("my-organization"), Visibility::Private)
        .await
        .unwrap();
    let page =
        async || site.get(&cell("cellus1"), "/admin/cells/cellus1/routes", Some("olga")).await;
    let (given, made) = ("/my-company cell_id=cell_eu0", "/acme cell_id=cell_eu0");
    assert!(page().await.shows(given) && !page().await.shows(made));
    site.installation.set_replication_lag(ReplicationLag::None).await.unwrap();
    assert!(page().await.shows(made));
    assert_eq!(
        site.get(&cell("cellus1"), "/admin/cells/cellus1/routes", Some("gabe")).await.status,
        404
    );
}

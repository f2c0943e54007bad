//! The Admin Area.

use cell_fleet::population::Visibility;
use cell_fleet::{Protocol, ReplicationLag};

use crate::support::{Site, cell};

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

//! What pages show, and what they bind.

use cell_fleet::{CellId, Protocol};

use crate::support::{CACHE, REDIRECT, Site, cell};

#[tokio::test]
async fn the_first_response_that_depends_on_an_owner_binds_the_cast() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    site.casting.arm(CellId::eu(1), vec![CellId::eu(0), CellId::eu(1)], 0);
    for (path, who) in [
        ("/users/sign_in", None),
        ("/groups/new", Some("anna")),
        ("/search?search=gitlab-org", Some("anna")),
        ("/my-company", None),
    ] {
        site.get(&cell("celleu0"), path, who).await;
    }
    assert!(site.casting.roles().is_empty());
    // The asked cell plays EU1, and the other cell is the owner.
    let response = site.get(&cell("celleu0"), "/my-company/my-project", Some("anna")).await;
    assert_eq!(response.field(REDIRECT), Some("{cell:Cell EU1}"));
    assert_eq!(
        site.get(&cell("celleu1"), "/my-company/my-project", Some("anna")).await.heading(),
        "My Project"
    );
}

#[tokio::test]
async fn a_search_finds_public_paths_alone_and_escapes_what_was_typed() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let search = async |query: &str| {
        site.get(&cell("cellus0"), &format!("/search?search={query}"), Some("gabe")).await
    };
    assert!(search("gitlab-org%2Fgitlab").await.shows("<a href=\"/gitlab-org/gitlab\">"));
    assert!(!search("my-company").await.shows("<a href=\"/my-company\">"));
    assert!(!search("%22%3E%3Cscript%3E").await.shows("<script>"));
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

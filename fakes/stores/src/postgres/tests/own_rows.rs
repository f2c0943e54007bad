//! The rows of cells, in memory and on PostgreSQL.

use std::collections::BTreeSet;

use cell_fleet::population::{Visibility, Work};
use cell_fleet::store::{
    MergeRequest, Namespace, Note, OpenStores, OrganizationRows, Project, ProjectReference,
    StoreFactory as _,
};
use cell_fleet::{CellId, Id, Stores};

use super::seed;
use crate::RealStores;

fn namespace(path: &str) -> Namespace {
    Namespace {
        id: Id::Number(900),
        number: Some(9),
        path: path.to_owned(),
        name: "A 'name'".to_owned(),
        organization: Some("acme".to_owned()),
        visibility: Visibility::Private,
        members: BTreeSet::from(["anna".to_owned(), "zoe".to_owned()]),
    }
}

fn project(path: &str, id: u64) -> Project {
    let work = Work { todos: 1, issues: 2, merge_requests: 3 };
    Project {
        id: Id::Number(id),
        number: None,
        path: path.to_owned(),
        title: "Title".to_owned(),
        heading: "Heading".to_owned(),
        organization: Some("acme".to_owned()),
        visibility: Visibility::Public,
        members: BTreeSet::new(),
        work: [("anna".to_owned(), work)].into(),
    }
}

async fn own_rows(stores: &OpenStores) -> Vec<String> {
    let (own, cell, other) = (&stores.own, CellId::us(1), CellId::us(0));
    let mut seen = Vec::new();
    macro_rules! see {
        ($($call:expr),+ $(,)?) => {$(
            seen.push(format!("{}: {:?}", stringify!($call), $call.await.unwrap()));
        )+};
    }
    let merge_request = |id: u64, project: u64| MergeRequest {
        id: Id::Local(id),
        number: None,
        iid: 0,
        project: Id::Number(project),
        author: Id::Number(1),
        title: format!("Request {id}"),
    };
    let note = |id: u64| Note {
        id: Id::Local(id),
        number: None,
        project: Id::Number(901),
        merge_request: Id::Local(1),
        author: Id::Number(1),
        body: "Fine".to_owned(),
    };
    see!(
        own.namespaces(&cell),
        own.projects(&cell),
        own.add_namespace(&cell, namespace("acme")),
        own.add_project(&cell, project("acme/a", 901)),
        own.add_project(&cell, project("acme/b", 902)),
        own.add_project(&cell, project("acmeb", 903)),
        own.work(&cell, "anna"),
        own.work(&cell, "nobody"),
        own.add_merge_request(&cell, merge_request(1, 901)),
        own.add_merge_request(&cell, merge_request(2, 901)),
        own.add_merge_request(&cell, merge_request(3, 902)),
        own.add_note(&cell, note(10)),
        own.add_note(&cell, note(9)),
        own.notes(&cell, Id::Local(1)),
        own.rename_namespace(&cell, "acme", "acme-2"),
        own.rename_namespace(&cell, "none", "acme-3"),
        own.namespace(&cell, "acme"),
        own.namespace(&cell, "acme-2"),
        own.project(&cell, &ProjectReference::Path("acme-2/a".to_owned())),
        own.project(&cell, &ProjectReference::Id(Id::Number(902))),
        own.merge_requests(&cell, Id::Number(901)),
        own.merge_request(&cell, Id::Local(3)),
        own.merge_request(&cell, Id::Local(4)),
        own.organization_rows(&cell, "acme"),
        own.organization_rows(&cell, "my-organization"),
    );
    let rows: OrganizationRows = own.organization_rows(&cell, "acme").await.unwrap();
    see!(
        own.add_rows(&other, rows.clone()),
        own.remove_rows(&cell, "acme"),
        own.organization_rows(&cell, "acme"),
        own.organization_rows(&other, "acme"),
        own.add_merge_request(&other, merge_request(4, 901)),
        own.namespaces(&other),
        own.projects(&other),
        own.pipelines(&other, Id::Number(901)),
        own.pipelines(&other, Id::Number(5001)),
    );
    seen
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn memory_and_postgresql_hold_the_same_rows_of_cells() {
    let real = RealStores::start().await.unwrap();
    let worlds = [Stores::in_memory().open(seed(false)).await, real.open(seed(false)).await];
    let [memory, in_real] = worlds.map(Result::unwrap);
    let (memory, in_real) = (own_rows(&memory).await, own_rows(&in_real).await);
    for (memory, in_real) in memory.iter().zip(&in_real) {
        assert_eq!(memory, in_real);
    }
}

//! The shared rows, in memory and on PostgreSQL.

use cell_fleet::population::Visibility;
use cell_fleet::store::{
    Change, OpenStores, Organization, ProjectReference, Route, Server, Source, Spread,
    StoreFactory as _, User, new_uuid,
};
use cell_fleet::{CellId, Id, IdTable, Region, Stores};

use super::{seed, session, setting};
use crate::RealStores;

fn cell_setting(cell: CellId, value: &str) -> Change {
    Change::SetCellSetting { cell, key: "key".to_owned(), value: value.to_owned() }
}

fn route(path: &str, source: Source) -> Route {
    Route::new(path.to_owned(), CellId::eu(0), source, Visibility::Public)
}

/// Writes of every kind, also such as the data refuse.
fn changes() -> Vec<Change> {
    let text = str::to_owned;
    let organization = Organization {
        slug: text("acme"),
        name: text("Acme"),
        dashboard: text("Acme's"),
        cell: CellId::us(1),
    };
    let user = User {
        id: Id::Number(77),
        name: text("zoe"),
        password: text("it's"),
        default_organization: None,
        admin: true,
        status: text("away"),
    };
    let mut by_uuid = route("/uuid", Source::Project(Id::Uuid(new_uuid())));
    by_uuid.number = Some(4711);
    let exact = |path: &str| Route { exact: true, ..route(path, Source::Page) };
    vec![
        Change::AddUser(user.clone()),
        Change::AddUser(user),
        Change::SetDefaultOrganization { user: text("zoe"), organization: Some(text("acme")) },
        Change::SetDefaultOrganization { user: text("nobody"), organization: None },
        Change::SetPassword { user: text("zoe"), password: text("new") },
        Change::SetStatus { user: text("zoe"), status: text("back") },
        session("one", "zoe"),
        session("one", "zoe"),
        session("two", "zoe"),
        session("three", "zoe"),
        session("other", "anna"),
        Change::EndSession { session: text("two") },
        Change::EndSession { session: text("two") },
        Change::EndOtherSessions { user: text("zoe"), keep: Some(text("three")) },
        Change::AddToken { token: text("token"), user: text("zoe") },
        Change::AddToken { token: text("token"), user: text("anna") },
        Change::AddOrganization(organization.clone()),
        Change::AddOrganization(organization),
        Change::PlaceOrganization { slug: text("acme"), cell: CellId::eu(1) },
        Change::PlaceOrganization { slug: text("none"), cell: CellId::eu(1) },
        Change::AddRoute(route("/acme/", Source::Namespace(Id::Number(900)))),
        Change::AddRoute(route("/acme", Source::Namespace(Id::Number(901)))),
        Change::AddRoute(route("/acme/a", Source::Project(Id::Number(902)))),
        Change::AddRoute(route("/acme/b", Source::Project(Id::Local(902)))),
        Change::AddRoute(route("/acme-2", Source::Namespace(Id::Number(903)))),
        Change::AddRoute(route("/acme.x", Source::Page)),
        Change::AddRoute(exact("/page")),
        Change::AddRoute(exact("/page/")),
        Change::AddRoute(Route { public: false, ..exact("/page") }),
        Change::AddRoute(by_uuid),
        Change::PlaceRoutes { path: text("/acme"), cell: CellId::us(0) },
        Change::PlaceRoutes { path: text("/acme/a"), cell: CellId::eu(1) },
        Change::RenameRoutes { path: text("/acme"), to: text("/acme-2") },
        Change::RenameRoutes { path: text("/nothing"), to: text("/nowhere") },
        Change::RenameRoutes { path: text("/acme"), to: text("/acme-3") },
        Change::PlaceRow { table: IdTable::Projects, id: Id::Number(5), cell: CellId::eu(0) },
        Change::PlaceRow { table: IdTable::Projects, id: Id::Number(5), cell: CellId::eu(1) },
        setting("1"),
        setting("2"),
        cell_setting(CellId::us(1), "1"),
        cell_setting(CellId::us(1), "2"),
        cell_setting(CellId::eu(0), "3"),
    ]
}

/// All that can be read of the shared schemas, printed.
async fn seen(stores: &OpenStores, from: &Server) -> Vec<String> {
    let shared = &stores.shared;
    let mut seen = Vec::new();
    macro_rules! see {
        ($($read:expr),+ $(,)?) => {$(
            seen.push(format!("{}: {:?}", stringify!($read), $read.await.unwrap().rows));
        )+};
    }
    for name in ["one", "two", "three", "other", "none"] {
        see!(shared.session(from, name));
    }
    see!(shared.token(from, "token"), shared.token(from, "none"));
    for name in ["zoe", "anna", "nobody"] {
        see!(shared.user(from, name));
    }
    for slug in ["acme", "my-organization", "none"] {
        see!(shared.organization(from, slug));
    }
    for path in [
        "/",
        "/acme",
        "/acme-3",
        "/acme-3/",
        "/acme-3/a/b",
        "/acme-3/ab",
        "/acme-2/x",
        "/page",
        "/page/",
        "/page/x",
        "/gitlab-org/gitlab",
        "/my-company//x",
        "/%67itlab-org",
    ] {
        see!(shared.routes(from, path));
    }
    see!(shared.all_routes(from), shared.settings(from), shared.cell_settings(from));
    for id in [Id::Number(902), Id::Local(902), Id::Number(4711), Id::Number(1)] {
        see!(
            shared.project_route(from, &ProjectReference::Id(id)),
            shared.namespace_route(from, id),
            shared.row_cell(from, IdTable::Projects, id),
        );
    }
    for path in ["acme-3/a", "acme-3", "gitlab-org/gitlab"] {
        see!(shared.project_route(from, &ProjectReference::Path(path.to_owned())));
    }
    see!(shared.row_cell(from, IdTable::Projects, Id::Number(5)));
    seen
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn memory_and_postgresql_hold_the_same_shared_rows() {
    let real = RealStores::start().await.unwrap();
    let worlds = [Stores::in_memory().open(seed(false)).await, real.open(seed(false)).await];
    let [memory, real_world] = worlds.map(Result::unwrap);
    let servers = [Server::Primary, Server::Replica(Region::us()), Server::Replica(Region::eu())];
    for change in changes() {
        let in_memory = memory.shared.write(change.clone(), Spread::Replicated).await.unwrap();
        let in_real = real_world.shared.write(change.clone(), Spread::Replicated).await.unwrap();
        assert_eq!(in_memory.map(drop), in_real.map(drop), "{change:?}");
    }
    for server in servers {
        let (in_memory, in_real) = (seen(&memory, &server).await, seen(&real_world, &server).await);
        for (in_memory, in_real) in in_memory.iter().zip(&in_real) {
            assert_eq!(in_memory, in_real, "{server:?}");
        }
    }
    // A later fleet gets the databases, and nothing of what was in them.
    drop(real_world);
    let [memory, real_world] =
        [Stores::in_memory().open(seed(false)).await, real.open(seed(false)).await]
            .map(Result::unwrap);
    assert_eq!(seen(&memory, &Server::Primary).await, seen(&real_world, &Server::Primary).await);
    drop(real_world);
    let folder = real.folder().to_owned();
    assert!(folder.is_dir());
    real.stop();
    assert!(!folder.exists());
}

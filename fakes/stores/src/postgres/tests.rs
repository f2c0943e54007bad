//! Tests on PostgreSQL itself. Where it is not installed they would fail, so `cargo test` leaves
//! them out and says so; `ci/stores` runs them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cell_fleet::population::{Population, Visibility, Work};
use cell_fleet::store::{
    Change, Conflict, MergeRequest, Namespace, Note, OrganizationRows, Project, ProjectReference,
    Route, Seed, Server, Source, Spread, StoreFactory as _, User,
};
use cell_fleet::{CellId, Id, IdPlan, IdTable, Position, Region, Stores, Topology};
use saphyr::{LoadableYamlNode as _, Yaml};

use super::*;
use crate::RealStores;

fn seed(lags: bool) -> Seed {
    let seed = Seed::of(&Topology::documents(), &Population::documents(), &IdPlan::default());
    Seed { lags, ..seed }
}

fn session(name: &str, user: &str) -> Change {
    Change::AddSession { session: name.to_owned(), user: user.to_owned() }
}

fn token(name: &str) -> Change {
    Change::AddToken { token: name.to_owned(), user: "anna".to_owned() }
}

fn setting(value: &str) -> Change {
    Change::SetSetting { key: "key".to_owned(), value: value.to_owned() }
}

fn cell_setting(cell: CellId, value: &str) -> Change {
    Change::SetCellSetting { cell, key: "key".to_owned(), value: value.to_owned() }
}

fn route(path: &str, source: Source) -> Route {
    Route::new(path.to_owned(), CellId::eu(0), source, Visibility::Public)
}

/// Writes of every kind, also such as the data refuse.
fn changes() -> Vec<Change> {
    let text = str::to_owned;
    let organization = cell_fleet::store::Organization {
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
    };
    let mut by_uuid = route("/uuid", Source::Project(Id::Uuid(cell_fleet::store::new_uuid())));
    by_uuid.number = Some(4711);
    let exact = |path: &str| Route { exact: true, ..route(path, Source::Page) };
    vec![
        Change::AddUser(user.clone()),
        Change::AddUser(user),
        Change::SetDefaultOrganization { user: text("zoe"), organization: Some(text("acme")) },
        Change::SetDefaultOrganization { user: text("nobody"), organization: None },
        Change::SetPassword { user: text("zoe"), password: text("new") },
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

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn a_replica_lags_by_postgresql_s_own_means_and_no_other_fleet_s() {
    let real = RealStores::start().await.unwrap();
    let stores = real.open(seed(true)).await.unwrap();
    let beside = real.open(seed(false)).await.unwrap();
    let (eu, us) = (Region::eu(), Region::us());
    let read = async |stores: &OpenStores, region: &Region| {
        let from = Server::Replica(region.clone());
        stores.shared.settings(&from).await.unwrap().rows.get("key").cloned()
    };
    stores.replication.pause(&eu).await.unwrap();
    let written = stores.shared.write(setting("1"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(read(&stores, &us).await.as_deref(), Some("1"));
    assert_eq!(read(&stores, &eu).await, None);
    assert!(stores.replication.position(&eu).await.unwrap() < written);
    // What is given is known everywhere, and what was written before it still is not.
    stores.shared.write(session("given", "anna"), Spread::AtOnce).await.unwrap().unwrap();
    let from = Server::Replica(eu.clone());
    let given = stores.shared.session(&from, "given").await.unwrap().rows;
    assert_eq!(given.map(|user| user.name).as_deref(), Some("anna"));
    stores.shared.write(session("usual", "anna"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(stores.shared.session(&from, "usual").await.unwrap().rows, None);
    assert_eq!(read(&stores, &eu).await, None);
    // Other fleets neither wait nor can hold what all use.
    beside.shared.write(setting("x"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(read(&beside, &eu).await.as_deref(), Some("x"));
    let refused = beside.replication.pause(&eu).await.unwrap_err().to_string();
    assert!(refused.contains("replica eu") && refused.contains("the plan"), "{refused}");

    stores.replication.resume(&eu).await.unwrap();
    stores.replication.wait_until_replayed(&eu, written).await.unwrap();
    assert_eq!(read(&stores, &eu).await.as_deref(), Some("1"));

    let delay = Duration::from_millis(400);
    stores.replication.set_delay(&eu, delay).await.unwrap();
    let begun = Instant::now();
    let written = stores.shared.write(setting("2"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(read(&stores, &us).await.as_deref(), Some("2"));
    stores.replication.wait_until_replayed(&eu, written).await.unwrap();
    // The standby counts from the time in the commit, which is a little before ours.
    assert!(begun.elapsed() > delay / 2, "{:?}", begun.elapsed());
    assert_eq!(read(&stores, &eu).await.as_deref(), Some("2"));
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn each_cell_s_database_yml_leads_to_its_databases() {
    let real = RealStores::start().await.unwrap();
    let _stores = real.open(seed(false)).await.unwrap();
    let tables = [
        ("main", "merge_requests"),
        ("ci", "pipelines"),
        ("users", "personal_access_tokens"),
        ("routes", "routes"),
        ("admin", "application_settings"),
    ];
    let mut databases = BTreeSet::new();
    for cell in Topology::documents().cells {
        let file = real.folder().join(format!("database.{cell}.yml"));
        let files = Yaml::load_from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for (name, table) in tables {
            let entry = &files[0]["production"][name];
            let database = entry["database"].as_str().unwrap();
            let mut hosts = vec![entry["host"].as_str().unwrap()];
            if let Some(balancing) = entry.as_mapping_get("load_balancing") {
                hosts.push(balancing["hosts"][0].as_str().unwrap());
                assert!(hosts[1].ends_with(&format!("replica-{}", cell.region())), "{hosts:?}");
            }
            for host in hosts {
                let mut config = tokio_postgres::Config::new();
                config.host_path(host).user(server::ROLE).dbname(database);
                let (client, connection) = config.connect(tokio_postgres::NoTls).await.unwrap();
                tokio::spawn(connection);
                client.query(&format!("SELECT FROM {table}"), &[]).await.unwrap();
            }
            databases.insert((name, database.to_owned()));
        }
    }
    assert_eq!(databases.len(), 2 * 4 + 3, "{databases:?}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn a_killed_server_is_an_error_that_names_it() {
    let real = RealStores::start().await.unwrap();
    let stores = real.open(seed(false)).await.unwrap();
    let eu = real.0.postgres.shared.standby(&Region::eu()).await.unwrap();
    eu.kill();
    let from = Server::Replica(Region::eu());
    let error = stores.shared.settings(&from).await.unwrap_err().to_string();
    assert!(error.starts_with("the store `replica eu"), "{error}");
    // What the other region reads goes on.
    stores.shared.settings(&Server::Replica(Region::us())).await.unwrap();
    real.0.postgres.shared.primary().kill();
    let error = stores.shared.write(setting("1"), Spread::Replicated).await.unwrap_err();
    assert!(error.to_string().starts_with("the store `primary"), "{error}");
}

/// How often the primary is killed.
const KILLS: usize = 50;
/// How many cells write at once.
const WRITERS: usize = 4;

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn a_primary_killed_in_mid_write_loses_nothing_that_it_acknowledged() {
    let real = RealStores::start_with(Durability::Full).await.unwrap();
    let stores = real.open(Seed { regions: Vec::new(), ..seed(false) }).await.unwrap();
    let (mut acknowledged, mut refused) = (Vec::new(), 0);
    for kill in 0..KILLS {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let shared = stores.shared.clone();
                tokio::spawn(async move {
                    let mut done = Vec::new();
                    for number in 0.. {
                        let name = format!("{kill}-{writer}-{number}");
                        match shared.write(token(&name), Spread::Replicated).await {
                            Ok(written) => {
                                written.unwrap();
                                done.push(name);
                            }
                            // The server is dead.
                            Err(_) => break,
                        }
                    }
                    done
                })
            })
            .collect();
        // At another moment each time, so that all steps of a write are met.
        tokio::time::sleep(Duration::from_millis(20 + 7 * (kill as u64 % 11))).await;
        real.0.postgres.shared.primary().kill();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
            refused += 1;
        }
        real.0.postgres.shared.restart_primary().await.unwrap();
    }
    let mut lost = Vec::new();
    for name in &acknowledged {
        if stores.shared.token(&Server::Primary, name).await.unwrap().rows.is_none() {
            lost.push(name);
        }
    }
    eprintln!(
        "{KILLS} kills of the primary, {} writes acknowledged, {refused} cut off, {} lost",
        acknowledged.len(),
        lost.len()
    );
    assert!(acknowledged.len() > KILLS, "{}", acknowledged.len());
    assert_eq!(lost, Vec::<&String>::new());
    // A write that is refused because of its data is not one of a failed store.
    let again = stores.shared.write(token(&acknowledged[0]), Spread::Replicated).await;
    assert_eq!(again.unwrap(), Err(Conflict::Taken(acknowledged[0].clone())));
    assert!(stores.shared.position().await.unwrap() > Position::default());
}

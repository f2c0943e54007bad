//! Tests on PostgreSQL itself. Where it is not installed they would fail, so `cargo test` leaves
//! them out and says so; `ci/stores` runs them.

mod own_rows;
mod shared_rows;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use cell_fleet::population::Population;
use cell_fleet::store::{Change, Conflict, Seed, Server, Spread, StoreFactory as _};
use cell_fleet::{IdPlan, Position, Region, ReplicationLag, Topology};
use saphyr::{LoadableYamlNode as _, Yaml};

use super::*;
use crate::RealStores;

pub(super) fn seed(lags: bool) -> Seed {
    let seed =
        Seed::from_population(&Topology::documents(), &Population::documents(), &IdPlan::default());
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
    stores.shared.set_lag(&eu, ReplicationLag::UntilReleased).await.unwrap();
    let written = stores.shared.write(setting("1"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(read(&stores, &us).await.as_deref(), Some("1"));
    assert_eq!(read(&stores, &eu).await, None);
    assert!(stores.shared.replica_position(&eu).await.unwrap() < written);
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
    let refused = beside.shared.set_lag(&eu, ReplicationLag::UntilReleased).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("replica eu") && refused.contains("the plan"), "{refused}");

    stores.shared.set_lag(&eu, ReplicationLag::None).await.unwrap();
    stores.shared.wait_until_replayed(&eu, written).await.unwrap();
    assert_eq!(read(&stores, &eu).await.as_deref(), Some("1"));

    let delay = Duration::from_millis(400);
    stores.shared.set_lag(&eu, ReplicationLag::For(delay)).await.unwrap();
    let begun = Instant::now();
    let written = stores.shared.write(setting("2"), Spread::Replicated).await.unwrap().unwrap();
    assert_eq!(read(&stores, &us).await.as_deref(), Some("2"));
    stores.shared.wait_until_replayed(&eu, written).await.unwrap();
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

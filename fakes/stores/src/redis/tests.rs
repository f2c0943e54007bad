//! Tests on Redis itself. Where it is not installed they would fail, so `cargo test` leaves them
//! out and says so; `ci/stores` runs them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::store::{
    CellState, Change, Claims, Conflict, Counters, Revocation, Server as From, SessionStore,
    new_uuid,
};
use cell_fleet::{Id, Stores};

use super::*;

async fn servers(durability: Durability) -> RedisServers {
    let folder = Arc::new(Folder::new().unwrap());
    RedisServers::start(folder, Program::redis().unwrap(), durability).await.unwrap()
}

fn regions() -> [Region; 2] {
    [Region::us(), Region::eu()]
}

fn session(name: &str, user: &str) -> Change {
    Change::AddSession { session: name.to_owned(), user: user.to_owned() }
}

/// Nothing lags.
fn none() -> BTreeSet<Region> {
    BTreeSet::new()
}

async fn user_of(sessions: &SharedSessions, from: &From, name: &str) -> Option<String> {
    sessions.user_of(from, name).await.unwrap().rows
}

#[tokio::test]
#[ignore = "needs Redis; ci/stores runs it"]
async fn memory_and_redis_hold_the_same_sessions_of_regions() {
    let redis = servers(Durability::None).await;
    let mut seen = Vec::new();
    let stores: [Arc<dyn SessionStore>; 2] = [
        Stores::in_memory().open_sessions().await.unwrap(),
        Arc::new(redis.regional_sessions().unwrap()),
    ];
    // Another fleet's sessions have the same names.
    let beside = redis.regional_sessions().unwrap();
    beside.add(&Region::us(), "one", "somebody").await.unwrap();
    for store in &stores {
        let (us, eu) = (Region::us(), Region::eu());
        for (session, user) in [("one", "anna"), ("two", "anna"), ("three", "zoe")] {
            store.add(&us, session, user).await.unwrap();
        }
        store.add(&eu, "one", "anna").await.unwrap();
        store.end(&us, "two").await.unwrap();
        store.end(&us, "none").await.unwrap();
        store.add(&us, "four", "anna").await.unwrap();
        store.end_others(&us, "anna", Some("four")).await.unwrap();
        store.end_others(&eu, "zoe", None).await.unwrap();
        store.revoke(&us, &Revocation::Token("a".to_owned())).await.unwrap();
        for at in [1_700_000_000_010, 1_700_000_000_005] {
            let before = Revocation::Before { user: "anna".to_owned(), at };
            store.revoke(&us, &before).await.unwrap();
        }
        let mut here = Vec::new();
        for region in regions() {
            for session in ["one", "two", "three", "four", "none"] {
                here.push(format!("{:?}", store.user_of(&region, session).await.unwrap()));
            }
            for (id, user, issued) in [
                ("a", "zoe", 1_700_000_000_020),
                ("b", "anna", 1_700_000_000_009),
                ("b", "anna", 1_700_000_000_010),
                ("b", "zoe", 0),
            ] {
                let (id, user, password) = (id.to_owned(), user.to_owned(), String::new());
                let token = Claims { id, user, issued, expires: u64::MAX, password };
                here.push(format!("{:?}", store.is_revoked(&region, &token).await.unwrap()));
            }
        }
        seen.push(here);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(beside.user_of(&Region::us(), "one").await.unwrap().as_deref(), Some("somebody"));
}

#[tokio::test]
#[ignore = "needs Redis; ci/stores runs it"]
async fn memory_and_redis_hold_the_same_state_of_cells() {
    let redis = servers(Durability::None).await;
    let mut seen = Vec::new();
    let stores: [Arc<dyn CellState>; 2] =
        [Stores::in_memory().open_state().await.unwrap(), Arc::new(redis.cell_state().unwrap())];
    let (us, eu) = (CellId::us(0), CellId::eu(0));
    let ids = [Id::Number(u64::MAX), Id::Local(5), Id::Number(5), Id::Uuid(new_uuid())];
    for store in &stores {
        for id in &ids[..3] {
            store.count(&us, *id, "opened").await.unwrap();
            store.count(&us, *id, "opened").await.unwrap();
        }
        store.count(&us, ids[0], "closed").await.unwrap();
        let moved = store.counters(&us, ids[0]).await.unwrap();
        store.count(&eu, ids[0], "left over").await.unwrap();
        store.put(&eu, ids[0], &moved).await.unwrap();
        store.put(&eu, ids[3], &moved).await.unwrap();
        store.put(&eu, ids[3], &Counters::new()).await.unwrap();
        store.remove(&us, ids[0]).await.unwrap();
        store.remove(&us, ids[3]).await.unwrap();
        let mut here = Vec::new();
        for cell in [&us, &eu] {
            for id in &ids {
                here.push(store.counters(cell, *id).await.unwrap());
            }
        }
        seen.push(here);
    }
    assert_eq!(seen[0], seen[1]);
    let counters = |all: &[(&str, u64)]| -> Counters {
        all.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    };
    assert_eq!(seen[1][4], counters(&[("closed", 1), ("opened", 2)]));
    assert_eq!(seen[1][0], counters(&[]));
}

#[tokio::test]
#[ignore = "needs Redis; ci/stores runs it"]
async fn a_replica_lags_by_its_connection_and_no_other_fleet_s() {
    let redis = servers(Durability::None).await;
    let stores = redis.shared_sessions(&regions(), true).await.unwrap();
    let beside = redis.shared_sessions(&regions(), false).await.unwrap();
    let [us, eu] = regions().map(From::Replica);
    let lagging = BTreeSet::from([Region::eu()]);

    let first = stores.write(&session("before", "anna"), &none()).await.unwrap().unwrap();
    assert_eq!(user_of(&stores, &eu, "before").await.as_deref(), Some("anna"));
    stores.set_lag(&Region::eu(), ReplicationLag::UntilReleased);
    let written = stores.write(&session("one", "anna"), &lagging).await.unwrap().unwrap();
    assert!(first < written);
    for (from, user) in [(&From::Primary, Some("anna")), (&us, Some("anna")), (&eu, None)] {
        assert_eq!(user_of(&stores, from, "one").await.as_deref(), user, "{from:?}");
    }
    let seen = stores.user_of(&eu, "before").await.unwrap();
    assert_eq!(seen.rows.as_deref(), Some("anna"));
    assert!(seen.position < written, "{} {written}", seen.position);
    // Other fleets do not wait for it.
    beside.write(&session("one", "zoe"), &none()).await.unwrap().unwrap();
    assert_eq!(user_of(&beside, &eu, "one").await.as_deref(), Some("zoe"));

    stores.set_lag(&Region::eu(), ReplicationLag::None);
    stores.wait_until_replayed(&Region::eu()).await.unwrap();
    let seen = stores.user_of(&eu, "one").await.unwrap();
    assert_eq!(seen.rows.as_deref(), Some("anna"));
    assert!(seen.position >= written);

    let delay = Duration::from_millis(400);
    stores.set_lag(&Region::eu(), ReplicationLag::For(delay));
    let begun = Instant::now();
    let end = Change::EndOtherSessions { user: "anna".to_owned(), keep: Some("one".to_owned()) };
    stores.write(&end, &lagging).await.unwrap().unwrap();
    assert_eq!(user_of(&stores, &us, "before").await, None);
    assert_eq!(user_of(&stores, &eu, "before").await.as_deref(), Some("anna"));
    stores.wait_until_replayed(&Region::eu()).await.unwrap();
    assert!(begun.elapsed() >= delay, "{:?}", begun.elapsed());
    assert_eq!(user_of(&stores, &eu, "before").await, None);
    assert_eq!(user_of(&stores, &eu, "one").await.as_deref(), Some("anna"));

    // The next fleet has nothing of it, and replicas that do not lag.
    stores.set_lag(&Region::eu(), ReplicationLag::UntilReleased);
    drop(stores);
    let stores = redis.shared_sessions(&regions(), true).await.unwrap();
    stores.write(&session("next", "anna"), &none()).await.unwrap().unwrap();
    assert_eq!(user_of(&stores, &eu, "one").await, None);
    assert_eq!(user_of(&stores, &eu, "next").await.as_deref(), Some("anna"));
    let taken = stores.write(&session("next", "zoe"), &none()).await.unwrap();
    assert_eq!(taken, Err(Conflict::Taken("next".to_owned())));
}

#[tokio::test]
#[ignore = "needs Redis; ci/stores runs it"]
async fn a_killed_server_is_an_error_that_names_it() {
    let redis = servers(Durability::None).await;
    let stores = redis.shared_sessions(&regions(), false).await.unwrap();
    let [us, eu] = regions().map(From::Replica);
    stores.write(&session("one", "anna"), &none()).await.unwrap().unwrap();
    user_of(&stores, &eu, "one").await.unwrap();
    redis.shared.replica(&Region::eu()).await.unwrap().kill();
    let error = stores.user_of(&eu, "one").await.unwrap_err().to_string();
    assert!(error.starts_with("the store `Redis replica eu, database "), "{error}");
    // What the other region reads goes on.
    assert_eq!(user_of(&stores, &us, "one").await.as_deref(), Some("anna"));
    let state = redis.cell_state().unwrap();
    state.count(&CellId::us(1), Id::Number(1), "opened").await.unwrap();
    redis.cells.server(&CellId::us(1)).await.unwrap().kill();
    let error = state.counters(&CellId::us(1), Id::Number(1)).await.unwrap_err().to_string();
    assert!(error.starts_with("the store `Redis cell_us1, database "), "{error}");
    redis.shared.primary().kill();
    for _ in 0..2 {
        let error = stores.write(&session("two", "anna"), &none()).await.unwrap_err().to_string();
        assert!(error.starts_with("the store `Redis primary, database "), "{error}");
    }
}

/// How often the primary is killed.
const KILLS: usize = 20;
/// How many cells write at once.
const WRITERS: usize = 4;

#[tokio::test]
#[ignore = "needs Redis; ci/stores runs it"]
async fn a_primary_killed_in_mid_write_loses_no_session_that_it_acknowledged() {
    let redis = servers(Durability::Full).await;
    let stores = Arc::new(redis.shared_sessions(&[], false).await.unwrap());
    let mut acknowledged = Vec::new();
    for kill in 0..KILLS {
        let write = |writer| {
            let stores = stores.clone();
            async move {
                let mut done = Vec::new();
                for number in 0.. {
                    let name = format!("{kill}-{writer}-{number}");
                    match stores.write(&session(&name, "anna"), &none()).await {
                        Ok(written) => {
                            written.unwrap();
                            done.push(name);
                        }
                        // The server is dead.
                        Err(_) => break,
                    }
                }
                done
            }
        };
        let writers: Vec<_> = (0..WRITERS).map(|writer| tokio::spawn(write(writer))).collect();
        // At another moment each time, so that all steps of a write are met.
        tokio::time::sleep(Duration::from_millis(20 + 3 * (kill as u64 % 11))).await;
        redis.shared.primary().kill();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
        redis.shared.restart_primary().await.unwrap();
    }
    let mut lost = Vec::new();
    for name in &acknowledged {
        if user_of(&stores, &From::Primary, name).await.is_none() {
            lost.push(name);
        }
    }
    eprintln!(
        "{KILLS} kills of the Redis primary, {} sessions acknowledged, {} lost",
        acknowledged.len(),
        lost.len()
    );
    assert!(acknowledged.len() > KILLS, "{}", acknowledged.len());
    assert_eq!(lost, Vec::<&String>::new());
}

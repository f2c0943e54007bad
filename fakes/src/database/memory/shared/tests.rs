use std::time::Duration;

use super::*;

fn database() -> MemoryShared {
    MemoryShared::new([Region::us(), Region::eu()], &[], Outage::default()).unwrap()
}

async fn paused(regions: &[Region]) -> MemoryShared {
    let database = database();
    for region in regions {
        database.set_lag(region, ReplicationLag::UntilReleased).await.unwrap();
    }
    database
}

fn setting(value: &str) -> Change {
    Change::SetSetting { key: "a".to_owned(), value: value.to_owned() }
}

async fn write(database: &MemoryShared, change: Change, spread: Spread) -> Position {
    database.write(change, spread).await.unwrap().unwrap()
}

async fn seen(database: &MemoryShared, from: Server) -> Option<String> {
    database.settings(&from).await.unwrap().rows.get("a").cloned()
}

async fn position(database: &MemoryShared, region: Region) -> Position {
    database.replica_position(&region).await.unwrap()
}

#[tokio::test]
async fn a_region_without_a_replica_reads_the_primary() {
    let database = MemoryShared::new([Region::us()], &[], Outage::default()).unwrap();
    write(&database, setting("1"), Spread::Replicated).await;
    assert_eq!(seen(&database, Server::Replica(Region::eu())).await.as_deref(), Some("1"));
    assert_eq!(position(&database, Region::eu()).await, Position::from(1));
}

#[tokio::test]
async fn a_delayed_replica_has_the_write_once_its_time_has_come() {
    let (database, us) = (database(), Region::us());
    let lag = |delay| database.set_lag(&us, ReplicationLag::For(delay));
    lag(Duration::from_secs(3600)).await.unwrap();
    let position = write(&database, setting("1"), Spread::Replicated).await;
    assert_eq!(seen(&database, Server::Replica(us.clone())).await, None);
    lag(Duration::from_millis(5)).await.unwrap();
    database.wait_until_replayed(&us, position).await.unwrap();
    assert_eq!(seen(&database, Server::Replica(us)).await.as_deref(), Some("1"));
}

#[tokio::test]
async fn what_is_given_is_everywhere_at_once_and_is_not_replayed_twice() {
    let eu = Region::eu();
    let database = paused(&[Region::us(), eu.clone()]).await;
    write(&database, setting("1"), Spread::AtOnce).await;
    assert_eq!(seen(&database, Server::Replica(eu.clone())).await.as_deref(), Some("1"));
    write(&database, setting("2"), Spread::AtOnce).await;
    database.set_lag(&eu, ReplicationLag::None).await.unwrap();
    assert_eq!(seen(&database, Server::Replica(eu)).await.as_deref(), Some("2"));
}

#[tokio::test]
async fn an_older_write_does_not_replace_what_was_given_at_once() {
    let eu = Region::eu();
    let database = paused(std::slice::from_ref(&eu)).await;
    write(&database, setting("older"), Spread::Replicated).await;
    write(&database, setting("given"), Spread::AtOnce).await;
    let seen_in_eu = || seen(&database, Server::Replica(eu.clone()));
    assert_eq!(seen_in_eu().await.as_deref(), Some("given"));
    // The older write is due a long time before the given one.
    database.lock().unwrap().log[1].at += Duration::from_secs(3600);
    database.set_lag(&eu, ReplicationLag::None).await.unwrap();
    assert_eq!(position(&database, eu.clone()).await, Position::from(1));
    assert_eq!(seen_in_eu().await.as_deref(), Some("given"));
    write(&database, setting("latest"), Spread::Replicated).await;
    database.lock().unwrap().log[1].at -= Duration::from_secs(3600);
    assert_eq!(seen_in_eu().await.as_deref(), Some("latest"));
}

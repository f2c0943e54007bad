//! Which connections make room, and when.

use super::*;

const USER: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

#[tokio::test(flavor = "current_thread")]
async fn shutdown_waits_for_the_last_request() {
    let open = Connections::default();
    open.none_left().await;
    let (first, second) = (open.count(USER), open.count(None));
    drop(first);
    assert_eq!(open.number(), 1);
    let waiting = open.none_left();
    drop(second);
    waiting.await;
    let counted = open.count(USER);
    open.end();
    counted.ending().await;
    open.count(None).ending().await;
}

#[tokio::test(flavor = "current_thread")]
async fn the_one_that_waits_longest_makes_room() {
    let open = Connections::default();
    open.make_room(1).await;
    let begun = Instant::now();
    let (first, second, third) = (open.count(USER), open.count(USER), open.count(USER));
    // The first is busy, and waits anew, behind the others; the third is busy.
    tokio::time::sleep(Duration::from_millis(1)).await;
    first.waits().end();
    first.waits().begin();
    third.waits().end();
    for (limit, longest) in [(3, second), (2, first)] {
        let mut waiting = std::pin::pin!(open.make_room(limit));
        tokio::select! {
            biased;
            () = waiting.as_mut() => panic!("there is no room"),
            () = longest.ending() => assert!(longest.is_closing()),
        }
        // A user who has just connected is given time.
        assert!(begun.elapsed() >= GRACE);
        drop(longest);
        waiting.await;
    }
    let mut waiting = std::pin::pin!(open.make_room(1));
    tokio::select! {
        biased;
        () = waiting.as_mut() => panic!("there is no room"),
        () = tokio::task::yield_now() => assert!(!third.is_ending()),
    }
    // Once its response is whole, it makes room as well.
    third.waits().begin();
    tokio::select! {
        biased;
        () = waiting.as_mut() => panic!("there is no room"),
        () = third.ending() => {}
    }
    drop(third);
    waiting.await;
}

#[tokio::test(flavor = "current_thread")]
async fn an_address_has_its_own_limit() {
    let open = Connections::default();
    let address = IpAddr::from([127, 0, 0, 1]);
    let first = open.count(Some(address));
    first.waits().end();
    assert!(open.admits(address, 2) && !open.admits(address, 1));
    assert!(open.admits(IpAddr::from([127, 0, 0, 2]), 1));
    first.waits().begin();
    assert!(open.admits(address, 1) && first.is_closing());
    drop(first);
    assert!(open.admits(address, 1));
}

//! A fleet whose ids are of a kind that no strategy draws today.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use uuid::Uuid;

use crate::database::seed::Seed;
use crate::database::store::{OpenStores, StoreFactory};
use crate::database::stores::Stores;
use crate::ids::{Drawn, IdAllocator, IdCounters, IdSetup};
use crate::population::Visibility;
use crate::rows::{Id, IdTable, OpenError, StoreError};
use crate::{Casting, CellId, Event, FleetPlan, Installation, Journal, Protocol};

/// Ids of one kind, counted from 1 on for all cells together.
#[derive(Debug)]
struct Counting {
    last: AtomicU64,
    kind: fn(u64) -> Id,
}

#[async_trait]
impl IdAllocator for Counting {
    async fn draw(&self, _cell: &CellId, _table: IdTable) -> Result<Drawn, StoreError> {
        Ok((self.kind)(self.last.fetch_add(1, Ordering::Relaxed) + 1).into())
    }
}

#[derive(Debug)]
struct Factory(fn(u64) -> Id);

#[async_trait]
impl StoreFactory for Factory {
    fn name(&self) -> &str {
        "memory with other ids"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        Stores::in_memory().open(seed).await
    }

    fn allocator(&self, _setup: &IdSetup, _counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
        Arc::new(Counting { last: AtomicU64::new(0), kind: self.0 })
    }
}

#[tokio::test]
async fn every_kind_of_id_goes_through_the_cells_and_the_journal() {
    let kinds: [fn(u64) -> Id; 3] =
        [Id::Number, Id::Local, |number| Id::Uuid(Uuid::from_u128(number.into()))];
    for kind in kinds {
        let (journal, casting) = (Arc::new(Journal::default()), Arc::new(Casting::default()));
        let plan = FleetPlan {
            stores: Stores::from_factory(Factory(kind)),
            ..FleetPlan::documents(Protocol::Buffering)
        };
        let installation = Installation::new(&plan, journal.clone(), casting).await.unwrap();
        for expected in [kind(1), kind(2)] {
            let path = format!("made-{}", expected.to_string().replace(':', "-"));
            let made = installation.create_namespace(&path, None, Visibility::Public).await;
            assert_eq!(made, Ok(expected));
        }
        let drawn: Vec<_> = journal
            .entries()
            .into_iter()
            .filter_map(|entry| match entry.event {
                Event::IdAllocated(allocation) => Some(allocation),
                _ => None,
            })
            .collect();
        assert_eq!(drawn.iter().map(|drawn| drawn.id).collect::<Vec<_>>(), [kind(1), kind(2)]);
        assert!(drawn.iter().all(|drawn| drawn.cell == CellId::us(0)));
    }
}

//! UUIDs next to numbers (*Cells: Database Sequences* 3.1).

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use uuid::Uuid;

use super::allocator::{Drawn, IdAllocator};
use super::counters::IdCounters;
use crate::CellId;
use crate::rows::{Id, IdTable, StoreError};

/// A UUID for each row, and next to it a number that counts on the cell alone, as sequences do
/// today. The number leads to no row.
#[derive(Debug)]
pub(super) struct Uuids {
    counters: Arc<dyn IdCounters>,
}

impl Uuids {
    pub(super) fn new(counters: Arc<dyn IdCounters>) -> Self {
        Self { counters }
    }
}

/// A UUID of version 7 (RFC 9562 5.7): the time in front, so that an index grows at its end.
pub fn new_uuid() -> Uuid {
    // A clock before 1970 gives the earliest UUIDs, which are random all the same.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

#[async_trait]
impl IdAllocator for Uuids {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        let number = 1 + self.counters.count(cell, table, 1).await?;
        Ok(Drawn { number: Some(number), ..Id::Uuid(new_uuid()).into() })
    }
}

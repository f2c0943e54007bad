//! The counters behind ids on PostgreSQL: those of a cell in its `gitlab_main`, those of the
//! installation and the record of ranges in `gitlab_routes`.

use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::store::IdCounters;
use cell_fleet::{CellId, IdRange, IdTable, StoreError};

use super::link::Link;
use super::migrations::Kind;
use super::own::PostgresOwn;
use super::rows::{Columns, bigint};
use super::shared::PostgresShared;

/// The counters of one installation.
#[derive(Debug)]
pub(super) struct PostgresCounters {
    shared: Arc<PostgresShared>,
    own: Arc<PostgresOwn>,
}

impl PostgresCounters {
    pub(super) fn new(shared: Arc<PostgresShared>, own: Arc<PostgresOwn>) -> Self {
        Self { shared, own }
    }

    /// The database with what all cells share.
    fn central(&self) -> Result<&Link, StoreError> {
        self.shared.primary(Kind::Routes)
    }
}

/// A number that a column holds.
fn unsigned(link: &Link, number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| link.strange(format!("the number {number} is below 0")))
}

#[async_trait]
impl IdCounters for PostgresCounters {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        let link = self.own.main(cell)?;
        let failed = |error| link.failed(&error);
        let sql = "INSERT INTO id_counters AS counter (table_name, next_value) \
                   VALUES ($1, $2::bigint) ON CONFLICT (table_name) \
                   DO UPDATE SET next_value = counter.next_value + $2::bigint \
                   RETURNING next_value - $2::bigint";
        let client = link.get().await?;
        let row = client.query_one(sql, &[&table.as_str(), &bigint(by)]).await.map_err(failed)?;
        unsigned(link, row.try_get(0).map_err(failed)?)
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        let link = self.central()?;
        let failed = |error| link.failed(&error);
        let mut client = link.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        // The counter's row is locked until the record has the range, so that both are there or
        // neither is.
        let sql = "INSERT INTO id_counters AS counter (table_name, next_id) \
                   VALUES ($1, $2::bigint + $3::bigint) ON CONFLICT (table_name) \
                   DO UPDATE SET next_id = counter.next_id + $3::bigint \
                   RETURNING next_id - $3::bigint";
        let (first, size_column) = (bigint(first), bigint(size));
        let row = transaction
            .query_one(sql, &[&table.as_str(), &first, &size_column])
            .await
            .map_err(failed)?;
        let first = unsigned(link, row.try_get(0).map_err(failed)?)?;
        let range = IdRange { first, last: first + (size - 1) };
        let sql = "INSERT INTO id_ranges (table_name, first_id, last_id, cell_id) \
                   VALUES ($1, $2, $3, $4)";
        let (first, last) = (bigint(range.first), bigint(range.last));
        transaction
            .execute(sql, &[&table.as_str(), &first, &last, &cell.to_string()])
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(range)
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        // No column holds a greater number.
        let Ok(number) = i64::try_from(number) else { return Ok(None) };
        let link = self.central()?;
        let client = link.get().await?;
        let sql = "SELECT cell_id FROM ( \
                       SELECT cell_id, last_id FROM id_ranges \
                       WHERE table_name = $1 AND first_id <= $2 ORDER BY first_id DESC LIMIT 1 \
                   ) AS nearest WHERE last_id >= $2";
        let row = client.query_opt(sql, &[&table.as_str(), &number]).await;
        let row = row.map_err(|error| link.failed(&error))?;
        row.map(|row| Columns { row: &row, link }.cell()).transpose()
    }
}

//! The counters behind ids on PostgreSQL: those of a cell in its `gitlab_main`, those of the
//! installation and the record of ranges in `gitlab_routes`.

use async_trait::async_trait;
use cell_fleet::store::IdCounters;
use cell_fleet::{CellId, IdRange, IdTable, Stored};

use super::Both;
use super::kind::Kind;
use super::link::Values;
use super::rows::bigint;

#[async_trait]
impl IdCounters for Both {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Stored<u64> {
        let sql = "INSERT INTO id_counters AS counter (table_name, next_value) \
                   VALUES ($1, $2::bigint) ON CONFLICT (table_name) \
                   DO UPDATE SET next_value = counter.next_value + $2::bigint \
                   RETURNING next_value - $2::bigint AS counted";
        let values: Values<'_> = &[&table.as_str(), &bigint(by)];
        self.own.main(cell)?.one(sql, values, |columns| columns.unsigned("counted")).await
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Stored<IdRange> {
        let link = self.shared.primary(Kind::Routes)?;
        let mut client = link.get().await?;
        let writing = link.begin(&mut client).await?;
        // The counter's row is locked until the record has the range, so that both are there or
        // neither is.
        let sql = "INSERT INTO id_counters AS counter (table_name, next_id) \
                   VALUES ($1, $2::bigint + $3::bigint) ON CONFLICT (table_name) \
                   DO UPDATE SET next_id = counter.next_id + $3::bigint \
                   RETURNING next_id - $3::bigint AS first_id";
        let values: Values<'_> = &[&table.as_str(), &bigint(first), &bigint(size)];
        let first = writing.one(sql, values, |columns| columns.unsigned("first_id")).await?;
        let range = IdRange { first, last: first + (size - 1) };
        let sql = "INSERT INTO id_ranges (table_name, first_id, last_id, cell_id) \
                   VALUES ($1, $2, $3, $4)";
        let (first, last) = (bigint(range.first), bigint(range.last));
        writing.execute(sql, &[&table.as_str(), &first, &last, &cell.to_string()]).await?;
        writing.commit().await?;
        Ok(range)
    }

    async fn holder(&self, table: IdTable, number: u64) -> Stored<Option<CellId>> {
        // No column holds a greater number.
        let Ok(number) = i64::try_from(number) else { return Ok(None) };
        let sql = "SELECT cell_id FROM ( \
                       SELECT cell_id, last_id FROM id_ranges \
                       WHERE table_name = $1 AND first_id <= $2 ORDER BY first_id DESC LIMIT 1 \
                   ) AS nearest WHERE last_id >= $2";
        let values: Values<'_> = &[&table.as_str(), &number];
        self.shared.primary(Kind::Routes)?.first(sql, values, |columns| columns.cell()).await
    }
}

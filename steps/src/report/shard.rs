//! What is said of a shard.

use crate::engine::record::RunRecord;

/// The line that concludes a shard; `None` for a whole run.
pub fn shard_line(record: &RunRecord) -> Option<String> {
    let shard = record.run.part.as_ref()?.shard()?;
    let conclusion = record.conclusion;
    let is_empty = record.scenarios.is_empty();
    let empty = if is_empty { ": there are fewer scenarios than shards" } else { "" };
    Some(format!("{shard}: {conclusion}{empty} (`cells-conformance merge` draws the conclusion)"))
}

//! The state of cells: a hash of counters for each project, on its own server for each cell.

use async_trait::async_trait;
use cell_fleet::store::{CellState, Counters};
use cell_fleet::{CellId, Id, Stored};

use super::alone::Databases;

/// The state of the cells of one fleet.
#[derive(Debug)]
pub(crate) struct RedisState(pub(super) Databases<CellId>);

fn key(project: Id) -> String {
    format!("project:{project}")
}

#[async_trait]
impl CellState for RedisState {
    async fn count(&self, cell: &CellId, project: Id, counter: &str) -> Stored<()> {
        let mut command = ::redis::cmd("HINCRBY");
        command.arg(key(project)).arg(counter).arg(1);
        self.0.of(cell).await?.ask(&command).await
    }

    async fn counters(&self, cell: &CellId, project: Id) -> Stored<Counters> {
        let mut command = ::redis::cmd("HGETALL");
        command.arg(key(project));
        self.0.of(cell).await?.ask(&command).await
    }

    async fn put(&self, cell: &CellId, project: Id, counters: &Counters) -> Stored<()> {
        let mut commands = ::redis::pipe();
        commands.atomic().cmd("DEL").arg(key(project));
        if !counters.is_empty() {
            let set = commands.cmd("HSET").arg(key(project));
            for (counter, number) in counters {
                set.arg(counter).arg(*number);
            }
        }
        self.0.of(cell).await?.ask_all::<::redis::Value>(&commands).await.map(drop)
    }

    async fn remove(&self, cell: &CellId, project: Id) -> Stored<()> {
        let mut command = ::redis::cmd("DEL");
        command.arg(key(project));
        self.0.of(cell).await?.ask(&command).await
    }
}

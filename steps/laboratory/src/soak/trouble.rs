//! What happens to the cells during a soak: they stop and come back, restart, and an organization
//! moves between them.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use cell_fleet::{CellId, Fleet};

use conformance_suite::stage::Stop;

/// When a load ends: at its time, or when the measurement is stopped.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) at: Instant,
    pub(super) stop: Stop,
}

impl End {
    pub(super) fn is_here(&self) -> bool {
        Instant::now() >= self.at || self.stop.reason().is_some()
    }
}

/// The organization that moves, and a page of it.
const ORGANIZATION: &str = "my-organization";
/// A page that moves with its organization.
pub(super) const MOVING: &str = "/my-company/handbook";
const DOWN: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_secs(2);
/// After a cell is back, the router may still be busy with what broke off.
const AFTERMATH: Duration = Duration::from_secs(1);

/// When the latest trouble of a kind began and ended.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    began: Option<Instant>,
    ended: Option<Instant>,
}

impl Times {
    /// Whether it was there at any time between these two, or shortly before.
    fn touches(&self, from: Instant, until: Instant, after: Duration) -> bool {
        let Some(began) = self.began else { return false };
        // One that is not over began after the latest end.
        let over = self.ended.filter(|ended| *ended >= began);
        began <= until && over.is_none_or(|ended| ended + after >= from)
    }
}

#[derive(Debug, Default)]
pub(super) struct Trouble {
    outage: Mutex<Times>,
    moves: Mutex<Times>,
}

impl Trouble {
    /// Whether a cell was down, or had just been, at any time between these two.
    pub(super) fn was_down(&self, from: Instant, until: Instant) -> bool {
        lock(&self.outage).touches(from, until, AFTERMATH)
    }

    /// Whether the organization moved between these two times, or so shortly before the first one
    /// that an entry may be older than the move.
    pub(super) fn has_moved(&self, from: Instant, until: Instant, ttl: Duration) -> bool {
        lock(&self.moves).touches(from, until, ttl + AFTERMATH)
    }

    /// Makes trouble in a fixed order until `until`; returns the number of events.
    pub(super) async fn make(&self, fleet: &Fleet, until: &End) -> Result<u64, String> {
        let mut events = 0;
        let turns = [
            Event::Stops(CellId::eu(0)),
            Event::Restarts(CellId::us(1)),
            Event::Moves(CellId::us(0)),
            Event::Stops(CellId::us(0)),
            Event::Restarts(CellId::eu(1)),
            Event::Moves(CellId::eu(0)),
        ];
        for event in turns.iter().cycle() {
            tokio::time::sleep(PAUSE).await;
            if until.is_here() || Instant::now() + DOWN + AFTERMATH >= until.at {
                break;
            }
            self.happens(event, fleet).await?;
            events += 1;
        }
        Ok(events)
    }

    async fn happens(&self, event: &Event, fleet: &Fleet) -> Result<(), String> {
        let times = match event {
            Event::Moves(_) => &self.moves,
            Event::Stops(_) | Event::Restarts(_) => &self.outage,
        };
        lock(times).began = Some(Instant::now());
        match event {
            Event::Stops(cell) => {
                fleet.take_down(cell).await.map_err(|error| error.to_string())?;
                tokio::time::sleep(DOWN).await;
                fleet.bring_back(cell).await.map_err(|error| error.to_string())?;
            }
            Event::Restarts(cell) => {
                fleet.restart(cell).await.map_err(|error| error.to_string())?;
            }
            Event::Moves(cell) => {
                let moved = fleet.move_organization(ORGANIZATION, cell).await;
                moved.map_err(|error| error.to_string())?;
            }
        }
        lock(times).ended = Some(Instant::now());
        Ok(())
    }
}

enum Event {
    Stops(CellId),
    Restarts(CellId),
    Moves(CellId),
}

fn lock(times: &Mutex<Times>) -> MutexGuard<'_, Times> {
    // No code panics between two writes.
    times.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_touches_what_overlaps_it_or_comes_shortly_after() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let second = Duration::from_secs(1);
        let over = Times { began: Some(at(10)), ended: Some(at(12)) };
        assert!(!over.touches(at(8), at(9), second));
        assert!(over.touches(at(9), at(10), second));
        assert!(over.touches(at(11), at(11), second));
        assert!(over.touches(at(13), at(14), second));
        assert!(!over.touches(at(14), at(15), second));
        let lasting = Times { began: Some(at(20)), ended: Some(at(12)) };
        assert!(lasting.touches(at(100), at(101), second));
        assert!(!lasting.touches(at(15), at(19), second));
        assert!(!Times::default().touches(at(0), at(100), second));
    }
}

//! Servers that nothing follows: one for each region, or for each cell.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use cell_fleet::Stored;
use tokio::sync::Mutex;

use super::link::Link;
use super::numbers::{Number, Numbers};
use super::server::Server;
use crate::durability::Durability;
use crate::on_demand::OnDemand;
use crate::programs::Place;

/// Servers by what they are for. A server is started when a fleet first uses it.
#[derive(Debug)]
pub(super) struct Alone<K> {
    servers: OnDemand<K, Server>,
    numbers: Arc<Numbers>,
    place: Arc<Place>,
}

impl<K: Ord + Clone + Display + Send + 'static> Alone<K> {
    pub(super) fn new(place: Arc<Place>) -> Self {
        Self { servers: OnDemand::default(), numbers: Arc::default(), place }
    }

    /// The server of a region or a cell.
    pub(super) async fn server(&self, of: &K) -> Stored<Arc<Server>> {
        let (place, name) = (self.place.clone(), format!("Redis {of}"));
        self.servers.get(of, move || Server::start(&place, name, Durability::None)).await
    }

    /// An empty database of one fleet on each server.
    pub(super) fn open(self: &Arc<Self>) -> Stored<Databases<K>> {
        let (number, links) = (self.numbers.take()?, Mutex::default());
        Ok(Databases { links, number, of: self.clone() })
    }
}

/// The databases of one fleet.
#[derive(Debug)]
pub(super) struct Databases<K> {
    links: Mutex<BTreeMap<K, Arc<Link>>>,
    number: Number,
    of: Arc<Alone<K>>,
}

impl<K: Ord + Clone + Display + Send + 'static> Databases<K> {
    /// The database of a region or a cell, which is empty at first.
    pub(super) async fn of(&self, key: &K) -> Stored<Arc<Link>> {
        let mut links = self.links.lock().await;
        if let Some(link) = links.get(key) {
            return Ok(link.clone());
        }
        let link = Link::new(&*self.of.server(key).await?, self.number.get())?;
        link.clear().await?;
        let link = Arc::new(link);
        links.insert(key.clone(), link.clone());
        Ok(link)
    }
}

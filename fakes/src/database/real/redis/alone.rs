//! Servers that nothing follows: one for each region, or for each cell.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::link::Link;
use super::numbers::{Number, Numbers};
use super::server::{Place, Server};
use crate::database::error::StoreError;
use crate::database::real::Durability;

/// Servers by what they are for. A server is started when a fleet first uses it.
#[derive(Debug)]
pub(super) struct Alone<K> {
    servers: Mutex<BTreeMap<K, Arc<Server>>>,
    numbers: Arc<Numbers>,
    place: Arc<Place>,
}

impl<K: Ord + Clone + Display> Alone<K> {
    pub(super) fn new(place: Arc<Place>) -> Self {
        Self { servers: Mutex::default(), numbers: Arc::default(), place }
    }

    /// The server of a region or a cell.
    pub(super) async fn server(&self, of: &K) -> Result<Arc<Server>, StoreError> {
        let mut servers = self.servers.lock().await;
        if let Some(server) = servers.get(of) {
            return Ok(server.clone());
        }
        let name = format!("Redis {of}");
        let made = Server::start(self.place.clone(), name, Durability::None).await?;
        let server = Arc::new(made);
        servers.insert(of.clone(), server.clone());
        Ok(server)
    }

    /// An empty database of one fleet on each server.
    pub(super) fn open(self: &Arc<Self>) -> Result<Databases<K>, StoreError> {
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

impl<K: Ord + Clone + Display> Databases<K> {
    /// The database of a region or a cell, which is empty at first.
    pub(super) async fn of(&self, key: &K) -> Result<Arc<Link>, StoreError> {
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

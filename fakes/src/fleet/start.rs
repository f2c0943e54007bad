//! The addresses that a fleet listens on, and why it may not start.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::plan::ScriptError;
use crate::population::PopulationError;
use crate::rows::{OpenError, StoreError};
use crate::server::bind;
use crate::{CellId, PlanError, Topology};

/// The addresses that the cells of a fleet listen on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Listen {
    /// Free ports of 127.0.0.1, chosen by the operating system.
    Ephemeral,
    /// Consecutive ports of one address: the first cell of the topology listens on `first_port`.
    /// Binding the ports reserves the address for the process that starts the fleet.
    At {
        /// The address.
        ip: Ipv4Addr,
        /// The first cell's port.
        first_port: u16,
    },
    /// These addresses, one for each cell, in the order of the topology.
    Fixed(Vec<SocketAddr>),
}

impl Listen {
    /// The address of each cell.
    fn addresses(&self, cells: usize) -> Result<Vec<SocketAddr>, StartError> {
        match self {
            Self::Ephemeral => Ok(vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0)); cells]),
            Self::At { ip, first_port } => {
                let port = |index| {
                    u16::try_from(index).ok().and_then(|index| first_port.checked_add(index))
                };
                let ports: Option<Vec<_>> = (0..cells).map(port).collect();
                let ports =
                    ports.ok_or(StartError::TooFewPorts { first_port: *first_port, cells })?;
                Ok(ports.into_iter().map(|port| SocketAddr::new(IpAddr::V4(*ip), port)).collect())
            }
            Self::Fixed(addresses) if addresses.len() == cells => Ok(addresses.clone()),
            Self::Fixed(addresses) => {
                Err(StartError::AddressesDoNotMatch { addresses: addresses.len(), cells })
            }
        }
    }

    /// Binds a listener for each cell, and says where each listens.
    pub(super) fn bind(
        &self,
        topology: &Topology,
    ) -> Result<Vec<(CellId, SocketAddr, TcpListener)>, StartError> {
        let addresses = self.addresses(topology.cells.len())?;
        let bound =
            topology.cells.iter().cloned().zip(addresses).map(|(cell, address)| {
                match bind(address).and_then(|listener| Ok((listener.local_addr()?, listener))) {
                    Ok((at, listener)) => Ok((cell, at, listener)),
                    Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                        Err(StartError::AddressInUse { cell, address })
                    }
                    Err(error) => Err(StartError::Bind { cell, address, error }),
                }
            });
        bound.collect()
    }
}

/// Why a fleet did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no tokio runtime.
    #[error("the fleet did not start: it must be started inside a tokio runtime")]
    NoRuntime,
    /// The plan contradicts its topology.
    #[error("the fleet did not start: {0}")]
    Plan(#[source] PlanError),
    /// A script is not valid.
    #[error("the fleet did not start: {0}")]
    Script(#[source] ScriptError),
    /// The population contradicts itself or the topology.
    #[error("the fleet did not start: {0}")]
    Population(#[source] PopulationError),
    /// A store behind the cells failed.
    #[error("the fleet did not start: {0}")]
    Store(#[source] StoreError),
    /// Another process listens on a cell's address. Another address may be free.
    #[error("the fleet did not start: {address}, the address of {cell}, is in use")]
    AddressInUse { cell: CellId, address: SocketAddr },
    /// A cell's address cannot be bound for another reason.
    #[error("the fleet did not start: {address}, the address of {cell}, cannot be bound: {error}")]
    Bind {
        cell: CellId,
        address: SocketAddr,
        /// The operating system's reason.
        #[source]
        error: io::Error,
    },
    #[error(
        "the fleet did not start: there are fewer than {cells} ports from {first_port} up; use a lower port"
    )]
    TooFewPorts {
        /// The first cell's port.
        first_port: u16,
        /// How many cells there are.
        cells: usize,
    },
    /// The number of addresses differs from the number of cells.
    #[error("the fleet did not start: there are {cells} cells but {addresses} addresses")]
    AddressesDoNotMatch {
        /// How many addresses there are.
        addresses: usize,
        /// How many cells there are.
        cells: usize,
    },
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Seed(conflict) => Self::Population(PopulationError(conflict.to_string())),
            OpenError::Store(error) => Self::Store(error),
        }
    }
}

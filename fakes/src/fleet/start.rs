//! Where a fleet listens, and what can keep it from starting.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::database::StoreError;
use crate::plan::PlanError;
use crate::population::PopulationError;
use crate::rails::InstallationError;
use crate::script::ScriptError;
use crate::server::bind;
use crate::{CellId, Topology};

/// Where the cells of a fleet listen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Listen {
    /// On free ports of 127.0.0.1, chosen by the system.
    Ephemeral,
    /// On consecutive ports of one address: the first cell of the topology on `first_port`. Binding
    /// them reserves the address for whoever starts the fleet.
    At {
        /// The address.
        ip: Ipv4Addr,
        /// The first cell's port.
        first_port: u16,
    },
    /// On these addresses, one for each cell, in the order of the topology.
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

    /// Binds a listener for each cell.
    pub(super) fn bind(
        &self,
        topology: &Topology,
    ) -> Result<Vec<(CellId, TcpListener)>, StartError> {
        let addresses = self.addresses(topology.cells.len())?;
        let bound =
            topology.cells.iter().zip(addresses).map(|(cell, address)| match bind(address) {
                Ok(listener) => Ok((cell.clone(), listener)),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    Err(StartError::AddressInUse { cell: cell.clone(), address })
                }
                Err(error) => Err(StartError::Bind { cell: cell.clone(), address, error }),
            });
        bound.collect()
    }
}

/// Why a fleet did not start.
#[derive(Debug)]
pub enum StartError {
    /// There is no tokio runtime to serve in.
    NoRuntime,
    /// The plan contradicts its topology.
    Plan(PlanError),
    /// A script cannot be followed.
    Script(ScriptError),
    /// The population contradicts itself or the topology.
    Population(PopulationError),
    /// A database behind the cells failed.
    Store(StoreError),
    /// Somebody else listens on a cell's address: another may be free.
    AddressInUse {
        /// The cell.
        cell: CellId,
        /// The address.
        address: SocketAddr,
    },
    /// A cell's address cannot be bound for another reason.
    Bind {
        /// The cell.
        cell: CellId,
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        error: io::Error,
    },
    /// A bound listener does not know its address.
    NoAddress {
        /// The cell.
        cell: CellId,
        /// The system's reason.
        error: io::Error,
    },
    /// The ports from the first one up are fewer than the cells.
    TooFewPorts {
        /// The first cell's port.
        first_port: u16,
        /// How many cells there are.
        cells: usize,
    },
    /// The list of addresses is longer or shorter than the list of cells.
    AddressesDoNotMatch {
        /// How many addresses there are.
        addresses: usize,
        /// How many cells there are.
        cells: usize,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fleet did not start: ")?;
        match self {
            Self::NoRuntime => f.write_str("it must be started from within a tokio runtime"),
            Self::Plan(error) => error.fmt(f),
            Self::Script(error) => error.fmt(f),
            Self::Population(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::AddressInUse { cell, address } => {
                write!(f, "{address}, the address of {cell}, is in use")
            }
            Self::Bind { cell, address, error } => {
                write!(f, "{address}, the address of {cell}, cannot be bound: {error}")
            }
            Self::NoAddress { cell, error } => {
                write!(f, "the address of {cell} is unknown: {error}")
            }
            Self::TooFewPorts { first_port, cells } => {
                write!(f, "there are no {cells} ports from {first_port} up")
            }
            Self::AddressesDoNotMatch { addresses, cells } => {
                write!(f, "there are {cells} cells but {addresses} addresses")
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Plan(error) => Some(error),
            Self::Script(error) => Some(error),
            Self::Population(error) => Some(error),
            Self::Store(error) => Some(error),
            Self::Bind { error, .. } | Self::NoAddress { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<InstallationError> for StartError {
    fn from(error: InstallationError) -> Self {
        match error {
            InstallationError::Population(error) => Self::Population(error),
            InstallationError::Store(error) => Self::Store(error),
        }
    }
}

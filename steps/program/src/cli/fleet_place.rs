//! Where a fleet listens, as the command line says it.

use std::net::Ipv4Addr;

use cell_fleet::check_host;
use clap::Args;

use conformance_suite::stage::FleetPlace;

/// Why `0.0.0.0` alone is not enough.
pub(super) const NO_HOST: &str = concat!(
    "with `--bind 0.0.0.0`, routers need to be told where the cells are: add ",
    "`--advertise HOST`"
);

/// The options that say where the cells listen and where routers reach them.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PlaceOptions {
    /// Address on which the cells listen, for routers in containers or on other machines; 0.0.0.0
    /// is every address of this machine
    #[arg(long, value_name = "ADDR")]
    bind: Option<Ipv4Addr>,
    /// Host under which routers reach the cells, a name or an address, if it is another one than
    /// the cells listen on
    #[arg(long, value_name = "HOST", value_parser = host)]
    advertise: Option<String>,
}

/// Reads a host on the command line.
pub(super) fn host(text: &str) -> Result<String, String> {
    check_host(text).map_err(|error| error.to_string())
}

impl PlaceOptions {
    /// The place that the options name.
    ///
    /// # Errors
    ///
    /// Where routers would be told an address that leads nowhere.
    pub(super) fn place(&self) -> Result<FleetPlace, String> {
        if self.bind.is_some_and(|bind| bind.is_unspecified()) && self.advertise.is_none() {
            return Err(NO_HOST.to_owned());
        }
        Ok(self.chosen())
    }

    /// The place that the options name, where a topology file says where routers reach the cells.
    pub(super) fn chosen(&self) -> FleetPlace {
        FleetPlace { bind: self.bind, advertise: self.advertise.clone() }
    }

    /// The given options, a word each.
    pub(super) fn words(&self) -> Vec<String> {
        let bind = self.bind.iter().flat_map(|_| ["--bind", "$BIND"]);
        let advertise = self.advertise.iter().flat_map(|_| ["--advertise", "$ADVERTISE"]);
        bind.chain(advertise).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_everywhere_needs_a_host_to_advertise() {
        let bind = Some(Ipv4Addr::UNSPECIFIED);
        let why = PlaceOptions { bind, advertise: None }.place().unwrap_err();
        assert!(why.contains("--advertise"), "{why}");
        let options = PlaceOptions { bind, advertise: Some("suite.example".to_owned()) };
        let place = options.place().unwrap();
        assert_eq!(place.advertise.as_deref(), Some("suite.example"));
        assert_eq!(options.words(), ["--bind", "$BIND", "--advertise", "$ADVERTISE"]);
        assert!(PlaceOptions::default().place().is_ok());
    }

    #[test]
    fn a_host_has_no_scheme_and_no_port() {
        assert!(host("http://a").is_err() && host("a:1").is_err() && host("a.example").is_ok());
    }
}

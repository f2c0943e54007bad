//! The time of a round trip between the regions.

use std::str::FromStr;
use std::time::Duration;

use cell_fleet::Region;

/// The time of a round trip between the two regions of the documents, as `eu-us=60ms`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rtt(pub Duration);

impl Rtt {
    /// In milliseconds.
    pub fn ms(self) -> f64 {
        self.0.as_secs_f64() * 1e3
    }
}

impl FromStr for Rtt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "expected two regions and a time, like eu-us=60ms";
        let (regions, time) = text.split_once('=').ok_or(form)?;
        let (one, other) = regions.split_once('-').ok_or(form)?;
        let region = |text: &str| text.parse::<Region>().map_err(|_| form.to_owned());
        let mut both = [region(one)?, region(other)?];
        both.sort();
        if both != [Region::eu(), Region::us()] {
            return Err(format!("the regions of the documents are eu and us, not {regions}"));
        }
        humantime::parse_duration(time).map(Self).map_err(|error| format!("{time}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_trip_names_both_regions_and_a_time() {
        let expected = Ok(Rtt(Duration::from_millis(80)));
        for text in ["eu-us=80ms", "us-eu=80ms", "EU-US=80ms", "eu-us=80000us"] {
            assert_eq!(text.parse(), expected, "{text}");
        }
        for text in ["80ms", "eu-us", "eu=80ms", "eu-ap=80ms", "eu-eu=1ms", "eu-us=80"] {
            assert!(text.parse::<Rtt>().is_err(), "{text}");
        }
    }
}

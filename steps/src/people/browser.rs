//! What browsers say of themselves. Some people use one; the others send nothing that a step does not
//! name. So a router meets short requests as well as those with a browser's many fields, whatever the
//! scenario is about.

const OWNERS: [&str; 3] = ["gabe", "nina", "olga"];

/// Fields that say nothing about what is asked for.
const FIELDS: [(&str, &str); 17] = [
    ("Accept-Language", "nb-NO, nb;q=0.9, en;q=0.7"),
    ("DNT", "1"),
    ("Downlink", "1.35"),
    ("ECT", "4g"),
    ("Priority", "u=0, i"),
    ("RTT", "50"),
    ("Save-Data", "on"),
    ("Sec-CH-UA", "\"Chromium\";v=\"130\", \"Not?A_Brand\";v=\"99\""),
    ("Sec-CH-UA-Mobile", "?0"),
    ("Sec-CH-UA-Platform", "\"Linux\""),
    ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Site", "same-origin"),
    ("Sec-Fetch-User", "?1"),
    ("Sec-GPC", "1"),
    ("Upgrade-Insecure-Requests", "1"),
    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Example/130.0"),
];

/// Adds what a person's browser says, but for the fields that are there already.
pub(super) fn complete(person: &str, fields: &mut Vec<(String, String)>) {
    if !OWNERS.contains(&person) {
        return;
    }
    for (name, value) in FIELDS {
        if !fields.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
            fields.push((name.to_owned(), value.to_owned()));
        }
    }
}

/// The fields as lines of a head.
pub(super) fn lines() -> String {
    FIELDS.map(|(name, value)| format!("{name}: {value}")).join("\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_adds_what_the_request_does_not_say() {
        let mut own = vec![("user-agent".to_owned(), "curl".to_owned())];
        complete("nina", &mut own);
        assert_eq!(own.len(), FIELDS.len());
        let agents = own.iter().filter(|(name, _)| name.eq_ignore_ascii_case("user-agent"));
        assert_eq!(agents.map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["curl"]);
    }
}

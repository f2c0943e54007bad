//! A number with the word for what it counts.

/// `1 scenario`, `3 scenarios`, `2 entries`.
pub fn counted(count: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_no_plural() {
        assert_eq!(counted(0, "scenario"), "0 scenarios");
        assert_eq!(counted(1, "scenario"), "1 scenario");
        assert_eq!(counted(2, "known failure"), "2 known failures");
        assert_eq!(counted(2, "entry"), "2 entries");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(3, "way"), "3 ways");
    }
}

use super::*;
use crate::trace::made::carried;

fn judged(sent: &[(&str, &str)], came: &[(&str, &str)]) -> Proof {
    copies_carry_fields(&carried(sent, came))
}

#[test]
fn a_line_that_is_lost_and_a_value_that_changed_are_told_apart() {
    let sent = [("X-A", "1"), ("X-B", "x"), ("X-A", "2")];
    let lost = carried(&sent, &[("X-A", "1"), ("X-B", "x")]);
    assert!(copies_keep_lines(&lost).is_err());
    assert!(copies_keep_values(&lost).is_ok());
    let changed = carried(&sent, &[("X-A", "1"), ("X-A", "3"), ("X-B", "x")]);
    assert!(copies_keep_lines(&changed).is_ok());
    assert!(copies_keep_values(&changed).is_err());
    let both = carried(&sent, &[("X-A", "1"), ("X-A", "3")]);
    assert!(copies_keep_lines(&both).is_err());
    assert!(copies_keep_values(&both).is_err());
}

#[test]
fn hop_by_hop_fields_need_not_arrive() {
    let sent = [
        ("Connection", "close, X-Own"),
        ("X-Own", "1"),
        ("Host", "a"),
        ("Via", "1.0 first"),
        ("X-Forwarded-For", "::1"),
        ("X_Real_IP", "::1"),
    ];
    assert!(judged(&sent, &[("via", "1.0 first, 1.1 router")]).is_ok());
    assert!(judged(&sent, &[("via", "1.0 first")]).is_ok());
    assert!(judged(&sent, &[("via", "1.1 router")]).is_err());
}

use super::super::sample;
use super::*;

#[test]
fn hostile_text_neither_makes_markup_nor_breaks_a_table() {
    let text = render(&sample::hostile());
    let mut fence = None;
    let mut columns = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => continue,
            None => {}
        }
        assert!(
            fence.is_some() || !line.replace("\\<", "").contains("<script") || line.contains('`'),
            "{line}"
        );
        let bars = line.replace("\\|", "").matches('|').count();
        if line.starts_with('|') {
            assert_eq!(*columns.get_or_insert(bars), bars, "{line}");
        } else {
            columns = None;
        }
    }
    assert_eq!(fence, None);
}

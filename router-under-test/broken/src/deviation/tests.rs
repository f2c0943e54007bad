//! Draws are possible, the same again, and spread evenly.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;

use super::element::{CELL_FIELDS, FieldName, REQUEST_FIELDS, RESPONSE_FIELDS};
use super::rows::always;
use super::*;

#[test]
fn a_round_has_the_same_number_for_each_seam_and_a_third_for_each_number_of_conditions() {
    let count = Seam::ALL.len() * 30;
    let (mut seams, mut many) = (BTreeMap::new(), BTreeMap::new());
    for draw in draws(7, count) {
        *seams.entry(draw.deviation.seam).or_insert(0) += 1;
        *many.entry(draw.deviation.conditions().count()).or_insert(0) += 1;
    }
    assert!(seams.values().all(|times| *times == 30), "{seams:?}");
    // The process seams have no conditions.
    assert_eq!(many, BTreeMap::from([(0, 220 + 4 * 20 + 40), (1, 220), (2, 220)]));
}

#[test]
fn a_long_round_has_every_element_and_operation_of_the_table() {
    let mut drawn = BTreeSet::new();
    for draw in draws(1, 26 * 3 * 2 * 16 * 10) {
        let Draw { deviation, protocol, .. } = draw;
        let element = match deviation.element {
            Element::Field(_) => Element::AnyField,
            other => other,
        };
        let operation = match deviation.operation {
            Operation::Swap(_) => Operation::Swap(Before::Any),
            Operation::Inherit(_) => Operation::Inherit(Before::Any),
            other => other,
        };
        drawn.insert((deviation.seam, protocol.to_string(), element, operation));
    }
    for seam in Seam::ALL {
        for protocol in seam.protocols().each() {
            for element in table::elements(*seam, protocol) {
                for operation in table::operations(*seam, element, protocol) {
                    let one = (*seam, protocol.to_string(), element, operation);
                    assert!(drawn.contains(&one), "{one:?} is never drawn");
                }
            }
        }
    }
    let met: BTreeSet<_> = drawn.iter().map(|(_, _, element, _)| *element).collect();
    let plain = Element::PLAIN.iter().filter(|element| !met.contains(element));
    assert_eq!(plain.count(), 0, "elements that no seam has");
}

#[test]
fn names_of_fields_are_in_lower_case_and_each_once() {
    for names in [REQUEST_FIELDS, RESPONSE_FIELDS, CELL_FIELDS] {
        assert!(names.is_sorted());
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| http::HeaderName::try_from(*name).unwrap() == **name));
    }
}

#[test]
fn a_deviation_is_described_in_words() {
    let field = Element::Field(FieldName("cookie"));
    let swap = Operation::Swap(Before::Connection);
    let deviation = always(Seam::CellRequest, field, swap);
    assert_eq!(
        deviation.to_string(),
        "the request to a cell: the field cookie is that of the request before of this connection"
    );
    let parts = [name(&deviation.seam), name(&field), name(&swap)];
    assert_eq!(parts, ["cell-request", "field cookie", "swap connection"]);
    assert_eq!(name(&Condition::Times(Count::Nth, 2)), "times nth 2");
    let both = Deviation {
        when: [Some(Condition::Warm), Some(Condition::Method(Verb::Post))],
        ..always(Seam::UserConnections, Element::Keeping, Operation::Alter)
    };
    assert_eq!(
        both.to_string(),
        "the connections of users: whether it is kept is the opposite, on a warm cache and for POST"
    );
}

proptest! {
    #[test]
    fn every_draw_exists_in_the_table(seed in 0..u64::from(u32::MAX) * 1_000_000) {
        let Draw { protocol, deviation, .. } = draw(seed);
        prop_assert_eq!(draw(seed).deviation, deviation);
        prop_assert!(deviation.seam.protocols().contain(protocol));
        let element = match deviation.element {
            Element::Field(FieldName(name)) => {
                prop_assert!(table::fields(deviation.seam, deviation.operation).contains(&name));
                Element::AnyField
            }
            element => element,
        };
        prop_assert!(table::elements(deviation.seam, protocol).contains(&element));
        let operations = table::operations(deviation.seam, element, protocol);
        let of = |it| table::kinds(deviation.seam, element, it, protocol);
        let kinds: Vec<_> = operations.into_iter().flat_map(of).collect();
        prop_assert!(kinds.contains(&deviation.operation));
        let possible = table::conditions(deviation.seam, deviation.element, protocol);
        prop_assert!(deviation.conditions().all(|condition| possible.contains(&condition)));
        if let [Some(one), Some(other)] = deviation.when {
            prop_assert!(one.agrees_with(other));
        }
        let text = serde_json::to_string(&deviation).unwrap();
        prop_assert_eq!(serde_json::from_str::<Deviation>(&text).unwrap(), deviation);
    }
}

use super::*;
use crate::trace::InstalledCell;
use crate::trace::made::Made;

#[test]
fn a_cell_without_a_request_is_found() {
    let trace = |asked: &[&str]| {
        let mut made = Made::default();
        let installed = |cell| InstalledCell {
            cell,
            address: ([127, 0, 0, 1], 22_000).into(),
            own_host: false,
        };
        made.trace.cells =
            [CellId::us(0), CellId::eu(0), CellId::eu(1), CellId::eu(2)].map(installed).into();
        for cell in asked {
            let user = made.sends("anna", "/a");
            made.reaches(user, cell);
        }
        made.trace
    };
    let judged = |asked: &[&str]| asked_each_first(&trace(asked), &Region::eu());
    assert!(judged(&["cell_eu0", "cell_eu1", "cell_eu2"]).is_ok());
    assert!(
        judged(&["cell_eu0", "cell_eu1", "cell_eu0", "cell_us0"])
            .unwrap_err()
            .contains("cell_eu2 0")
    );
    assert!(asked_each_first(&Trace::default(), &Region::eu()).is_err());
    // A cell that was never asked first has no share to be judged.
    let even =
        |times| asked_evenly(&trace(&["cell_eu0", "cell_eu0", "cell_eu2"]), &Region::eu(), times);
    assert!(even(1).is_ok());
    assert!(even(2).unwrap_err().contains("cell_eu2 1"));
    let with_another_region = trace(&["cell_eu0", "cell_us0", "cell_eu1", "cell_us1"]);
    assert!(asked_evenly(&with_another_region, &Region::eu(), 2).is_ok());
}

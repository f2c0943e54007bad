//! Buffering: the resent request.

use crate::entry::mutants;

mutants! {
    DropsTheBodyOnResend: Buffering, "BF-04",
        is always(CellRequest, Body, LeaveOut).when(AfterBounce),
        "a request is resent without its body";
    CutsTheBodyOnResend: Buffering, "BF-04", "only the first 64 KiB of a body are resent";
    LosesContentFieldsOnResend: Buffering, "BF-04",
        "a request is resent without Accept, Authorization and Content-Type";
    ResendsAsGet: Buffering, "BF-05", "a request is resent as GET, as browsers do after a 302";
    ResendsWritesAsPost: Buffering, "BF-05", "every request with side effects is resent as POST";
    DropsTheQueryOnResend: Buffering, "BF-06",
        is always(CellRequest, Query, LeaveOut).when(AfterBounce),
        "a request is resent without its query";
    ResendsToTheLocation: Buffering, "BF-06", "a request is resent to the Location of the bounce";
    DecodesTheTargetOnResend: Buffering, "BF-06", "a request is resent with a decoded target";
    AsksWithoutTheBody: Buffering, "BF-07",
        "the owner of a write is found with its head alone, without the body";
    RefusesToResendWrites: Buffering, "BF-08", "a bounced request with side effects is refused";
    RewritesForms: Buffering, "BF-14",
        "form bodies are decoded and encoded again before they are sent";
    FlattensTheOwnersStatus: Buffering, "RT-08",
        is always(UserResponse, Status, Constant).when(AfterBounce),
        "a response after a bounce reaches the user as 200";
    KnowsFieldsByName: Both, "RT-08", "only well-known response fields are forwarded";
}

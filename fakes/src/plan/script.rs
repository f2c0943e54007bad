//! Scripted responses: what a cell sends instead of the application's response, or in addition to
//! it.
//!
//! They stand for malformed, foreign and future messages: headers and learn responses that no
//! correct cell sends today and that a router must survive.

use crate::CellId;

/// One scripted behavior of one cell, or of all.
#[derive(Clone, Debug)]
pub struct Script {
    /// The cell, as the documents name it (its role); `None` is every cell.
    pub cell: Option<CellId>,
    /// The request path to which it applies, without the query, compared byte for byte. For
    /// [`ScriptedAction::LearnResponse`] and [`ScriptedAction::HoldLearn`], the decoded
    /// `path_info`.
    pub path: String,
    /// What happens.
    pub action: ScriptedAction,
}

/// What a script does.
#[derive(Clone, Debug)]
pub enum ScriptedAction {
    /// The whole response to a request for the path, once its body has come.
    Response(ScriptedResponse),
    /// The whole response to a pre-flight about the path.
    LearnResponse(ScriptedResponse),
    /// The response to a request for the path is held until the fleet releases what is held.
    Hold,
    /// The response to a pre-flight about the path is held until the fleet releases what is held.
    HoldLearn,
    /// The application responds; then these lines replace the header of this name, in order. An
    /// empty list of lines removes the header.
    Fields {
        /// The header's name.
        name: String,
        /// Its new lines.
        lines: Vec<String>,
    },
}

/// A response in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptedResponse {
    /// The status code.
    pub status: u16,
    /// The header lines, in order, without those that frame the body: the server adds these.
    pub fields: Vec<(String, String)>,
    pub body: String,
}

/// A script that is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("script {index} (for `{path}`) is not valid: {problem}")]
pub struct ScriptError {
    /// Its index among the plan's scripts, counted from 0.
    pub index: usize,
    pub path: String,
    /// What is wrong with it.
    pub problem: String,
}

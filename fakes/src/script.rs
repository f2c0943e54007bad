//! Scripted responses: what a cell says instead of, or beside, what the application would say.
//!
//! They stand for the malformed, the foreign and the future: headers and learn responses that no
//! correct cell of today sends but that a router must survive.

use std::fmt;

use crate::CellId;

/// One scripted behaviour of one cell, or of all.
#[derive(Clone, Debug)]
pub struct Script {
    /// The cell, as the documents name it (its role); `None` is every cell.
    pub cell: Option<CellId>,
    /// The request path to which it applies, compared byte for byte, without the query. For
    /// [`ScriptedAction::LearnResponse`] the decoded `path_info`.
    pub path: String,
    /// What happens.
    pub action: ScriptedAction,
}

/// What a script does.
#[derive(Clone, Debug)]
pub enum ScriptedAction {
    /// The whole response to a request for the path.
    Response(ScriptedResponse),
    /// The whole response to a pre-flight about the path.
    LearnResponse(ScriptedResponse),
    /// The response to a request for the path is held until the fleet releases what is held.
    Hold,
    /// The response to a pre-flight about the path is held until the fleet releases what is held.
    HoldLearn,
    /// The application responds; then fields of these names are replaced by these lines, in order.
    /// An empty list of lines removes the field.
    Fields {
        /// The field's name.
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
    /// The field lines, in order; without those that frame the body, which the server states.
    pub fields: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// A script that no cell could follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// Its place among the plan's scripts, counted from 0.
    pub index: usize,
    /// Its path.
    pub path: String,
    /// What is wrong with it.
    pub problem: ScriptProblem,
}

/// What can be wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptProblem {
    /// No status of a final response.
    Status(u16),
    /// No field name.
    Name(String),
    /// No field value.
    Value(String),
    /// A field that frames the body: the server states it, so that framing stays correct.
    Framing(String),
    /// A cell that the topology does not list.
    UnknownCell(CellId),
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "script {} (for `{}`) cannot be followed: ", self.index, self.path)?;
        match &self.problem {
            ScriptProblem::Status(status) => {
                write!(f, "{status} is no status of a final response; use 200 to 999")
            }
            ScriptProblem::Name(name) => write!(f, "`{}` is no field name", name.escape_default()),
            ScriptProblem::Value(value) => {
                write!(f, "`{}` is no field value", value.escape_default())
            }
            ScriptProblem::Framing(name) => {
                write!(f, "`{name}` is stated by the server; leave it out")
            }
            ScriptProblem::UnknownCell(cell) => {
                write!(f, "it is for {cell}, which the topology does not list")
            }
        }
    }
}

impl std::error::Error for ScriptError {}

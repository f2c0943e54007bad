//! Reports: functions of the record of a run. Only the progress on a terminal follows events.

pub mod compare;
mod failure;
mod html;
mod junit;
mod markdown;
pub(crate) mod page;
#[cfg(test)]
pub(crate) mod sample;
mod terminal;
mod text;
pub mod verify;
mod write;

pub use failure::describe;
pub(crate) use markdown::block_of as markdown_block;
pub use terminal::Terminal;
pub use write::{ReportFile, write};

/// The types of a record, by the names that reports call them.
mod data {
    #[cfg(test)]
    pub(super) use crate::engine::record::{
        Body, DivergenceRecord as Divergence, LogRecord as Log, OutcomeRecord as Outcome,
        RunSettings as Run, SuiteRecord as Suite, UserResponseData,
    };
    pub(super) use crate::engine::record::{
        CaseRecord as Scenario, ExchangeRecord as Exchange, FieldData, FindingRecord as Finding,
        HopData, OriginData, Plain, ProfileVerdict, RequirementRecord as Requirement, ResponseData,
        RouterRecord as Router, RunRecord as Report, StampData, StepRecord as Step, TraceData,
        UserData,
    };
}

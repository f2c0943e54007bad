//! Heads and responses as references to tables.

use super::super::tables::{FieldLine, Filled, Filling, ResponseRow};
use super::super::{FieldData, Plain, ResponseData};

pub(super) fn head_of(fields: &[FieldData], mark: Option<&str>, tables: &mut Filling) -> usize {
    tables.head(fields.iter().map(|FieldData(name, value)| match value {
        Plain::Text(text) if mark == Some(text) => FieldLine::Mark([name.clone()]),
        _ => FieldLine::Whole(name.clone(), value.clone()),
    }))
}

pub(super) fn head_from(
    place: usize,
    mark: Option<&str>,
    tables: &Filled,
) -> Result<Vec<FieldData>, String> {
    let lines = tables.head(place)?.into_iter().map(|line| match (line, mark) {
        (FieldLine::Whole(name, value), _) => Ok(FieldData(name.clone(), value.clone())),
        (FieldLine::Mark([name]), Some(mark)) => {
            Ok(FieldData(name.clone(), Plain::Text(mark.to_owned())))
        }
        (FieldLine::Mark(_), None) => {
            Err(format!("head {place} has a mark, and stands where no request is"))
        }
    });
    lines.collect()
}

pub(super) fn response_of(response: &ResponseData, tables: &mut Filling) -> usize {
    let row = ResponseRow {
        status: response.status,
        head: head_of(&response.fields, None, tables),
        body: tables.body(&response.body),
    };
    tables.response(row)
}

pub(super) fn response_from(place: usize, tables: &Filled) -> Result<ResponseData, String> {
    let ResponseRow { status, head, body } = tables.response(place)?;
    Ok(ResponseData {
        status: *status,
        fields: head_from(*head, None, tables)?,
        body: tables.body(body.as_deref())?,
    })
}

//! Reads members of a JSON document and keeps the path to each, so that an error can name it.

use serde_json::Value;

use super::error::MemberError;

/// A value of the document and its path.
#[derive(Clone, Debug)]
pub(crate) struct Member<'a> {
    way: String,
    value: &'a Value,
}

impl<'a> Member<'a> {
    /// The document itself.
    pub(crate) fn document(value: &'a Value) -> Self {
        Self { way: String::new(), value }
    }

    /// The member `name` of an object; an error where it is missing.
    pub(crate) fn member(&self, name: &str) -> Result<Member<'a>, MemberError> {
        self.optional(name)?.ok_or_else(|| MemberError::new(self.way_to(name), "is missing"))
    }

    /// The member `name` of an object, if it is there.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<Member<'a>>, MemberError> {
        let object = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        Ok(object.get(name).map(|value| Member { way: self.way_to(name), value }))
    }

    /// The items of an array.
    pub(crate) fn items(&self) -> Result<Vec<Member<'a>>, MemberError> {
        let array = self.value.as_array().ok_or_else(|| self.expected("an array"))?;
        let item = |(index, value)| Member { way: format!("{}[{index}]", self.way), value };
        Ok(array.iter().enumerate().map(item).collect())
    }

    /// A string that is not empty.
    pub(crate) fn text(&self) -> Result<&'a str, MemberError> {
        match self.value.as_str() {
            Some("") => Err(self.error("is empty")),
            Some(text) => Ok(text),
            None => Err(self.expected("a string")),
        }
    }

    /// A whole number of at least `least`.
    pub(crate) fn number(&self, least: u64) -> Result<u64, MemberError> {
        match self.value.as_u64() {
            Some(number) if number >= least => Ok(number),
            Some(number) => Err(self.error(format!("is {number}, must be at least {least}"))),
            None => Err(self.expected("a whole number that is not negative")),
        }
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self) -> Result<bool, MemberError> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// An error about this member.
    pub(crate) fn error(&self, problem: impl Into<String>) -> MemberError {
        MemberError::new(self.way.clone(), problem)
    }

    fn expected(&self, what: &str) -> MemberError {
        let found = match self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(_) => "true or false".to_owned(),
            Value::Number(number) => format!("the number {number}"),
            Value::String(_) => "a string".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn way_to(&self, name: &str) -> String {
        if self.way.is_empty() { name.to_owned() } else { format!("{}.{name}", self.way) }
    }
}

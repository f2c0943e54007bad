//! The documents by section: what each section asks, how many list items and arrows it has, and why
//! no scenario executes it where none does.

#[cfg(test)]
mod check;
mod citation;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

pub use citation::{Citation, DocumentPlace};

const EMBEDDED: &str = include_str!("../../../fixtures/documents.toml");

/// Why no scenario executes a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::Display)]
pub enum Reason {
    /// It has a heading and no text of its own.
    #[serde(rename = "nothing written")]
    #[strum(serialize = "nothing written")]
    NothingWritten,
    /// Nothing of it can be observed over HTTP.
    #[serde(rename = "not over HTTP")]
    #[strum(serialize = "not over HTTP")]
    NotOverHttp,
    /// Its scenarios are future work.
    #[serde(rename = "later work")]
    #[strum(serialize = "later work")]
    LaterWork,
}

/// What a drawing shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawingKind {
    /// Messages in order.
    Sequence,
    /// Nodes and their connections.
    Graph,
}

/// The drawing of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// What it shows.
    pub kind: DrawingKind,
    /// Number of arrows.
    pub arrows: usize,
}

/// A section of a document.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its stable id.
    pub id: String,
    /// Level of its heading; 1 is the document's title.
    pub level: u8,
    /// Its heading in the document.
    pub heading: String,
    /// Its heading in the earlier text, where that differs.
    #[serde(default)]
    pub earlier: Option<String>,
    /// Number of list items.
    #[serde(default)]
    pub items: usize,
    /// Its drawing, if it has one.
    #[serde(default)]
    pub drawing: Option<Drawing>,
    /// What it asks, in one line of our own words.
    pub asks: String,
    /// Where texts differ or contain a mistake.
    #[serde(default)]
    pub note: Option<String>,
    /// Why no scenario executes it, where none does.
    #[serde(default)]
    pub reason: Option<Reason>,
}

impl Section {
    /// Whether it has this place.
    pub fn has(&self, place: DocumentPlace) -> bool {
        let arrows = self.drawing.map_or(0, |drawing| drawing.arrows);
        match place {
            DocumentPlace::Text => true,
            DocumentPlace::Item(number) => (1..=self.items).contains(&number),
            DocumentPlace::Drawing => self.drawing.is_some(),
            DocumentPlace::Arrow(number) => (1..=arrows).contains(&number),
        }
    }
}

/// A document.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its id in tags and in the ledger.
    pub id: String,
    /// Its title on our pages.
    pub title: String,
    /// Its texts, and how they differ.
    pub texts: String,
    /// Its sections in order.
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
}

/// The table of all documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Documents(Vec<Document>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    document: Vec<Document>,
}

impl Documents {
    /// The table that is built into the program.
    pub fn embedded() -> &'static Self {
        static DOCUMENTS: LazyLock<Documents> = LazyLock::new(|| {
            Documents::parse(EMBEDDED)
                .unwrap_or_else(|error| panic!("fixtures/documents.toml: {error}"))
        });
        &DOCUMENTS
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// Where the text is not a valid table of version 1, or has an id twice.
    pub fn parse(text: &str) -> Result<Self, DocumentsError> {
        let file: File =
            toml::from_str(text).map_err(|error| DocumentsError::Malformed(error.to_string()))?;
        if file.version != 1 {
            return Err(DocumentsError::Version(file.version));
        }
        let mut seen = BTreeSet::new();
        for document in &file.document {
            for section in &document.sections {
                let id = format!("{}/{}", document.id, section.id);
                if !seen.insert(id.clone()) {
                    return Err(DocumentsError::Twice(id));
                }
            }
        }
        Ok(Self(file.document))
    }

    /// All documents in order.
    pub fn all(&self) -> &[Document] {
        &self.0
    }

    /// The section that a citation names.
    pub fn section(&self, citation: &Citation) -> Option<&Section> {
        let document = self.0.iter().find(|document| document.id == citation.document)?;
        document.sections.iter().find(|section| section.id == citation.section)
    }

    /// What the documents lack of a citation, in words; `None` if it leads somewhere.
    pub fn missing(&self, citation: &Citation) -> Option<String> {
        let Citation { document, section, place } = citation;
        if !self.0.iter().any(|one| one.id == *document) {
            return Some(format!("fixtures/documents.toml has no document {document}"));
        }
        let Some(found) = self.section(citation) else {
            return Some(format!("{document} has no section {section}"));
        };
        (!found.has(*place)).then(|| {
            let place = place.in_words().unwrap_or_default();
            format!("{document}/{section} has no such place: {place}")
        })
    }
}

/// Why a text is not a valid table of documents.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DocumentsError {
    /// Not TOML, or a field is missing, unknown or of a wrong type.
    #[error("{0}")]
    Malformed(String),
    /// The version of the format is not 1.
    #[error("version {0} of the format, but this program reads version 1")]
    Version(u32),
    /// Two sections have this id.
    #[error("duplicate section {0}")]
    Twice(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_documents_that_the_ledger_names() {
        let ids: Vec<_> =
            Documents::embedded().all().iter().map(|document| document.id.as_str()).collect();
        assert_eq!(ids, ["buffering", "routes-learning", "database-sequences"]);
        for document in Documents::embedded().all() {
            for section in &document.sections {
                assert!(
                    section.asks.ends_with('.') && !section.asks.contains('\n'),
                    "{}/{}",
                    document.id,
                    section.id
                );
                assert!((1..=4).contains(&section.level), "{}/{}", document.id, section.id);
            }
        }
    }

    #[test]
    fn an_invalid_table_is_refused() {
        let one = "[[document]]\nid = \"a\"\ntitle = \"A\"\ntexts = \"One.\"\n";
        let section =
            "[[document.section]]\nid = \"b\"\nlevel = 1\nheading = \"B\"\nasks = \"C.\"\n";
        assert!(Documents::parse(&format!("version = 1\n{one}{section}")).is_ok());
        assert!(matches!(
            Documents::parse(&format!("version = 1\n{one}{section}{section}")),
            Err(DocumentsError::Twice(_))
        ));
        assert!(matches!(
            Documents::parse(&format!("version = 2\n{one}{section}")),
            Err(DocumentsError::Version(2))
        ));
        let unknown = format!("version = 1\n{one}{section}reason = \"no time\"\n");
        assert!(matches!(Documents::parse(&unknown), Err(DocumentsError::Malformed(_))));
    }
}

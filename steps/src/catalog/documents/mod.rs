//! The documents by section: its sentences with the requirements that they carry, and how many list
//! items and arrows it has.

#[cfg(test)]
mod check;
mod citation;
mod sentence;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

pub use citation::{Citation, DocumentPlace};
use sentence::Sentences;
pub use sentence::{Sentence, Shown};

const EMBEDDED: &str = include_str!("../../../fixtures/documents.toml");

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawingKind {
    /// Messages in order.
    Sequence,
    /// Nodes and their connections.
    Graph,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    pub kind: DrawingKind,
    pub arrows: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub id: String,
    /// Level of its heading; 1 is the document's title.
    pub level: u8,
    pub heading: String,
    /// Its heading in the earlier text, where that differs.
    #[serde(default)]
    pub earlier: Option<String>,
    #[serde(default)]
    pub items: usize,
    #[serde(default)]
    pub drawing: Option<Drawing>,
    /// Where texts differ or contain a mistake.
    #[serde(default)]
    pub note: Option<String>,
    /// The document whose section of the same id has the same sentences.
    #[serde(default)]
    pub as_in: Option<String>,
    /// Number of sentences; a heading alone has none.
    #[serde(default)]
    pub counted: usize,
    #[serde(default)]
    sentences: Sentences,
}

impl Section {
    /// Its sentences in order; their numbers begin with 1.
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences.0
    }

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

/// A published text of a document.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedText {
    pub text: String,
    pub link: String,
    /// Its commit or date, as far as it is known, and how far our copy was compared with it.
    pub version: String,
    pub license: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its id in tags and in the ledger.
    pub id: String,
    /// Its title on our pages.
    pub title: String,
    pub texts: String,
    #[serde(rename = "source")]
    pub sources: Vec<PublishedText>,
    #[serde(rename = "section")]
    pub sections: Vec<Section>,
}

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

    /// Reads a table. No id may stand in it twice, and sentences are taken only from a section that
    /// is there.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        if file.version != 1 {
            let version = file.version;
            return Err(format!(
                "version {version} of the format, but this program reads version 1"
            ));
        }
        let mut seen = BTreeSet::new();
        for document in &file.document {
            for section in &document.sections {
                let id = format!("{}/{}", document.id, section.id);
                if !seen.insert(id.clone()) {
                    return Err(format!("duplicate section {id}"));
                }
            }
        }
        let written = Self(file.document);
        let mut documents = written.0.clone();
        for section in documents.iter_mut().flat_map(|document| &mut document.sections) {
            let Some(other) = section.as_in.clone() else { continue };
            let place = DocumentPlace::Text;
            let same = Citation { document: other, section: section.id.clone(), place };
            let same = written.section(&same).filter(|same| same.as_in.is_none());
            let same = same.ok_or_else(|| {
                format!(
                    "section {}: `as_in` names a document that has no sentences of this section",
                    section.id
                )
            })?;
            section.counted = same.counted;
            section.sentences = same.sentences.clone();
        }
        Ok(Self(documents))
    }

    pub fn all(&self) -> &[Document] {
        &self.0
    }

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
                assert!((1..=4).contains(&section.level), "{}/{}", document.id, section.id);
            }
        }
    }

    #[test]
    fn an_invalid_table_is_refused() {
        let one = "[[document]]\nid = \"a\"\ntitle = \"A\"\ntexts = \"One.\"\nsource = []\n";
        let section = "[[document.section]]\nid = \"b\"\nlevel = 1\nheading = \"B\"\n";
        assert!(Documents::parse(&format!("version = 1\n{one}{section}")).is_ok());
        let newer = Documents::parse(&format!("version = 2\n{one}{section}"));
        assert!(newer.unwrap_err().contains("version 2"));
        for (line, word) in [
            (section, "duplicate section a/b"),
            ("as_in = \"c\"", "names a document that has no sentences"),
            ("reason = \"no time\"", "unknown field"),
            ("sentences = \"- | a page arrives\"", "line 1"),
            ("sentences = \"0 | a page arrives | BF-03\"", "line 1"),
            ("sentences = \"- | a page arrives | no time\"", "no time"),
        ] {
            let invalid = Documents::parse(&format!("version = 1\n{one}{section}{line}\n"));
            assert!(invalid.as_ref().is_err_and(|why| why.contains(word)), "{invalid:?}");
        }
    }
}

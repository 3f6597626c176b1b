//! The cards of the project, and what the selected object has of its own.

use crate::{background_job::Job, tool::view::comparison::files_of_kind};
use fracture::CardDifference;
use std::path::PathBuf;

/// The cards of the project, and what the selected object has of its own.
#[derive(Default)]
pub(crate) struct Cards {
    pub files: Vec<PathBuf>,
    pub search: Option<Job<Vec<PathBuf>>>,
    pub differences: Vec<CardDifference>,
    pub label: String,
    /// The field that *Take From Card* means; `None` for all.
    pub field: Option<&'static str>,
}

impl Cards {
    pub fn is_active(&self) -> bool {
        self.search.is_some()
    }

    pub fn start_search(&mut self) {
        self.search = Some(Job::start(|_| files_of_kind("card")));
    }

    /// Chooses an entry of the list of fields.
    pub fn choose_field(&mut self, index: usize) {
        let at = index.checked_sub(1);
        let difference = at.and_then(|at| self.differences.get(at));
        self.field = difference.map(|difference| difference.field);
    }

    /// The file of an entry of the list of cards.
    pub fn file(&self, index: usize) -> Option<PathBuf> {
        self.files.get(index.checked_sub(1)?).cloned()
    }
}

//! Editing pattern assets in place, together with their files.

use fracture::{FracturePattern, FracturePatternResource};
use fyrox::{asset::ResourceData, core::log::Log};
use fyroxed_base::command::{CommandContext, CommandTrait};
use std::path::PathBuf;

/// Command that replaces the content of pattern assets and writes their files: one undo step for all of
/// them.
#[derive(Debug)]
pub struct TunePattern {
    name: String,
    tuned: Vec<Tuned>,
}

/// A pattern asset and the content to swap in.
#[derive(Debug)]
struct Tuned {
    resource: FracturePatternResource,
    other: FracturePattern,
    path: Option<PathBuf>,
}

impl TunePattern {
    /// Makes the command that gives one asset this content. With a path its file is written too; `field`
    /// is the name shown in the undo list.
    pub fn new(
        resource: FracturePatternResource,
        content: FracturePattern,
        path: Option<PathBuf>,
        field: &str,
    ) -> Self {
        let file = path.as_ref().and_then(|path| path.file_name());
        let file = file.map_or("Pattern".into(), |name| name.to_string_lossy());
        let name = format!("Set {field} of {file}");
        let other = content;
        let tuned = Tuned {
            resource,
            other,
            path,
        };
        Self {
            name,
            tuned: vec![tuned],
        }
    }

    /// Joins two commands into one.
    pub fn with(mut self, more: Self, field: &str) -> Self {
        self.tuned.extend(more.tuned);
        self.name = format!("Set {field} of {} Patterns", self.tuned.len());
        self
    }

    /// Swaps the assets' contents with those kept in the command.
    pub fn swap(&mut self) {
        self.tuned.iter_mut().for_each(Tuned::swap);
    }
}

impl Tuned {
    fn swap(&mut self) {
        let mut data = self.resource.data_ref();
        let Some(content) = data.as_loaded_mut() else {
            return Log::err("The pattern is not loaded any more; the step does nothing.");
        };
        std::mem::swap(content, &mut self.other);
        let Some(path) = &self.path else {
            return;
        };
        if let Err(error) = content.save(path) {
            let path = path.display();
            Log::err(format!(
                "The pattern {path} cannot be saved: {error}. Check that the folder exists and \
                 can be written to, then save it from the inspector."
            ));
        }
    }
}

impl CommandTrait for TunePattern {
    fn name(&mut self, _context: &dyn CommandContext) -> String {
        self.name.clone()
    }

    fn execute(&mut self, _context: &mut dyn CommandContext) {
        self.swap();
    }

    fn revert(&mut self, _context: &mut dyn CommandContext) {
        self.swap();
    }
}

//! Imports between the files of a crate: no file imports itself by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tidy::{check_crates, for_each_source, without_tests};

/// The path of a module or an item in its crate.
type ItemPath = Vec<String>;

/// The files of a crate, by the module that each holds.
#[derive(Default)]
struct Modules {
    files: BTreeMap<ItemPath, SourceFile>,
    /// Items that modules export: their own paths, by the paths under which they are exported.
    exports: BTreeMap<ItemPath, ItemPath>,
}

/// The paths that a file names.
struct SourceFile {
    /// Those of its `use` declarations, and whether each is exported again.
    uses: Vec<(bool, String)>,
    /// Those in its code.
    paths: Vec<String>,
}

impl Modules {
    fn read(folder: &Path) -> Self {
        let mut modules = Self::default();
        for_each_source(folder, &mut |path, text| {
            let file = path.strip_prefix(folder).unwrap().with_extension("");
            let names = file.iter().map(|name| name.to_str().unwrap().to_string());
            let names = names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
            let code = without_tests(path, text).lines();
            let code = code.filter(|line| !line.trim_start().starts_with("//"));
            let code: Vec<&str> = code.collect();
            let file = SourceFile::new(&code.join("\n"));
            modules.files.insert(names.collect(), file);
        });
        let mut exports = BTreeMap::new();
        for (module, file) in &modules.files {
            for (_, path) in file.uses.iter().filter(|(exported, _)| *exported) {
                if let Some(item) = modules.absolute(module, path) {
                    let name = item.last().cloned();
                    exports.insert(module.iter().cloned().chain(name).collect(), item);
                }
            }
        }
        modules.exports = exports;
        modules
    }

    /// The path from the root of the crate; `None` for an item of another crate.
    fn absolute(&self, module: &[String], path: &str) -> Option<ItemPath> {
        let mut base = module.to_vec();
        let mut names = path.split("::").map(str::trim).peekable();
        match *names.peek()? {
            "crate" => base.clear(),
            "self" | "super" => {}
            child => {
                let is_child = |path: &ItemPath| self.files.contains_key(path);
                Some([&base[..], &[child.to_string()]].concat()).filter(is_child)?;
            }
        }
        for name in names {
            match name {
                "crate" | "self" => {}
                "super" => drop(base.pop()),
                name => base.push(name.to_string()),
            }
        }
        Some(base)
    }

    /// The module that defines an item, wherever it is exported.
    fn defining(&self, item: &[String]) -> ItemPath {
        for length in (0..=item.len()).rev() {
            let (start, rest) = item.split_at(length);
            // A function may have the name of its file, which goes first.
            if self.files.contains_key(start) {
                return start.to_vec();
            }
            if let Some(own) = self.exports.get(start) {
                return self.defining(&[own, rest].concat());
            }
        }
        Vec::new()
    }

    /// The modules from which a module imports.
    fn imports(&self, module: &ItemPath, file: &SourceFile) -> BTreeSet<ItemPath> {
        let own = file.uses.iter().filter(|(exported, _)| !exported);
        let paths = own.map(|(_, path)| path).chain(&file.paths);
        let items = paths.filter_map(|path| self.absolute(module, path));
        let imports = items.map(|item| self.defining(&item));
        imports.filter(|import| import != module).collect()
    }
}

impl SourceFile {
    fn new(text: &str) -> Self {
        let (mut uses, mut code) = (Vec::new(), String::new());
        for statement in text.split_inclusive(';') {
            let (before, tree) = match statement.rsplit_once("use ") {
                Some((before, tree)) if is_declaration(before) => (before, tree),
                _ => (statement, ""),
            };
            code.push_str(before);
            let exported = last_line(before).starts_with("pub");
            let tree: Vec<&str> = tree.trim_end_matches(';').split_whitespace().collect();
            let paths = branches(&tree.join(" ")).into_iter();
            uses.extend(paths.map(|path| (exported, path)));
        }
        // Not a path that is imported from, but a visibility.
        let mut parts = code.split("pub(in ");
        let first = parts.next().map(String::from).into_iter();
        let rest = parts.filter_map(|part| Some(part.split_once(')')?.1.to_string()));
        let code: Vec<String> = first.chain(rest).collect();
        let code = code.join(" ");
        let words = code.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
        let paths = words.filter(|word| word.contains("::"));
        let paths = paths.map(String::from).collect();
        Self { uses, paths }
    }
}

/// Whether a `use` after a text is a declaration: it begins a line, but for its visibility.
fn is_declaration(before: &str) -> bool {
    let line = last_line(before);
    line.is_empty() || line.starts_with("pub")
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default().trim()
}

/// The paths of a tree of imports like `a::{b, c::{d, e}}`.
fn branches(tree: &str) -> Vec<String> {
    if tree.is_empty() {
        return Vec::new();
    }
    let Some((prefix, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree).trim();
        return vec![path.trim_end_matches("::self").to_string()];
    };
    let rest = rest.trim_end().trim_end_matches('}');
    let mut depth = 0;
    let parts = rest.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    let paths = parts.flat_map(|part| branches(&format!("{prefix}{}", part.trim())));
    paths.collect()
}

#[test]
fn no_file_imports_itself_by_way_of_others() {
    check_crates(|folder, faults| {
        let modules = Modules::read(folder);
        let files = modules.files.iter();
        let imports = files.map(|(module, file)| (module, modules.imports(module, file)));
        let mut imports: BTreeMap<_, _> = imports.collect();
        // A file that imports nothing of the rest is in no circle, and neither is one that nothing imports.
        loop {
            let before = imports.len();
            let left: BTreeSet<ItemPath> = imports.keys().map(|module| (*module).clone()).collect();
            let imported: BTreeSet<ItemPath> = imports.values().flatten().cloned().collect();
            imports.retain(|module, imported_by_it| {
                imported.contains(*module)
                    && imported_by_it.iter().any(|other| left.contains(other))
            });
            if imports.len() == before {
                break;
            }
        }
        for (module, imports) in imports {
            let imports = imports.iter().map(|import| import.join("::"));
            let imports: Vec<String> = imports.collect();
            faults.push(format!(
                "{} imports {}",
                module.join("::"),
                imports.join(", ")
            ));
        }
    });
}

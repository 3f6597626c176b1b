//! The menu as a list of rows: scenes, settings and commands. `menu_panel` draws it.

use crate::demo::controls::Tool;
use crate::demo::program::Choices;
use crate::demo::scene_list::GALLERY;
use fyrox::keyboard::KeyCode;

/// A command chosen in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A scene of the gallery.
    Open(usize),
    /// Settings of destruction have changed: restart the scene.
    Choices,
    /// A switch of the overlay, sound or dust has changed.
    Switches,
    /// Take another tool.
    Take(Tool),
    /// Restart the scene.
    Reset,
    /// Close the menu.
    Close,
    /// Quit the program.
    Quit,
}

/// Switches that take effect at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Numbers and the graph of frame times.
    pub overlay: bool,
    /// Sounds of breaks and contacts.
    pub sound: bool,
    /// Dust of breaks and contacts.
    pub dust: bool,
    /// Lines that show what holds what.
    pub bonds: bool,
    /// Lines that show how weight is carried.
    pub supports: bool,
    /// Crack lines of an impact at the cursor.
    pub cells: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            overlay: true,
            sound: true,
            dust: true,
            bonds: false,
            supports: false,
            cells: false,
        }
    }
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Scene(usize),
    Tool,
    Threads,
    Pieces,
    Chain,
    Wait,
    Overlay,
    Sound,
    Dust,
    Bonds,
    Supports,
    Cells,
    Reset,
    Quit,
}

const BELOW_SCENES: [Row; 13] = [
    Row::Tool,
    Row::Threads,
    Row::Pieces,
    Row::Chain,
    Row::Wait,
    Row::Overlay,
    Row::Sound,
    Row::Dust,
    Row::Bonds,
    Row::Supports,
    Row::Cells,
    Row::Reset,
    Row::Quit,
];

const THREADS: [usize; 6] = [0, 1, 2, 4, 8, 16];
const PIECES: [usize; 6] = [100, 250, 500, 1000, 2000, 5000];
const CHAIN: [usize; 6] = [0, 2, 8, 16, 32, 64];

/// The menu.
#[derive(Debug, Default)]
pub struct Menu {
    open: bool,
    selected: usize,
    /// Settings of destruction.
    pub choices: Choices,
    /// Switches of overlay, sound and dust.
    pub switches: Switches,
    /// The tool in use.
    pub tool: Tool,
    /// Whether the settings are locked.
    pub locked: bool,
}

impl Menu {
    /// Number of rows, scenes first.
    pub const ROWS: usize = GALLERY.len() + BELOW_SCENES.len();

    /// Makes a closed menu; `locked` when the settings may not be changed.
    pub fn new(choices: Choices, locked: bool) -> Self {
        Self {
            choices,
            locked,
            ..Self::default()
        }
    }

    /// Whether the menu is open.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Opens or closes the menu.
    pub fn show(&mut self, open: bool) {
        self.open = open;
    }

    /// The selected row.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.selected = row.min(Self::ROWS - 1);
    }

    /// Handles a key while the menu is open.
    pub fn on_key(&mut self, key: KeyCode) -> Option<Command> {
        let rows = Self::ROWS;
        match key {
            KeyCode::ArrowDown => self.selected = (self.selected + 1) % rows,
            KeyCode::ArrowUp => self.selected = (self.selected + rows - 1) % rows,
            KeyCode::ArrowRight => return self.change(self.selected, true),
            KeyCode::ArrowLeft => return self.change(self.selected, false),
            KeyCode::Enter | KeyCode::NumpadEnter => return self.choose(self.selected),
            KeyCode::Escape | KeyCode::Tab => return Some(Command::Close),
            _ => (),
        }
        None
    }

    /// Chooses a row, by Enter or a click.
    pub fn choose(&mut self, row: usize) -> Option<Command> {
        self.select(row);
        match self.row(row)? {
            Row::Scene(index) => Some(Command::Open(index)),
            Row::Reset => Some(Command::Reset),
            Row::Quit => Some(Command::Quit),
            _ => self.change(row, true),
        }
    }

    /// Whether no threads can be had, as in a browser.
    fn lacks_threads() -> bool {
        Choices::default().threads == 0
    }

    fn row(&self, row: usize) -> Option<Row> {
        match row.checked_sub(GALLERY.len()) {
            None => Some(Row::Scene(row)),
            Some(below) => BELOW_SCENES.get(below).copied(),
        }
    }

    /// Changes a setting to its next or previous value.
    fn change(&mut self, row: usize, up: bool) -> Option<Command> {
        let (row, locked) = (self.row(row)?, self.locked);
        let (choices, switches) = (&mut self.choices, &mut self.switches);
        let switch = match row {
            Row::Overlay => &mut switches.overlay,
            Row::Sound => &mut switches.sound,
            Row::Dust => &mut switches.dust,
            Row::Bonds => &mut switches.bonds,
            Row::Supports => &mut switches.supports,
            Row::Cells => &mut switches.cells,
            Row::Tool => return Some(Command::Take(self.tool.next(up))),
            _ if locked => return None,
            Row::Threads if Self::lacks_threads() => return None,
            Row::Threads => return turn(&mut choices.threads, &THREADS, up),
            Row::Pieces => return turn(&mut choices.pieces, &PIECES, up),
            Row::Chain => return turn(&mut choices.chain, &CHAIN, up),
            Row::Wait => {
                choices.wait = !choices.wait;
                return Some(Command::Choices);
            }
            Row::Scene(_) | Row::Reset | Row::Quit => return None,
        };
        *switch = !*switch;
        Some(Command::Switches)
    }

    /// Returns the label of a row.
    pub fn label(&self, row: usize) -> String {
        let (choices, switches) = (&self.choices, &self.switches);
        let on = |on: bool| if on { "on" } else { "off" };
        let locked = if self.locked {
            " (fixed by the recording)"
        } else {
            ""
        };
        let chosen = |what: &str, value: String| format!("{what}   < {value} >{locked}");
        match self.row(row) {
            Some(Row::Scene(index)) => GALLERY
                .get(index)
                .map_or_else(String::new, |entry| entry.title.to_owned()),
            Some(Row::Tool) => format!("Tool (2 to 6)   < {} >", self.tool.name()),
            Some(Row::Threads) if Self::lacks_threads() => "Worker threads   none here".to_owned(),
            Some(Row::Threads) => chosen("Worker threads", choices.threads.to_string()),
            Some(Row::Pieces) => chosen("Free pieces at most", choices.pieces.to_string()),
            Some(Row::Chain) => chosen("Breaks by debris a frame", choices.chain.to_string()),
            Some(Row::Wait) => chosen("Wait for the result", on(choices.wait).to_owned()),
            Some(Row::Overlay) => format!("Numbers (F1)   {}", on(switches.overlay)),
            Some(Row::Sound) => format!("Sound   {}", on(switches.sound)),
            Some(Row::Dust) => format!("Dust   {}", on(switches.dust)),
            Some(Row::Bonds) => {
                format!("Draw what holds what (V)   {}", on(switches.bonds))
            }
            Some(Row::Supports) => {
                format!("Draw supports and damage (G)   {}", on(switches.supports))
            }
            Some(Row::Cells) => format!("Draw cells (H)   {}", on(switches.cells)),
            Some(Row::Reset) => "Reset the scene (R)".to_owned(),
            Some(Row::Quit) => "Quit".to_owned(),
            None => String::new(),
        }
    }
}

/// Changes to the next or previous value, staying within the list.
fn turn(value: &mut usize, values: &[usize], up: bool) -> Option<Command> {
    let next = if up {
        values.iter().find(|other| **other > *value)
    } else {
        values.iter().rev().find(|other| **other < *value)
    };
    *value = *next?;
    Some(Command::Choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str) -> usize {
        let menu = Menu::default();
        (0..Menu::ROWS)
            .find(|row| menu.label(*row).starts_with(label))
            .unwrap_or_else(|| panic!("no row {label}"))
    }

    #[test]
    fn every_row_says_something_else_and_keys_go_round() {
        let mut menu = Menu::default();
        let labels: std::collections::BTreeSet<String> =
            (0..Menu::ROWS).map(|row| menu.label(row)).collect();
        assert_eq!(labels.len(), Menu::ROWS);
        assert!(!labels.contains(""));
        for _ in 0..Menu::ROWS {
            menu.on_key(KeyCode::ArrowDown);
        }
        assert_eq!(menu.selected(), 0);
        menu.on_key(KeyCode::ArrowUp);
        assert_eq!(menu.selected(), Menu::ROWS - 1);
        assert_eq!(menu.on_key(KeyCode::Enter), Some(Command::Quit));
    }

    #[test]
    fn scenes_are_opened_and_settings_are_changed() {
        let mut menu = Menu::default();
        assert_eq!(menu.choose(3), Some(Command::Open(3)));
        assert_eq!(menu.selected(), 3);
        menu.select(row("Worker threads"));
        // By default they are as many as the machine has cores for.
        menu.choices.threads = 1;
        assert_eq!(menu.on_key(KeyCode::ArrowRight), Some(Command::Choices));
        assert_eq!(menu.choices.threads, 2);
        menu.choices.threads = 1;
        assert_eq!(menu.on_key(KeyCode::ArrowLeft), Some(Command::Choices));
        assert_eq!(menu.on_key(KeyCode::ArrowLeft), None, "none is the least");
        assert_eq!(menu.choose(row("Wait")), Some(Command::Choices));
        assert!(menu.choices.wait);
        assert_eq!(menu.choose(row("Sound")), Some(Command::Switches));
        assert!(!menu.switches.sound);
    }

    #[test]
    fn tools_go_round() {
        let mut menu = Menu::default();
        menu.select(row("Tool"));
        let mut seen = Vec::new();
        for _ in Tool::ALL {
            let Some(Command::Take(tool)) = menu.on_key(KeyCode::ArrowRight) else {
                panic!("no tool is taken");
            };
            menu.tool = tool;
            seen.push(tool.name());
        }
        assert_eq!(seen, ["bomb", "hammer", "blade", "push", "shoot"]);
        assert_eq!(
            menu.on_key(KeyCode::ArrowLeft),
            Some(Command::Take(Tool::Push))
        );
    }

    #[test]
    fn a_recording_fixes_what_it_depends_on() {
        let mut menu = Menu::new(Choices::default(), true);
        assert_eq!(menu.choose(row("Free pieces")), None);
        assert_eq!(menu.choices, Choices::default());
        assert_eq!(menu.choose(row("Dust")), Some(Command::Switches));
    }
}

//! The widgets of the Fracture window. They hold no state; the session tells them what to show.

mod charts;
pub(crate) mod docking;
mod field_limits;
pub(crate) mod inspector_panel;
mod preview_panel;
mod widgets;

use crate::preview::{ColorBy, Figures};
use crate::tool::ids;
use crate::tool::impact::NO_IMPACT;
use crate::tool::view::comparison::CompareWith;
use crate::tool::window::charts::Charts;
use crate::tool::window::inspector_panel::{Editors, InspectorPanel};
use crate::tool::window::preview_panel::PreviewPanel;
use crate::tool::window::widgets::*;
use fracture::{Destructible, FracturePattern, PRESETS};
use fyrox::{
    core::{pool::Handle, reflect::Reflect},
    gui::{
        button::Button,
        dropdown_list::{DropdownList, DropdownListMessage},
        numeric::NumericUpDown,
        progress_bar::{ProgressBar, ProgressBarMessage},
        scroll_bar::{ScrollBar, ScrollBarMessage},
        scroll_viewer::ScrollViewerBuilder,
        stack_panel::StackPanelBuilder,
        text::{Text, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        window::{Window, WindowBuilder, WindowTitle},
        BuildContext, Thickness, UiNode, UserInterface,
    },
};

/// Name under which the editor's layout stores the window.
pub const NAME: &str = "FractureTool";
/// Width of the floating window, pixels.
pub const WIDTH: f32 = 430.0;
/// Height of the floating window where the screen has room, pixels.
pub const HEIGHT: f32 = 840.0;

/// Initial value of *Move apart*, 0 to 1: enough to tell pieces from each other.
pub const APART: f32 = 0.25;

/// Handles of the widgets that are read or written later.
pub struct FractureWindow {
    pub window: Handle<Window>,
    status: Handle<Text>,
    pub add: Handle<Button>,
    pub script: InspectorPanel,
    pub presets: Vec<Handle<Button>>,
    pattern_name: Handle<Text>,
    pub pattern: InspectorPanel,
    pub place: Handle<Button>,
    pub energy: Handle<NumericUpDown<f32>>,
    impact: Handle<Text>,
    pub strike: Handle<Button>,
    pub play: Handle<Button>,
    pub step: Handle<Button>,
    pub reset: Handle<Button>,
    /// Shows the whole object in the preview.
    pub fit: Handle<Button>,
    pub explode: Handle<ScrollBar>,
    pub colors: Handle<DropdownList>,
    pub compare: Handle<DropdownList>,
    pub other_seed: Handle<NumericUpDown<f32>>,
    /// The row of the other seed and its label.
    seed_row: Handle<UiNode>,
    /// Cancels a break.
    pub give_up: Handle<Button>,
    pub screen: PreviewPanel,
    figures: Handle<Text>,
    other_figures: Handle<Text>,
    charts: Charts,
    pub check: Handle<Button>,
    pub sweep: Handle<Button>,
    pub cancel: Handle<Button>,
    progress: Handle<ProgressBar>,
    report: Handle<Text>,
    pub bake: Handle<Button>,
    pub save: Handle<Button>,
}

impl FractureWindow {
    /// Builds the window, closed.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let status = text(ctx, ids::STATUS, "Select a node.");
        let add = button(
            ctx,
            ids::ADD,
            "Make Destructible",
            "Gives the selected nodes the script Destructible. One step that can be undone.",
        );
        let script = InspectorPanel::new(ctx, ids::SCRIPT);
        let presets: Vec<_> = PRESETS
            .iter()
            .map(|(name, _)| {
                let tip = format!("Sets the pattern to the preset \"{name}\". A pattern that is a file is changed for all objects that use it.");
                button(ctx, ids::preset(name), name, &tip)
            })
            .collect();
        let pattern_name = text(ctx, ids::PATTERN, "");
        let pattern = InspectorPanel::new(ctx, ids::RECIPE);
        let save = button(ctx, ids::SAVE, "Save Pattern As File", "Writes the pattern to data/patterns under the object's name and gives the file to the selected nodes, so that other objects can share it.");
        let place = button(ctx, ids::PLACE, "Place Impact", "Then move over the object in the scene: the cells that a hit there breaks off are outlined. Click or drag to place the impact; Shift and drag sets the radius, Ctrl and drag tilts the normal.");
        let energy = number(
            ctx,
            ids::ENERGY,
            2000.0,
            "Energy of the blow, J. It sets the radius of the break by Energy To Radius.",
        );
        let impact = text(ctx, ids::IMPACT, NO_IMPACT);
        let strike = button(ctx, ids::STRIKE, "Break", "Breaks the object in the preview by the code of the game. Again: strikes what is left there. A click into the preview strikes what it points to.");
        let play = button(
            ctx,
            ids::PLAY,
            "Play / Pause",
            "Lets the pieces fall in the preview, or holds them.",
        );
        let step = button(
            ctx,
            ids::STEP,
            "Step",
            "Lets the pieces fall for one frame.",
        );
        let reset = button(
            ctx,
            ids::RESET,
            "Reset",
            "Makes the preview anew from the scene.",
        );
        let fit = button(
            ctx,
            ids::FIT,
            "Fit View",
            "Shows the whole object in the preview again.",
        );
        let explode = slider(
            ctx,
            ids::EXPLODE,
            APART,
            "Moves the pieces apart, to look between them.",
        );
        let colors = list(
            ctx,
            ids::COLORS,
            &ColorBy::ALL.map(|(_, name)| name),
            "What the colours of the pieces mean.",
        );
        let labels = CompareWith::ALWAYS.map(|choice| choice.label());
        let labels = labels.each_ref().map(String::as_str);
        let compare = list(ctx, ids::COMPARE, &labels, "Shows the same blow beside the preview, on the same object with another seed or with the pattern of a file.");
        let other_seed = seed(ctx, ids::OTHER_SEED, 1, "The other seed.");
        let give_up = button(
            ctx,
            ids::GIVE_UP,
            "Cancel",
            "Gives up the break that is being computed, and ends the preview.",
        );
        let screen = PreviewPanel::new(ctx);
        let figures = tall_text(ctx, ids::FIGURES, 66.0);
        let other_figures = text(ctx, ids::OTHER_FIGURES, "");
        let charts = Charts::new(ctx);
        let check = button(
            ctx,
            ids::CHECK,
            "Check Mesh",
            "Looks for what keeps the mesh from breaking, and says what to do about it.",
        );
        let sweep = button(ctx, ids::SWEEP, "Sweep 100 Breaks", "Breaks the object at 100 random places on a worker, and reports the slowest cut, the smallest piece and any fault.");
        let cancel = button(ctx, ids::CANCEL, "Cancel", "Stops the check or sweep.");
        let progress = progress(ctx, "How much of the sweep is done.");
        let report = tall_text(ctx, ids::REPORT, 110.0);
        let bake = button(ctx, ids::BAKE, "Bake Pieces", "Adds the pieces of the preview to the scene, as they lie there, as ordinary nodes below the object. They come in place of its meshes, which are hidden, and of its script. One step that can be undone.");
        let preset_row = wrap(ctx, &presets);
        let unit = label(ctx, "Energy, J");
        let impact_row = row(ctx, &[place.to_base(), unit, energy.to_base()]);
        let explode_row = named(ctx, "Move apart", explode.to_base());
        let colors_row = named(ctx, "Colour by", colors.to_base());
        let compare_row = named(ctx, "Compare with", compare.to_base());
        let seed_row = named(ctx, "Its seed", other_seed.to_base());
        let break_row = wrap(ctx, &[strike, play, step, reset, fit, give_up]);
        let check_row = wrap(ctx, &[check, sweep, cancel]);
        let bake_row = wrap(ctx, &[bake, save]);
        let heading = |ctx: &mut BuildContext, name: &str| heading(ctx, name);
        let children = vec![
            status.to_base(),
            add.to_base(),
            heading(ctx, "Preview"),
            impact_row,
            impact.to_base(),
            break_row,
            explode_row,
            colors_row,
            compare_row,
            seed_row,
            screen.area.to_base(),
            figures.to_base(),
            other_figures.to_base(),
            charts.panel,
            heading(ctx, "Pattern"),
            pattern_name.to_base(),
            preset_row,
            pattern.panel,
            heading(ctx, "Destructible"),
            script.panel,
            heading(ctx, "Checks"),
            check_row,
            progress.to_base(),
            report.to_base(),
            heading(ctx, "Keep"),
            bake_row,
        ];
        let content = StackPanelBuilder::new(
            WidgetBuilder::new()
                .with_margin(Thickness::uniform(4.0))
                .with_children(children),
        )
        .build(ctx);
        let content = ScrollViewerBuilder::new(WidgetBuilder::new())
            .with_content(content)
            .build(ctx);
        let window = WindowBuilder::new(
            WidgetBuilder::new()
                .with_name(NAME)
                .with_id(ids::WINDOW)
                .with_allow_drop(true)
                .with_width(WIDTH)
                .with_height(HEIGHT),
        )
        .open(false)
        .with_title(WindowTitle::text("Fracture"))
        .with_tab_label("Fracture")
        .with_content(content)
        .build(ctx);
        Self {
            window,
            status,
            add,
            script,
            presets,
            pattern_name,
            pattern,
            place,
            energy,
            impact,
            strike,
            play,
            step,
            reset,
            fit,
            explode,
            colors,
            compare,
            other_seed,
            seed_row,
            give_up,
            screen,
            figures,
            other_figures,
            charts,
            check,
            sweep,
            cancel,
            progress,
            report,
            bake,
            save,
        }
    }

    /// Shows the selected object, or why it cannot break.
    pub fn set_status(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.status, TextMessage::Text(text.into()));
    }

    /// Shows the position of the impact.
    pub fn set_impact(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.impact, TextMessage::Text(text.into()));
    }

    /// Shows the name of the pattern.
    pub fn set_pattern_name(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.pattern_name, TextMessage::Text(text.into()));
    }

    /// Shows the report of a check or sweep.
    pub fn set_report(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.report, TextMessage::Text(text.into()));
    }

    /// Shows the progress of a sweep, 0 to 1.
    pub fn set_progress(&self, ui: &UserInterface, share: f32) {
        ui.send_sync(self.progress, ProgressBarMessage::Progress(share));
    }

    /// Shows or hides the progress bar of a check or sweep.
    pub fn set_working(&self, ui: &UserInterface, working: bool) {
        ui.send_sync(self.progress, WidgetMessage::Visibility(working));
    }

    /// Shows how far pieces are moved apart.
    pub fn set_explode(&self, ui: &UserInterface, value: f32) {
        ui.send_sync(self.explode, ScrollBarMessage::Value(value));
    }

    /// Shows or hides the button that cancels a break.
    pub fn set_breaking(&self, ui: &UserInterface, breaking: bool) {
        ui.send_sync(self.give_up, WidgetMessage::Visibility(breaking));
    }

    /// Shows or hides the other seed.
    pub fn set_seeded(&self, ui: &UserInterface, seeded: bool) {
        ui.send_sync(self.seed_row, WidgetMessage::Visibility(seeded));
    }

    /// Fills the list *Compare with*.
    pub fn set_choices(
        &self,
        ui: &mut UserInterface,
        choices: &[CompareWith],
        chosen: Option<usize>,
    ) {
        let ctx = &mut ui.build_ctx();
        let items = choices.iter().map(|choice| option(ctx, &choice.label()));
        let items = items.collect();
        ui.send_sync(self.compare, DropdownListMessage::Items(items));
        ui.send_sync(self.compare, DropdownListMessage::Selection(chosen));
    }

    /// Shows or hides the button *Make Destructible*.
    pub fn set_offer(&self, ui: &UserInterface, offer: bool) {
        ui.send_sync(self.add, WidgetMessage::Visibility(offer));
    }

    /// Shows the figures of the preview as numbers and charts, and those of the second preview as
    /// numbers.
    pub fn set_figures(&self, ui: &UserInterface, [figures, other]: [Option<&Figures>; 2]) {
        let label = figures.map(Figures::to_string).unwrap_or_default();
        ui.send_sync(self.figures, TextMessage::Text(label));
        let label = other.map(|other| format!("On the right: {other}"));
        ui.send_sync(
            self.other_figures,
            TextMessage::Text(label.unwrap_or_default()),
        );
        self.charts.show(ui, figures);
    }

    /// Shows the selected script, or none.
    pub fn show_script(
        &mut self,
        ui: &mut UserInterface,
        script: Option<&Destructible>,
        editors: &Editors,
    ) {
        self.script.show(
            ui,
            script.map(|script| script as &dyn Reflect),
            None,
            editors,
        );
    }

    /// Shows the pattern of the selected script, or none.
    pub fn show_pattern(
        &mut self,
        ui: &mut UserInterface,
        pattern: Option<&FracturePattern>,
        editors: &Editors,
    ) {
        let fields = pattern.map(FracturePattern::fields);
        let object = pattern.map(|pattern| pattern as &dyn Reflect);
        self.pattern.show(ui, object, fields.as_deref(), editors);
    }
}

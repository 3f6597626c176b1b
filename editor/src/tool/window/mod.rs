//! The widgets of the Fracture window. They hold no state; the session tells them what to show.

pub(crate) mod card_section;
mod charts;
pub(crate) mod docking;
mod field_limits;
pub(crate) mod inspector_panel;
mod preview_panel;
mod sections;
pub(crate) mod structure_panel;
mod widgets;

pub use sections::APART;

use crate::preview::Figures;
use crate::tool::ids;
use crate::tool::view::comparison::CompareWith;
use crate::tool::window::card_section::CardSection;
use crate::tool::window::charts::Charts;
use crate::tool::window::inspector_panel::{Editors, InspectorPanel};
use crate::tool::window::preview_panel::PreviewPanel;
use crate::tool::window::sections::{
    preset_buttons, BreakButtons, CheckFields, ImpactFields, KeepFields, ViewFields,
};
use crate::tool::window::structure_panel::StructureFields;
use crate::tool::window::widgets::*;
use fracture::{Destructible, FracturePattern};
use fyrox::{
    core::{pool::Handle, reflect::Reflect},
    gui::{
        button::Button,
        check_box::CheckBoxMessage,
        dropdown_list::{DropdownList, DropdownListMessage},
        progress_bar::ProgressBarMessage,
        scroll_bar::ScrollBarMessage,
        scroll_viewer::ScrollViewerBuilder,
        stack_panel::StackPanelBuilder,
        text::{Text, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        window::{Window, WindowBuilder, WindowTitle},
        BuildContext, Thickness, UiNode, UserInterface,
    },
    scene::rigidbody::RigidBodyType,
};

/// Name under which the editor's layout stores the window.
pub const NAME: &str = "FractureTool";
/// Width of the floating window, pixels.
pub const WIDTH: f32 = 430.0;
/// Height of the floating window where the screen has room, pixels.
pub const HEIGHT: f32 = 840.0;

/// Handles of the widgets that are read or written later.
pub struct FractureWindow {
    pub window: Handle<Window>,
    status: Handle<Text>,
    pub add: Handle<Button>,
    pub body_type: Handle<DropdownList>,
    pub card: CardSection,
    pub impact: ImpactFields,
    pub breaking: BreakButtons,
    pub view: ViewFields,
    pub screen: PreviewPanel,
    figures: Handle<Text>,
    other_figures: Handle<Text>,
    charts: Charts,
    pattern_name: Handle<Text>,
    pub presets: Vec<Handle<Button>>,
    pub pattern: InspectorPanel,
    pub read_stencil: Handle<Button>,
    pub script: InspectorPanel,
    pub checks: CheckFields,
    pub structure: StructureFields,
    pub keep: KeepFields,
}

/// The types of rigid bodies that *Make Destructible* offers.
pub const BODY_TYPES: [(&str, RigidBodyType); 2] = [
    ("Static", RigidBodyType::Static),
    ("Dynamic", RigidBodyType::Dynamic),
];

impl FractureWindow {
    /// Builds the window, closed.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let mut widgets = Self {
            window: Handle::NONE,
            status: text(ctx, ids::STATUS, "Select a node."),
            add: button(
                ctx,
                ids::ADD,
                "Make Destructible",
                "Gives each selected node what it lacks to break: a rigid body in its place, a collider that \
                 fits, and the script Destructible. One step that can be undone.",
            ),
            body_type: list(
                ctx,
                ids::BODY_TYPE,
                &BODY_TYPES.map(|(name, _)| name),
                "The rigid body of a node that has none: what is static stays until it is struck, what is \
                 dynamic falls and is pushed.",
            ),
            card: CardSection::new(ctx),
            impact: ImpactFields::new(ctx),
            breaking: BreakButtons::new(ctx),
            view: ViewFields::new(ctx),
            screen: PreviewPanel::new(ctx),
            figures: tall_text(ctx, ids::FIGURES, 66.0),
            other_figures: text(ctx, ids::OTHER_FIGURES, ""),
            charts: Charts::new(ctx),
            pattern_name: text(ctx, ids::PATTERN, ""),
            presets: preset_buttons(ctx),
            pattern: InspectorPanel::new(ctx, ids::RECIPE),
            read_stencil: button(
                ctx,
                ids::READ_STENCIL,
                "Read Stencil",
                "Reads the cells of patterns of the kind Stencil from their Source File: a model of convex parts, a \
                 picture, or a list of points. Again, when the file has changed. One step that can be undone.",
            ),
            script: InspectorPanel::new(ctx, ids::SCRIPT),
            checks: CheckFields::new(ctx),
            structure: StructureFields::new(ctx),
            keep: KeepFields::new(ctx),
        };
        let rows = widgets.rows(ctx);
        widgets.window = build(ctx, rows);
        widgets
    }

    /// Makes the rows of the window, from the top.
    fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        let offer = [self.add.to_base(), self.body_type.to_base()];
        let mut rows = vec![self.status.to_base(), row(ctx, &offer)];
        rows.push(heading(ctx, "Preview"));
        rows.extend(self.impact.rows(ctx));
        rows.push(self.breaking.row(ctx));
        rows.extend(self.view.rows(ctx));
        rows.extend([
            self.screen.area.to_base(),
            self.figures.to_base(),
            self.other_figures.to_base(),
            self.charts.panel,
            heading(ctx, "Card"),
        ]);
        rows.extend(self.card.rows(ctx));
        rows.extend([
            heading(ctx, "Pattern"),
            self.pattern_name.to_base(),
            wrap(ctx, &self.presets),
            self.pattern.panel,
            row(ctx, &[self.read_stencil.to_base()]),
            heading(ctx, "Destructible"),
            self.script.panel,
            heading(ctx, "Checks"),
        ]);
        rows.extend(self.checks.rows(ctx));
        rows.push(heading(ctx, "Structure"));
        rows.extend(self.structure.rows(ctx));
        rows.push(heading(ctx, "Keep"));
        rows.extend(self.keep.rows(ctx));
        rows
    }

    /// Shows the selected object, or why it cannot break.
    pub fn set_status(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.status, TextMessage::Text(text.into()));
    }

    /// Shows the position of the impact.
    pub fn set_impact(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.impact.text, TextMessage::Text(text.into()));
    }

    /// Shows the name of the pattern.
    pub fn set_pattern_name(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.pattern_name, TextMessage::Text(text.into()));
    }

    /// Shows the report of a check or sweep.
    pub fn set_report(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.checks.report, TextMessage::Text(text.into()));
    }

    /// Shows the progress of a sweep, 0 to 1.
    pub fn set_progress(&self, ui: &UserInterface, share: f32) {
        ui.send_sync(self.checks.progress, ProgressBarMessage::Progress(share));
    }

    /// Shows or hides the progress bar of a check or sweep.
    pub fn set_working(&self, ui: &UserInterface, working: bool) {
        ui.send_sync(self.checks.progress, WidgetMessage::Visibility(working));
    }

    /// Shows how far pieces are moved apart.
    pub fn set_explode(&self, ui: &UserInterface, value: f32) {
        ui.send_sync(self.view.explode, ScrollBarMessage::Value(value));
    }

    /// Shows or hides the button that cancels a break.
    pub fn set_breaking(&self, ui: &UserInterface, breaking: bool) {
        ui.send_sync(self.breaking.give_up, WidgetMessage::Visibility(breaking));
    }

    /// Shows or hides the other seed.
    pub fn set_seeded(&self, ui: &UserInterface, seeded: bool) {
        ui.send_sync(self.view.seed_row, WidgetMessage::Visibility(seeded));
    }

    /// Fills the list *Compare with*.
    pub fn set_choices(
        &self,
        ui: &mut UserInterface,
        choices: &[CompareWith],
        chosen: Option<usize>,
    ) {
        let names: Vec<String> = choices.iter().map(|choice| choice.label()).collect();
        fill(ui, self.view.compare, &names, chosen);
    }

    /// Shows or hides the button *Make Destructible*, and the type of body beside it.
    pub fn set_offer(&self, ui: &UserInterface, offer: bool) {
        ui.send_sync(self.add, WidgetMessage::Visibility(offer));
        ui.send_sync(self.body_type, WidgetMessage::Visibility(offer));
    }

    /// Shows the type of body that *Make Destructible* gives.
    pub fn set_body_type(&self, ui: &UserInterface, body_type: RigidBodyType) {
        let at = BODY_TYPES.iter().position(|(_, one)| *one == body_type);
        ui.send_sync(self.body_type, DropdownListMessage::Selection(at));
    }

    /// Shows whether scenes are cooked when they are saved.
    pub fn set_cook_on_save(&self, ui: &UserInterface, cook: bool) {
        ui.send_sync(self.keep.cook_on_save, CheckBoxMessage::Check(Some(cook)));
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

/// Builds the window around its rows, closed.
fn build(ctx: &mut BuildContext, rows: Vec<Handle<UiNode>>) -> Handle<Window> {
    let content = StackPanelBuilder::new(
        WidgetBuilder::new()
            .with_margin(Thickness::uniform(4.0))
            .with_children(rows),
    )
    .build(ctx);
    let content = ScrollViewerBuilder::new(WidgetBuilder::new())
        .with_content(content)
        .build(ctx);
    WindowBuilder::new(
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
    .build(ctx)
}

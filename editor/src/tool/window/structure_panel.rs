//! The section about the structure of the scene: buttons, a legend of the colours, and lists whose rows are clicked.

use crate::tool::{
    ids,
    structure::{heat, COMES_DOWN, NO_STRENGTH, TAKEN_OUT},
    window::widgets::{button, label, progress, row, text, tooltip, wrap},
};
use fyrox::{
    core::{color::Color, pool::Handle},
    gui::{
        border::BorderBuilder,
        brush::Brush,
        button::{Button, ButtonBuilder},
        formatted_text::WrapMode,
        progress_bar::{ProgressBar, ProgressBarMessage},
        stack_panel::StackPanelBuilder,
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, HorizontalAlignment, Thickness, UiNode, UserInterface, VerticalAlignment,
    },
};

/// Most rows of a list.
pub const ROWS: usize = 10;
/// Boxes of the scale from green to red, and the width of each, pixels.
const SCALE: usize = 24;
const BOX: f32 = 4.0;

/// Widgets of the structure of the scene.
pub struct StructureFields {
    pub certify: Handle<Button>,
    pub take_out: Handle<Button>,
    pub cancel: Handle<Button>,
    pub clear: Handle<Button>,
    progress: Handle<ProgressBar>,
    legend: Handle<UiNode>,
    summary: Handle<Text>,
    pub problems: RowList,
    object: Handle<Text>,
    worst_title: Handle<Text>,
    pub worst: RowList,
}

/// Rows of text that can be clicked.
pub struct RowList {
    panel: Handle<UiNode>,
    rows: Vec<(Handle<Button>, Handle<Text>)>,
}

/// All that the section shows.
#[derive(Default, PartialEq)]
pub struct StructureTexts {
    pub summary: String,
    pub problems: Vec<String>,
    pub object: String,
    pub worst_title: String,
    pub worst: Vec<String>,
    /// Whether there are colours to be explained.
    pub has_colors: bool,
    /// Whether work is under way that can be cancelled.
    pub is_working: bool,
}

impl StructureFields {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            certify: button(ctx, ids::CERTIFY, "Certify Structure", "Looks at all destructibles of the scene as the game would: what holds each of them, how much it bears, what floats and what is too heavy. They are coloured by how much of their strength is used. The scene is not changed."),
            take_out: button(ctx, ids::TAKE_OUT, "Take Out Each", "Takes each object out in turn, in the background, and lists those that bring down the most. Without this, rest the cursor on an object in the scene to see what comes down without it."),
            cancel: button(ctx, ids::CANCEL_STRUCTURE, "Cancel", "Stops looking. What was found so far stays in the list."),
            clear: button(ctx, ids::CLEAR_STRUCTURE, "Clear", "Takes the colours away, and forgets what was found."),
            progress: progress(ctx, "How many of the objects have been taken out."),
            legend: legend(ctx),
            summary: text(ctx, ids::STRUCTURE, NOT_CERTIFIED),
            problems: RowList::new(ctx, ids::structure_problem, "Click to select the object and to look at it."),
            object: text(ctx, ids::STRUCTURE_OBJECT, ""),
            worst_title: text(ctx, ids::WORST_TITLE, ""),
            worst: RowList::new(ctx, ids::worst_removal, "An object, and how much of the mass of all others comes down without it. Click to look at it, and to see it happen in the preview."),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        vec![
            wrap(ctx, &[self.certify, self.take_out, self.cancel, self.clear]),
            self.progress.to_base(),
            self.legend,
            self.summary.to_base(),
            self.problems.panel,
            self.object.to_base(),
            self.worst_title.to_base(),
            self.worst.panel,
        ]
    }

    /// Shows texts.
    pub fn show(&self, ui: &UserInterface, texts: &StructureTexts) {
        let fields = [
            (self.summary, &texts.summary),
            (self.object, &texts.object),
            (self.worst_title, &texts.worst_title),
        ];
        for (field, text) in fields {
            ui.send_sync(field, TextMessage::Text(text.clone()));
            ui.send_sync(field, WidgetMessage::Visibility(!text.is_empty()));
        }
        self.problems.show(ui, &texts.problems);
        self.worst.show(ui, &texts.worst);
        ui.send_sync(self.legend, WidgetMessage::Visibility(texts.has_colors));
        ui.send_sync(self.clear, WidgetMessage::Visibility(texts.has_colors));
        ui.send_sync(self.take_out, WidgetMessage::Visibility(texts.has_colors));
        ui.send_sync(self.cancel, WidgetMessage::Visibility(texts.is_working));
        ui.send_sync(self.progress, WidgetMessage::Visibility(texts.is_working));
    }

    /// Shows the progress, 0 to 1.
    pub fn set_progress(&self, ui: &UserInterface, share: f32) {
        ui.send_sync(self.progress, ProgressBarMessage::Progress(share));
    }
}

/// Shown before anything was looked at.
pub const NOT_CERTIFIED: &str =
    "Certify Structure shows what holds the objects of the scene, and what floats.";

impl RowList {
    fn new(ctx: &mut BuildContext, id: fn(usize) -> fyrox::core::Uuid, tip: &str) -> Self {
        let row = |index: usize| {
            let margin = Thickness {
                left: 6.0,
                top: 3.0,
                right: 4.0,
                bottom: 3.0,
            };
            let text = TextBuilder::new(WidgetBuilder::new().with_margin(margin))
                .with_wrap(WrapMode::Word)
                .with_vertical_text_alignment(VerticalAlignment::Center)
                .build(ctx);
            let tip = tooltip(ctx, tip);
            let base = WidgetBuilder::new()
                .with_id(id(index))
                .with_visibility(false)
                .with_margin(Thickness::uniform(1.0))
                .with_tooltip(tip);
            let button = ButtonBuilder::new(base).with_content(text).build(ctx);
            (button, text)
        };
        let rows: Vec<_> = (0..ROWS).map(row).collect();
        let children = rows.iter().map(|(button, _)| button.to_base());
        let panel = StackPanelBuilder::new(WidgetBuilder::new().with_children(children))
            .build(ctx)
            .to_base();
        Self { panel, rows }
    }

    fn show(&self, ui: &UserInterface, texts: &[String]) {
        for (index, (button, label)) in self.rows.iter().enumerate() {
            let text = texts.get(index);
            ui.send_sync(*button, WidgetMessage::Visibility(text.is_some()));
            if let Some(text) = text {
                ui.send_sync(*label, TextMessage::Text(text.clone()));
            }
        }
    }

    /// The index of the row that a button is.
    pub fn index(&self, button: Handle<UiNode>) -> Option<usize> {
        let mut rows = self.rows.iter();
        rows.position(|(row, _)| row.to_base::<UiNode>() == button)
    }
}

/// Makes the legend of the colours, hidden at first.
fn legend(ctx: &mut BuildContext) -> Handle<UiNode> {
    let tip = "Green to red: how much of its strength the weakest place of an object uses. Grey: the object has no \
               Tensile Strength, under Strength, to compare with.";
    let scale = (0..SCALE).map(|n| {
        let share = n as f32 / (SCALE - 1) as f32;
        swatch(ctx, heat(share), BOX)
    });
    let scale: Vec<_> = scale.collect();
    let mut widgets = vec![label(ctx, "0 %")];
    widgets.extend(scale);
    widgets.push(label(ctx, "100 % of its strength"));
    let scale = row(ctx, &widgets);
    let meanings = [
        (COMES_DOWN, "comes down"),
        (TAKEN_OUT, "taken out"),
        (NO_STRENGTH, "no strength set"),
    ];
    let meanings = meanings.map(|(color, name)| [swatch(ctx, color, 12.0), label(ctx, name)]);
    let meanings = row(ctx, &meanings.concat());
    let tip = tooltip(ctx, tip);
    StackPanelBuilder::new(
        WidgetBuilder::new()
            .with_visibility(false)
            .with_tooltip(tip)
            .with_children([scale, meanings]),
    )
    .build(ctx)
    .to_base()
}

/// Makes a box of a colour.
fn swatch(ctx: &mut BuildContext, color: Color, width: f32) -> Handle<UiNode> {
    let margin = if width > BOX { 4.0 } else { 0.0 };
    BorderBuilder::new(
        WidgetBuilder::new()
            .with_width(width)
            .with_height(12.0)
            .with_margin(Thickness {
                left: margin,
                ..Thickness::zero()
            })
            .with_horizontal_alignment(HorizontalAlignment::Left)
            .with_vertical_alignment(VerticalAlignment::Center)
            .with_background(Brush::Solid(color).into()),
    )
    .with_stroke_thickness(Thickness::zero().into())
    .build(ctx)
    .to_base()
}

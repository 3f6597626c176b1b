//! The sections of the Fracture window: their widgets, and the rows that hold these.

use crate::{
    preview::ColorBy,
    tool::{ids, impact::NO_IMPACT, view::comparison::CompareWith, window::widgets::*},
};
use fracture::PRESETS;
use fyrox::{
    core::pool::Handle,
    gui::{
        button::Button, check_box::CheckBox, dropdown_list::DropdownList, numeric::NumericUpDown,
        progress_bar::ProgressBar, scroll_bar::ScrollBar, text::Text, BuildContext, UiNode,
    },
};

/// Initial value of *Move apart*, 0 to 1: enough to tell pieces from each other.
pub const APART: f32 = 0.25;

/// Widgets that place an impact and set its energy.
pub struct ImpactFields {
    pub place: Handle<Button>,
    pub energy: Handle<NumericUpDown<f32>>,
    pub text: Handle<Text>,
}

/// Buttons that break the object in the preview and run the preview.
pub struct BreakButtons {
    pub strike: Handle<Button>,
    pub play: Handle<Button>,
    pub step: Handle<Button>,
    pub reset: Handle<Button>,
    pub fit: Handle<Button>,
    pub give_up: Handle<Button>,
}

/// Widgets that set how pieces are shown, and with what they are compared.
pub struct ViewFields {
    pub explode: Handle<ScrollBar>,
    pub colors: Handle<DropdownList>,
    pub compare: Handle<DropdownList>,
    pub other_seed: Handle<NumericUpDown<f32>>,
    pub seed_row: Handle<UiNode>,
}

/// Widgets of checks and sweeps.
pub struct CheckFields {
    pub check: Handle<Button>,
    pub sweep: Handle<Button>,
    pub cancel: Handle<Button>,
    pub progress: Handle<ProgressBar>,
    pub report: Handle<Text>,
}

/// Widgets that keep what has been made.
pub struct KeepFields {
    pub bake: Handle<Button>,
    pub save: Handle<Button>,
    pub cook_on_save: Handle<CheckBox>,
}

impl ImpactFields {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            place: button(ctx, ids::PLACE, "Place Impact", "Then move over the object in the scene: the cells that a hit there breaks off are outlined. Click or drag to place the impact; Shift and drag sets the radius, Ctrl and drag tilts the normal."),
            energy: number(
            ctx,
            ids::ENERGY,
            2000.0,
            "Energy of the blow, J. It sets the radius of the break by Energy Per Volume.",
        ),
            text: text(ctx, ids::IMPACT, NO_IMPACT),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        let unit = label(ctx, "Energy, J");
        let row = row(ctx, &[self.place.to_base(), unit, self.energy.to_base()]);
        vec![row, self.text.to_base()]
    }
}

impl BreakButtons {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            strike: button(ctx, ids::STRIKE, "Break", "Breaks the object in the preview by the code of the game. Again: strikes what is left there. A click into the preview strikes what it points to."),
            play: button(
            ctx,
            ids::PLAY,
            "Play / Pause",
            "Lets the pieces fall in the preview, or holds them.",
        ),
            step: button(
            ctx,
            ids::STEP,
            "Step",
            "Lets the pieces fall for one frame.",
        ),
            reset: button(
            ctx,
            ids::RESET,
            "Reset",
            "Makes the preview anew from the scene.",
        ),
            fit: button(
            ctx,
            ids::FIT,
            "Fit View",
            "Shows the whole object in the preview again.",
        ),
            give_up: button(
            ctx,
            ids::GIVE_UP,
            "Cancel",
            "Gives up the break that is being computed, and ends the preview.",
        ),
        }
    }

    pub fn row(&self, ctx: &mut BuildContext) -> Handle<UiNode> {
        let Self {
            strike,
            play,
            step,
            reset,
            fit,
            give_up,
        } = *self;
        wrap(ctx, &[strike, play, step, reset, fit, give_up])
    }
}

impl ViewFields {
    pub fn new(ctx: &mut BuildContext) -> Self {
        let labels = CompareWith::ALWAYS.map(|choice| choice.label());
        let labels = labels.each_ref().map(String::as_str);
        let other_seed = seed(ctx, ids::OTHER_SEED, 1, "The other seed.");
        Self {
            explode: slider(
            ctx,
            ids::EXPLODE,
            APART,
            "Moves the pieces apart, to look between them.",
        ),
            colors: list(
            ctx,
            ids::COLORS,
            &ColorBy::ALL.map(|(_, name)| name),
            "What the colours of the pieces mean.",
        ),
            compare: list(ctx, ids::COMPARE, &labels, "Shows the same blow beside the preview, on the same object with another seed or with the pattern of a file."),
            other_seed,
            seed_row: named(ctx, "Its seed", other_seed.to_base()),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        vec![
            named(ctx, "Move apart", self.explode.to_base()),
            named(ctx, "Colour by", self.colors.to_base()),
            named(ctx, "Compare with", self.compare.to_base()),
            self.seed_row,
        ]
    }
}

impl CheckFields {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            check: button(
            ctx,
            ids::CHECK,
            "Check Mesh",
            "Looks at how the object is set up (body, collider, mesh, scale, levels of detail, card), and for what \
             keeps the mesh from breaking, and says what to do about it.",
        ),
            sweep: button(ctx, ids::SWEEP, "Sweep 100 Breaks", "Breaks the object at 100 random places on a worker, and reports the slowest cut, the smallest piece and any fault."),
            cancel: button(ctx, ids::CANCEL, "Cancel", "Stops the check or sweep."),
            progress: progress(ctx, "How much of the sweep is done."),
            report: tall_text(ctx, ids::REPORT, 110.0),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        let buttons = wrap(ctx, &[self.check, self.sweep, self.cancel]);
        vec![buttons, self.progress.to_base(), self.report.to_base()]
    }
}

impl KeepFields {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            bake: button(ctx, ids::BAKE, "Bake Pieces", "Adds the pieces of the preview to the scene, as they lie there, as ordinary nodes below the object. They come in place of its meshes, which are hidden, and of its script. One step that can be undone."),
            save: button(ctx, ids::SAVE, "Save Pattern As File", "Writes the pattern to data/patterns under the object's name and gives the file to the selected nodes, so that other objects can share it."),
            cook_on_save: tick(
            ctx,
            ids::COOK_ON_SAVE,
            "Cook Scenes When Saved",
            "Computes what takes longest about preparing the objects of a scene that is saved, in the background, \
             and keeps it beside their models, where the game reads it. For all scenes.",
        ),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> [Handle<UiNode>; 2] {
        let buttons = wrap(ctx, &[self.bake, self.save]);
        [buttons, self.cook_on_save.to_base()]
    }
}

/// Makes a button for each preset.
pub fn preset_buttons(ctx: &mut BuildContext) -> Vec<Handle<Button>> {
    let presets = PRESETS.iter().map(|(name, _)| {
        let tip = format!("Sets the pattern alone to the preset \"{name}\"; a whole material is a card. A pattern that is a file is changed for all objects that use it.");
        button(ctx, ids::preset(name), name, &tip)
    });
    presets.collect()
}

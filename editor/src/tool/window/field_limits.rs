//! Fields of a pattern that are shown, and the limits of their numbers.

use fracture::PatternField;
use fyrox::{
    core::{pool::Handle, reflect::Reflect},
    graph::SceneGraph,
    gui::{
        inspector::ContextEntry,
        numeric::{NumericType, NumericUpDown, NumericUpDownMessage},
        widget::WidgetMessage,
        UiNode, UserInterface,
    },
};

/// Hides the rows of fields that are not listed and sets the limits of those that are. Call before the
/// values of `object` are shown.
pub fn apply(
    ui: &UserInterface,
    rows: &[ContextEntry],
    fields: &[PatternField],
    object: &dyn Reflect,
) {
    for row in rows {
        let field = fields.iter().find(|field| field.name == row.property_name);
        show(ui, row.property_container, field.is_some());
        if let Some(limits) = field.and_then(|field| field.limits) {
            let name = &row.property_name;
            limit::<f32>(ui, row.property_editor, limits, value(object, name));
            limit::<u32>(ui, row.property_editor, limits, value(object, name));
        }
    }
}

fn show(ui: &UserInterface, row: Handle<UiNode>, wanted: bool) {
    if ui
        .try_get_node(row)
        .is_ok_and(|row| row.visibility() != wanted)
    {
        ui.send_sync(row, WidgetMessage::Visibility(wanted));
    }
}

/// Returns a number of an object by its field name.
fn value<T: Copy + 'static>(object: &dyn Reflect, name: &str) -> Option<T> {
    let mut found = None;
    object.fields_ref(&mut |fields| {
        let field = fields.iter().find(|field| field.name == name);
        if let Some(field) = field {
            let value = field.value.field_value_as_reflect();
            value.as_any(&mut |value| found = value.downcast_ref::<T>().copied());
        }
    });
    found
}

/// Sets limits, widened by the current value: setting a limit must not change a value.
fn limit<T: NumericType>(
    ui: &UserInterface,
    widget: Handle<UiNode>,
    [least, most]: [f64; 2],
    now: Option<T>,
) {
    let widget = ui.try_get_node(widget).ok();
    let Some((number, now)) = widget
        .and_then(|widget| widget.cast::<NumericUpDown<T>>())
        .zip(now)
    else {
        return;
    };
    let shown = *number.value;
    let [Some(least), Some(most)] = [least, most].map(T::from) else {
        return;
    };
    let least = smaller(smaller(least, now), shown);
    let most = larger(larger(most, now), shown);
    if least != *number.min_value {
        ui.send_sync(number.handle(), NumericUpDownMessage::MinValue(least));
    }
    if most != *number.max_value {
        ui.send_sync(number.handle(), NumericUpDownMessage::MaxValue(most));
    }
}

fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if b < a {
        b
    } else {
        a
    }
}

fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if b > a {
        b
    } else {
        a
    }
}

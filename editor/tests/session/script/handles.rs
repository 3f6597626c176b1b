//! The handles of the impact, dragged with the mouse.

use crate::driver::{mouse, on_screen, text, then, until, Mouse, Step};
use editor::tool::ids;
use fyrox::core::algebra::Vector3;
use fyroxed_base::Editor;

/// Reads point, radius and normal of the impact from the window.
fn impact(editor: &Editor) -> Option<(Vector3<f32>, f32, Vector3<f32>)> {
    let text = text(editor, ids::IMPACT);
    let numbers = text.split(|c: char| !(c.is_ascii_digit() || "-.".contains(c)));
    let numbers: Vec<f32> = numbers.filter_map(|word| word.parse().ok()).collect();
    let [x, y, z, radius, a, b, c] = numbers[..] else {
        return None;
    };
    Some((Vector3::new(x, y, z), radius, Vector3::new(a, b, c)))
}

/// Drags from a place that follows from the impact to another.
fn drag(
    name: &str,
    from: fn(Vector3<f32>, f32, Vector3<f32>) -> Vector3<f32>,
    to: fn(Vector3<f32>, f32, Vector3<f32>) -> Vector3<f32>,
) -> [Step; 2] {
    let place = move |editor: &mut Editor, of: fn(Vector3<f32>, f32, Vector3<f32>) -> _| {
        let (point, radius, normal) = impact(editor).expect("an impact");
        on_screen(editor, of(point, radius, normal))
    };
    [
        then(&format!("{name} is pressed on"), move |editor| {
            let (from, to) = (place(editor, from), place(editor, to));
            mouse(editor, Mouse::Move(from));
            mouse(editor, Mouse::Press);
            mouse(editor, Mouse::Move(to));
        }),
        then("and let go", |editor| mouse(editor, Mouse::Release)),
    ]
}

/// In a window, where a frame may take seconds, the first of them stands for all.
pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    steps.extend(drag(
        "the handle of the radius",
        |point, radius, _| point + Vector3::x() * radius,
        |point, _, _| point + Vector3::x() * 0.6,
    ));
    steps.push(until("the radius is where it was dragged", |editor| {
        impact(editor).is_some_and(|(_, radius, _)| (radius - 0.6).abs() < 0.05)
    }));
    if windowed {
        return steps;
    }
    steps.extend(drag(
        "the tip of the normal",
        |point, radius, normal| point + normal * radius,
        |point, radius, normal| point + normal * radius + Vector3::y() * 0.3,
    ));
    steps.push(until("the normal is tilted, and nothing else", |editor| {
        impact(editor).is_some_and(|(point, radius, normal)| {
            normal.y > 0.2 && (radius - 0.6).abs() < 0.05 && (point.z - 0.1).abs() < 0.02
        })
    }));
    steps.extend(drag(
        "the place",
        |point, _, _| point,
        |point, _, _| point + Vector3::y() * 0.2,
    ));
    steps.push(until(
        "the place is moved, and keeps its radius",
        |editor| {
            impact(editor).is_some_and(|(_, radius, normal)| {
                (radius - 0.6).abs() < 0.05 && normal.y.abs() < 0.01
            })
        },
    ));
    steps.push(until("the preview is broken there", |editor| {
        super::fragments(&text(editor, ids::FIGURES)) > 5
    }));
    steps
}

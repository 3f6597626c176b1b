//! Findings in words.

use super::findings::{Findings, ObjectFinding};
use crate::preview::share;
use fracture::{certificate::Hold, certificate::Removal, BodyId, Destructible, HoldingBond};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node, rigidbody::RigidBody},
};

/// Metres per second squared, to give a force as the mass that weighs as much.
const GRAVITY: f64 = 9.81;
/// Most names in one sentence.
const NAMES: usize = 6;

/// The names of the nodes of a scene.
pub(super) struct Words<'a> {
    pub graph: &'a Graph,
    pub findings: &'a Findings,
}

impl Words<'_> {
    /// The findings of the whole scene.
    pub fn scene(&self) -> String {
        let objects = &self.findings.objects;
        if objects.is_empty() {
            return "No object of the scene is held, or should be: Anchoring of static destructibles, under Held, \
                    says how they are."
                .into();
        }
        let count = |is: fn(&ObjectFinding) -> bool| objects.iter().filter(|o| is(o)).count();
        let total: f64 = objects.iter().map(|object| object.member.mass).sum();
        let floats = count(ObjectFinding::floats);
        let stands = count(ObjectFinding::stands);
        let mut text = format!(
            "{}, {}: {stands} {}",
            number(objects.len(), "object"),
            mass(total),
            if stands == 1 { "stands" } else { "stand" }
        );
        if floats > 0 {
            text += &format!(", {floats} held by nothing");
        }
        let down = objects.len() - stands - floats;
        if down > 0 {
            text += &format!(", {down} too heavy for what holds them");
        }
        text + ".\n" + &self.weakest_of_all()
    }

    fn weakest_of_all(&self) -> String {
        let standing = self.findings.objects.iter().filter(|o| o.stands());
        let rated = standing.filter_map(|object| Some((object, object.utilisation()?)));
        let Some((object, _)) = rated.max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return "No load is compared: Tensile Strength, under Strength, says how much a \
                    material bears."
                .into();
        };
        format!("Weakest: {}, {}", self.name(object.node), weakest(object))
    }

    /// All that is wrong, each with the node that it is about.
    pub fn problems(&self) -> Vec<(Handle<Node>, String)> {
        let mut rows = Vec::new();
        if self.findings.lacks_ground {
            let text = "Nothing in the scene stands still, so that nothing holds its objects, and none falls: add \
                        the ground as a static rigid body with a collider.";
            rows.push((Handle::NONE, text.into()));
        }
        let unread = self.findings.problems.iter();
        rows.extend(unread.map(|problem| {
            let text = format!("{}: {}.", self.name(problem.node), problem.reason);
            (problem.node, text)
        }));
        for object in &self.findings.objects {
            if let Some(text) = self.problem(object) {
                rows.push((object.node, text));
            }
        }
        rows
    }

    fn problem(&self, object: &ObjectFinding) -> Option<String> {
        let name = self.name(object.node);
        if let Some(fault) = &object.member.fault {
            return Some(format!("{name} is taken to stand: {fault}."));
        }
        if object.floats() {
            return Some(format!("{name} {}", self.floating(object)));
        }
        let falls = object.member.falls;
        (falls > 0.0).then(|| {
            let part = if falls < 1.0 {
                share(falls) + " of "
            } else {
                String::new()
            };
            format!("{part}{name} comes down: it is too heavy for what holds it.")
        })
    }

    /// Why nothing holds an object, and how far away the nearest is.
    fn floating(&self, object: &ObjectFinding) -> String {
        let script = self.graph.try_get_script_of::<Destructible>(object.node);
        let gap = script.map_or(0.0, |script| *script.held.gap);
        match object.nearest {
            Some((node, distance)) if distance > gap => format!(
                "floats: {} is {} away, and touches up to {} (Gap).",
                self.name(node),
                length(distance),
                length(gap)
            ),
            Some((node, _)) => format!(
                "is held by nothing: it touches {}, which falls itself.",
                self.name(node)
            ),
            None => "floats: nothing that is held is within a metre.".into(),
        }
    }

    /// All that was found of an object.
    pub fn object(&self, object: &ObjectFinding) -> String {
        let mut lines = vec![format!(
            "{}, {}",
            self.name(object.node),
            mass(object.member.mass)
        )];
        match &object.member.hold {
            Hold::Anchors => lines.push("Held by its own anchors.".into()),
            Hold::Nothing { .. } => lines.push(format!("It {}", self.floating(object))),
            Hold::Bonds(_) => {
                lines.extend(self.bonds("Held by", object, |bond| bond.supports));
                lines.extend(self.bonds("Also touches", object, |bond| !bond.supports));
            }
        }
        if object.member.weakest.is_some() {
            lines.push(format!("Weakest place: {}", weakest(object)));
        }
        let removal = self.findings.removals.get(&object.member.body);
        lines.extend(removal.map(|removal| self.removal(removal)));
        lines.join("\n")
    }

    fn bonds(
        &self,
        title: &str,
        object: &ObjectFinding,
        is: fn(&HoldingBond) -> bool,
    ) -> Option<String> {
        let bonds = object.bonds.iter().filter(|(_, bond)| is(bond));
        let bonds = bonds.map(|(node, bond)| {
            let used = match bond {
                bond if bond.is_loose => ", loose".into(),
                bond if bond.utilisation > 0.0 => format!(", {}", percent(bond.utilisation)),
                _ => String::new(),
            };
            format!("{} ({}{used})", self.name(*node), area(bond.area))
        });
        let bonds: Vec<_> = bonds.collect();
        (!bonds.is_empty()).then(|| format!("{title} {}.", enumeration(bonds)))
    }

    /// The removal of an object in words: all that comes down without it.
    pub fn removal(&self, removal: &Removal) -> String {
        if removal.falls.is_empty() {
            return "Nothing comes down without it.".into();
        }
        format!(
            "Without it {} of the others' mass comes down: {}.",
            share(removal.share),
            self.falls(removal)
        )
    }

    /// A row of the list of the worst removals.
    pub fn worst(&self, removal: &Removal) -> String {
        format!(
            "{}: {} in {}",
            self.name(self.findings.node(removal.removed)),
            share(removal.share),
            number(removal.falls.len(), "object"),
        )
    }

    fn falls(&self, removal: &Removal) -> String {
        let name = |body: BodyId| self.name(self.findings.node(body));
        let falls = removal.falls.iter().map(|fall| {
            let part = if fall.share < 1.0 {
                format!("{} of ", share(fall.share))
            } else {
                String::new()
            };
            part + &name(fall.body)
        });
        enumeration(falls.collect())
    }

    /// The name of a node; of the collider of a rigid body, that of the body.
    fn name(&self, node: Handle<Node>) -> String {
        let find = |node: Handle<Node>| self.graph.try_get_node(node).ok();
        let Some(own) = find(node) else {
            return "a node that is gone".into();
        };
        let is_part = own.cast::<Collider>().is_some() && !own.has_scripts_assigned();
        let body =
            find(own.parent()).filter(|above| is_part && above.cast::<RigidBody>().is_some());
        format!("\"{}\"", body.unwrap_or(own).name())
    }
}

/// How much the weakest place of an object is used, and what it bears.
fn weakest(object: &ObjectFinding) -> String {
    let Some(weakest) = object.member.weakest else {
        return String::new();
    };
    let used = format!("{} of its strength is used", percent(weakest.utilisation));
    match weakest.reserve() {
        Some(reserve) if reserve > 0.0 => {
            format!("{used}; it bears another {}.", force(reserve))
        }
        _ => format!("{used}."),
    }
}

/// Names with commas; of many only the first.
fn enumeration(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(NAMES);
    names.truncate(NAMES);
    let text = names.join(", ");
    match more {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

fn number(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

fn percent(share: f32) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn mass(kilograms: f64) -> String {
    match kilograms {
        m if m >= 9_950.0 => format!("{:.0} t", m / 1e3),
        m if m >= 995.0 => format!("{:.1} t", m / 1e3),
        m if m >= 9.95 => format!("{m:.0} kg"),
        m if m >= 0.0995 => format!("{m:.1} kg"),
        m => format!("{:.0} g", 1e3 * m),
    }
}

/// A force, and the mass that weighs as much.
fn force(newtons: f64) -> String {
    let unit = match newtons {
        n if n >= 9_950.0 => format!("{:.0} kN", n / 1e3),
        n if n >= 995.0 => format!("{:.1} kN", n / 1e3),
        n => format!("{n:.0} N"),
    };
    format!("{unit}, the weight of {}", mass(newtons / GRAVITY))
}

fn length(metres: f32) -> String {
    if metres < 0.1 {
        format!("{:.1} mm", 1e3 * metres)
    } else {
        format!("{metres:.2} m")
    }
}

fn area(square_metres: f32) -> String {
    if square_metres < 0.01 {
        format!("{:.1} cm²", 1e4 * square_metres)
    } else {
        format!("{square_metres:.2} m²")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_size() {
        assert_eq!(mass(12_340.0), "12 t");
        assert_eq!(mass(1_234.0), "1.2 t");
        assert_eq!(mass(0.05), "50 g");
        assert_eq!(force(1_962.0), "2.0 kN, the weight of 200 kg");
        assert_eq!(length(0.012), "12.0 mm");
        assert_eq!(area(0.16), "0.16 m²");
        assert_eq!(area(0.0012), "12.0 cm²");
    }

    #[test]
    fn long_lists_are_cut() {
        let names = |count: usize| (0..count).map(|n| n.to_string()).collect();
        assert_eq!(enumeration(names(2)), "0, 1");
        assert_eq!(enumeration(names(9)), "0, 1, 2, 3, 4, 5 and 3 more");
    }
}

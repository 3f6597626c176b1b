//! The certificate of a scene as plain data: what was found of each object, and what comes down without it.

use fracture::{
    certificate::{Hold, Removal, StructureMember},
    BodyId, HoldingBond, StructureCertificate, StructureProblem,
};
use fyrox::{core::pool::Handle, scene::node::Node};
use std::collections::BTreeMap;

/// The findings of a scene.
#[derive(Default)]
pub(super) struct Findings {
    /// The objects that are held or should be.
    pub objects: Vec<ObjectFinding>,
    /// Those that cannot be looked at.
    pub problems: Vec<StructureProblem>,
    /// Whether nothing in the scene stands still.
    pub lacks_ground: bool,
    /// By object: what comes down without it, as far as that has been looked at.
    pub removals: BTreeMap<BodyId, Removal>,
}

/// The findings of one object.
pub(super) struct ObjectFinding {
    /// The node with the script.
    pub node: Handle<Node>,
    /// The mesh nodes that break.
    pub meshes: Vec<Handle<Node>>,
    /// The figures.
    pub member: StructureMember,
    /// Its bonds, with the nodes of what it touches.
    pub bonds: Vec<(Handle<Node>, HoldingBond)>,
    /// The nearest that is held, if nothing holds the object, and its distance, metres.
    pub nearest: Option<(Handle<Node>, f32)>,
}

impl Findings {
    /// Reads a certificate.
    pub fn of(certificate: &StructureCertificate) -> Self {
        let objects = certificate.members();
        let objects = objects.map(|(node, member)| ObjectFinding::of(certificate, node, member));
        Self {
            objects: objects.collect(),
            problems: certificate.problems().to_vec(),
            lacks_ground: certificate.lacks_ground(),
            removals: BTreeMap::new(),
        }
    }

    /// The object whose script a node has.
    pub fn of_node(&self, node: Handle<Node>) -> Option<&ObjectFinding> {
        self.objects.iter().find(|object| object.node == node)
    }

    /// The node of an object.
    pub fn node(&self, body: BodyId) -> Handle<Node> {
        let object = self
            .objects
            .iter()
            .find(|object| object.member.body == body);
        object.map_or(Handle::NONE, |object| object.node)
    }

    /// The removals that bring anything down, the most mass first.
    pub fn worst(&self) -> Vec<&Removal> {
        let removals = self.removals.values();
        let mut worst: Vec<_> = removals.filter(|found| !found.falls.is_empty()).collect();
        worst.sort_by(|a, b| b.share.total_cmp(&a.share));
        worst
    }
}

impl ObjectFinding {
    fn of(
        certificate: &StructureCertificate,
        node: Handle<Node>,
        member: &StructureMember,
    ) -> Self {
        let bonds = match &member.hold {
            Hold::Bonds(bonds) => bonds.as_slice(),
            Hold::Anchors | Hold::Nothing { .. } => &[],
        };
        let bonds = bonds
            .iter()
            .map(|bond| (certificate.holder(bond.with), *bond));
        let nearest = match member.hold {
            Hold::Nothing { nearest } => nearest,
            Hold::Anchors | Hold::Bonds(_) => None,
        };
        Self {
            node,
            meshes: certificate.meshes(member.body).to_vec(),
            bonds: bonds.collect(),
            nearest: nearest.map(|gap| (certificate.holder(gap.with), gap.distance)),
            member: member.clone(),
        }
    }

    /// Whether nothing holds the object.
    pub fn floats(&self) -> bool {
        matches!(self.member.hold, Hold::Nothing { .. })
    }

    /// Whether it stands as the scene is.
    pub fn stands(&self) -> bool {
        !self.floats() && self.member.falls == 0.0
    }

    /// Stress at its weakest place as a share of the strength; `None` where there is no strength.
    pub fn utilisation(&self) -> Option<f32> {
        self.member.weakest.map(|weakest| weakest.utilisation)
    }
}

//! The structural certificate of a scene: what holds its objects, what floats, and what comes down with each of them.

use crate::{
    data_folder::DataFolder,
    headless::{Headless, HeadlessError},
};
use fracture::{
    certificate::{Hold, StructureMember},
    BodyRef, SceneStructure, StructureCertificate,
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use serde::Serialize;
use std::path::Path;
use thiserror::Error;

/// The certificate of a scene. Metres, kilograms, newtons; shares from 0 to 1.
#[derive(Debug, Serialize)]
pub struct CertificateReport {
    /// The file.
    pub scene: String,
    /// Whether all objects carry their weight, and none floats.
    pub stands: bool,
    /// The largest share of the mass of all others that comes down with one object.
    pub largest_loss: f64,
    /// The objects that are held or should be.
    pub objects: Vec<CertifiedObject>,
    /// Objects that bring others down when they are taken out, the most mass first.
    pub removals: Vec<RemovalReport>,
    /// Faults of objects and of the scene, with remedies.
    pub problems: Vec<String>,
}

/// An object of a certificate.
#[derive(Debug, Serialize)]
pub struct CertifiedObject {
    /// The names of its node and of those above it.
    pub node: String,
    /// kg
    pub mass: f64,
    /// Whether it has anchors of its own.
    pub is_anchored: bool,
    /// Its bonds with what is held.
    pub bonds: Vec<BondReport>,
    /// The place that is nearest to failing, if there is any strength.
    pub weakest: Option<WeakPlaceReport>,
    /// Share of its volume that comes down as the scene is.
    pub comes_down: f64,
    /// Whether nothing holds it.
    pub floats: bool,
    /// The gap to the nearest that is held, if it floats and there is any within a metre.
    pub gap: Option<GapReport>,
}

/// A bond of an object.
#[derive(Debug, Serialize)]
pub struct BondReport {
    /// The node of the other object or collider.
    pub with: String,
    /// m^2
    pub area: f32,
    /// Whether it holds the object.
    pub supports: bool,
    /// Whether it carries pressure only.
    pub is_loose: bool,
    /// Stress as a share of the strength.
    pub utilisation: f32,
}

/// The weakest place of an object.
#[derive(Debug, Serialize)]
pub struct WeakPlaceReport {
    /// World space, metres.
    pub point: [f32; 3],
    /// Stress as a share of the strength.
    pub utilisation: f32,
    /// All that the object carries, its own weight included, N.
    pub load: f64,
    /// The further load under which it fails, N.
    pub reserve: Option<f64>,
}

/// A gap between an object that floats and the nearest that is held.
#[derive(Debug, Serialize)]
pub struct GapReport {
    /// The node of the other object or collider.
    pub to: String,
    /// Metres.
    pub distance: f32,
}

/// A removal, and what it brings down.
#[derive(Debug, Serialize)]
pub struct RemovalReport {
    /// The object that is taken out.
    pub node: String,
    /// Share of the mass of all others that comes down.
    pub share: f64,
    /// The objects that come down, in whole or in part.
    pub brings_down: Vec<FallReport>,
}

/// An object that comes down.
#[derive(Debug, Serialize)]
pub struct FallReport {
    /// The object.
    pub node: String,
    /// Share of its volume.
    pub share: f64,
}

/// A certificate that cannot be made.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// The data folder or the scene cannot be read.
    #[error(transparent)]
    Scene(#[from] HeadlessError),
    /// The simulation cannot start.
    #[error(transparent)]
    Simulation(#[from] fracture::SimulationError),
}

/// Certifies a scene. `progress` is called before each removal, with the number of those that are done and of all.
///
/// # Errors
/// [`CertifyError`] when the data folder or the scene cannot be read, or no thread can be started.
pub fn certify(
    scene: &Path,
    data: Option<&Path>,
    mut progress: impl FnMut(usize, usize),
) -> Result<CertificateReport, CertifyError> {
    let data = DataFolder::find(data, Some(scene)).map_err(HeadlessError::from)?;
    let file = data.scene(scene, None);
    let mut engine = Headless::new(&data)?;
    let handle = engine.open(&file)?;
    let resources = engine.resources().clone();
    let Some(opened) = engine.scene(handle) else {
        return Err(HeadlessError::NoScene(file).into());
    };
    opened.graph.update_hierarchical_data();
    let graph = &opened.graph;
    let certificate = SceneStructure::new(graph, Some(&resources))?.certify();
    let mut report = CertificateReport::new(&certificate, graph, scene.display().to_string());
    let count = certificate.members().count();
    for (index, (node, member)) in certificate.members().enumerate() {
        progress(index, count);
        let removal = certificate.without(member.body)?;
        if removal.falls.is_empty() {
            continue;
        }
        let falls = removal.falls.iter().map(|fall| FallReport {
            node: path(graph, certificate.node(fall.body).unwrap_or_default()),
            share: fall.share,
        });
        report.removals.push(RemovalReport {
            node: path(graph, node),
            share: removal.share,
            brings_down: falls.collect(),
        });
    }
    let removals = &mut report.removals;
    removals.sort_by(|a, b| b.share.total_cmp(&a.share));
    report.largest_loss = removals.first().map_or(0.0, |removal| removal.share);
    engine.close(handle);
    Ok(report)
}

impl CertificateReport {
    fn new(certificate: &StructureCertificate, graph: &Graph, scene: String) -> Self {
        let objects = certificate.members();
        let objects: Vec<CertifiedObject> = objects
            .map(|(node, member)| CertifiedObject::new(certificate, graph, node, member))
            .collect();
        Self {
            scene,
            stands: objects.iter().all(|o| o.comes_down == 0.0 && !o.floats),
            largest_loss: 0.0,
            objects,
            removals: Vec::new(),
            problems: problems(certificate, graph),
        }
    }
}

impl CertifiedObject {
    fn new(
        certificate: &StructureCertificate,
        graph: &Graph,
        node: Handle<Node>,
        member: &StructureMember,
    ) -> Self {
        let name = |body: BodyRef| path(graph, certificate.holder(body));
        let bonds = match &member.hold {
            Hold::Bonds(bonds) => bonds.as_slice(),
            Hold::Anchors | Hold::Nothing { .. } => &[],
        };
        let bonds = bonds.iter().map(|bond| BondReport {
            with: name(bond.with),
            area: bond.area,
            supports: bond.supports,
            is_loose: bond.is_loose,
            utilisation: bond.utilisation,
        });
        let gap = match member.hold {
            Hold::Nothing { nearest } => nearest,
            Hold::Anchors | Hold::Bonds(_) => None,
        };
        Self {
            node: path(graph, node),
            mass: member.mass,
            is_anchored: member.hold == Hold::Anchors,
            bonds: bonds.collect(),
            weakest: member.weakest.map(|weakest| WeakPlaceReport {
                point: weakest.point.to_array(),
                utilisation: weakest.utilisation,
                load: weakest.load,
                reserve: weakest.reserve(),
            }),
            comes_down: member.falls,
            floats: matches!(member.hold, Hold::Nothing { .. }),
            gap: gap.map(|gap| GapReport {
                to: name(gap.with),
                distance: gap.distance,
            }),
        }
    }
}

/// Faults of objects and of the scene in words.
fn problems(certificate: &StructureCertificate, graph: &Graph) -> Vec<String> {
    let unread = certificate.problems().iter();
    let unread = unread.map(|problem| (problem.node, problem.reason.clone()));
    let faulty = certificate.members();
    let faulty =
        faulty.filter_map(|(node, member)| Some((node, member.fault.as_ref()?.to_string())));
    let of_objects = unread.chain(faulty);
    let of_objects = of_objects.map(|(node, reason)| format!("{}: {reason}", path(graph, node)));
    let ground = certificate.lacks_ground().then(|| {
        "nothing in the scene stands still, so that nothing holds its objects, and none falls; add the ground as a \
        static rigid body with a collider"
            .to_owned()
    });
    of_objects.chain(ground).collect()
}

/// The names of a node and of those above it, without the root's.
fn path(graph: &Graph, node: Handle<Node>) -> String {
    let mut names = Vec::new();
    let mut next = node;
    while let Ok(node) = graph.try_get_node(next) {
        if next != graph.root() {
            names.push(node.name_owned());
        }
        next = node.parent();
    }
    names.reverse();
    names.join("/")
}

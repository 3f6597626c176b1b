//! Shapes whose preparation was cooked: they break to the same bytes, and bad files are done without.

use std::sync::{Arc, Mutex};

use fracture_simulation::cooked::{
    CookedBy, CookedBytes, CookedError, CookedFile, CookedNeeds, CookedProblem, CookedSource,
    COOKED_VERSION,
};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{hooks::PieceHooks, Anchors, Body, OpenMeshPolicy, Shape};
use xxhash_rust::xxh3::xxh3_64;

use crate::collapses::table;
use crate::hostile_bytes::mended;
use crate::meshes::vase;
use crate::setup::{body, collided, impact_at, just_broken, refine, step, waiting};

/// A body, where it is hit, and how many results of its preparation a break takes from a file.
pub type Case = (Body, [f32; 3], u64);

/// Free bodies with convex parts and hulls, an anchored one whose collision mesh is simplified, and one with a
/// strength.
pub fn cases() -> [Case; 4] {
    let hooks = PieceHooks::new(|_| Box::new(()));
    let hooks = hooks.with_chunk_hooks(
        |mesh| Arc::new(mesh.triangles.len()),
        |mesh| Arc::new(mesh.clone()),
    );
    let held = Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -1.0, -1.0),
            Vec3::new(1.0, -0.2, 1.0),
        ]]),
        hooks: Some(hooks),
        ..body(Mesh::torus(0.6, 0.25, 40, 30))
    };
    [
        (body(vase()), [0.28, 0.65, 0.0], 2),
        (body(Mesh::torus(0.6, 0.25, 24, 12)), [0.6, 0.25, 0.0], 2),
        (held, [0.6, 0.25, 0.0], 2),
        (table(), [-0.5, 0.35, -0.26], 2),
    ]
}

fn needs(body: &Body) -> CookedNeeds {
    CookedNeeds::new(&body.anchors, &body.material)
}

fn mesh(body: &Body) -> Mesh {
    body.shape.with_mesh(Mesh::clone)
}

/// The file with a body's shape.
pub fn cook(body: &Body) -> CookedFile {
    let mut file = CookedFile::default();
    let shape = Shape::new(mesh(body));
    let cooked = shape.cook(needs(body), |_| None, &|| false).unwrap();
    file.insert(cooked.into_iter().collect());
    file
}

/// A source of some bytes, and the problems that it has reported.
pub fn source(bytes: CookedBytes) -> (Arc<CookedSource>, Arc<Mutex<Vec<CookedProblem>>>) {
    let problems = Arc::<Mutex<Vec<_>>>::default();
    let reported = problems.clone();
    let report = move |problem| reported.lock().unwrap().push(problem);
    (CookedSource::new(move || bytes.clone(), report), problems)
}

/// The body with its preparation from a source.
pub fn from_source(body: &Body, source: &Arc<CookedSource>) -> Body {
    let mesh = mesh(body);
    let cooked = CookedBy {
        source: source.clone(),
        name: "it".to_owned(),
    };
    Body {
        shape: Shape::lazy_cooked(OpenMeshPolicy::Refuse, Some(cooked), move || Ok(mesh)),
        ..body.clone()
    }
}

/// Breaks a body twice and lets it fall: its meshes, its motions, and its first colliders.
pub fn outcome(body: Body, point: [f32; 3]) -> (u64, u64, Vec<Vec<Vec3>>) {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    simulation.solve_stress(id).unwrap();
    step(&mut simulation);
    simulation.impact(impact_at(id, point)).unwrap();
    let mut broken = just_broken(&mut simulation);
    refine(&mut simulation, &mut broken);
    let largest = broken
        .pieces
        .iter()
        .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
    let largest = largest.unwrap();
    let again = impact_at(largest.body, largest.mass.center.as_vec3().to_array());
    simulation.impact(again).unwrap();
    for _ in 0..20 {
        step(&mut simulation);
    }
    let pieces = simulation.descendants(id).into_iter();
    let geometry = simulation.geometry_hash(pieces.map(|piece| ("", piece)));
    (geometry, simulation.state_hash(), collided(&broken))
}

#[test]
fn what_is_cooked_breaks_to_the_same_bytes() {
    for (body, point, results) in cases() {
        let file = cook(&body);
        let (source, problems) = source(CookedBytes::Read(file.to_bytes()));
        let cooked = outcome(from_source(&body, &source), point);
        assert_eq!(source.results(), results);
        assert_eq!(*problems.lock().unwrap(), []);
        assert_eq!(cooked, outcome(body, point));
    }
}

/// The bytes of all shapes follow from the meshes alone, on every platform: where they come out otherwise, files of
/// earlier versions would bring other breaks than a game without them.
#[test]
fn what_comes_out_otherwise_has_another_version() {
    // Without the vase, whose mesh is made with the sines of the system.
    let [_, ring, held, table] = cases();
    let contents = [ring, held, table].map(|(body, ..)| {
        let bytes = cook(&body).to_bytes();
        xxh3_64(&bytes[20..bytes.len() - 8])
    });
    let hashes = [
        17833708522017774670,
        792165202116650634,
        7606396483909377040,
    ];
    let expected = (3, hashes);
    assert_eq!(
        (COOKED_VERSION, contents),
        expected,
        "raise COOKED_VERSION, and put the new hashes here"
    );
}

#[test]
fn a_file_comes_back_and_takes_only_what_is_new() {
    let (vase, _, _) = &cases()[0];
    let file = cook(vase);
    assert_eq!(CookedFile::from_bytes(file.to_bytes()).unwrap(), file);
    // What the file has is not computed again: a cancelled cooking has it.
    let shape = Shape::new(mesh(vase));
    let again = shape
        .cook(needs(vase), |hash| file.get(hash).cloned(), &|| true)
        .unwrap();
    assert_eq!(again.map(|(hash, _)| file.get(hash).is_some()), Some(true));
    assert_eq!(shape.cook(needs(vase), |_| None, &|| true), Ok(None));
    // Small meshes are prepared at once.
    let box_shape = Shape::new(Mesh::cuboid([1.0; 3]));
    let nothing = box_shape
        .cook(CookedNeeds::default(), |_| None, &|| false)
        .unwrap();
    assert!(nothing.unwrap().1.is_empty());
}

#[test]
fn a_file_keeps_the_last_shapes_of_other_scenes() {
    let mut file = CookedFile::default();
    for hash in 0..100 {
        file.insert([(hash, Default::default())].into());
    }
    let kept: Vec<u64> = (0..100).filter(|hash| file.get(*hash).is_some()).collect();
    assert_eq!(kept, (67..100).collect::<Vec<u64>>());
}

#[test]
fn a_bad_file_is_named_once_and_done_without() {
    let [(vase, point, _), (ring, ..), ..] = cases();
    let good = cook(&vase).to_bytes();
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        bytes
    };
    let (found, expected) = (good.len() as u64 / 2, good.len() as u64);
    let name = "it".to_owned();
    let bad = [
        (changed(&|b| b[0] ^= 1), CookedError::Foreign.into()),
        (
            changed(&|b| b[8] ^= 64),
            CookedError::Version {
                found: COOKED_VERSION ^ 64,
            }
            .into(),
        ),
        (
            changed(&|b| b.truncate(b.len() / 2)),
            CookedError::CutShort { found, expected }.into(),
        ),
        (changed(&|b| b[1000] ^= 1), CookedError::Damaged.into()),
        (cook(&ring).to_bytes(), CookedProblem::OtherMesh { name }),
        (Vec::new(), CookedError::Foreign.into()),
    ];
    let fresh = outcome(vase.clone(), point);
    for (bytes, problem) in bad {
        let (source, problems) = source(CookedBytes::Read(bytes));
        assert_eq!(outcome(from_source(&vase, &source), point), fresh);
        assert_eq!(*problems.lock().unwrap(), [problem]);
    }
    let (source, problems) = source(CookedBytes::Missing);
    assert_eq!(outcome(from_source(&vase, &source), point), fresh);
    assert_eq!(*problems.lock().unwrap(), [], "no file is no problem");
}

#[test]
fn a_file_that_is_on_its_way_is_not_waited_for_and_used_when_it_is_there() {
    let [(vase, point, _), ..] = cases();
    let fresh = outcome(vase.clone(), point);
    let bytes = cook(&vase).to_bytes();
    // There for none of the two results, for the second alone, and for both.
    for (late, results) in [(9, 0), (1, 1), (0, 2)] {
        let (mut bytes, mut asked) = (bytes.clone(), 0);
        let read = move || {
            asked += 1;
            if asked > late {
                CookedBytes::Read(std::mem::take(&mut bytes))
            } else {
                CookedBytes::Pending
            }
        };
        let source = CookedSource::new(read, |problem| panic!("{problem}"));
        assert_eq!(outcome(from_source(&vase, &source), point), fresh);
        assert_eq!(source.results(), results, "{late} times not there");
    }
}

#[test]
fn bytes_with_a_mended_hash_do_no_harm() {
    for (body, point, _) in cases() {
        let bytes = cook(&body).to_bytes();
        for k in 0..12_usize {
            let mut damaged = bytes.clone();
            let at = 20 + (k * 7_368_787) % (bytes.len() - 40);
            match k % 3 {
                0 => damaged[at..at + 9].fill(0xff),
                1 => damaged[at..at + 4].fill(0),
                _ => damaged[at] ^= 1 << (k % 8),
            }
            let (source, _) = source(CookedBytes::Read(mended(damaged)));
            let mut simulation = waiting();
            let id = simulation.add(from_source(&body, &source)).unwrap();
            simulation.impact(impact_at(id, point)).unwrap();
            let broken = just_broken(&mut simulation);
            assert!(broken.pieces.len() > 1);
            for _ in 0..3 {
                step(&mut simulation);
            }
        }
    }
}

//! Bodies that are held where they touch what is held, and what falls when that is gone.

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::rapier3d::parry::utils::Array2;
use fracture_simulation::save::Archive;
use fracture_simulation::{
    Anchors, Body, BodyError, BodyId, BodyKind, BodyRef, Cause, Event, Impact, Motion, Pose,
    Settings, SharedShape, Simulation,
};

use crate::setup::{at, body, impact_at, quiet, step, waiting, with};
use crate::weight::of_strength;

const GROUND: u64 = 1;

/// The bodies that came down in the course of a test, in order.
type Fallen = Vec<BodyId>;

/// A box at a place (its centre), held by touch.
fn block(size: [f32; 3], x: f32, y: f32, z: f32) -> Body {
    Body {
        anchors: Anchors::Touching {
            gap: 0.005,
            bond_strength: 1.0,
        },
        motion: at(x, y, z),
        ..body(Mesh::cuboid(size))
    }
}

/// Ground with its surface at y = 0.
fn add_ground(simulation: &mut Simulation) {
    let ground = ExternalBody::fixed(SharedShape::cuboid(50.0, 0.5, 50.0), at(0.0, -0.5, 0.0));
    simulation.set_external_body(GROUND, ground).unwrap();
}

/// Ground that nothing here touches.
fn add_far_ground(simulation: &mut Simulation) {
    let other = ExternalBody::fixed(SharedShape::ball(0.5), at(90.0, 0.0, 0.0));
    simulation.set_external_body(2, other).unwrap();
}

fn on_ground() -> Simulation {
    let mut simulation = quiet();
    add_ground(&mut simulation);
    simulation
}

/// Takes steps, and gives the bodies that fell by their weight.
fn fallen(simulation: &mut Simulation, steps: usize) -> Fallen {
    let events = (0..steps).flat_map(|_| step(simulation));
    let fallen = events.filter_map(|event| match event {
        Event::Broken(broken) if broken.cause == Cause::Weight => Some(broken.body),
        _ => None,
    });
    fallen.collect()
}

fn stands(simulation: &Simulation, body: BodyId) -> bool {
    simulation.kind(body) == Some(BodyKind::Intact)
}

/// Adds blocks, and asserts that all stand.
fn standing(simulation: &mut Simulation, blocks: impl IntoIterator<Item = Body>) -> Vec<BodyId> {
    let blocks: Vec<BodyId> = blocks
        .into_iter()
        .map(|block| simulation.add(block).unwrap())
        .collect();
    assert_eq!(fallen(simulation, 12), []);
    assert!(blocks.iter().all(|block| stands(simulation, *block)));
    assert!(simulation.is_idle());
    blocks
}

/// Two walls, a floor on them, and a wall on the floor.
fn house() -> [Body; 4] {
    [
        block([0.2, 2.0, 3.0], -1.5, 1.0, 0.0),
        block([0.2, 2.0, 3.0], 1.5, 1.0, 0.0),
        block([3.4, 0.2, 3.0], 0.0, 2.1, 0.0),
        block([0.2, 2.0, 3.0], 0.0, 3.2, 0.0),
    ]
}

#[test]
fn what_stands_on_what_is_gone_comes_down() {
    let mut simulation = on_ground();
    let house = standing(&mut simulation, house());
    let bonds = simulation.bonds(house[2]);
    let with = |index: usize| BodyRef::Breakable(house[index]);
    let found: Vec<_> = bonds
        .iter()
        .map(|bond| (bond.with, bond.supports))
        .collect();
    assert_eq!(found, [(with(0), true), (with(1), true), (with(3), false)]);
    assert!(
        bonds.iter().all(|bond| (bond.area - 0.6).abs() < 0.012),
        "{bonds:?}"
    );
    assert!(
        bonds[0].center.abs_diff_eq(Vec3::new(-1.5, 2.0, 0.0), 0.01),
        "{bonds:?}"
    );
    simulation.remove(house[0]);
    assert_eq!(
        fallen(&mut simulation, 12),
        [],
        "the other wall holds the floor"
    );
    simulation.remove(house[1]);
    assert_eq!(fallen(&mut simulation, 12), house[2..]);
    // They lie on the ground ten seconds later.
    for _ in 0..600 {
        step(&mut simulation);
    }
    for (_, pose) in simulation.moving_pieces() {
        assert!(pose.translation.y < 1.5, "{pose:?}");
    }
}

#[test]
fn all_comes_down_with_the_ground() {
    let mut simulation = on_ground();
    add_far_ground(&mut simulation);
    let house = standing(&mut simulation, house());
    simulation.remove_external_body(GROUND);
    assert_eq!(fallen(&mut simulation, 12), house);
}

#[test]
fn bodies_that_hold_each_other_and_nothing_else_fall() {
    let mut simulation = on_ground();
    let ring = [
        block([2.0, 0.5, 0.5], 0.0, 3.0, -0.75),
        block([2.0, 0.5, 0.5], 0.0, 3.0, 0.75),
        block([0.5, 0.5, 1.0], -0.75, 3.0, 0.0),
        block([0.5, 0.5, 1.0], 0.75, 3.0, 0.0),
    ];
    let ring: Vec<BodyId> = ring
        .into_iter()
        .map(|block| simulation.add(block).unwrap())
        .collect();
    // At one height from side to side.
    let by_place = [2, 0, 1, 3].map(|index| ring[index]);
    assert_eq!(fallen(&mut simulation, 12), by_place);
}

#[test]
fn what_touches_nothing_at_the_start_is_told() {
    let mut simulation = on_ground();
    let floats = simulation.add(block([1.0; 3], 0.0, 2.0, 0.0)).unwrap();
    let stands = simulation.add(block([1.0; 3], 5.0, 0.5, 0.0)).unwrap();
    let events: Vec<Event> = (0..12).flat_map(|_| step(&mut simulation)).collect();
    let told = events.iter().filter_map(|event| match event {
        Event::Unsupported { body } => Some(*body),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [floats]);
    simulation.remove_external_body(GROUND);
    add_far_ground(&mut simulation);
    let events: Vec<Event> = (0..12).flat_map(|_| step(&mut simulation)).collect();
    assert!(!events
        .iter()
        .any(|event| matches!(event, Event::Unsupported { .. })));
    assert_eq!(simulation.kind(stands), None, "it has come down");
}

#[test]
fn a_plank_between_two_blocks_breaks_by_its_weight_where_one_is_gone() {
    // Oak of 40 MPa carries a plank of 6 m as a cantilever, and stone of 1 MPa does not.
    for (strength, breaks) in [(40e6, false), (1e6, true)] {
        let mut simulation = on_ground();
        let plank = of_strength(block([6.0, 0.1, 0.4], 0.0, 1.05, 0.0), strength);
        let bodies = [
            block([0.5, 1.0, 0.5], -2.75, 0.5, 0.0),
            block([0.5, 1.0, 0.5], 2.75, 0.5, 0.0),
            plank,
        ];
        let bodies = standing(&mut simulation, bodies);
        simulation.remove(bodies[1]);
        let fallen = fallen(&mut simulation, 20);
        assert_eq!(fallen.contains(&bodies[2]), breaks, "{strength} Pa");
    }
}

#[test]
fn without_any_ground_all_stays() {
    let mut simulation = quiet();
    let house = house().map(|block| simulation.add(block).unwrap());
    let events: Vec<Event> = (0..60).flat_map(|_| step(&mut simulation)).collect();
    let told = events
        .iter()
        .filter(|event| matches!(event, Event::NoGround));
    assert_eq!(told.count(), 1);
    assert!(house.iter().all(|block| stands(&simulation, *block)));
}

#[test]
fn a_gap_counts_up_to_its_width() {
    for (above, holds) in [(-0.3, true), (0.0, true), (0.004, true), (0.006, false)] {
        let mut simulation = on_ground();
        let block = simulation
            .add(block([1.0; 3], 0.0, 0.5 + above, 0.0))
            .unwrap();
        fallen(&mut simulation, 12);
        assert_eq!(
            stands(&simulation, block),
            holds,
            "{above} m above the ground"
        );
    }
}

#[test]
fn a_body_with_anchors_of_its_own_holds_others() {
    let mut simulation = on_ground();
    let beam = Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-9.0, -9.0, -9.0),
            Vec3::new(-1.9, 9.0, 9.0),
        ]]),
        ..block([4.0, 0.2, 0.2], 0.0, 3.0, 0.0)
    };
    // Something hangs on the beam, and something stands on it.
    let bodies = [
        beam,
        block([0.2, 1.0, 0.2], 1.0, 2.4, 0.0),
        block([0.2, 1.0, 0.2], 1.0, 3.6, 0.0),
    ];
    let bodies = standing(&mut simulation, bodies);
    simulation.remove(bodies[0]);
    assert_eq!(fallen(&mut simulation, 12), bodies[1..]);
}

#[test]
fn the_upper_part_of_a_wall_that_is_cut_off_falls_unless_a_neighbor_holds_it() {
    for has_neighbor in [false, true] {
        let mut simulation = on_ground();
        let mut walls = vec![block([0.4, 3.0, 0.4], 0.0, 1.5, 0.0)];
        if has_neighbor {
            walls.push(block([1.0, 3.0, 0.4], 0.7, 1.5, 0.0));
        }
        let walls = standing(&mut simulation, walls);
        let cut = Impact::blade(walls[0], Vec3::new(0.0, 1.0, 0.0), Vec3::Y);
        simulation.impact(cut).unwrap();
        assert_eq!(
            fallen(&mut simulation, 20),
            [],
            "the break tells what falls"
        );
        let kinds = |kind| {
            let pieces = simulation.descendants(walls[0]).into_iter();
            pieces
                .filter(|piece| simulation.kind(*piece) == Some(kind))
                .count()
        };
        let expected = if has_neighbor { (2, 0) } else { (1, 1) };
        assert_eq!(
            (kinds(BodyKind::Remainder), kinds(BodyKind::Debris)),
            expected
        );
    }
}

#[test]
fn what_stands_on_a_wall_stays_while_the_wall_is_struck_or_taken_anew() {
    let mut simulation = on_ground();
    let wall = block([2.0, 2.0, 0.4], 0.0, 1.0, 0.0);
    let blocks = [wall.clone(), block([1.0, 1.0, 0.4], 0.0, 2.5, 0.0)];
    let blocks = standing(&mut simulation, blocks);
    let blow = Impact {
        radius: Some(0.2),
        ..impact_at(blocks[0], [0.8, 0.8, 0.2])
    };
    simulation.impact(blow).unwrap();
    assert_eq!(fallen(&mut simulation, 20), []);
    simulation.remove(blocks[0]);
    assert_eq!(fallen(&mut simulation, 2), []);
    let wall = simulation.add(wall).unwrap();
    assert_eq!(fallen(&mut simulation, 20), []);
    simulation.remove(wall);
    assert_eq!(fallen(&mut simulation, 20), blocks[1..]);
}

#[test]
fn rotated_bodies_touch_where_they_are() {
    let mut simulation = on_ground();
    let turn = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(0.4);
    // A wall that stands slantwise through the ground, and a plate on its upper edge's plane.
    let pose = |y: f32| Motion::at(Pose::from_parts(turn * Vec3::new(0.0, y, 0.0), turn));
    let wall = Body {
        motion: pose(1.0),
        ..block([2.0, 2.4, 0.2], 0.0, 0.0, 0.0)
    };
    let plate = Body {
        motion: pose(2.25),
        ..block([1.0, 0.1, 1.0], 0.0, 0.0, 0.0)
    };
    let bodies = standing(&mut simulation, [wall, plate]);
    simulation.remove(bodies[0]);
    assert_eq!(fallen(&mut simulation, 12), bodies[1..]);
}

#[test]
fn terrain_holds_what_is_sunk_into_it() {
    // A field of 20 x 20 m with a slope of one in ten, and the same as a triangle mesh.
    let heights = Array2::new(3, 3, vec![-1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let field = SharedShape::heightfield(heights, Vec3::new(20.0, 1.0, 20.0));
    let (vertices, triangles) = field.as_heightfield().unwrap().to_trimesh();
    let mesh = SharedShape::trimesh(vertices, triangles).unwrap();
    for ground in [field, mesh] {
        for (sunk, holds) in [(0.0, true), (0.3, true), (0.9, true), (-0.4, false)] {
            let mut simulation = quiet();
            let ground = ExternalBody::fixed(ground.clone(), Motion::default());
            simulation.set_external_body(GROUND, ground).unwrap();
            let block = simulation
                .add(block([2.0; 3], 0.0, 1.0 - sunk, 0.0))
                .unwrap();
            fallen(&mut simulation, 12);
            assert_eq!(stands(&simulation, block), holds, "sunk {sunk} m");
        }
    }
}

#[test]
fn what_is_moved_away_holds_nothing_any_more() {
    let mut simulation = on_ground();
    let blocks = [
        block([1.0; 3], 0.0, 0.5, 0.0),
        block([1.0; 3], 0.0, 1.5, 0.0),
    ];
    let blocks = standing(&mut simulation, blocks);
    // Ten centimetres aside it still does.
    simulation.set_motion(blocks[0], at(0.1, 0.5, 0.0)).unwrap();
    assert_eq!(fallen(&mut simulation, 20), []);
    simulation.set_motion(blocks[0], at(3.0, 0.5, 0.0)).unwrap();
    assert_eq!(fallen(&mut simulation, 20), blocks[1..]);
    assert!(stands(&simulation, blocks[0]));
}

#[test]
fn a_floor_in_the_air_that_only_its_neighbor_holds_comes_down_with_it() {
    let mut simulation = on_ground();
    let blocks = [
        block([0.4, 4.0, 2.0], 0.0, 2.0, 0.0),
        block([2.0, 0.2, 2.0], 1.2, 3.0, 0.0),
        block([2.0, 0.2, 2.0], 3.2, 3.0, 0.0),
    ];
    let blocks = standing(&mut simulation, blocks);
    simulation.remove(blocks[1]);
    assert_eq!(fallen(&mut simulation, 12), blocks[2..]);
}

/// A pillar, with a plate on it, whose foot is shot away.
fn shot() -> (Simulation, Vec<BodyId>, Vec<Body>) {
    let bodies = vec![
        block([0.4, 3.0, 0.4], 0.0, 1.5, 0.0),
        block([2.0, 0.2, 2.0], 0.0, 3.1, 0.0),
    ];
    let mut simulation = on_ground();
    let ids = standing(&mut simulation, bodies.clone());
    let impact = Impact {
        radius: Some(0.6),
        ..impact_at(ids[0], [0.0, 0.7, 0.2])
    };
    simulation.impact(impact).unwrap();
    assert!(fallen(&mut simulation, 12).contains(&ids[1]));
    (simulation, ids, bodies)
}

#[test]
fn a_plate_comes_down_with_its_pillar_and_saves_restore_that() {
    let (simulation, ids, bodies) = shot();
    for has_snapshots in [false, true] {
        let objects = ids.iter().map(|id| {
            let save = if has_snapshots {
                simulation.save(*id)
            } else {
                simulation.save_compact(*id)
            };
            (id.to_bits().to_string(), save)
        });
        let archive = Archive {
            objects: objects.collect(),
        };
        let read = Archive::from_bytes(archive.to_bytes()).unwrap();
        assert_eq!(read, archive);
        let mut fresh = on_ground();
        let new: Vec<BodyId> = bodies
            .iter()
            .map(|body| fresh.add(body.clone()).unwrap())
            .collect();
        for (body, (_, save)) in new.iter().zip(&read.objects) {
            fresh.restore(*body, save).unwrap();
        }
        for (old, new) in ids.iter().zip(&new) {
            assert_eq!(
                simulation.save_compact(*old).pieces,
                fresh.save_compact(*new).pieces
            );
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let run = |threads| {
        let mut simulation = with(Settings {
            threads,
            chain_breaks: 0,
            ..Settings::default()
        });
        add_ground(&mut simulation);
        let house = standing(&mut simulation, house());
        simulation
            .impact(impact_at(house[0], [-1.5, 0.4, 0.0]))
            .unwrap();
        simulation.remove(house[1]);
        fallen(&mut simulation, 60);
        simulation.state_hash()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn odd_gaps_are_refused() {
    let mut simulation = waiting();
    for gap in [f32::NAN, f32::INFINITY, -1.0] {
        let odd = Body {
            anchors: Anchors::Touching {
                gap,
                bond_strength: 1.0,
            },
            ..block([1.0; 3], 0.0, 0.5, 0.0)
        };
        assert!(
            matches!(simulation.add(odd), Err(BodyError::Material { .. })),
            "{gap}"
        );
    }
}

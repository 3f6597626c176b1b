//! Loads on held bodies: by bodies of the host, by rubble, and by what hangs on joints.

use fracture_simulation::external::{
    BodyDesc, BodyType, ColliderDesc, ExternalBody, JointDesc, MassDesc,
};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::pattern::PatternFit;
use fracture_simulation::rapier3d::dynamics::{FixedJointBuilder, GenericJoint};
use fracture_simulation::{
    Body, BodyError, BodyId, BodyKind, BodyRef, Cause, ContactForce, Event, Impact, Material, Pose,
    SharedShape, Simulation,
};

use crate::buildings::{add_fixed, block, member};
use crate::collapses::blocks;
use crate::setup::{at, body, impact_at, pattern, quiet, step};
use crate::weight::{cantilever, of_strength};

const GRAVITY: f32 = 9.81;

/// A body of the host.
pub const CRATE: BodyRef = BodyRef::External(77);

/// A body of a density, kg/m^3.
fn of_density(body: Body, density: f32) -> Body {
    Body {
        material: Material {
            density,
            ..body.material
        },
        ..body
    }
}

/// The force of something on a square of a side, m, around a place.
pub fn pressed(on: BodyId, by: BodyRef, place: [f32; 3], side: f32, newtons: f32) -> ContactForce {
    let (point, half) = (Vec3::from(place), Vec3::new(0.5 * side, 0.0, 0.5 * side));
    ContactForce {
        on: BodyRef::Breakable(on),
        by,
        places: [point - half, point + half],
        point,
        force: Vec3::NEG_Y * newtons,
    }
}

/// Takes steps in each of which the forces act.
pub fn press(simulation: &mut Simulation, forces: &[ContactForce], steps: usize) -> Vec<Event> {
    let step_with = |_| {
        for force in forces {
            simulation.add_contact_force(*force).unwrap();
        }
        step(simulation)
    };
    (0..steps).flat_map(step_with).collect()
}

fn stands(simulation: &Simulation, body: BodyId) -> bool {
    simulation.kind(body) == Some(BodyKind::Intact)
}

/// A plate of a size that lies loose on two fixed beams along z, with a clear span along x.
fn on_two_beams(size: [f32; 3], span: f32, strength: f32, density: f32) -> (Simulation, BodyId) {
    let mut simulation = quiet();
    for (key, side) in [(1, -1.0), (2, 1.0)] {
        let place = [side * (0.5 * span + 0.1), 0.5, 0.0];
        add_fixed(&mut simulation, key, [0.2, 1.0, size[2] + 1.0], place);
    }
    let place = [0.0, 1.0 + 0.5 * size[1], 0.0];
    let [x, y, z] = size.map(|side| 0.5 * side);
    let proxy = BodyDesc {
        colliders: vec![ColliderDesc::new(SharedShape::cuboid(x, y, z))],
        body_type: BodyType::Fixed,
    };
    let plate = Body {
        proxy: Some(proxy),
        ..of_density(block(size, place, strength, 0.0), density)
    };
    let id = simulation.add(plate).unwrap();
    let events = press(&mut simulation, &[], 20);
    assert!(stands(&simulation, id), "{size:?}: {events:?}");
    (simulation, id)
}

/// Stress at the edge of a plate on two beams, Pa: by its own weight, and by a force (N) on a square in the middle.
fn edge_stress(size: [f32; 3], span: f32, density: f32, newtons: f32, side: f32) -> f32 {
    let section = size[2] * size[1] * size[1] / 6.0;
    let own = density * GRAVITY * size[1] * size[2] * span * span / 8.0;
    (own + newtons * (span / 4.0 - side / 8.0)) / section
}

/// A plank of oak of 40 MPa, 3.6 m between its supports.
const PLANK: [f32; 3] = [4.0, 0.05, 0.3];
const SPAN: f32 = 3.6;
const OAK: f32 = 700.0;
const OAK_STRENGTH: f32 = 40e6;
/// Weight of a crate of 50 kg, N.
const CRATE_WEIGHT: f32 = 50.0 * GRAVITY;

#[test]
fn a_plank_of_oak_breaks_under_as_many_crates_as_the_beam_formula_says() {
    let (mut simulation, plank) = on_two_beams(PLANK, SPAN, OAK_STRENGTH, OAK);
    let top = [0.0, 1.05, 0.0];
    let stress = |crates: f32| edge_stress(PLANK, SPAN, OAK, crates * CRATE_WEIGHT, 0.3);
    let bears = (OAK_STRENGTH - stress(0.0)) / (stress(1.0) - stress(0.0));
    assert!(bears > 8.0, "{bears}");
    let mut crates = 0;
    while stands(&simulation, plank) && crates < 100 {
        crates += 1;
        let force = pressed(plank, CRATE, top, 0.3, crates as f32 * CRATE_WEIGHT);
        press(&mut simulation, &[force], 30);
    }
    let share = crates as f32 / bears;
    assert!((0.8..1.2).contains(&share), "{crates} crates of {bears}");
}

#[test]
fn a_stack_presses_with_all_that_is_on_it_and_its_place_counts() {
    // A load near a support bends less than in the middle.
    let bears = |x: f32| {
        let (mut simulation, plank) = on_two_beams(PLANK, SPAN, OAK_STRENGTH, OAK);
        let mut force = 1000.0;
        while stands(&simulation, plank) && force < 1e6 {
            force *= 1.06;
            let one = pressed(plank, CRATE, [x, 1.05, 0.0], 0.3, force);
            press(&mut simulation, &[one], 10);
        }
        force
    };
    let (middle, aside) = (bears(0.0), bears(1.2));
    // p a b / l: 1.8 x 1.8 in the middle, 0.6 x 3.0 there.
    let ratio = aside / middle;
    assert!((1.4..2.2).contains(&ratio), "{middle} N and {aside} N");
}

#[test]
fn a_person_breaks_thin_ice_and_no_floor() {
    let person = 80.0 * GRAVITY;
    let stone = 2400.0;
    for (size, span, strength, density, breaks) in [
        ([2.2, 0.03, 2.0], 2.0, 1.3e6, 917.0, true),
        ([2.2, 0.3, 2.0], 2.0, 1.3e6, 917.0, false),
        ([3.2, 0.2, 3.0], 3.0, 3e6, stone, false),
    ] {
        let (mut simulation, plate) = on_two_beams(size, span, strength, density);
        let feet = pressed(plate, CRATE, [0.0, 1.0 + size[1], 0.0], 0.3, person);
        press(&mut simulation, &[feet], 30);
        let used = used(&simulation, plate);
        assert_eq!(!stands(&simulation, plate), breaks, "{size:?}: {used}");
    }
}

/// The most that the stress in a body is of its strength, as it was solved last.
pub fn used(simulation: &Simulation, body: BodyId) -> f32 {
    let graph = simulation.stress_graph(body).unwrap_or_default();
    graph.weakest().map_or(0.0, |bond| bond.utilisation)
}

#[test]
fn blows_are_no_loads_and_a_load_that_goes_is_forgotten() {
    let (mut simulation, plank) = on_two_beams(PLANK, SPAN, OAK_STRENGTH, OAK);
    let solves = simulation.statistics().stress_solves;
    let top = [0.0, 1.05, 0.0];
    let blow = pressed(plank, CRATE, top, 0.3, 1e6);
    press(&mut simulation, &[blow], 3);
    press(&mut simulation, &[], 20);
    assert!(stands(&simulation, plank));
    assert_eq!(simulation.statistics().stress_solves, solves);
    // It lies there, and is solved once.
    let crate_of = |kilograms: f32| pressed(plank, CRATE, top, 0.3, kilograms * GRAVITY);
    press(&mut simulation, &[crate_of(200.0)], 120);
    assert_eq!(simulation.statistics().stress_solves, solves + 1);
    let loaded = used(&simulation, plank);
    // Less than a twentieth more changes nothing.
    press(&mut simulation, &[crate_of(205.0)], 60);
    assert_eq!(simulation.statistics().stress_solves, solves + 1);
    press(&mut simulation, &[], 30);
    assert_eq!(simulation.statistics().stress_solves, solves + 2);
    let left = used(&simulation, plank);
    assert!(left < 0.5 * loaded, "{loaded} and {left}");
}

#[test]
fn a_load_that_is_not_finite_is_refused() {
    let (mut simulation, plank) = on_two_beams(PLANK, SPAN, OAK_STRENGTH, OAK);
    let solves = simulation.statistics().stress_solves;
    let good = pressed(plank, CRATE, [0.0, 1.05, 0.0], 0.3, 100.0);
    for bad in [f32::NAN, f32::INFINITY, -1e30] {
        for force in [
            ContactForce {
                force: Vec3::new(0.0, bad, 0.0),
                ..good
            },
            ContactForce {
                point: Vec3::splat(bad),
                ..good
            },
        ] {
            for _ in 0..10 {
                let refused = simulation.add_contact_force(force);
                assert_eq!(refused, Err(BodyError::NotFinite { what: "load" }));
                step(&mut simulation);
            }
        }
    }
    // Neither do loads on what is gone.
    simulation.remove(plank);
    press(&mut simulation, &[good], 20);
    assert_eq!(simulation.statistics().stress_solves, solves);
}

/// A slab of concrete with walls around it, under rubble of a block of stone; the slab, and what was told.
fn slab_under_rubble(strength: f32, side: f32) -> (Simulation, BodyId, Vec<Event>) {
    let (mut simulation, slab) = on_two_beams([2.0, 0.1, 2.0], 1.6, strength, 2400.0);
    for (key, [x, z]) in (10..).zip([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0_f32]]) {
        let size = [0.2 + 1.6 * z.abs(), 3.0, 0.2 + 1.6 * x.abs()];
        add_fixed(&mut simulation, key, size, [0.9 * x, 2.62, 0.9 * z]);
    }
    let stone = Body {
        pattern: pattern(40),
        fit: PatternFit::BODY,
        motion: at(0.0, 1.2 + 0.5 * side, 0.0),
        ..body(Mesh::cuboid([side; 3]))
    };
    let stone = simulation.add(stone).unwrap();
    let wide = Impact {
        radius: Some(3.0),
        impulse: Vec3::new(0.0, -20.0, 0.0),
        energy: 1e-3,
        ..impact_at(stone, [0.0, 1.2 + 0.5 * side, 0.0])
    };
    simulation.impact(wide).unwrap();
    let events = press(&mut simulation, &[], 300);
    (simulation, slab, events)
}

#[test]
fn a_floor_comes_down_under_rubble() {
    // 0.45 MPa by its own weight, and 1 MPa more by 1.75 t of rubble.
    let (simulation, slab, events) = slab_under_rubble(0.8e6, 0.9);
    assert!(!stands(&simulation, slab));
    let by_weight = events.iter().any(|event| match event {
        Event::Broken(broken) => broken.body == slab && broken.cause == Cause::Weight,
        _ => false,
    });
    assert!(by_weight);
    let (simulation, slab, _) = slab_under_rubble(3e6, 0.9);
    assert!(stands(&simulation, slab));
    let found = 3e6 * used(&simulation, slab);
    assert!((1.1e6..1.9e6).contains(&found), "{found}");
}

/// A house of one mesh, of a floor and a ceiling between two walls, whose ceiling has been broken; what is left of it, and
/// what was told since.
fn floor_under_its_ceiling(strength: f32) -> (Simulation, Vec<Event>) {
    let mut simulation = quiet();
    for (key, side) in [(1, -1.0), (2, 1.0_f32)] {
        add_fixed(
            &mut simulation,
            key,
            [0.2, 1.0, 3.0],
            [0.9 * side, 0.5, 0.0],
        );
    }
    for (key, [x, z]) in (10..).zip([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0_f32]]) {
        let size = [0.2 + 2.0 * z.abs(), 4.0, 0.2 + 2.0 * x.abs()];
        add_fixed(&mut simulation, key, size, [1.15 * x, 3.0, 1.15 * z]);
    }
    let planes: [&[f32]; 3] = [
        &[-1.0, -0.8, 0.8, 1.0],
        &[0.0, 0.1, 1.0, 1.25],
        &[-1.0, 1.0],
    ];
    let house = blocks(planes, |[x, y, _]| x != 1 || y != 1);
    let house = Body {
        pattern: pattern(400),
        fit: PatternFit::BODY,
        ..of_density(
            member(house, Pose::from_translation(Vec3::Y), strength, 0.0),
            2400.0,
        )
    };
    let house = simulation.add(house).unwrap();
    let events = press(&mut simulation, &[], 20);
    assert!(stands(&simulation, house), "{events:?}");
    let blow = Impact {
        radius: Some(1.0),
        impulse: Vec3::new(0.0, -20.0, 0.0),
        energy: 1e-3,
        ..impact_at(house, [0.0, 2.25, 0.0])
    };
    simulation.impact(blow).unwrap();
    let events = press(&mut simulation, &[], 300);
    (simulation, events)
}

#[test]
fn a_floor_comes_down_under_what_was_its_own_ceiling() {
    let by_weight = |event: &&Event| match event {
        Event::Broken(broken) => broken.cause == Cause::Weight,
        _ => false,
    };
    // 0.2 MPa by its own weight, and 0.3 MPa more by 1.9 t of rubble.
    let (_, events) = floor_under_its_ceiling(0.35e6);
    assert_ne!(events.iter().filter(by_weight).count(), 0);
    let (simulation, events) = floor_under_its_ceiling(3e6);
    assert_eq!(events.iter().filter(by_weight).count(), 0);
    let [(_, graph)] = simulation.stress_graphs().try_into().unwrap();
    let found = 3e6 * graph.weakest().unwrap().utilisation;
    assert!((0.4e6..0.6e6).contains(&found), "{found}");
}

#[test]
fn frozen_rubble_goes_on_pressing() {
    let (mut simulation, slab, _) = slab_under_rubble(3e6, 0.9);
    let loaded = used(&simulation, slab);
    press(&mut simulation, &[], 600);
    assert!(simulation.statistics().frozen > 10);
    simulation.solve_stress(slab).unwrap();
    press(&mut simulation, &[], 5);
    let later = used(&simulation, slab);
    assert!((later / loaded - 1.0).abs() < 0.1, "{loaded} and {later}");
}

#[test]
fn what_is_laid_gently_on_frozen_rubble_loads_what_is_below() {
    let (mut simulation, slab, _) = slab_under_rubble(9e6, 0.9);
    press(&mut simulation, &[], 600);
    assert!(simulation.statistics().frozen > 10);
    let loaded = used(&simulation, slab);
    let down = |x: f32, z: f32| {
        let hit = simulation.cast_ray(Vec3::new(x, 4.0, z), Vec3::NEG_Y, 9.0);
        hit.unwrap().point.y
    };
    let places = (0..25).map(|k| ((k % 5) as f32 * 0.3 - 0.6, (k / 5) as f32 * 0.3 - 0.6));
    let top = places.map(|(x, z)| down(x, z)).fold(0.0, f32::max);
    // A stone of 1.9 t, 2 mm above: nothing holds it.
    let stone = block([1.4, 0.4, 1.4], [0.0, top + 0.202, 0.0], 0.0, 0.0);
    simulation.add(stone).unwrap();
    press(&mut simulation, &[], 600);
    // A body that bends by its own 0.96 t and by 1.75 t of rubble bends further, by at most as much as by 1.9 t in the middle of
    // its span: a beam's formula, and a fifth more for what is pressed on a few stones only and not on the whole width.
    let most = 1.2 * 6.0 * (1.9e3 * GRAVITY * 1.6 / 4.0) / (2.0 * 0.1 * 0.1);
    let more = 9e6 * (used(&simulation, slab) - loaded);
    assert!(
        (0.4 * 9e6 * loaded..most).contains(&more),
        "{loaded} and {more} Pa"
    );
}

#[test]
fn loads_come_out_the_same_in_each_run() {
    let run = || {
        let (simulation, slab, events) = slab_under_rubble(0.8e6, 0.9);
        (
            simulation.state_hash(),
            stands(&simulation, slab),
            events.len(),
        )
    };
    assert_eq!(run(), run());
}

/// Adds a dynamic cube of the host, with a side of 0.2 m and a mass, that hangs on a body by a joint.
fn hang(simulation: &mut Simulation, on: BodyId, key: u64, place: Vec3, kilograms: f32) {
    let dynamic = BodyType::Dynamic(MassDesc::default());
    let mut cube = ExternalBody::fixed(
        SharedShape::cuboid(0.1, 0.1, 0.1),
        at(place.x, place.y - 0.5, place.z),
    );
    cube.desc.body_type = dynamic;
    cube.desc.colliders[0].density = kilograms / 0.008;
    simulation.set_external_body(key, cube).unwrap();
    let on_pose = simulation.motion(on).unwrap().pose;
    let first = on_pose.inverse_transform_point(place);
    let joint: GenericJoint = FixedJointBuilder::new()
        .local_frame1(Pose::from_translation(first))
        .local_frame2(Pose::from_translation(Vec3::Y * 0.5))
        .build()
        .into();
    let bodies = [BodyRef::Breakable(on), BodyRef::External(key)];
    simulation.set_joint(key, JointDesc { bodies, joint });
}

#[test]
fn what_hangs_on_a_beam_by_a_joint_loads_it() {
    // A cantilever of 2 m: half of what it bears hangs at its end, or twice as much.
    let (length, height, width, strength) = (2.0, 0.3, 0.3, 3e6);
    let section: f32 = width * height * height / 6.0;
    let own = 2400.0 * GRAVITY * height * width * length * length / 2.0;
    let bears = (strength * section - own) / length / GRAVITY;
    for (share, holds) in [(0.7, true), (1.3, false)] {
        let mut simulation = quiet();
        let beam = of_strength(cantilever(length, height, width), strength);
        let beam = simulation.add(beam).unwrap();
        press(&mut simulation, &[], 5);
        let end = Vec3::new(length - 0.05, -0.15, 0.0);
        hang(&mut simulation, beam, 5, end, share * bears);
        press(&mut simulation, &[], 30);
        assert_eq!(stands(&simulation, beam), holds, "{share}");
        if holds {
            let found = used(&simulation, beam) * strength * section;
            let wanted = own + share * bears * GRAVITY * (length - 0.05);
            assert!((found / wanted - 1.0).abs() < 0.2, "{found} of {wanted}");
            // It is held from below.
            let up = ContactForce {
                on: BodyRef::External(5),
                force: Vec3::Y * share * bears * GRAVITY,
                ..pressed(beam, CRATE, [length - 0.05, -0.75, 0.0], 0.1, 0.0)
            };
            assert!(simulation.hanging_bodies().eq([BodyRef::External(5)]));
            press(&mut simulation, &[up], 30);
            let found = used(&simulation, beam) * strength * section;
            assert!((found / own - 1.0).abs() < 0.25, "{found} of {own}");
            // Without its joint it is gone.
            press(&mut simulation, &[], 30);
            assert!(simulation.remove_joint(5));
            press(&mut simulation, &[], 30);
            let found = used(&simulation, beam) * strength * section;
            assert!((found / own - 1.0).abs() < 0.25, "{found} of {own}");
        }
    }
}

#[test]
fn a_load_on_a_block_is_borne_by_what_holds_it() {
    // A cantilever of two blocks; the first bond bears what lies on the second.
    for (share, holds) in [(0.75, true), (1.3, false)] {
        let mut simulation = quiet();
        add_fixed(&mut simulation, 1, [1.0, 4.0, 4.0], [-0.5, 5.0, 0.0]);
        let part = |x: f32| block([0.5, 0.4, 0.2], [x, 5.0, 0.0], 1e6, 1.0);
        let ids = [0.25, 0.75].map(|x| simulation.add(part(x)).unwrap());
        press(&mut simulation, &[], 20);
        let section: f32 = 0.2 * 0.4 * 0.4 / 6.0;
        let own = 2400.0 * GRAVITY * 0.4 * 0.2 * 0.5;
        let bears = (1e6 * section - own) / 0.9;
        let force = pressed(ids[1], CRATE, [0.9, 5.2, 0.0], 0.1, share * bears);
        press(&mut simulation, &[force], 40);
        assert_eq!(
            stands(&simulation, ids[0]) && stands(&simulation, ids[1]),
            holds,
            "{share}"
        );
    }
}

/// Shares of what a body bears in a row, with the number of warnings that are told by the end of each.
const SWINGS: [(f32, usize); 7] = [
    (0.95, 1),
    (0.82, 1),
    (0.95, 1),
    (0.84, 1),
    (0.96, 1),
    (0.6, 1),
    (0.95, 2),
];

/// Presses a body with shares of a force, and counts the warnings.
fn swing(simulation: &mut Simulation, force: impl Fn(f32) -> ContactForce) {
    let mut told = 0;
    for (at, (share, wanted)) in SWINGS.into_iter().enumerate() {
        let events = press(simulation, &[force(share)], 40);
        told += events
            .iter()
            .filter(|event| matches!(event, Event::Strained(_)))
            .count();
        assert_eq!(told, wanted, "{at}: {share}");
    }
}

#[test]
fn a_bond_under_a_load_that_swings_is_told_once() {
    // A cantilever of two blocks, of which only the first bond comes near its strength.
    let mut simulation = quiet();
    add_fixed(&mut simulation, 1, [1.0, 4.0, 4.0], [-0.5, 5.0, 0.0]);
    // Mortar: inside the blocks there is little stress.
    let part = |x: f32| block([0.5, 0.4, 0.2], [x, 5.0, 0.0], 5e6, 0.2);
    let ids = [0.25, 0.75].map(|x| simulation.add(part(x)).unwrap());
    press(&mut simulation, &[], 20);
    let section: f32 = 0.2 * 0.4 * 0.4 / 6.0;
    let own = 2400.0 * GRAVITY * 0.4 * 0.2 * 0.5;
    let end = |share: f32| (share * 1e6 * section - own) / 0.9;
    swing(&mut simulation, |share| {
        pressed(ids[1], CRATE, [0.9, 5.2, 0.0], 0.1, end(share))
    });
    assert!(ids.into_iter().all(|id| stands(&simulation, id)));
}

#[test]
fn a_body_under_a_load_that_swings_is_told_once() {
    let (length, height, width, strength) = (2.0, 0.3, 0.3, 3e6);
    let mut simulation = quiet();
    let beam = of_strength(cantilever(length, height, width), strength);
    let beam = simulation.add(beam).unwrap();
    press(&mut simulation, &[], 5);
    let force = |newtons: f32| {
        let place = [length - 0.1, 0.5 * height, 0.0];
        pressed(beam, CRATE, place, 0.1, newtons)
    };
    // Stress is linear in the load: two of them tell what it bears.
    let mut used_under = |newtons: f32| {
        press(&mut simulation, &[force(newtons)], 20);
        used(&simulation, beam)
    };
    let (low, high) = (used_under(1000.0), used_under(3000.0));
    let slope = (high - low) / 2000.0;
    let newtons = |share: f32| 1000.0 + (share - low) / slope;
    swing(&mut simulation, |share| force(newtons(share)));
    assert!(stands(&simulation, beam));
}

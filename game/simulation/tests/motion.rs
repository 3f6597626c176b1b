//! Masses, velocities and momentum of pieces.

use fracture_simulation::geometry::glam::{DMat3, DVec3, Quat, Vec3};
use fracture_simulation::geometry::{MassProperties, Mesh};
use fracture_simulation::{Anchors, Body, Broken, Impact, Material, Motion, Pose, Residual};

use crate::setup::{body, break_one, broken, cube, impact_at, waiting, DT};

/// Sum of mass times velocity, kg m/s.
fn momentum(broken: &Broken) -> DVec3 {
    let momentum = |p: &fracture_simulation::NewPiece| p.motion.linear.as_dvec3() * p.kilograms;
    broken.pieces.iter().map(momentum).sum()
}

#[test]
fn mass_is_density_times_volume() {
    let (_, broken) = break_one(cube(), [0.0, 0.5, 0.0]);
    let total: f64 = broken.pieces.iter().map(|piece| piece.kilograms).sum();
    assert!((total - 2400.0).abs() < 0.05, "{total} kg");
    for piece in &broken.pieces {
        assert_eq!(piece.kilograms, piece.mass.volume * 2400.0);
    }
}

/// Sum of turning and orbiting momentum about the world's origin, kg m^2/s.
fn angular_momentum(broken: &Broken) -> DVec3 {
    let of = |p: &fracture_simulation::NewPiece| {
        let turn = DMat3::from_quat(p.motion.pose.rotation.as_dquat());
        let inertia = turn * p.mass.inertia(2400.0) * turn.transpose();
        let orbit = p
            .center()
            .as_dvec3()
            .cross(p.motion.linear.as_dvec3() * p.kilograms);
        inertia * p.motion.angular.as_dvec3() + orbit
    };
    broken.pieces.iter().map(of).sum()
}

#[test]
fn a_break_keeps_both_momenta_and_adds_what_the_push_states() {
    let motion = Motion {
        pose: Pose::from_parts(Vec3::new(1.0, 9.0, -2.0), Quat::from_rotation_z(0.7)),
        linear: Vec3::new(2.0, 0.0, -1.0),
        angular: Vec3::new(0.5, 3.0, -1.0),
    };
    let ring = fracture_simulation::geometry::Mesh::torus(0.6, 0.2, 32, 16);
    for body in [cube(), crate::setup::body(ring)] {
        for (energy, already_applied) in [(0.0, false), (2e3, false), (1e4, false), (1e4, true)] {
            let mut simulation = waiting();
            let id = simulation
                .add(Body {
                    motion,
                    ..body.clone()
                })
                .unwrap();
            let point = motion.pose.transform_point(Vec3::new(0.5, 0.1, 0.0));
            let impulse = Vec3::new(-800.0, 300.0, 500.0);
            let impact = Impact {
                already_applied,
                radius: Some(0.5),
                ..Impact::new(id, point, Vec3::X, impulse, energy)
            };
            simulation.impact(impact).unwrap();
            let broken = broken(&mut simulation);
            let given = if already_applied {
                DVec3::ZERO
            } else {
                impulse.as_dvec3()
            };
            let whole = whole(&broken);
            let mass = whole.volume * 2400.0;
            let turn = DMat3::from_quat(motion.pose.rotation.as_dquat());
            let inertia = turn * whole.inertia(2400.0) * turn.transpose();
            let center = motion
                .pose
                .transform_point(whole.center.as_vec3())
                .as_dvec3();
            let linear = motion.linear.as_dvec3() * mass;
            let expected = linear + given;
            let off = (momentum(&broken) - expected).length() / expected.length();
            assert!(off < 1e-3, "{energy} J: momentum is {off} off");
            let expected = inertia * motion.angular.as_dvec3()
                + center.cross(linear)
                + point.as_dvec3().cross(given);
            let off = (angular_momentum(&broken) - expected).length() / expected.length();
            assert!(off < 1e-3, "{energy} J: angular momentum is {off} off");
        }
    }
}

/// The pieces as one body.
fn whole(broken: &Broken) -> MassProperties {
    let masses = broken.pieces.iter().map(|piece| piece.mass);
    masses.reduce(|a, b| a.union(&b)).unwrap()
}

#[test]
fn the_pushes_of_a_free_body_sum_to_the_impulse() {
    for energy in [0.0, 10.0, 1000.0] {
        let mut simulation = waiting();
        let id = simulation.add(cube()).unwrap();
        let impulse = Vec3::new(30.0, -80.0, 10.0);
        let point = Vec3::new(0.1, 0.5, 0.2);
        let impact = Impact::new(id, point, Vec3::Y, impulse, energy);
        simulation.impact(impact).unwrap();
        let error = momentum(&broken(&mut simulation)) - impulse.as_dvec3();
        assert!(error.length() < 1e-3, "{error} N s off with {energy} J");
    }
}

#[test]
fn an_impulse_does_not_turn_with_the_body_and_its_point_does_while_pieces_are_made() {
    let point = Vec3::new(0.1, 0.5, 0.2);
    for turn in [0.0, 0.1, 2.0] {
        let mut simulation = waiting();
        let id = simulation.add(cube()).unwrap();
        let impulse = Vec3::new(30.0, -80.0, 10.0);
        let impact = Impact::new(id, point, Vec3::Y, impulse, 1000.0);
        simulation.impact(impact).unwrap();
        simulation.step(DT);
        let pose = Pose::from_parts(Vec3::X, Quat::from_rotation_z(turn));
        simulation.set_motion(id, Motion::at(pose)).unwrap();
        let broken = broken(&mut simulation);
        assert!((broken.point - pose.transform_point(point)).length() < 1e-5);
        assert!((broken.normal - pose.rotation * Vec3::Y).length() < 1e-5);
        let turned = broken.angular_momentum_gain.length();
        assert!(turned < 1e-2, "{turned} N m s after a turn by {turn}");
        let error = momentum(&broken) - impulse.as_dvec3();
        assert!(
            error.length() < 1e-3,
            "{error} N s off after a turn by {turn}"
        );
    }
}

#[test]
fn an_impulse_that_the_engine_applied_already_adds_nothing() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    let impact = Impact {
        already_applied: true,
        ..impact_at(id, [0.0, 0.5, 0.0])
    };
    simulation.impact(impact).unwrap();
    let broken = broken(&mut simulation);
    assert!(momentum(&broken).length() < 1e-3);
    let moves = |p: &fracture_simulation::NewPiece| p.motion.linear.length() > 1e-3;
    assert!(
        broken.pieces.iter().any(moves),
        "pieces near the impact are driven out"
    );
}

#[test]
fn near_pieces_get_more_speed_than_far_ones() {
    let (_, broken) = break_one(cube(), [0.0, 0.5, 0.0]);
    let distance = |p: &&fracture_simulation::NewPiece| (p.center() - broken.point).length();
    let by = |a: &&_, b: &&_| distance(a).total_cmp(&distance(b));
    let near = broken.pieces.iter().min_by(by).unwrap();
    let far = broken.pieces.iter().max_by(by).unwrap();
    assert!(near.motion.linear.length() > far.motion.linear.length());
}

#[test]
fn pieces_inherit_the_motion_of_their_place_in_the_turning_parent() {
    let spin = Vec3::new(0.0, 3.0, 0.0);
    let motion = Motion {
        pose: Pose::from_parts(Vec3::new(5.0, 9.0, 1.0), Quat::from_rotation_z(0.7)),
        linear: Vec3::new(2.0, 0.0, -1.0),
        angular: spin,
    };
    let mut simulation = waiting();
    let id = simulation.add(Body { motion, ..cube() }).unwrap();
    let point = motion.pose.transform_point(Vec3::new(0.0, 0.5, 0.0));
    let impulse = Vec3::new(0.0, -1e-3, 0.0);
    let soft = Impact::new(id, point, Vec3::Y, impulse, 0.0);
    simulation.set_material(id, breaks_at_once()).unwrap();
    simulation.impact(soft).unwrap();
    let broken = broken(&mut simulation);
    for piece in &broken.pieces {
        let arm = piece.center() - motion.pose.translation;
        let expected = motion.linear + spin.cross(arm);
        let off = (piece.motion.linear - expected).length();
        assert!(off < 1e-3, "{off} m/s off at {arm}");
        let turned = (piece.motion.angular - spin).length();
        assert!(turned < 1e-5, "{turned} rad/s off");
        assert_eq!(piece.motion.pose, motion.pose, "at the place it had");
    }
}

#[test]
fn a_blow_that_breaks_nothing_makes_no_piece_faster_than_what_strikes_it() {
    let count = break_one(cube(), [0.0, 0.5, 0.0]).1.pieces.len();
    let mut free = 0;
    for chosen in 0..count {
        let (mut simulation, broken) = break_one(cube(), [0.0, 0.5, 0.0]);
        let piece = &broken.pieces[chosen];
        let mass = piece.kilograms as f32;
        // Away from the others, with the impulse and energy of 5 kg at 20 m/s.
        let away = piece.center().normalize();
        let (impulse, energy) = (100.0 * away, 1000.0);
        let impact = Impact::new(piece.body, piece.center(), -away, impulse, energy);
        let before = simulation.motion(piece.body).unwrap().linear;
        simulation.impact(impact).unwrap();
        crate::setup::step(&mut simulation);
        let gained = simulation.motion(piece.body).unwrap().linear - before;
        let most = 100.0 / mass.max(5.0);
        let off = gained.dot(away) - most;
        // The tolerance is gravity's in a frame.
        assert!(off < 0.3, "{mass} kg: {off} m/s from {most}");
        // Pieces deep inside are blocked by others.
        free += usize::from(off > -0.3);
    }
    assert!(free > 0, "no piece gets its share");
}

/// A stub of 40 kg that stands on its base, so small that the impacts of these tests break all of it.
fn stub() -> Body {
    let low = [Vec3::new(-0.2, -0.3, -0.2), Vec3::new(0.2, -0.19, 0.2)];
    Body {
        anchors: Anchors::boxes(vec![low]),
        material: breaks_at_once(),
        ..body(Mesh::cuboid([0.25, 0.4, 0.17]))
    }
}

/// Breaks all of the stub by an impact on its top. Returns its speed as a whole and that of its fastest
/// piece, m/s.
fn crushed(anchors: Anchors, impulse: f32, energy: f32) -> [f64; 2] {
    let mut simulation = waiting();
    let id = simulation.add(Body { anchors, ..stub() }).unwrap();
    let impact = Impact {
        radius: Some(1.0),
        ..Impact::new(id, 0.2 * Vec3::Y, Vec3::Y, -impulse * Vec3::Y, energy)
    };
    simulation.impact(impact).unwrap();
    let broken = broken(&mut simulation);
    let mass: f64 = broken.pieces.iter().map(|piece| piece.kilograms).sum();
    let speeds = broken.pieces.iter().map(|p| p.motion.linear.length());
    let fastest = f64::from(speeds.fold(0.0, f32::max));
    [momentum(&broken).length() / mass, fastest]
}

#[test]
fn what_is_crushed_gets_no_faster_than_what_crushes_it() {
    // A house of 20 t comes down on it at 2 m/s.
    for anchors in [stub().anchors, Anchors::free()] {
        let [together, fastest] = crushed(anchors, 4e4, 4e4);
        assert!(
            together < 2.01 && fastest < 6.0,
            "{together}, {fastest} m/s"
        );
    }
}

#[test]
fn pieces_get_no_more_than_the_impact_has_less_what_the_striker_keeps() {
    let held = stub().anchors;
    for (anchors, already_applied) in [
        (Anchors::free(), false),
        (Anchors::free(), true),
        (held, false),
    ] {
        for (impulse, energy) in [(55.0, 1.0), (90.0, 300.0), (2000.0, 40.0), (700.0, 2e4)] {
            for share in [0.0, 0.3, 0.9] {
                let mut simulation = waiting();
                let anchors = anchors.clone();
                let id = simulation.add(Body { anchors, ..stub() }).unwrap();
                let impulse = Vec3::new(0.3, -0.9, 0.1).normalize() * impulse;
                let impact = Impact {
                    radius: Some(0.5),
                    already_applied,
                    residual: Residual {
                        impulse: impulse * share,
                        energy: energy * share,
                        pushed_radius: 0.2 * share,
                    },
                    ..Impact::new(id, Vec3::new(0.1, 0.2, 0.05), Vec3::Y, impulse, energy)
                };
                simulation.impact(impact).unwrap();
                let broken = broken(&mut simulation);
                let of = format!("{impulse} N s, {energy} J, {share} kept");
                let most = f64::from(energy * (1.0 - share));
                assert!(
                    broken.energy_gain < 1.001 * most,
                    "{of}: {} J",
                    broken.energy_gain
                );
                let given = impulse.length() * (1.0 - share);
                let gain = broken.momentum_gain.length();
                let most = if already_applied {
                    1e-3 * given
                } else {
                    1.001 * given
                };
                assert!(gain < most, "{of}: {gain} N s");
            }
        }
    }
}

#[test]
fn a_push_makes_no_free_body_faster_than_pushes_may() {
    // The impulse would give it 1 km/s, and its energy is not known.
    let [together, fastest] = crushed(Anchors::free(), 4e4, 0.0);
    assert!(
        together > 10.0 && fastest < 60.01,
        "{together}, {fastest} m/s"
    );
    // The impulse gives it 5 m/s, all of which is allowed.
    let [together, _] = crushed(Anchors::free(), 204.0, 0.0);
    assert!((together - 5.0).abs() < 1e-3, "{together} m/s");
}

fn breaks_at_once() -> Material {
    Material {
        damage_threshold: Some(0.0),
        min_radius: 0.3,
        ..Material::default()
    }
}

#[test]
fn a_held_body_gives_pieces_no_more_energy_than_the_hit_had() {
    let mut simulation = waiting();
    let id = simulation.add(crate::setup::wall()).unwrap();
    let point = Vec3::new(0.0, 1.5, 0.1);
    let impulse = Vec3::new(0.0, 0.0, -300.0);
    let impact = Impact::new(id, point, Vec3::Z, impulse, 50.0);
    simulation.impact(impact).unwrap();
    let broken = broken(&mut simulation);
    let kinetic = |p: &fracture_simulation::NewPiece| {
        0.5 * p.kilograms * f64::from(p.motion.linear.length_squared())
    };
    let free = broken.pieces.iter().filter(|piece| !piece.anchored);
    let energy: f64 = free.map(kinetic).sum();
    assert!(energy <= 50.001 && energy > 5.0, "{energy} J");
}

#[test]
fn debris_falls_under_gravity_and_comes_to_rest_on_the_ground() {
    use fracture_simulation::{external::ExternalBody, SharedShape};
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, crate::setup::at(0.0, -2.0, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let broken = broken(&mut simulation);
    for _ in 0..900 {
        crate::setup::step(&mut simulation);
    }
    assert_eq!(simulation.statistics().removed, 0);
    for piece in &broken.pieces {
        let motion = simulation.motion(piece.body).unwrap();
        let height = motion.pose.transform_point(piece.mass.center.as_vec3()).y;
        assert!(
            (-1.5..-0.3).contains(&height),
            "a piece ended at {height} m"
        );
    }
    let awake = simulation.statistics().awake;
    assert_eq!(awake, 0, "{awake} of {} still move", broken.pieces.len());
}

#[test]
fn a_break_does_not_explode() {
    // Only gravity and a tiny push act: overlaps must not drive pieces apart.
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.set_material(id, breaks_at_once()).unwrap();
    let whisper = Vec3::new(0.0, -1e-3, 0.0);
    let impact = Impact::new(id, Vec3::new(0.0, 0.5, 0.0), Vec3::Y, whisper, 0.0);
    simulation.impact(impact).unwrap();
    let broken = broken(&mut simulation);
    for _ in 0..10 {
        crate::setup::step(&mut simulation);
    }
    for piece in &broken.pieces {
        let motion = simulation.motion(piece.body).unwrap();
        let sideways = Vec3::new(motion.linear.x, 0.0, motion.linear.z).length();
        assert!(
            sideways < 0.3,
            "{sideways} m/s sideways, {:?} {} kg",
            piece.kind,
            piece.kilograms
        );
    }
}

#[test]
fn pieces_of_a_body_that_was_sunk_into_the_ground_come_out_and_rest() {
    use fracture_simulation::{external::ExternalBody, SharedShape};
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, crate::setup::at(0.0, -0.75, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.2, -0.3, 0.5])).unwrap();
    let broken = broken(&mut simulation);
    let sunk = |p: &&fracture_simulation::NewPiece| p.center().y < -0.26;
    assert!(broken.pieces.iter().filter(sunk).count() > 0);
    for _ in 0..600 {
        crate::setup::step(&mut simulation);
    }
    for piece in &broken.pieces {
        let motion = simulation.motion(piece.body).unwrap();
        let height = motion.pose.transform_point(piece.mass.center.as_vec3()).y;
        assert!(height > -0.27, "{:?} at {height} m", piece.kind);
    }
    assert_eq!(simulation.statistics().awake, 0);
}

#[test]
fn a_heap_whose_pieces_break_again_falls_asleep() {
    // Hundreds of pieces, among them some that hop on the spot for ever.
    let statistics = heap(Material {
        damage_threshold: Some(20.0),
        ..Material::default()
    });
    assert!(
        statistics.breaks > 15 && statistics.debris > 400,
        "{statistics:?}"
    );
    assert_eq!(statistics.awake, 0, "{statistics:?}");
}

#[test]
fn heaps_of_rubble_fall_asleep() {
    let statistics = heap(cube().material);
    assert!(statistics.debris > 150, "{statistics:?}");
    assert_eq!(statistics.awake, 0, "{statistics:?}");
}

/// Statistics of nine cubes that break side by side, after 15 s.
fn heap(material: Material) -> fracture_simulation::Statistics {
    use fracture_simulation::{external::ExternalBody, SharedShape};
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(50.0, 0.5, 50.0);
    let ground = ExternalBody::fixed(ground, crate::setup::at(0.0, -1.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let pattern = crate::setup::pattern(64);
    for index in 0..9u8 {
        let (x, z) = (1.5 * f32::from(index % 3), 1.5 * f32::from(index / 3));
        let body = Body {
            pattern: pattern.clone(),
            motion: crate::setup::at(x, 0.0, z),
            material,
            ..cube()
        };
        let id = simulation.add(body).unwrap();
        let wide = Impact {
            radius: Some(0.6),
            ..impact_at(id, [x, 0.5, z])
        };
        simulation.impact(wide).unwrap();
    }
    for _ in 0..900 {
        crate::setup::step(&mut simulation);
    }
    simulation.statistics()
}

#[test]
fn pieces_start_where_they_were_wherever_the_origin_of_the_body_is() {
    // A model with its origin at its foot, 5 m from its middle, anchored at the ground.
    let mut mesh = fracture_simulation::geometry::Mesh::cuboid([1.0, 10.0, 1.0]);
    for position in &mut mesh.positions {
        position[1] += 5.0;
    }
    let base = [Vec3::new(-1.0, -0.1, -1.0), Vec3::new(1.0, 0.1, 1.0)];
    let tower = Body {
        anchors: fracture_simulation::Anchors::boxes(vec![base]),
        motion: crate::setup::at(0.3, 0.2, 0.0),
        ..crate::setup::body(mesh)
    };
    let mut simulation = waiting();
    let id = simulation.add(tower).unwrap();
    simulation.impact(impact_at(id, [0.8, 8.0, 0.0])).unwrap();
    let broken = broken(&mut simulation);
    for piece in &broken.pieces {
        let motion = simulation.motion(piece.body).unwrap();
        let now = motion.pose.transform_point(piece.mass.center.as_vec3());
        let moved = (now - piece.center()).length();
        assert!(
            moved < 0.6,
            "{:?} moved by {moved} m in a frame",
            piece.kind
        );
    }
}

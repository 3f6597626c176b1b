//! Figures that make no sense, in every call: nothing panics, nothing is lost, and all that is told stays finite.

use fracture_simulation::external::{BodyDesc, BodyType, ColliderDesc, ExternalBody, MassDesc};
use fracture_simulation::geometry::glam::{Mat4, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Anchors, BodyId, DebrisLifetime, Event, Impact, Material, Motion, Pose, Push, Residual,
    Settings, SharedShape, Simulation, Striker, Viewer,
};

use crate::setup::{at, body, impact_at, push, step, with};

/// Figures that are no numbers, and those beyond any scene.
const ODD: [f32; 9] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e20,
    -1.0,
    0.0,
    1e-30,
];

/// A call with an odd figure.
type Call = (&'static str, fn(&mut Simulation, BodyId, f32));

/// A call that changes a motion.
fn moved(simulation: &mut Simulation, body: BodyId, change: impl Fn(&mut Motion)) {
    let mut motion = Motion::default();
    change(&mut motion);
    let _ = simulation.set_motion(body, motion);
}

/// A call with a changed impact.
fn struck(simulation: &mut Simulation, body: BodyId, change: impl Fn(&mut Impact)) {
    let mut impact = impact_at(body, [0.0, 0.5, 0.0]);
    change(&mut impact);
    let _ = simulation.impact(impact);
}

/// A call with a changed material.
fn made_of(simulation: &mut Simulation, body: BodyId, change: impl Fn(&mut Material)) {
    let mut material = Material::default();
    change(&mut material);
    let _ = simulation.set_material(body, material);
}

/// A call with a ball of the engine among the pieces.
fn met(simulation: &mut Simulation, change: impl Fn(&mut ColliderDesc, &mut Motion)) {
    let mut collider = ColliderDesc::new(SharedShape::ball(0.2));
    let mut motion = at(0.0, 0.9, 0.0);
    change(&mut collider, &mut motion);
    let desc = BodyDesc {
        colliders: vec![collider],
        body_type: BodyType::Dynamic(MassDesc::default()),
    };
    let _ = simulation.set_external_body(7, ExternalBody { desc, motion });
}

/// A pose whose rotation has an odd component.
fn turned(odd: f32) -> Pose {
    let mut pose = Pose::IDENTITY;
    pose.rotation.y = odd;
    pose
}

const CALLS: &[Call] = &[
    ("step", |s, _, odd| s.step(odd)),
    ("next step", |s, _, odd| _ = s.begin_next_step(odd)),
    ("place", |s, b, odd| {
        moved(s, b, |m| m.pose.translation.x = odd)
    }),
    ("turn", |s, b, odd| moved(s, b, |m| m.pose.rotation.x = odd)),
    ("velocity", |s, b, odd| moved(s, b, |m| m.linear.y = odd)),
    ("spin", |s, b, odd| moved(s, b, |m| m.angular.z = odd)),
    ("impact's point", |s, b, odd| {
        struck(s, b, |i| i.point.x = odd)
    }),
    ("impact's normal", |s, b, odd| {
        struck(s, b, |i| i.normal.x = odd)
    }),
    ("impulse", |s, b, odd| struck(s, b, |i| i.impulse.y = odd)),
    ("energy", |s, b, odd| struck(s, b, |i| i.energy = odd)),
    ("radius", |s, b, odd| struck(s, b, |i| i.radius = Some(odd))),
    ("residual impulse", |s, b, odd| {
        let impulse = Vec3::splat(odd);
        struck(s, b, |i| {
            i.residual = Residual {
                impulse,
                energy: 1.0,
                pushed_radius: 0.1,
            }
        })
    }),
    ("residual energy", |s, b, odd| {
        struck(s, b, |i| i.residual.energy = odd);
    }),
    ("pushed radius", |s, b, odd| {
        struck(s, b, |i| i.residual.pushed_radius = odd);
    }),
    ("striker's radius", |s, b, odd| {
        struck(s, b, |i| {
            i.striker = Striker::Body {
                radius: odd,
                density: 7800.0,
            }
        })
    }),
    ("striker's density", |s, b, odd| {
        struck(s, b, |i| {
            i.striker = Striker::Body {
                radius: 0.1,
                density: odd,
            }
        })
    }),
    ("charge's distance", |s, b, odd| {
        struck(s, b, |i| i.striker = Striker::Gas { distance: odd })
    }),
    ("density", |s, b, odd| made_of(s, b, |m| m.density = odd)),
    ("threshold", |s, b, odd| {
        made_of(s, b, |m| m.damage_threshold = Some(odd))
    }),
    ("weakening", |s, b, odd| {
        made_of(s, b, |m| m.weakening = odd)
    }),
    ("volume per energy", |s, b, odd| {
        made_of(s, b, |m| m.volume_per_energy = odd)
    }),
    ("smallest radius", |s, b, odd| {
        made_of(s, b, |m| m.min_radius = odd)
    }),
    ("largest radius", |s, b, odd| {
        made_of(s, b, |m| m.max_radius = odd)
    }),
    ("smallest volume", |s, b, odd| {
        made_of(s, b, |m| m.min_volume = odd)
    }),
    ("threshold factor", |s, b, odd| {
        made_of(s, b, |m| m.threshold_factor = odd)
    }),
    ("strength", |s, b, odd| {
        made_of(s, b, |m| m.tensile_strength = odd)
    }),
    ("sheet", |s, b, odd| {
        made_of(s, b, |m| m.sheet_toughness = odd)
    }),
    ("neck", |s, b, odd| made_of(s, b, |m| m.min_neck = odd)),
    ("lifetime", |s, b, odd| {
        let lifetime = DebrisLifetime {
            lifetime: odd,
            ..DebrisLifetime::default()
        };
        let _ = s.set_lifetime(b, lifetime);
    }),
    ("dust", |s, b, odd| {
        let lifetime = DebrisLifetime {
            dust_size: odd,
            ..DebrisLifetime::default()
        };
        let _ = s.set_lifetime(b, lifetime);
    }),
    ("anchors", |s, b, odd| {
        let boxes = vec![[Vec3::splat(odd), Vec3::ONE]];
        let _ = s.set_anchors(b, Anchors::boxes(boxes));
    }),
    ("push", |s, b, odd| {
        _ = s.push(b, Vec3::ZERO, &push(Vec3::splat(odd)))
    }),
    ("push's point", |s, b, odd| {
        _ = s.push(b, Vec3::splat(odd), &push(Vec3::Y))
    }),
    ("push's energy and speed", |s, b, odd| {
        let (energy, max_speed) = (odd, odd);
        let odd = Push {
            energy,
            max_speed,
            ..push(Vec3::Y)
        };
        _ = s.push(b, Vec3::ZERO, &odd)
    }),
    ("ball's density", |s, _, odd| met(s, |c, _| c.density = odd)),
    ("ball's friction", |s, _, odd| {
        met(s, |c, _| c.contact.friction = Some(odd))
    }),
    ("ball's bounce", |s, _, odd| {
        met(s, |c, _| c.contact.restitution = Some(odd))
    }),
    ("ball's offset", |s, _, odd| {
        met(s, |c, _| c.pose.translation.x = odd)
    }),
    ("ball's size", |s, _, odd| {
        met(s, |c, _| c.shape = SharedShape::ball(odd))
    }),
    ("ball's velocity", |s, _, odd| {
        met(s, |_, m| m.linear.y = odd)
    }),
    ("ball's mass", |s, _, odd| {
        let mut ball = ExternalBody::dynamic(SharedShape::ball(0.2), at(0.0, 0.9, 0.0), 5.0);
        let mass = MassDesc {
            additional_mass: odd,
            gravity_scale: odd,
            ..MassDesc::default()
        };
        ball.desc.body_type = BodyType::Dynamic(mass);
        let _ = s.set_external_body(7, ball);
    }),
    ("ball's motion", |s, _, odd| {
        met(s, |_, _| ());
        let _ = s.set_external_motion(7, at(0.0, odd, 0.0));
    }),
    ("gravity", |s, _, odd| {
        s.set_gravity(Vec3::new(0.0, odd, 0.0))
    }),
    ("limits", |s, _, odd| {
        s.set_limits(odd as usize, odd as u64, odd)
    }),
    ("viewer", |s, _, odd| {
        let frame = Mat4::perspective_rh_gl(odd, 2.0, 0.1, odd);
        let viewers = [
            Viewer::around(Vec3::splat(odd)),
            Viewer::through(Vec3::ZERO, frame),
        ];
        s.set_viewers(viewers);
    }),
    ("ray", |s, _, odd| {
        let hit = s.cast_ray(Vec3::Y * 5.0, Vec3::new(0.0, -1.0, odd), odd);
        assert!(hit.is_none_or(|hit| hit.point.is_finite()));
    }),
    ("query's shape", |s, _, odd| {
        let ball = SharedShape::ball(0.3);
        for pose in [at(odd, 0.0, 0.0).pose, turned(odd)] {
            let _ = s.overlap_shape(&ball, pose);
            let _ = s.cast_shape(&ball, pose, Vec3::new(odd, -1.0, 0.0), 5.0);
            let _ = s.cast_shape(
                &SharedShape::ball(odd),
                at(0.0, 3.0, 0.0).pose,
                -Vec3::Y,
                odd,
            );
        }
    }),
    ("nearest surface", |s, b, odd| {
        let nearest = s.nearest_surface(b, Vec3::splat(odd));
        assert!(nearest.is_none_or(|nearest| nearest.iter().all(|place| place.is_finite())));
    }),
    ("blast", |s, _, odd| {
        for [center, radius, energy] in [[odd, 5.0, 1e4], [1.0, odd, 1e4], [1.0, 5.0, odd]] {
            for load in s.blast(Vec3::splat(center), radius, energy) {
                assert!(
                    load.impulse.is_finite() && load.energy.is_finite(),
                    "{load:?}"
                );
            }
        }
    }),
];

/// A free block on the ground.
fn scene(settings: Settings) -> (Simulation, BodyId) {
    let mut simulation = with(settings);
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -1.0, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let id = simulation.add(body(Mesh::cuboid([1.0; 3]))).unwrap();
    step(&mut simulation);
    (simulation, id)
}

/// Asserts that each body of a simulation and what it tells is finite.
fn check(simulation: &mut Simulation, bodies: &mut Vec<BodyId>, name: &str) {
    for _ in 0..4 {
        for event in step(simulation) {
            if let Event::Broken(broken) = event {
                bodies.extend(broken.pieces.iter().map(|piece| piece.body));
                assert!(
                    broken.volume_error < 1e-4,
                    "{name}: {}",
                    broken.volume_error
                );
            }
        }
    }
    for motion in bodies.iter().filter_map(|body| simulation.motion(*body)) {
        let all = [motion.pose.translation, motion.linear, motion.angular];
        assert!(
            all.iter().all(|figure| figure.is_finite()),
            "{name}: {motion:?}"
        );
    }
    assert!(simulation.mechanical_energy().is_finite(), "{name}");
}

#[test]
fn no_figure_of_a_call_does_harm() {
    for (name, call) in CALLS {
        for odd in ODD {
            let name = format!("{name} {odd:e}");
            let (mut simulation, id) = scene(Settings::default());
            let mut bodies = vec![id];
            call(&mut simulation, id, odd);
            check(&mut simulation, &mut bodies, &name);
            // Again among the pieces.
            let _ = simulation.impact(impact_at(id, [0.0, 0.5, 0.0]));
            check(&mut simulation, &mut bodies, &name);
            let last = bodies.last().copied().unwrap_or(id);
            call(&mut simulation, last, odd);
            check(&mut simulation, &mut bodies, &name);
        }
    }
}

#[test]
fn no_figure_of_the_settings_does_harm() {
    let fields: [fn(&mut Settings, f32); 9] = [
        |s, odd| s.freeze_after = odd,
        |s, odd| s.keep_size = odd,
        |s, odd| s.gravity.x = odd,
        |s, odd| s.friction = odd,
        |s, odd| s.restitution = odd,
        |s, odd| s.max_push_speed = odd,
        |s, odd| s.report_contacts = odd,
        |s, odd| (s.max_pieces, s.max_triangles) = (odd as usize, odd as u64),
        |s, odd| (s.chain_breaks, s.waiting_impacts) = (odd as usize, odd as usize),
    ];
    for (number, set) in fields.iter().enumerate() {
        for odd in ODD {
            let mut settings = Settings::default();
            set(&mut settings, odd);
            let (mut simulation, id) = scene(settings);
            let mut bodies = vec![id];
            simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
            check(
                &mut simulation,
                &mut bodies,
                &format!("field {number} {odd:e}"),
            );
        }
    }
}

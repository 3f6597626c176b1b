//! Cracks that stay around the holes of breaks, and where blows were too weak for one: the next break goes along them.

use std::collections::BTreeSet;

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::{Mesh, PieceKind};
use fracture_simulation::save::BreakLog;
use fracture_simulation::{
    Anchors, Body, BodyId, Broken, CrackedSurface, Event, Impact, Material, Settings, Simulation,
};

use crate::meshes::vase;
use crate::setup::{
    self, at, body, front_blow, quiet, remainder, step, wall, with, written_and_read,
};

/// The end of a line of cracks, lifted off the surface by a millimetre or two at most.
const LIFT: f32 = 0.003;

type Line = [Vec3; 2];

fn cracking(body: Body) -> Body {
    Body {
        material: Material {
            cracks_stay: true,
            min_radius: 0.2,
            ..body.material
        },
        ..body
    }
}

/// A vase that is held at its foot.
fn held_vase() -> Body {
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -1.0, -1.0),
            Vec3::new(1.0, 0.05, 1.0),
        ]]),
        ..body(vase())
    }
}

/// Bodies, flat and curved, with their names, and where each is struck from the front.
fn bodies() -> [(&'static str, Body, [f32; 3]); 2] {
    [
        ("wall", wall(), [0.3, 1.0, 0.1]),
        ("vase", held_vase(), [0.0, 0.5, 0.2]),
    ]
}

/// Strikes, and steps until all has come of it.
fn strike(simulation: &mut Simulation, impact: Impact) -> (Option<Broken>, Vec<CrackedSurface>) {
    let (broken, others) = setup::strike(simulation, impact);
    (broken, cracked(others))
}

/// The cracks that events tell of.
fn cracked(events: impl IntoIterator<Item = Event>) -> Vec<CrackedSurface> {
    let cracks = events.into_iter().filter_map(|event| match event {
        Event::Cracked(new) => Some(new),
        _ => None,
    });
    cracks.collect()
}

fn cracks_of(cracks: &[CrackedSurface], body: BodyId) -> &CrackedSurface {
    cracks.iter().rfind(|own| own.body == body).unwrap()
}

/// The lines of cracks, off the surface by their lift.
fn lines(cracked: &CrackedSurface) -> Vec<Line> {
    let positions = cracked.strips.positions.chunks(4);
    positions
        .map(|quad| [quad[0].into(), quad[1].into()])
        .collect()
}

/// The edges between the outside and the cut faces of the pieces of a break.
fn outlines(broken: &Broken) -> Vec<Line> {
    let edges_of = |mesh: &Mesh| {
        let cut = mesh.surface_count() - 1;
        let bits = |v: u32| mesh.positions[v as usize].map(|x| (x + 0.0).to_bits());
        let edges = |is_cut: bool| {
            let triangles = mesh.triangles.iter().enumerate();
            let own = triangles.filter(move |(index, _)| (mesh.surface(*index) == cut) == is_cut);
            own.flat_map(|(_, t)| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        };
        let cut: BTreeSet<_> = edges(true).map(|edge| edge.map(bits)).collect();
        let shared = edges(false).filter(|[a, b]| cut.contains(&[bits(*b), bits(*a)]));
        let line = |edge: [u32; 2]| edge.map(|v| Vec3::from(mesh.positions[v as usize]));
        shared.map(line).collect::<Vec<_>>()
    };
    let pieces = broken.pieces.iter();
    pieces
        .flat_map(|piece| piece.shape.with_mesh(edges_of))
        .collect()
}

fn distance(point: Vec3, [from, to]: &Line) -> f32 {
    let along = *to - *from;
    let share = along.dot(point - *from) / along.length_squared().max(1e-20);
    point.distance(*from + along * share.clamp(0.0, 1.0))
}

/// The share of some lines along which the pieces of a break have parted.
fn parted(cracks: &[Line], broken: &Broken) -> f32 {
    let outlines = outlines(broken);
    let is_parted = |[a, b]: &&Line| {
        let middle = 0.5 * (*a + *b);
        outlines.iter().any(|line| distance(middle, line) < LIFT)
    };
    cracks.iter().filter(is_parted).count() as f32 / cracks.len() as f32
}

#[test]
fn cracks_are_seen_around_the_hole_of_a_break_and_fade_outwards() {
    for (name, body, point) in bodies() {
        let mut simulation = quiet();
        let id = simulation.add(cracking(body)).unwrap();
        let (broken, cracks) = strike(&mut simulation, front_blow(id, point, 100.0));
        let broken = broken.unwrap();
        // The first: a piece that falls against what stays may leave some of its own.
        let stays = remainder(&broken);
        let cracked = cracks.iter().find(|own| own.body == stays).unwrap();
        let lines = lines(cracked);
        assert!(lines.len() > 20, "{name}: {}", lines.len());
        let far = |line: &Line| {
            line[0]
                .distance(point.into())
                .min(line[1].distance(point.into()))
        };
        let farthest = lines.iter().map(far).fold(0.0, f32::max);
        let most = 1.5 * broken.radius + LIFT;
        assert!(farthest < most, "{name}: {farthest} m, {most} at most");
        // On what stays, each on its surface.
        let piece = broken
            .pieces
            .iter()
            .find(|piece| piece.body == cracked.body);
        let solid = piece.unwrap().shape.solid().unwrap().clone();
        let bounds = solid.bounds().as_vec3();
        for end in lines.iter().flatten() {
            let inside = end.clamp(bounds[0], bounds[1]);
            assert!(inside.distance(*end) < LIFT, "{name}: {end}");
        }
    }
}

#[test]
fn a_harder_blow_breaks_along_the_cracks_that_are_seen() {
    for (name, body, point) in bodies() {
        let mut simulation = quiet();
        let id = simulation.add(cracking(body)).unwrap();
        let (broken, cracks) = strike(&mut simulation, front_blow(id, point, 100.0));
        let remainder = remainder(&broken.unwrap());
        let cracks = lines(cracks_of(&cracks, remainder));
        // Beside the hole, and hard enough for all of the cracks.
        let beside = [point[0], point[1] + 0.15, point[2]];
        let (broken, _) = strike(&mut simulation, front_blow(remainder, beside, 3000.0));
        let broken = broken.unwrap();
        let parted = parted(&cracks, &broken);
        assert!(parted > 0.95, "{name}: {parted}");
        assert_eq!(broken.body, remainder, "{name}");
        let kept = |log: BreakLog| log.breaks.last().unwrap().cause.clone();
        let text = format!("{:?}", kept(simulation.save_compact(id)));
        assert!(text.contains("kept: Some"), "{text}");
    }
}

#[test]
fn a_blow_that_is_too_weak_leaves_the_cracks_along_which_the_next_one_breaks() {
    let mut simulation = quiet();
    let id = simulation.add(cracking(wall())).unwrap();
    step(&mut simulation);
    let weak = |severity: f32| Impact {
        impulse: Vec3::NEG_Z * (20.0 * severity),
        ..front_blow(id, [-0.4, 1.2, 0.1], 60.0)
    };
    // Three tenths of the energy and more.
    let (broken, cracks) = strike(&mut simulation, weak(0.5));
    assert!(broken.is_none() && cracks.is_empty());
    let (broken, cracks) = strike(&mut simulation, weak(0.8));
    assert!(broken.is_none());
    let seen = lines(cracks_of(&cracks, id));
    assert!(seen.len() > 20, "{}", seen.len());
    let (broken, again) = strike(&mut simulation, weak(0.6));
    assert!(broken.is_none() && again.is_empty(), "they are there");
    let (broken, _) = strike(&mut simulation, front_blow(id, [-0.35, 1.2, 0.1], 500.0));
    let parted = parted(&seen, &broken.unwrap());
    assert!(parted > 0.95, "{parted}");
}

#[test]
fn a_sheet_holds_what_is_cracked_until_it_tears() {
    let mut simulation = quiet();
    let plain = cracking(wall());
    let laminated = Body {
        material: Material {
            sheet_toughness: 4.0,
            ..plain.material
        },
        ..plain
    };
    let id = simulation.add(laminated).unwrap();
    step(&mut simulation);
    let strike_at = |simulation: &mut Simulation, x: f32, severity: f32| {
        let impact = Impact {
            impulse: Vec3::NEG_Z * (20.0 * severity),
            ..front_blow(id, [x, 1.2, 0.1], 60.0)
        };
        assert_eq!(simulation.breaks(&impact), Some(severity >= 2.0));
        strike(simulation, impact)
    };
    for (x, severity) in [(-1.2, 1.1), (0.0, 1.5), (1.2, 1.9)] {
        let (broken, cracks) = strike_at(&mut simulation, x, severity);
        assert!(broken.is_none(), "{severity}");
        assert!(lines(cracks_of(&cracks, id)).len() > 20);
    }
    // Where nothing has struck yet; a place that was struck tears before.
    let (broken, _) = strike_at(&mut simulation, 0.6, 2.1);
    assert!(broken.is_some());
}

/// A pane of 2 by 1.5 m in a frame, whose sheet tears at four times the energy that cracks it.
fn laminated_pane() -> Body {
    let [x, y] = [1.0, 0.75];
    let plain = cracking(body(Mesh::cuboid([2.0 * x, 2.0 * y, 0.02])));
    let side = |low: [f32; 2], high: [f32; 2]| {
        let at = |[x, y]: [f32; 2], z: f32| Vec3::new(x, y, z);
        [at(low, -0.1), at(high, 0.1)]
    };
    Body {
        anchors: Anchors::boxes(vec![
            side([-x, -y], [x, -y + 0.01]),
            side([-x, y - 0.01], [x, y]),
        ]),
        material: Material {
            sheet_toughness: 4.0,
            ..plain.material
        },
        ..plain
    }
}

/// The depth of a sheet that sags, metres, after a look at its surface; 0 for none.
fn sag_of(cracks: &[CrackedSurface], body: BodyId) -> f32 {
    let Some(sagged) = &cracks_of(cracks, body).sagged else {
        return 0.0;
    };
    let mesh = &sagged.mesh;
    assert_eq!(mesh.normals.len(), mesh.positions.len());
    let mut depth = 0.0_f32;
    for [x, y, z] in &mesh.positions {
        let is_at_rim = 1.0 - x.abs() < 1e-6 || 0.75 - y.abs() < 1e-6;
        assert!(!is_at_rim || z.abs() < 0.0101, "{x} {y} {z}");
        depth = depth.max(-z - 0.01);
    }
    // As large as the pane, or larger: the two sides, and the rim.
    let corner = |v: u32| Vec3::from(mesh.positions[v as usize]);
    let double_area = |[a, b, c]: &[u32; 3]| {
        let edges = [corner(*b) - corner(*a), corner(*c) - corner(*a)];
        edges[0].cross(edges[1]).length()
    };
    let area = 0.5 * mesh.triangles.iter().map(double_area).sum::<f32>();
    let flat = 2.0 * 2.0 * 1.5 + 2.0 * 0.02 * (2.0 + 1.5);
    assert!(
        (flat - 1e-3..1.2 * flat).contains(&area),
        "{area} of {flat}"
    );
    depth
}

#[test]
fn a_cracked_sheet_sags_as_its_energy_says_also_after_a_save() {
    let mut simulation = quiet();
    let id = simulation.add(laminated_pane()).unwrap();
    step(&mut simulation);
    let blow = |severity: f32| Impact {
        impulse: Vec3::NEG_Z * (20.0 * severity),
        ..front_blow(id, [0.3, 0.1, 0.01], 10.0)
    };
    let weakening = Material::default().weakening;
    let mut depths = Vec::new();
    // Less than cracks the glass, more, and as much again.
    for severity in [0.8, 1.2, 1.2] {
        let (broken, cracks) = strike(&mut simulation, blow(severity));
        assert!(broken.is_none());
        depths.push(sag_of(&cracks, id));
        let kept: f32 = simulation
            .damaged_spots(id)
            .iter()
            .map(|spot| spot.damage)
            .sum();
        let share = kept / weakening;
        let wanted = if depths.len() < 2 {
            0.0
        } else {
            0.16 * 1.5 * share.sqrt()
        };
        let last = depths[depths.len() - 1];
        // No shard has a corner in the very middle.
        let is_as_deep = (0.9 * wanted..=wanted + 1e-4).contains(&last);
        assert!(is_as_deep, "{depths:?}, {wanted}");
    }
    assert!(depths[2] > depths[1] && depths[1] > 0.1, "{depths:?}");
    let (spots, cracks) = (simulation.damaged_spots(id), simulation.cracks(id));
    let mut later = quiet();
    let again = later.add(laminated_pane()).unwrap();
    later.add_damage(again, spots);
    later.add_cracks(again, cracks);
    let cracks = cracked((0..10).flat_map(|_| step(&mut later)));
    assert_eq!(sag_of(&cracks, again), depths[2]);
    let (broken, _) = strike(&mut simulation, blow(2.1));
    assert!(broken.is_some(), "it tears");
}

#[test]
fn glass_without_a_sheet_and_thick_bodies_do_not_sag() {
    let pane = laminated_pane();
    let plain = Body {
        material: Material {
            sheet_toughness: 1.0,
            ..pane.material
        },
        ..pane
    };
    let block = Body {
        material: laminated_pane().material,
        ..body(Mesh::cuboid([1.0, 1.0, 0.5]))
    };
    for (body, z, severity) in [(plain, 0.01, 0.9), (block, 0.25, 1.2)] {
        let mut simulation = quiet();
        let id = simulation.add(body).unwrap();
        step(&mut simulation);
        let blow = Impact {
            impulse: Vec3::NEG_Z * (20.0 * severity),
            ..front_blow(id, [0.1, 0.1, z], 10.0)
        };
        let (broken, cracks) = strike(&mut simulation, blow);
        assert!(broken.is_none());
        assert_eq!(sag_of(&cracks, id), 0.0);
    }
}

#[test]
fn nothing_stays_where_it_is_switched_off_or_where_a_blade_has_cut() {
    let mut simulation = quiet();
    let plain = simulation.add(wall()).unwrap();
    let (broken, cracks) = strike(&mut simulation, front_blow(plain, [0.3, 1.0, 0.1], 100.0));
    assert!(broken.is_some() && cracks.is_empty());
    let cut = Body {
        motion: at(0.0, 0.0, 5.0),
        ..cracking(wall())
    };
    let cut = simulation.add(cut).unwrap();
    let blade = Impact::blade(cut, Vec3::new(0.0, 1.0, 5.1), Vec3::X);
    let (broken, cracks) = strike(&mut simulation, blade);
    assert!(broken.is_some() && cracks.is_empty());
}

/// The living pieces with their cracks, which the last break of some has told of.
fn saved_cracks(simulation: &Simulation, id: BodyId) -> String {
    let pieces = simulation.save_compact(id).pieces;
    let cracks = pieces.iter().map(|piece| &piece.cracks);
    format!("{:?}", cracks.collect::<Vec<_>>())
}

fn twice_broken() -> (Simulation, BodyId) {
    let mut simulation = quiet();
    let id = simulation.add(cracking(wall())).unwrap();
    for (x, energy) in [(0.3, 100.0), (0.5, 200.0), (-1.0, 100.0)] {
        strike(&mut simulation, front_blow(id, [x, 1.0, 0.1], energy));
    }
    (simulation, id)
}

#[test]
fn cracks_are_saved_and_the_next_break_after_loading_is_the_same() {
    let (mut simulation, id) = twice_broken();
    let cracks = saved_cracks(&simulation, id);
    assert!(cracks.matches("CrackSet").count() >= 2, "{cracks}");
    let hash = |simulation: &mut Simulation, id: BodyId| {
        let (broken, told) = strike(simulation, front_blow(id, [0.1, 1.1, 0.1], 150.0));
        let pieces = broken.unwrap().pieces;
        let meshes = pieces.iter().map(|piece| ("", piece.body));
        (simulation.geometry_hash(meshes), lines(&told[0]))
    };
    let full = written_and_read(simulation.save(id));
    let compact = written_and_read(simulation.save_compact(id));
    let mut outcomes = Vec::new();
    for save in [full, compact] {
        let mut loaded = quiet();
        let restored = loaded.add(cracking(wall())).unwrap();
        loaded.restore(restored, &save).unwrap();
        assert_eq!(saved_cracks(&loaded, restored), cracks);
        let told: Vec<_> = step(&mut loaded)
            .into_iter()
            .chain(step(&mut loaded))
            .collect();
        let is_cracked = |event: &&Event| matches!(event, Event::Cracked(_));
        assert!(
            told.iter().any(|event| is_cracked(&event)),
            "they are seen again"
        );
        outcomes.push(hash(&mut loaded, restored));
    }
    let outcome = hash(&mut simulation, id);
    assert!(outcomes.iter().all(|other| *other == outcome));
}

#[test]
fn cracks_of_a_weak_blow_are_saved_with_the_intact_body() {
    let mut simulation = quiet();
    let id = simulation.add(cracking(wall())).unwrap();
    step(&mut simulation);
    let weak = Impact {
        impulse: Vec3::NEG_Z * 16.0,
        ..front_blow(id, [-0.4, 1.2, 0.1], 60.0)
    };
    strike(&mut simulation, weak);
    let save = written_and_read(simulation.save(id));
    let mut loaded = quiet();
    let restored = loaded.add(cracking(wall())).unwrap();
    loaded.restore(restored, &save).unwrap();
    assert_eq!(
        saved_cracks(&loaded, restored),
        saved_cracks(&simulation, id)
    );
    let told = step(&mut loaded).into_iter().chain(step(&mut loaded));
    assert!(
        told.filter(|event| matches!(event, Event::Cracked(_)))
            .count()
            > 0
    );
}

#[test]
fn cracks_move_with_their_body_and_break_off_with_their_pieces() {
    // Free, and turned: strips are in body space.
    let seen = |rotation: Quat| {
        let mut simulation = quiet();
        let mut cube = cracking(body(Mesh::cuboid([1.5; 3])));
        cube.motion.pose.rotation = rotation;
        let id = simulation.add(cube).unwrap();
        let impact = front_blow(id, [0.0, 0.0, 0.75], 60.0);
        let impact = Impact {
            point: rotation * impact.point,
            normal: rotation * impact.normal,
            impulse: rotation * impact.impulse,
            ..impact
        };
        let (broken, cracks) = strike(&mut simulation, impact);
        let pieces = broken.unwrap().pieces;
        let is_island = |id: BodyId| {
            let own = pieces.iter().find(|piece| piece.body == id);
            own.is_some_and(|piece| matches!(piece.kind, PieceKind::Island { .. }))
        };
        assert!(!cracks.is_empty() && cracks.iter().all(|own| is_island(own.body)));
        lines(&cracks[0]).len()
    };
    let upright = seen(Quat::IDENTITY);
    let turned = seen(Quat::from_rotation_y(0.5));
    assert!(upright > 20 && turned > 20, "{upright} {turned}");
}

#[test]
fn the_same_cracks_for_any_number_of_threads() {
    let run = |threads: usize| {
        let mut simulation = with(Settings {
            threads,
            chain_breaks: 0,
            ..Settings::default()
        });
        let id = simulation.add(cracking(wall())).unwrap();
        let mut told = Vec::new();
        for frame in 0..12 {
            if frame % 4 == 0 {
                let x = 0.2 * frame as f32 - 0.5;
                simulation
                    .impact(front_blow(id, [x, 1.0, 0.1], 120.0))
                    .unwrap();
            }
            for event in step(&mut simulation) {
                if let Event::Cracked(cracks) = event {
                    told.push((frame, cracks.body, lines(&cracks)));
                }
            }
        }
        assert!(told.len() >= 3);
        (told, simulation.state_hash())
    };
    let one = run(1);
    assert!(one == run(2) && one == run(0));
}

#[test]
fn blows_at_one_place_break_on_when_its_cells_are_gone() {
    let mut simulation = quiet();
    let id = simulation
        .add(cracking(body(Mesh::cuboid([2.0; 3]))))
        .unwrap();
    for _ in 0..4 {
        let (broken, _) = strike(&mut simulation, front_blow(id, [0.0, 0.0, 1.0], 100.0));
        if broken.is_none() {
            return; // nothing is left in reach
        }
        assert!(broken.unwrap().pieces.len() >= 2);
    }
}

//! Bars in concrete: where they lie, and which lengths of them a break leaves bare.

use crate::again::solid_of;
use crate::check::{self, broken, clustered, in_box, near, random};
use crate::solids;
use fracture_geometry::bars::{
    add_rod, lay_in, Bar, BarBlow, BarFigures, BareSpan, Bending, EmbeddedLength, Parting,
};
use fracture_geometry::{Mesh, Solid};
use glam::DVec3;
use rand::Rng;

/// B500B as it is laid into slabs.
const FIGURES: BarFigures = BarFigures {
    spacing: 0.15,
    diameter: 0.012,
    cover: 0.03,
    yield_strength: 5e8,
};

fn cuboid(sides: [f32; 3]) -> Solid {
    check::solid(Mesh::cuboid(sides))
}

fn count(bars: &[Bar], axis: usize) -> usize {
    bars.iter().filter(|bar| bar.axis == axis).count()
}

#[test]
fn a_slab_has_a_net_at_each_large_face() {
    let bars = lay_in(&cuboid([3.0, 0.2, 2.0]), FIGURES);
    // 2 m less the edges, 1.928 m, in 13 gaps; 3 m in 20 gaps.
    assert_eq!(
        [0, 1, 2].map(|axis| count(&bars, axis)),
        [2 * 14, 0, 2 * 21]
    );
    for bar in &bars {
        let depth = 0.1 - bar.start.y.abs();
        let wanted = if bar.axis == 0 { 0.036 } else { 0.048 };
        assert!((depth - wanted).abs() < 1e-6, "{bar:?}");
        let side = if bar.axis == 0 { 3.0 } else { 2.0 };
        let rests = [bar.start, bar.end].map(|end| 0.5 * side - end[bar.axis].abs());
        assert!(
            rests.iter().all(|rest| (0.0299..0.036).contains(rest)),
            "{bar:?}"
        );
    }
}

#[test]
fn a_thin_plate_has_one_net_and_a_thinner_one_none() {
    let bars = lay_in(&cuboid([2.0, 2.0, 0.1]), FIGURES);
    assert_eq!([0, 1, 2].map(|axis| count(&bars, axis)), [14, 14, 0]);
    assert!(bars
        .iter()
        .all(|bar| (bar.start.z.abs() - 0.006).abs() < 1e-6));
    assert!(lay_in(&cuboid([2.0, 2.0, 0.05]), FIGURES).is_empty());
}

#[test]
fn a_column_has_bars_around_its_section() {
    let bars = lay_in(&cuboid([0.3, 3.0, 0.4]), FIGURES);
    // 0.228 m in two gaps and 0.328 m in three: 12 places, less the two in the inside.
    assert_eq!([0, 1, 2].map(|axis| count(&bars, axis)), [0, 10, 0]);
    let is_at_a_face = |bar: &Bar| {
        let rests = [0.15 - bar.start.x.abs(), 0.2 - bar.start.z.abs()];
        rests.iter().any(|rest| (rest - 0.036).abs() < 1e-6)
    };
    assert!(bars.iter().all(is_at_a_face));
}

#[test]
fn a_block_has_bars_near_all_its_faces_and_along_all_its_axes() {
    let bars = lay_in(&cuboid([0.6; 3]), FIGURES);
    // 0.528 m in four gaps, then 0.504 m and 0.48 m: 25 places, less the nine in the inside.
    assert_eq!([0, 1, 2].map(|axis| count(&bars, axis)), [16; 3]);
    for bar in &bars {
        let depths = [0, 1, 2].map(|axis| 0.3 - bar.start[axis].abs());
        let others = (0..3).filter(|axis| *axis != bar.axis);
        let depth = others.map(|axis| depths[axis]).fold(1.0, f64::min);
        assert!((0.0359..0.0601).contains(&depth), "{bar:?}");
        assert!((0.53..0.541).contains(&bar.length()), "{bar:?}");
    }
    // Bars of two directions do not lie in each other at the edges.
    for (i, a) in bars.iter().enumerate() {
        for b in bars[..i].iter().filter(|b| b.axis != a.axis) {
            let third = 3 - a.axis - b.axis;
            let apart = (a.start[third] - b.start[third]).abs();
            assert!(apart > 0.0119 || a.start[third].abs() < 0.2, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_body_that_is_no_box_has_bars_in_all_its_parts() {
    // Voxels of 0.4 m: an L of two walls, and a plate on a leg. Little of these is at the faces of their boxes.
    type Part = fn([i32; 3]) -> bool;
    let bodies: [(&str, [Part; 2]); 2] = [
        ("L", [|[x, _, _]| x == 0, |[_, _, z]| z == 0]),
        (
            "stool",
            [
                |[_, y, _]| y == 5,
                |[x, _, z]| (2..4).contains(&x) && (2..4).contains(&z),
            ],
        ),
    ];
    for (name, parts) in bodies {
        let mesh = solids::voxels(6, |at| parts.iter().any(|part| part(at)));
        let solid = check::solid(solids::mapped(&mesh, |p| 2.4 * p));
        let bars = lay_in(&solid, FIGURES);
        for (index, part) in parts.iter().enumerate() {
            let is_within = |bar: &&Bar| {
                let middle = 6.0 * (bar.place(0.5 * bar.length()) / 2.4 + 0.5);
                part(middle.as_ivec3().to_array())
            };
            let within = bars.iter().filter(is_within).count();
            assert!(within > 20, "{name}, part {index}: {within} bars");
        }
    }
    let ball = check::solid(Mesh::sphere(0.5, 24, 24));
    assert!(lay_in(&ball, FIGURES).len() > 20);
    // A hall of walls of 0.4 m: along few enough lines.
    let hall = solids::voxels(30, |at| at.iter().any(|k| *k == 0 || *k == 29));
    let bars = lay_in(&check::solid(solids::mapped(&hall, |p| 12.0 * p)), FIGURES);
    assert!((20..2000).contains(&bars.len()), "{}", bars.len());
}

#[test]
fn figures_that_are_no_bars_lay_none_and_small_spacings_have_a_limit() {
    let slab = cuboid([3.0, 0.2, 2.0]);
    let with = |spacing, diameter, cover| {
        let figures = BarFigures {
            spacing,
            diameter,
            cover,
            ..FIGURES
        };
        lay_in(&slab, figures).len()
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(with(bad, 0.012, 0.03), 0, "spacing {bad}");
        assert_eq!(with(0.15, bad, 0.03), 0, "diameter {bad}");
        assert!(bad == 0.0 || with(0.15, 0.012, bad) == 0, "cover {bad}");
    }
    assert!(with(0.15, 0.012, 0.0) > 0);
    assert_eq!(with(0.15, 0.012, 5.0), 0);
    assert!((1000..=4096).contains(&with(1e-9, 0.012, 0.03)));
}

/// Solids scaled to some metres, with figures for them.
fn cases() -> impl Iterator<Item = (String, Solid, BarFigures)> {
    let named = solids::all().into_iter().zip(0..);
    named.map(|((name, mesh), seed)| {
        let mut random = random(seed);
        let scale = random.random_range(1.0..4.0);
        let figures = BarFigures {
            spacing: random.random_range(0.1..0.4),
            diameter: random.random_range(0.006..0.03),
            cover: random.random_range(0.0..0.05),
            ..FIGURES
        };
        let mesh = solids::mapped(&mesh, |p| scale * p);
        (name.to_string(), check::solid(mesh), figures)
    })
}

#[test]
fn bars_are_nowhere_near_the_surface() {
    let mut laid = 0;
    for (name, solid, figures) in cases() {
        let bars = lay_in(&solid, figures);
        assert_eq!(bars, lay_in(&solid, figures), "{name}: the same again");
        laid += usize::from(!bars.is_empty());
        let least = 0.875 * 0.5 * (figures.cover + figures.diameter);
        let mut random = random(7);
        for bar in &bars {
            assert!(bar.length() >= figures.least_grip(), "{name}: {bar:?}");
            assert_eq!(
                bar.parts_in(&solid),
                [[0.0, bar.length()]],
                "{name}: {bar:?}"
            );
            for _ in 0..8 {
                let place = bar.place(bar.length() * random.random_range(0.0..1.0));
                let way_out = solid.way_out(place, in_box(&mut random).normalize());
                assert!(
                    way_out.is_some_and(|way| way >= least),
                    "{name}: {bar:?} {place}"
                );
            }
        }
    }
    assert!(laid >= 10, "bars in {laid} solids");
}

#[test]
fn pieces_share_bars_among_them() {
    for (name, solid, figures) in cases().filter(|(name, ..)| name != "overlapping cubes") {
        let bars = lay_in(&solid, figures);
        let Some(at) = bars.first().map(|bar| bar.place(0.5 * bar.length())) else {
            continue;
        };
        let result = broken(&name, &solid, &clustered(), &near(at, 0.5));
        let pieces = result.pieces.iter();
        let pieces = pieces.filter_map(|piece| Solid::new(solid_of(&solid, piece)).ok());
        let pieces: Vec<Solid> = pieces.collect();
        for bar in &bars {
            let lengths = pieces.iter().flat_map(|piece| bar.parts_in(piece));
            let sum: f64 = lengths.map(|[from, to]| to - from).sum();
            assert!(
                (sum - bar.length()).abs() < 1e-3 * bar.length(),
                "{name}: {bar:?} {sum}"
            );
        }
    }
}

#[test]
fn a_hole_in_a_slab_is_spanned_and_a_lost_edge_leaves_stubs() {
    let bar = Bar {
        start: DVec3::ZERO,
        end: 2.0 * DVec3::X,
        axis: 0,
        is_end_held: false,
    };
    let spans = |held: &[[f64; 2]]| bar.bare_spans(held, 0.12);
    let span = |from: f64, to: f64, is_held| BareSpan {
        ends: [from, to],
        is_held,
    };
    assert_eq!(spans(&[[0.0, 2.0]]), []);
    assert_eq!(
        spans(&[[0.0, 0.5], [1.0, 2.0]]),
        [span(0.5, 1.0, [true, true])]
    );
    let stubs = [span(0.0, 0.5, [false, true]), span(1.0, 2.0, [true, false])];
    assert_eq!(spans(&[[0.5, 1.0]]), stubs);
    // A sliver on the bar holds nothing, and a bar that nothing holds is gone.
    let through = [[0.0, 0.5], [0.7, 0.75], [1.0, 2.0]];
    assert_eq!(spans(&through), [span(0.5, 1.0, [true, true])]);
    assert_eq!(spans(&[[0.0, 0.1]]), []);
    assert_eq!(spans(&[]), []);
}

#[test]
fn spans_and_what_holds_them_make_up_the_bar() {
    let slab = cuboid([3.0, 0.2, 2.0]);
    let bars = lay_in(&slab, FIGURES);
    let mut random = random(3);
    let mut spanned = 0;
    for _ in 0..20 {
        let at = DVec3::new(1.5, 0.1, 1.0) * in_box(&mut random);
        let result = broken(
            "slab",
            &slab,
            &clustered(),
            &near(at, random.random_range(0.1..0.6)),
        );
        let largest = result
            .pieces
            .iter()
            .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
        let held = check::solid(solid_of(&slab, largest.expect("a piece")));
        for bar in &bars {
            let parts = bar.parts_in(&held);
            let spans = bar.bare_spans(&parts, 0.0);
            let sum: f64 = parts.iter().map(|[from, to]| to - from).sum();
            let bare: f64 = spans.iter().map(BareSpan::length).sum();
            assert!(
                parts.is_empty() || (sum + bare - bar.length()).abs() < 1e-9,
                "{bar:?}"
            );
            spanned += spans
                .iter()
                .filter(|span| span.is_held == [true; 2])
                .count();
        }
    }
    assert!(spanned > 20, "{spanned} spans");
}

/// A bar of two metres along x.
const BAR: Bar = Bar {
    start: DVec3::ZERO,
    end: DVec3::new(2.0, 0.0, 0.0),
    axis: 0,
    is_end_held: false,
};

/// The lengths that a piece keeps of [`BAR`], and whether another piece holds the end of each.
fn kept(piece: usize, lengths: &[(usize, [f64; 2])], parting: Parting) -> Vec<([f64; 2], bool)> {
    let lengths: Vec<_> = lengths
        .iter()
        .map(|(piece, ends)| EmbeddedLength {
            piece: *piece,
            ends: *ends,
        })
        .collect();
    let kept = BAR.kept(piece, &lengths, &FIGURES, |_| parting);
    kept.iter()
        .map(|bar| ([bar.start.x, bar.end.x], bar.is_end_held))
        .collect()
}

#[test]
fn a_piece_keeps_what_is_in_it_and_the_bare_lengths_next_to_that() {
    let all = [([0.0, 2.0], false)];
    assert_eq!(
        kept(0, &[(0, [0.5, 0.9])], Parting::None),
        all,
        "rubble leaves the bar"
    );
    assert_eq!(
        kept(0, &[(0, [0.1, 0.5]), (0, [1.5, 1.9])], Parting::None),
        all,
        "a span"
    );
    let two = [(0, [0.0, 0.5]), (1, [1.5, 2.0])];
    assert_eq!(kept(0, &two, Parting::None), [([0.0, 1.5], true)]);
    assert_eq!(kept(1, &two, Parting::None), [([1.5, 2.0], false)]);
    assert!(kept(2, &two, Parting::None).is_empty());
    let short = [(0, [0.0, 0.1])];
    assert!(
        kept(0, &short, Parting::None).is_empty(),
        "too short to be held"
    );
}

#[test]
fn a_bar_is_pulled_out_of_a_piece_as_far_as_its_middle_at_most() {
    let touching = [(0, [0.0, 1.5]), (1, [1.5, 2.0])];
    let [([low, end], false)] = kept(0, &touching, Parting::InSecond)[..] else {
        panic!("one length");
    };
    assert!(low == 0.0 && (1.57..=1.75).contains(&end), "{end}");
    assert_eq!(
        kept(1, &touching, Parting::InSecond),
        [([end, 2.0], false)],
        "the rest"
    );
    let [([start, high], false)] = kept(1, &touching, Parting::InFirst)[..] else {
        panic!("one length");
    };
    assert!(high == 2.0 && (1.2..1.43).contains(&start), "{start}");
    let between = [(0, [0.0, 0.5]), (1, [0.5, 0.7]), (0, [0.7, 2.0])];
    assert_eq!(
        kept(0, &between, Parting::InSecond).len(),
        2,
        "what falls takes the middle along"
    );
}

#[test]
fn what_all_pieces_keep_of_a_bar_are_apart() {
    let mut random = random(5);
    for round in 0..500 {
        let mut places: Vec<f64> = (0..8).map(|_| random.random_range(0.0..2.0)).collect();
        places.sort_by(f64::total_cmp);
        let lengths: Vec<_> = places
            .chunks(2)
            .map(|ends| EmbeddedLength {
                piece: random.random_range(0..4),
                ends: [ends[0], ends[1]],
            })
            .collect();
        let partings = [Parting::None, Parting::InFirst, Parting::InSecond];
        let parting = |[first, second]: &[EmbeddedLength; 2]| {
            partings[(first.piece + 2 * second.piece + round) % 3]
        };
        let kept = |piece| BAR.kept(piece, &lengths, &FIGURES, parting);
        let mut all: Vec<Bar> = (0..4).flat_map(kept).collect();
        all.sort_by(|a, b| a.start.x.total_cmp(&b.start.x));
        assert!(all
            .iter()
            .all(|bar| 0.0 <= bar.start.x && bar.length() > 0.0 && bar.end.x <= 2.0));
        assert!(
            all.windows(2).all(|two| two[0].end.x <= two[1].start.x),
            "{lengths:?}: {all:?}"
        );
        let held = all.iter().filter(|bar| bar.is_end_held).count();
        let crossings = BAR.crossings(&lengths, &FIGURES);
        let whole = crossings
            .iter()
            .filter(|pair| parting(pair) == Parting::None);
        assert_eq!(held, whole.count());
    }
}

#[test]
fn bars_bear_less_across_them_the_longer_they_are_bare() {
    let strengths = [0.0, 0.01, 0.1, 0.5].map(|bare| FIGURES.transverse_strength(bare));
    assert!(strengths.is_sorted_by(|a, b| a >= b));
    let sheared = FIGURES.section() * FIGURES.yield_strength / 3.0f64.sqrt();
    assert!((strengths[0] - sheared).abs() < 1e-6 * sheared);
    // Two hinges of d^3 / 6 times the yield strength each, half a metre apart.
    let bent = 4.0 * FIGURES.diameter.powi(3) / 6.0 * FIGURES.yield_strength;
    assert!((strengths[3] - bent).abs() < 1e-6 * bent);
}

fn bent(span: &BareSpan, blow: BarBlow, is_inside: impl Fn(DVec3) -> bool) -> Vec<DVec3> {
    let bending = Bending {
        figures: &FIGURES,
        blows: &[blow],
    };
    bending.line(&BAR, span, is_inside)
}

fn blow(energy: f64) -> BarBlow {
    BarBlow {
        point: DVec3::new(1.1, 0.05, 0.0),
        direction: DVec3::new(0.6, 0.0, 0.8),
        radius: 0.5,
        energy,
    }
}

const SPAN: BareSpan = BareSpan {
    ends: [0.5, 1.5],
    is_held: [true, true],
};

#[test]
fn harder_blows_push_a_span_farther_until_it_tears() {
    let mut last = 0.0;
    for energy in [1e2, 1e3, 1e4, 1e5] {
        let line = bent(&SPAN, blow(energy), |_| false);
        assert_eq!(
            [line[0], line[line.len() - 1]],
            SPAN.ends.map(|at| BAR.place(at))
        );
        let depth = line.iter().map(|place| place.z).fold(0.0, f64::max);
        assert!(
            line.iter().all(|place| place.y == 0.0),
            "in the direction of the blow"
        );
        // 5 % longer at most.
        let length: f64 = line.windows(2).map(|two| two[0].distance(two[1])).sum();
        assert!(
            depth > last && length < 1.06 * SPAN.length(),
            "{energy} J: {depth} m, {length} m"
        );
        last = depth;
    }
    // 12 mm at 500 MPa bear 56.5 kN: 2.83 kJ over 5 % of a metre. It gets 12 mm of the breadth of the area of the blow.
    let most = 56_549.0 * 0.05 / (0.012 * 0.897_5 / (std::f64::consts::PI * 0.25));
    assert_eq!(BAR.torn(&[SPAN], &FIGURES, &blow(0.95 * most)), [BAR]);
    let torn = BAR.torn(&[SPAN], &FIGURES, &blow(1.05 * most));
    assert_eq!(torn.len(), 2);
    assert!((torn[1].start.x - torn[0].end.x - 0.012).abs() < 1e-9);
    assert!((torn[0].end.x - 1.094).abs() < 1e-9, "where it was struck");
}

#[test]
fn a_bar_that_is_held_at_one_end_bends_away_and_keeps_its_length() {
    for (is_held, root) in [([true, false], 0.5), ([false, true], 1.5)] {
        let span = BareSpan { is_held, ..SPAN };
        let line = bent(&span, blow(1e5), |_| false);
        let ends = [line[0], line[line.len() - 1]];
        let [held, free] = if is_held[0] { ends } else { [ends[1], ends[0]] };
        assert_eq!(held, BAR.place(root));
        assert!(free.z > 0.2, "{free}");
        let length: f64 = line.windows(2).map(|two| two[0].distance(two[1])).sum();
        assert!((length - span.length()).abs() < 0.01);
        assert_eq!(
            BAR.torn(&[span], &FIGURES, &blow(1e9)),
            [BAR],
            "it does not tear"
        );
    }
}

#[test]
fn bars_do_not_bend_into_concrete_and_far_blows_leave_them_straight() {
    let straight = SPAN.ends.map(|at| BAR.place(at)).to_vec();
    let into_wall = bent(&SPAN, blow(1e5), |place| place.z > 0.0);
    assert_eq!(into_wall, straight);
    let far = BarBlow {
        point: DVec3::Z,
        ..blow(1e5)
    };
    assert_eq!(bent(&SPAN, far, |_| false), straight);
    let along = BarBlow {
        direction: DVec3::X,
        ..blow(1e5)
    };
    assert_eq!(bent(&SPAN, along, |_| false), straight);
}

#[test]
fn a_rod_is_as_long_and_as_thick_as_its_line_says() {
    let mut mesh = Mesh::default();
    let line = bent(&SPAN, blow(1e4), |_| false);
    add_rod(&mut mesh, &line, 0.006);
    add_rod(&mut mesh, &[DVec3::Y], 0.006);
    let count = mesh.positions.len();
    assert!(count == mesh.normals.len() && count == mesh.uvs.len());
    let length: f64 = line.windows(2).map(|two| two[0].distance(two[1])).sum();
    // An octagon.
    let area = 8.0 * 0.5 * 0.006f64.powi(2) * std::f64::consts::FRAC_PI_4.sin();
    let volume: f64 = mesh
        .triangles
        .iter()
        .map(|corners| {
            let [a, b, c] =
                corners.map(|k| glam::Vec3::from_array(mesh.positions[k as usize]).as_dvec3());
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume / (area * length) - 1.0).abs() < 0.02, "{volume}");
    for (corners, normal) in mesh.triangles.iter().map(|t| {
        (
            t.map(|k| mesh.positions[k as usize]),
            mesh.normals[t[0] as usize],
        )
    }) {
        let [a, b, c] = corners.map(glam::Vec3::from_array);
        assert!((b - a).cross(c - a).dot(glam::Vec3::from_array(normal)) > 0.0);
    }
}

//! A break in a workspace that has seen one like it allocates nothing. What is kept is small, and
//! printed with `--nocapture`.

use allocation_counter::measure;
use fracture_geometry::{
    fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid, Workspace,
};
use glam::DVec3;

/// Blocks allocated while something runs.
fn allocated(run: impl FnOnce()) -> u64 {
    measure(run).count_total
}

fn hit(point: [f64; 3], radius: f64) -> FractureParams<'static> {
    let point = DVec3::from(point);
    FractureParams {
        placement: Placement::at_impact(point, DVec3::X, 1.0, 2.0 * radius),
        selection: CellSelection::Within { point, radius },
    }
}

#[test]
fn a_warm_workspace_needs_no_memory() {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 0.6,
    };
    let pattern = Pattern::from_recipe(&recipe, 3).expect("a pattern");
    let whole = FractureParams {
        placement: Placement::IDENTITY,
        selection: CellSelection::All,
    };
    let sphere = Solid::new(Mesh::sphere(0.5, 72, 36)).expect("a sphere");
    let torus = Solid::new(Mesh::torus(0.35, 0.15, 125, 80)).expect("a torus");
    let breaks = [
        (&sphere, hit([0.5, 0.0, 0.0], 0.3)),
        (&torus, hit([0.5, 0.0, 0.0], 0.1)),
        (&sphere, whole),
    ];
    let (mut workspace, mut fresh) = (Workspace::default(), Workspace::default());
    for (index, (solid, cut)) in breaks.iter().enumerate() {
        let mut run = || {
            let result = fracture(solid, &pattern, cut, &mut workspace).expect("a break");
            assert!(result.pieces.len() > 2);
            workspace.recycle(result);
        };
        assert!(allocated(&mut run) > 0, "nothing is counted");
        // Lists find their places, and grow to their sizes, in a few breaks.
        for _ in 0..8 {
            run();
        }
        assert_eq!(allocated(&mut run), 0, "break {index}");
    }
    let bytes = torus.memory() / torus.triangle_count();
    assert!(bytes < 150, "{bytes} bytes a triangle");
    let bytes_kept = measure(|| {
        let (solid, cut) = &breaks[1];
        let result = fracture(solid, &pattern, cut, &mut fresh).expect("a break");
        fresh.recycle(result);
    });
    println!(
        "prepared: {bytes} bytes a triangle; workspace: {} bytes",
        bytes_kept.bytes_current
    );
}

//! Assets that are edited or loaded again while the game runs.

use crate::world::{cube_surface, hard, World};
use fracture::{Destructible, FracturePattern, PatternKind};
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{
        algebra::{Matrix4, Vector3},
        Uuid,
    },
    graph::SceneGraph,
    scene::{mesh::Mesh, rigidbody::RigidBodyType},
};

fn block(world: &mut World, script: Destructible) {
    world.cube("Block", RigidBodyType::Static, Vector3::zeros(), script);
    world.steps(2);
}

fn pieces(world: &World) -> f64 {
    let pieces = world.destruction.pieces_of("Block");
    pieces.iter().map(|piece| piece.volume).sum()
}

#[test]
fn an_intact_object_breaks_by_the_pattern_saved_last() {
    let coarse = FracturePattern {
        kind: PatternKind::Uniform,
        cells: 4,
        ..FracturePattern::default()
    };
    let pattern = Resource::new_ok(
        Uuid::new_v4(),
        ResourceKind::Embedded,
        FracturePattern::default(),
    );
    let script = Destructible {
        pattern: Some(pattern.clone()).into(),
        ..Destructible::default()
    };
    let mut world = World::new();
    block(&mut world, script);
    *pattern.data_ref().as_loaded_mut().unwrap() = coarse;
    world.steps(2);
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    let count = world.destruction.pieces_of("Block").len();
    assert!((2..=5).contains(&count), "{count} pieces of 4 cells");
}

#[test]
fn an_intact_object_breaks_with_the_mesh_loaded_last() {
    for in_place in [true, false] {
        let mut world = World::new();
        block(&mut world, Destructible::default());
        assert_eq!(world.destruction.source_volume("Block"), Some(1.0));
        let mesh = world.named("Block mesh")[0];
        let mesh = world.scene.graph.try_get_mut_of_type::<Mesh>(mesh).unwrap();
        let half = Matrix4::new_nonuniform_scaling(&Vector3::new(1.0, 0.5, 1.0));
        if in_place {
            let surface = mesh.surfaces()[0].data_ref().clone();
            let mut data = surface.data_ref();
            data.as_loaded_mut()
                .unwrap()
                .transform_geometry(&half)
                .unwrap();
        } else {
            mesh.clear_surfaces();
            mesh.add_surface(cube_surface(half, None));
        }
        world.steps(2);
        world.strike("Block", hard(Vector3::new(0.0, 0.25, 0.0)));
        assert_eq!(world.destruction.is_intact("Block"), Some(false));
        let volume = pieces(&world);
        assert!(
            (volume - 0.5).abs() < 1e-5,
            "{volume} m^3, in place: {in_place}"
        );
    }
}

#[test]
fn broken_objects_ignore_edited_assets() {
    let mut world = World::new();
    block(&mut world, Destructible::default());
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    let count = world.destruction.pieces_of("Block").len();
    let mesh = world.named("Block mesh")[0];
    let mesh = world.scene.graph.try_get_mut_of_type::<Mesh>(mesh).unwrap();
    mesh.clear_surfaces();
    world.steps(2);
    assert_eq!(world.destruction.pieces_of("Block").len(), count);
    assert_eq!(world.destruction.faults().count(), 0);
}

#[test]
fn a_missing_mesh_is_a_fault_until_it_is_restored() {
    let mut world = World::new();
    block(&mut world, Destructible::default());
    let mesh = world.named("Block mesh")[0];
    let surfaces = |world: &mut World, full: bool| {
        let mesh = world.scene.graph.try_get_mut_of_type::<Mesh>(mesh).unwrap();
        mesh.clear_surfaces();
        if full {
            mesh.add_surface(cube_surface(Matrix4::identity(), None));
        }
        world.steps(2);
    };
    surfaces(&mut world, false);
    let faults: Vec<String> = world.destruction.faults().map(|f| f.to_string()).collect();
    assert!(faults.iter().any(|f| f.contains("no mesh")), "{faults:?}");
    surfaces(&mut world, true);
    world.strike("Block", hard(Vector3::new(0.0, 0.5, 0.0)));
    assert_eq!(world.destruction.is_intact("Block"), Some(false));
}

//! Particles in the place of pieces that are too small to be any.

use super::{remove, PIECE_TAG};
use fyrox::{
    core::{
        algebra::Vector3,
        color::Color,
        color_gradient::{ColorGradient, GradientPoint},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        graph::Graph,
        node::Node,
        particle_system::{
            particle::Particle, CoordinateSystem, ParticleSystem, ParticleSystemBuilder,
        },
        transform::TransformBuilder,
    },
};

/// A particle to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Speck {
    /// World space, metres.
    pub position: Vector3<f32>,
    /// m/s
    pub velocity: Vector3<f32>,
    /// Half its width, metres.
    pub size: f32,
    /// Seconds.
    pub life: f32,
}

/// Adds a particle system that shows specks until they are gone; `dt` is the length of a frame.
pub(crate) fn add_burst(
    graph: &mut Graph,
    specks: &[Speck],
    (color, gravity): (Color, Vector3<f32>),
    dt: f32,
) -> Handle<Node> {
    let count = specks.len().max(1) as f32;
    let sum: Vector3<f32> = specks.iter().map(|speck| speck.position).sum();
    let center = sum / count;
    // The engine moves particles by their velocity in each frame, whatever its length.
    let particles = specks.iter().map(|speck| {
        Particle::default()
            .with_position(speck.position - center)
            .with_velocity(speck.velocity * dt)
            .with_size(speck.size)
            .with_size_modifier(-0.5 * speck.size / speck.life)
            .with_initial_lifetime(speck.life)
            .with_color(color)
    });
    let particles = particles.collect();
    let place = TransformBuilder::new().with_local_position(center).build();
    let base = BaseBuilder::new()
        .with_name("crumbs")
        .with_tag(PIECE_TAG.to_owned())
        .with_cast_shadows(false)
        .with_local_transform(place);
    let node = ParticleSystemBuilder::new(base)
        .with_particles(particles)
        .with_coordinate_system(CoordinateSystem::Local)
        .with_acceleration(gravity)
        .with_color_over_lifetime_gradient(fading(color))
        .build(graph)
        .to_base();
    graph.update_hierarchical_data_for_descendants(node);
    node
}

/// Takes a particle system away, and with it what is left of its particles.
pub(crate) fn remove_burst(graph: &mut Graph, node: Handle<Node>) {
    if graph.try_get_of_type::<ParticleSystem>(node).is_ok() {
        remove(graph, node);
    }
}

/// One colour that becomes transparent towards the end.
fn fading(color: Color) -> ColorGradient {
    let mut gradient = ColorGradient::new();
    for (at, alpha) in [(0.0, 255), (0.7, 255), (1.0, 0)] {
        let color = Color::from_rgba(color.r, color.g, color.b, alpha);
        gradient.add_point(GradientPoint::new(at, color));
    }
    gradient
}

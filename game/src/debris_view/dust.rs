//! Dust: particles in place of pieces that are too small to be bodies. Dust collides with nothing.

use crate::{
    mirror::transforms::{engine_vector, vec3},
    object::ObjectId,
    swap::scene_edits::{remove, PIECE_TAG},
};
use fracture_simulation::{DustParticle, Motion};
use fyrox::{
    core::{
        algebra::Vector3,
        color::Color,
        color_gradient::{ColorGradient, GradientPoint},
        pool::Handle,
    },
    graph::SceneGraph,
    material::{Material, MaterialProperty, MaterialResource},
    resource::texture::{TexturePixelKind, TextureResource},
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
use rapier3d::math::Vec3;

/// Mean lifetime of particles, seconds.
const LIFETIME: f32 = 1.5;
/// Particles of a piece that dissolves.
const DISSOLVE_PARTICLES: usize = 24;
/// Colour of dust of a material whose colour cannot be read.
const DEFAULT_COLOR: Color = Color::from_rgba(150, 145, 140, 255);
/// Texels sampled for the mean colour of a texture.
const SAMPLED_TEXELS: usize = 64;
/// The golden angle, radians: it spreads any number of directions evenly.
const GOLDEN_ANGLE: f32 = 2.399_963;

/// The particle systems that are alive.
#[derive(Default)]
pub(crate) struct DustEmitters {
    emitters: Vec<Emitter>,
    particles: usize,
}

/// A particle system node.
struct Emitter {
    /// The object whose dust it shows.
    object: ObjectId,
    node: Handle<Node>,
    /// Seconds until its last particle has disappeared.
    remaining: f32,
    particles: usize,
}

/// A piece that dissolves.
pub(super) struct DustSource {
    pub motion: Motion,
    /// Centre of mass in body space.
    pub center: Vec3,
    /// Longest side of the piece, metres.
    pub size: f32,
    /// Seconds until the piece has disappeared.
    pub duration: f32,
}

/// Settings common to all particles of an emitter.
#[derive(Clone, Copy)]
pub(super) struct DustSettings {
    /// The object that the dust is of.
    pub object: ObjectId,
    pub gravity: Vector3<f32>,
    /// Length of a frame, seconds.
    pub dt: f32,
    /// Particles at once, at most.
    pub max_particles: usize,
}

impl DustEmitters {
    /// Emits the dust of a break, the largest particles first, up to the limit.
    pub fn emit(
        &mut self,
        graph: &mut Graph,
        dust: &[DustParticle],
        color: Color,
        settings: &DustSettings,
    ) {
        let mut sorted: Vec<&DustParticle> = dust.iter().collect();
        sorted.sort_by(|a, b| b.volume.total_cmp(&a.volume));
        let particle = |(index, dust): (usize, &DustParticle)| ParticleSpec {
            position: engine_vector(dust.position),
            velocity: engine_vector(dust.velocity),
            // Half the side of a cube with that volume.
            size: 0.5 * dust.volume.max(0.0).cbrt(),
            lifetime: lifetime(index),
        };
        let particles = sorted.into_iter().enumerate().map(particle);
        self.add_emitter(graph, particles.collect(), color, settings);
    }

    /// Emits the dust of a piece that dissolves.
    pub fn dissolve(
        &mut self,
        graph: &mut Graph,
        source: &DustSource,
        color: Color,
        settings: &DustSettings,
    ) {
        let (size, duration) = (source.size, source.duration);
        let center = source.motion.pose.transform_point(source.center);
        let particle = |index: usize| {
            let outward = direction(index, DISSOLVE_PARTICLES);
            let velocity = source.motion.linear + outward * (size / duration);
            ParticleSpec {
                position: engine_vector(center + outward * size * 0.4),
                velocity: engine_vector(velocity),
                size: size * 0.08,
                lifetime: lifetime(index) * duration,
            }
        };
        let particles = (0..DISSOLVE_PARTICLES).map(particle).collect();
        // Fine dust stays in the air.
        let settings = DustSettings {
            gravity: settings.gravity * 0.2,
            ..*settings
        };
        self.add_emitter(graph, particles, color, &settings);
    }

    /// Removes the particle systems whose particles have disappeared.
    pub fn update(&mut self, graph: &mut Graph, dt: f32) {
        self.retain(graph, |emitter| {
            emitter.remaining -= dt;
            emitter.remaining > 0.0
        });
    }

    /// Removes the particles of an object.
    pub fn remove_of(&mut self, graph: &mut Graph, object: ObjectId) {
        self.retain(graph, |emitter| emitter.object != object);
    }

    fn retain(&mut self, graph: &mut Graph, mut stays: impl FnMut(&mut Emitter) -> bool) {
        let particles = &mut self.particles;
        self.emitters.retain_mut(|emitter| {
            let alive = stays(emitter);
            if !alive {
                remove_particle_system(graph, emitter.node);
                *particles = particles.saturating_sub(emitter.particles);
            }
            alive
        });
    }

    /// Number of particles that are alive.
    pub fn particle_count(&self) -> usize {
        self.particles
    }

    fn add_emitter(
        &mut self,
        graph: &mut Graph,
        mut particles: Vec<ParticleSpec>,
        color: Color,
        settings: &DustSettings,
    ) {
        particles.truncate(settings.max_particles.saturating_sub(self.particles));
        particles.retain(|particle| {
            let numbers = particle.position.iter().chain(particle.velocity.iter());
            let mut numbers = numbers.chain([&particle.size]);
            numbers.all(|number| number.is_finite())
        });
        if particles.is_empty() {
            return;
        }
        let lifetimes = particles.iter().map(|particle| particle.lifetime);
        let remaining = lifetimes.fold(0.0, f32::max);
        let node = add_particle_system(graph, &particles, color, settings);
        self.particles += particles.len();
        self.emitters.push(Emitter {
            object: settings.object,
            node,
            remaining,
            particles: particles.len(),
        });
    }
}

/// Lifetime of a particle, seconds: 0.7 to 1.3 of the mean.
fn lifetime(index: usize) -> f32 {
    let share = (index as f32 * 0.618_034).fract();
    LIFETIME * (0.7 + 0.6 * share)
}

/// One of `count` evenly spread directions.
fn direction(index: usize, count: usize) -> Vec3 {
    let height = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
    let radius = (1.0 - height * height).max(0.0).sqrt();
    let angle = GOLDEN_ANGLE * index as f32;
    vec3(Vector3::new(
        radius * angle.cos(),
        height,
        radius * angle.sin(),
    ))
}

/// The mean colour of a material.
pub(super) fn material_color(material: Option<&MaterialResource>) -> Color {
    let Some(material) = material.filter(|material| material.is_ok()) else {
        return DEFAULT_COLOR;
    };
    let (tint, texture) = {
        let state = material.data_ref();
        let Some(material) = state.as_loaded_ref() else {
            return DEFAULT_COLOR;
        };
        (tint(material), material.texture("diffuseTexture"))
    };
    let mean = texture.as_ref().and_then(mean);
    match (tint, mean) {
        (Some(tint), Some(mean)) => multiply(tint, mean),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => DEFAULT_COLOR,
    }
}

/// The material's diffuse colour.
fn tint(material: &Material) -> Option<Color> {
    let group = material.property_group_ref("properties")?;
    match group.property_ref("diffuseColor")? {
        MaterialProperty::Color(color) => Some(*color),
        _ => None,
    }
}

fn multiply(a: Color, b: Color) -> Color {
    let product = |a: u8, b: u8| (u16::from(a) * u16::from(b) / 255) as u8;
    Color::opaque(product(a.r, b.r), product(a.g, b.g), product(a.b, b.b))
}

/// The mean of some texels; `None` for a texture that is compressed or not loaded.
fn mean(texture: &TextureResource) -> Option<Color> {
    if !texture.is_ok() {
        return None;
    }
    let state = texture.data_ref();
    let texture = state.as_loaded_ref()?;
    let size = match texture.pixel_kind() {
        TexturePixelKind::RGB8 => 3,
        TexturePixelKind::RGBA8 => 4,
        _ => return None,
    };
    let data = texture.data();
    let step = (data.len() / size / SAMPLED_TEXELS).max(1) * size;
    let texels = data
        .chunks_exact(size)
        .step_by(step / size)
        .take(SAMPLED_TEXELS);
    let (mut sums, mut count) = ([0u32; 3], 0u32);
    for texel in texels {
        for (sum, value) in sums.iter_mut().zip(texel) {
            *sum += u32::from(*value);
        }
        count += 1;
    }
    let [r, g, b] = sums.map(|sum| sum.checked_div(count).map(|mean| mean as u8));
    Some(Color::opaque(r?, g?, b?))
}

/// The initial state of a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ParticleSpec {
    /// Position, world space, metres.
    pub position: Vector3<f32>,
    /// Velocity, m/s.
    pub velocity: Vector3<f32>,
    /// Half its width, metres.
    pub size: f32,
    /// Lifetime, seconds.
    pub lifetime: f32,
}

/// Adds a particle system with some particles.
fn add_particle_system(
    graph: &mut Graph,
    specs: &[ParticleSpec],
    color: Color,
    settings: &DustSettings,
) -> Handle<Node> {
    let count = specs.len().max(1) as f32;
    let sum: Vector3<f32> = specs.iter().map(|spec| spec.position).sum();
    let center = sum / count;
    // The engine adds the velocity to the position once a frame, whatever the frame's length.
    let particles = specs.iter().map(|spec| {
        Particle::default()
            .with_position(spec.position - center)
            .with_velocity(spec.velocity * settings.dt)
            .with_size(spec.size)
            .with_size_modifier(-0.5 * spec.size / spec.lifetime)
            .with_initial_lifetime(spec.lifetime)
            .with_color(color)
    });
    let particles = particles.collect();
    let place = TransformBuilder::new().with_local_position(center).build();
    let base = BaseBuilder::new()
        .with_name("dust")
        .with_tag(PIECE_TAG.to_owned())
        .with_cast_shadows(false)
        .with_local_transform(place);
    let node = ParticleSystemBuilder::new(base)
        .with_particles(particles)
        .with_coordinate_system(CoordinateSystem::Local)
        .with_acceleration(settings.gravity)
        .with_color_over_lifetime_gradient(fade_out(color))
        .build(graph)
        .to_base();
    graph.update_hierarchical_data_for_descendants(node);
    node
}

/// Removes a particle system, if it still exists.
fn remove_particle_system(graph: &mut Graph, node: Handle<Node>) {
    if graph.try_get_of_type::<ParticleSystem>(node).is_ok() {
        remove(graph, node);
    }
}

/// A gradient of one colour that becomes transparent towards the end.
fn fade_out(color: Color) -> ColorGradient {
    let mut gradient = ColorGradient::new();
    for (at, alpha) in [(0.0, 255), (0.7, 255), (1.0, 0)] {
        let color = Color::from_rgba(color.r, color.g, color.b, alpha);
        gradient.add_point(GradientPoint::new(at, color));
    }
    gradient
}

//! What is too small to be a piece: particles, which meet nothing.

use crate::{
    mirror::transforms::vec3,
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

/// How long particles live, seconds; each a bit longer or shorter.
const LIFE: f32 = 1.5;
/// Particles into which a piece falls.
const DUST: usize = 24;
/// What has no colour that can be read looks like this.
const GREY: Color = Color::from_rgba(150, 145, 140, 255);
/// Texels of a texture that are looked at.
const TEXELS: usize = 64;
/// A turn that never comes round to the same place.
const GOLDEN: f32 = 2.399_963;

/// All particle systems that are under way.
#[derive(Default)]
pub(crate) struct DustEmitters {
    /// With the time each has left, and its particles.
    burning: Vec<(Handle<Node>, f32, usize)>,
    particles: usize,
}

/// How particles look and fall.
#[derive(Clone, Copy)]
pub(crate) struct DustSettings {
    pub gravity: Vector3<f32>,
    /// Length of a frame, seconds.
    pub dt: f32,
    /// Particles at once.
    pub most: usize,
}

impl DustEmitters {
    /// Shows crumbs of a break, the largest as far as there is room.
    pub fn crumbs(
        &mut self,
        graph: &mut Graph,
        crumbs: &[DustParticle],
        color: Color,
        air: &DustSettings,
    ) {
        let mut sorted: Vec<&DustParticle> = crumbs.iter().collect();
        sorted.sort_by(|a, b| b.volume.total_cmp(&a.volume));
        let speck = |(index, crumb): (usize, &DustParticle)| ParticleSpec {
            position: Vector3::from(crumb.position.to_array()),
            velocity: Vector3::from(crumb.velocity.to_array()),
            // Of a cube of that volume.
            size: 0.5 * crumb.volume.max(0.0).cbrt(),
            life: life(index),
        };
        let specks = sorted.into_iter().enumerate().map(speck);
        self.add(graph, specks.collect(), color, air);
    }

    /// Shows a piece falling to dust.
    pub fn dust(
        &mut self,
        graph: &mut Graph,
        (motion, center): (&Motion, Vec3),
        (size, time): (f32, f32),
        color: Color,
        air: &DustSettings,
    ) {
        let middle = motion.pose.transform_point(center);
        let speck = |index: usize| {
            let out = direction(index, DUST);
            let speed = motion.linear + out * (size / time);
            ParticleSpec {
                position: Vector3::from((middle + out * size * 0.4).to_array()),
                velocity: Vector3::from(speed.to_array()),
                size: size * 0.08,
                life: life(index) * time,
            }
        };
        // Dust hangs in the air.
        let air = DustSettings {
            gravity: air.gravity * 0.2,
            ..*air
        };
        self.add(graph, (0..DUST).map(speck).collect(), color, &air);
    }

    /// Takes away what has burnt out.
    pub fn update(&mut self, graph: &mut Graph, dt: f32) {
        let particles = &mut self.particles;
        self.burning.retain_mut(|(node, left, count)| {
            *left -= dt;
            if *left <= 0.0 {
                remove_burst(graph, *node);
                *particles = particles.saturating_sub(*count);
            }
            *left > 0.0
        });
    }

    /// Particles that may be seen.
    pub fn count(&self) -> usize {
        self.particles
    }

    fn add(
        &mut self,
        graph: &mut Graph,
        mut specks: Vec<ParticleSpec>,
        color: Color,
        air: &DustSettings,
    ) {
        specks.truncate(air.most.saturating_sub(self.particles));
        let sound = |speck: &ParticleSpec| {
            let numbers = speck.position.iter().chain(speck.velocity.iter());
            numbers
                .chain([&speck.size])
                .all(|number| number.is_finite())
        };
        specks.retain(sound);
        if specks.is_empty() {
            return;
        }
        let life = specks.iter().map(|speck| speck.life).fold(0.0, f32::max);
        let node = add_burst(graph, &specks, (color, air.gravity), air.dt);
        self.particles += specks.len();
        self.burning.push((node, life, specks.len()));
    }
}

/// Seconds, from 0.7 to 1.3 of the usual.
fn life(index: usize) -> f32 {
    let part = (index as f32 * 0.618_034).fract();
    LIFE * (0.7 + 0.6 * part)
}

/// Evenly spread directions.
fn direction(index: usize, of: usize) -> Vec3 {
    let height = 1.0 - 2.0 * (index as f32 + 0.5) / of as f32;
    let aside = (1.0 - height * height).max(0.0).sqrt();
    let turn = GOLDEN * index as f32;
    vec3(Vector3::new(aside * turn.cos(), height, aside * turn.sin()))
}

/// What a material looks like from afar.
pub(crate) fn color_of(material: Option<&MaterialResource>) -> Color {
    let Some(material) = material.filter(|material| material.is_ok()) else {
        return GREY;
    };
    let (tint, texture) = {
        let state = material.data_ref();
        let Some(material) = state.as_loaded_ref() else {
            return GREY;
        };
        (tint(material), material.texture("diffuseTexture"))
    };
    let mean = texture.as_ref().and_then(mean);
    match (tint, mean) {
        (Some(tint), Some(mean)) => multiply(tint, mean),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => GREY,
    }
}

fn tint(material: &Material) -> Option<Color> {
    let group = material.property_group_ref("properties")?;
    match group.property_ref("diffuseColor")? {
        MaterialProperty::Color(color) => Some(*color),
        _ => None,
    }
}

fn multiply(a: Color, b: Color) -> Color {
    let part = |a: u8, b: u8| (u16::from(a) * u16::from(b) / 255) as u8;
    Color::opaque(part(a.r, b.r), part(a.g, b.g), part(a.b, b.b))
}

/// The mean of some texels; `None` for what is packed, or not loaded.
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
    let step = (data.len() / size / TEXELS).max(1) * size;
    let texels = data.chunks_exact(size).step_by(step / size).take(TEXELS);
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

/// A particle to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParticleSpec {
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
    specks: &[ParticleSpec],
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

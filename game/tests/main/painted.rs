//! Objects with places that are painted weak, by a picture or by the colours of vertices.

use crate::world::{broken, cube_surface, World};
use fracture::{BreakPreview, Breaking, Destructible, Impact, WeaknessMapping};
use fyrox::{
    core::algebra::{Matrix4, UnitQuaternion, Vector3},
    graph::SceneGraph,
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{
        collider::ColliderShape,
        mesh::{
            buffer::{
                BytesStorage, VertexAttributeDataType as DataType,
                VertexAttributeDescriptor as Descriptor, VertexAttributeUsage as Usage,
                VertexBuffer, VertexReadTrait, VertexWriteTrait,
            },
            surface::Surface,
        },
        rigidbody::RigidBodyType,
    },
};

/// N s
const THRESHOLD: f32 = 20.0;

/// Half of the width and of the height of the wall, metres.
const HALF: f32 = 1.5;

fn picture(kind: TexturePixelKind, bytes: Vec<u8>) -> TextureResource {
    let size = TextureKind::Rectangle {
        width: 8,
        height: 8,
    };
    let texture =
        TextureResource::from_bytes(Default::default(), size, kind, bytes, Default::default());
    texture.unwrap()
}

/// A white picture whose first quarter, in the first rows, is black.
fn quarter() -> TextureResource {
    let is_black = |pixel: usize| pixel % 8 < 4 && pixel / 8 < 4;
    let pixels = (0..64).flat_map(|pixel| {
        let value = if is_black(pixel) { 0 } else { 255 };
        [value, value, value, 255]
    });
    picture(TexturePixelKind::RGBA8, pixels.collect())
}

fn script(map: Option<TextureResource>, by_colors: bool) -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: THRESHOLD.into(),
            weakness_map: map.into(),
            weak_where_painted: by_colors.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    }
}

/// A wall that is 0.3 m thick along an axis.
fn wall_across(axis: usize) -> Surface {
    let mut size = Vector3::repeat(2.0 * HALF);
    size[axis] = 0.3;
    cube_surface(Matrix4::new_nonuniform_scaling(&size), None)
}

fn surface() -> Surface {
    wall_across(2)
}

fn world_with(surface: Surface, script: Destructible) -> World {
    let mut world = World::new();
    world.body(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![surface],
        ColliderShape::cuboid(HALF, HALF, HALF),
        Some(script),
    );
    world
}

/// Whether a blow of half of the threshold breaks it.
fn breaks_at(surface: Surface, script: Destructible, point: Vector3<f32>, axis: usize) -> bool {
    let mut world = world_with(surface, script);
    world.steps(3);
    let mut normal = Vector3::zeros();
    normal[axis] = 1.0;
    let blow = Impact::new(point, normal, 200.0).with_impulse(-normal * (0.5 * THRESHOLD));
    let events = world.strike("wall", blow);
    assert_eq!(world.faults(), "");
    !broken(&events).is_empty()
}

/// The same on the front.
fn breaks_by_half(surface: Surface, script: Destructible, [x, y]: [f32; 2]) -> bool {
    breaks_at(surface, script, Vector3::new(x, y, 0.15), 2)
}

/// The texture coordinates of a place on the front.
fn front_coordinates(place: [f32; 2]) -> [f32; 2] {
    let surface = surface();
    let data = surface.data();
    let data = data.data_ref();
    let mut sum = [0.0; 2];
    for vertex in data.vertex_buffer.iter() {
        let at = vertex.read_3_f32(Usage::Position).unwrap();
        if vertex.read_3_f32(Usage::Normal).unwrap().z < 0.5 {
            continue;
        }
        let share = |axis: usize| 0.5 * (1.0 + place[axis] * at[axis].signum() / HALF);
        let coordinates = vertex.read_2_f32(Usage::TexCoord0).unwrap();
        for axis in [0, 1] {
            sum[axis] += share(0) * share(1) * coordinates[axis];
        }
    }
    sum
}

#[test]
fn an_object_is_weak_where_the_picture_is_dark() {
    let mut weak = 0;
    for place in [[-0.8, -0.8], [-0.8, 0.8], [0.8, -0.8], [0.8, 0.8]] {
        let is_dark = front_coordinates(place).iter().all(|along| *along < 0.5);
        weak += u32::from(is_dark);
        let breaks = breaks_by_half(surface(), script(Some(quarter()), false), place);
        assert_eq!(breaks, is_dark, "{place:?}");
        assert!(!breaks_by_half(surface(), script(None, false), place));
    }
    assert_eq!(weak, 1);
}

/// The lines that the editor draws where a wall that has turned is weak, in the wall's space.
fn weak_lines(map: Option<TextureResource>) -> Vec<[Vector3<f32>; 2]> {
    let mut world = world_with(surface(), script(map, false));
    let (wall, _) = world.scene.graph.find_by_name_from_root("wall").unwrap();
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.6);
    let place = world.scene.graph[wall].local_transform_mut();
    place
        .set_position(Vector3::new(7.0, 0.0, 0.0))
        .set_rotation(turn);
    world.scene.graph.update_hierarchical_data();
    let preview = BreakPreview::of(&world.scene.graph, wall).unwrap();
    let to_wall = |end: Vector3<f32>| turn.inverse() * (end - Vector3::new(7.0, 0.0, 0.0));
    let lines = preview.weak_lines().unwrap().into_iter();
    lines.map(|line| line.map(to_wall)).collect()
}

#[test]
fn the_weak_places_are_drawn_where_they_are() {
    assert!(weak_lines(None).is_empty());
    let lines = weak_lines(Some(quarter()));
    let mut on_front = 0;
    for line in &lines {
        let middle = (line[0] + line[1]) * 0.5;
        // On its surface.
        let outside = middle.abs() - Vector3::new(HALF, HALF, 0.15);
        assert!(outside.max().abs() < 1e-4, "{line:?}");
        if middle.z > 0.14 && outside.x < -0.1 && outside.y < -0.1 {
            on_front += 1;
            // A cell beside the paint is a little weak, too.
            let is_dark = |at: &f32| *at < 0.5 + 2.0 / 64.0;
            let coordinates = front_coordinates([middle.x, middle.y]);
            assert!(coordinates.iter().all(is_dark), "{line:?}");
        }
    }
    // Two for each of 30 by 30 cells.
    assert!((1600..2200).contains(&on_front), "{on_front}");
}

#[test]
fn a_picture_on_the_broad_side_lies_as_it_is_seen_and_needs_no_coordinates() {
    let script = || {
        let mut script = script(Some(quarter()), false);
        script.breaking.weakness_mapping = WeaknessMapping::BroadSide.into();
        script
    };
    // Its upper left, as seen from each side.
    for (axis, dark) in [
        (2, Vector3::new(-0.8, 0.8, 0.15)),
        (0, Vector3::new(0.15, 0.8, 0.8)),
        (1, Vector3::new(-0.8, 0.15, -0.8)),
    ] {
        assert!(breaks_at(without_coordinates(axis), script(), dark, axis));
        for turned in (0..3).filter(|turned| *turned != axis) {
            let mut light = dark;
            light[turned] = -dark[turned];
            assert!(!breaks_at(wall_across(axis), script(), light, axis));
        }
    }
}

/// The surface with colours at a location in shaders: black to the left, and white to the right.
fn coloured(location: u8) -> Surface {
    let surface = surface();
    let data = surface.data();
    let mut data = data.data_ref();
    let mut vertices = data.vertex_buffer.modify();
    let descriptor = Descriptor {
        usage: Usage::Color,
        data_type: DataType::U8,
        size: 4,
        divisor: 0,
        shader_location: location,
        normalized: true,
    };
    vertices.add_attribute(descriptor, [0u8; 4]).unwrap();
    for mut vertex in vertices.iter_mut() {
        let is_left = vertex.read_3_f32(Usage::Position).unwrap().x < 0.0;
        let value = if is_left { 0 } else { 255 };
        let color = [value, value, value, 255].into();
        vertex.write_4_u8(Usage::Color, color).unwrap();
    }
    drop(vertices);
    drop(data);
    surface
}

#[test]
fn an_object_is_weak_where_the_colours_of_its_vertices_are_dark() {
    for location in [6, 7] {
        for (x, by_colors, breaks) in [(-1.3, true, true), (1.3, true, false), (-1.3, false, false)]
        {
            let found = breaks_by_half(coloured(location), script(None, by_colors), [x, 0.0]);
            assert_eq!(found, breaks, "{location} {x} {by_colors}");
        }
    }
}

#[test]
fn paint_that_cannot_be_read_is_told_with_the_remedy_and_the_object_stays() {
    let compressed = picture(TexturePixelKind::DXT1RGB, vec![0; 32]);
    for (surface, script, message) in [
        (
            surface(),
            script(Some(compressed), false),
            "Weakness Map is compressed",
        ),
        (
            without_coordinates(2),
            script(Some(quarter()), false),
            "\"wall mesh\" has no texture coordinates",
        ),
        (
            surface(),
            script(None, true),
            "none of its meshes has vertex colours",
        ),
    ] {
        let mut world = world_with(surface, script);
        world.steps(5);
        let faults = world.faults();
        assert!(faults.contains(message), "{faults}");
        assert_eq!(world.destruction.statistics().faults, 1, "{faults}");
        assert_eq!(world.destruction.is_intact("wall"), Some(true));
    }
}

/// Such a wall whose vertices have positions and normals only.
fn without_coordinates(axis: usize) -> Surface {
    let floats = |usage, shader_location| Descriptor {
        usage,
        data_type: DataType::F32,
        size: 3,
        divisor: 0,
        shader_location,
        normalized: false,
    };
    let layout = [floats(Usage::Position, 0), floats(Usage::Normal, 2)];
    let surface = wall_across(axis);
    let data = surface.data();
    let mut data = data.data_ref();
    let bytes = data.vertex_buffer.iter().flat_map(|vertex| {
        let rows = [Usage::Position, Usage::Normal].map(|usage| vertex.read_3_f32(usage).unwrap());
        let numbers = rows.into_iter().flat_map(|row| [row.x, row.y, row.z]);
        numbers.flat_map(f32::to_le_bytes).collect::<Vec<_>>()
    });
    let bytes = BytesStorage::new(bytes.collect());
    let count = data.vertex_buffer.vertex_count() as usize;
    data.vertex_buffer = VertexBuffer::new_with_layout(&layout, count, bytes).unwrap();
    drop(data);
    surface
}

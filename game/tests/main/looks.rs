//! A level keeps its looks: what its vertices carry besides the first texture coordinates, and its lightmaps.

use crate::world::{broken, cube_surface, hard, World};
use fracture::{Breaking, Destructible, Destruction, Inside};
use fyrox::{
    core::algebra::{Matrix4, Vector2, Vector3, Vector4},
    material::{Material, MaterialResource, MaterialResourceBinding, MaterialTextureBinding},
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{
        collider::ColliderShape,
        mesh::{
            buffer::{
                VertexAttribute, VertexAttributeDataType as DataType,
                VertexAttributeDescriptor as Descriptor, VertexAttributeUsage as Usage,
                VertexBuffer, VertexReadTrait, VertexWriteTrait,
            },
            surface::Surface,
        },
        rigidbody::RigidBodyType,
    },
};

/// The name of a lightmap in the engine's standard shader, and the location of its coordinates.
const LIGHTMAP: &str = "lightmapTexture";
const LOCATION: u8 = 6;

/// The place of a point of the wall in its lightmap.
fn on_lightmap(position: Vector3<f32>) -> Vector2<f32> {
    Vector2::new(
        0.5 + 0.2 * position.x + 0.1 * position.z,
        0.5 + 0.3 * position.y,
    )
}

fn lightmap() -> TextureResource {
    let kind = TextureKind::Rectangle {
        width: 1,
        height: 1,
    };
    let texture = TextureResource::from_bytes(
        Default::default(),
        kind,
        TexturePixelKind::RGBA8,
        vec![90, 120, 30, 255],
        Default::default(),
    );
    texture.unwrap()
}

fn lit(texture: &TextureResource) -> MaterialResource {
    let mut material = Material::standard();
    let value = Some(texture.clone());
    material.bind(
        LIGHTMAP,
        MaterialResourceBinding::Texture(MaterialTextureBinding { value }),
    );
    MaterialResource::new_embedded(material)
}

fn attribute(
    usage: Usage,
    data_type: DataType,
    size: u8,
    shader_location: u8,
    normalized: bool,
) -> Descriptor {
    Descriptor {
        usage,
        data_type,
        size,
        divisor: 0,
        shader_location,
        normalized,
    }
}

/// A wall of 2 x 2 x 0.4 m with the coordinates of a lightmap, colours and a custom attribute.
fn dressed(material: &MaterialResource) -> Surface {
    let size = Matrix4::new_nonuniform_scaling(&Vector3::new(2.0, 2.0, 0.4));
    let surface = cube_surface(size, Some(material.clone()));
    let data = surface.data();
    let mut data = data.data_ref();
    let mut vertices = data.vertex_buffer.modify();
    let second = attribute(Usage::TexCoord1, DataType::F32, 2, LOCATION, false);
    vertices
        .add_attribute(second, Vector2::<f32>::zeros())
        .unwrap();
    let custom = attribute(Usage::Custom0, DataType::F32, 4, 9, false);
    vertices
        .add_attribute(custom, Vector4::<f32>::zeros())
        .unwrap();
    let color = attribute(Usage::Color, DataType::U8, 4, 7, true);
    vertices.add_attribute(color, [0u8; 4]).unwrap();
    for mut vertex in vertices.iter_mut() {
        let at = vertex.read_3_f32(Usage::Position).unwrap();
        vertex
            .write_2_f32(Usage::TexCoord1, on_lightmap(at))
            .unwrap();
        vertex.write_4_f32(Usage::Custom0, at.push(1.0)).unwrap();
        vertex.write_4_u8(Usage::Color, color_at(at)).unwrap();
    }
    drop(vertices);
    drop(data);
    surface
}

fn color_at(position: Vector3<f32>) -> Vector4<u8> {
    let part = |x: f32| (100.0 + 50.0 * x).round() as u8;
    Vector4::new(part(position.x), part(position.y), part(position.z), 255)
}

fn wall(world: &mut World, surface: Surface, script: Destructible) {
    world.body(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![surface],
        ColliderShape::cuboid(1.0, 1.0, 0.2),
        Some(script),
    );
}

/// A wall that has been struck in its middle, and again at its side.
fn struck(surface: Surface, script: Destructible) -> World {
    let mut world = World::new();
    wall(&mut world, surface, script);
    world.steps(2);
    for x in [0.0, 0.7] {
        let at = Vector3::new(x, 0.0, 0.2);
        let impact = fracture::Impact {
            normal: Vector3::z(),
            ..hard(at)
        };
        assert_eq!(broken(&world.strike("wall", impact)).len(), 1);
    }
    world
}

fn script(inside: Option<MaterialResource>) -> Destructible {
    Destructible {
        breaking: Breaking {
            max_radius: 0.5.into(),
            ..Breaking::default()
        },
        inside: Inside {
            material: inside.into(),
            ..Inside::default()
        },
        ..Destructible::default()
    }
}

fn kept(vertices: &VertexBuffer, usage: Usage) -> VertexAttribute {
    let mut layout = vertices.layout().iter();
    *layout.find(|own| own.usage == usage).unwrap()
}

/// Checks all pieces of the wall: what their old surfaces carry, and the light inside. Returns the number of vertices on cut
/// faces.
fn check_pieces(world: &World, outside: &MaterialResource, light: &TextureResource) -> usize {
    let mut inside = 0;
    for piece in world.destruction.pieces_of("wall") {
        for surface in world.mesh(piece.node).surfaces() {
            let is_outside = surface.material().key() == outside.key();
            let texture = surface.material().data_ref().texture(LIGHTMAP);
            assert_eq!(texture.unwrap().key(), light.key());
            let data = surface.data();
            let data = data.data_ref();
            let second = kept(&data.vertex_buffer, Usage::TexCoord1);
            assert_eq!((second.shader_location, second.size), (LOCATION, 2));
            let color = kept(&data.vertex_buffer, Usage::Color);
            assert_eq!((color.shader_location, color.normalized), (7, true));
            assert_eq!(kept(&data.vertex_buffer, Usage::Custom0).size, 4);
            for vertex in data.vertex_buffer.iter() {
                let at = vertex.read_3_f32(Usage::Position).unwrap();
                let place = vertex.read_2_f32(Usage::TexCoord1).unwrap();
                let custom = vertex.read_4_f32(Usage::Custom0).unwrap();
                let color = vertex.read_4_u8(Usage::Color).unwrap();
                if is_outside {
                    assert!((place - on_lightmap(at)).norm() < 1e-5, "{place} at {at}");
                    assert!((custom - at.push(1.0)).norm() < 1e-5);
                    let (color, wanted) = (color.map(i32::from), color_at(at).map(i32::from));
                    assert!((color - wanted).abs().max() <= 1, "{color} at {at}");
                } else {
                    // The face has one place all over, that of a point of the old surface.
                    assert!((place - on_lightmap(custom.xyz())).norm() < 1e-5);
                    let out = custom.xyz().component_div(&Vector3::new(1.0, 1.0, 0.2));
                    assert!((out.abs().max() - 1.0).abs() < 1e-4, "{custom}");
                    assert_eq!(color, Vector4::repeat(255));
                    inside += 1;
                }
            }
        }
    }
    inside
}

#[test]
fn pieces_keep_their_place_in_the_lightmap_and_cut_faces_are_lit_as_what_is_beside_them() {
    let light = lightmap();
    let outside = lit(&light);
    let plain = MaterialResource::new_embedded(Material::standard());
    let mut world = struck(dressed(&outside), script(Some(plain.clone())));
    assert!(check_pieces(&world, &outside, &light) > 100);
    // The artist's own material, which other objects may have, is left as it is.
    assert!(plain.data_ref().texture(LIGHTMAP).is_none());
    assert_eq!(world.faults(), "");

    // By replay, and as it is.
    for save in [Destruction::save_compact, Destruction::save] {
        let save = save(&mut world.destruction, &mut world.scene);
        let mut loaded = World::new();
        wall(&mut loaded, dressed(&outside), script(Some(plain.clone())));
        loaded.step();
        let restored = loaded
            .destruction
            .restore(&mut loaded.scene, save.as_slice());
        restored.unwrap();
        assert!(check_pieces(&loaded, &outside, &light) > 100);
    }
}

#[test]
fn what_has_no_lightmap_keeps_the_plain_vertices_of_the_engine() {
    let size = Matrix4::new_nonuniform_scaling(&Vector3::new(2.0, 2.0, 0.4));
    let plain = MaterialResource::new_embedded(Material::standard());
    let world = struck(cube_surface(size, None), script(Some(plain.clone())));
    let mut has_plain = false;
    for piece in world.destruction.pieces_of("wall") {
        for surface in world.mesh(piece.node).surfaces() {
            has_plain |= surface.material().key() == plain.key();
            assert_eq!(surface.data().data_ref().vertex_buffer.vertex_size(), 48);
        }
    }
    assert!(has_plain);
}

#[test]
fn a_lightmap_without_coordinates_is_told_once_and_the_wall_breaks() {
    let size = Matrix4::new_nonuniform_scaling(&Vector3::new(2.0, 2.0, 0.4));
    let world = struck(cube_surface(size, Some(lit(&lightmap()))), script(None));
    let faults = world.faults();
    assert_eq!(faults.lines().count(), 1, "{faults}");
    assert!(faults.contains("\"wall mesh\" has a lightmap and no second texture coordinates"));
    assert!(world.destruction.pieces_of("wall").len() > 3);
}

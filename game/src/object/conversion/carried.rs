//! Attributes of the engine's vertices that are only carried from mesh to mesh: further texture coordinates, such as those
//! of a lightmap, custom attributes, and colours of an uncommon kind.

use fracture_geometry::{Attribute, Mesh};
use fyrox::scene::mesh::{
    buffer::{
        BytesStorage, VertexAttribute, VertexAttributeDataType as DataType,
        VertexAttributeDescriptor as Descriptor, VertexAttributeUsage as Usage, VertexBuffer,
        VertexTrait,
    },
    vertex::StaticVertex,
};

/// The location of colours in shaders, which the engine's own ones use for the coordinates of lightmaps.
pub(super) const COLOR_LOCATION: u8 = 6;

/// Largest size of a vertex in the engine, bytes.
const MAX_VERTEX_SIZE: usize = 255;

/// All that is carried.
const USAGES: [Usage; 16] = [
    Usage::TexCoord1,
    Usage::TexCoord2,
    Usage::TexCoord3,
    Usage::TexCoord4,
    Usage::TexCoord5,
    Usage::TexCoord6,
    Usage::TexCoord7,
    Usage::Color,
    Usage::Custom0,
    Usage::Custom1,
    Usage::Custom2,
    Usage::Custom3,
    Usage::Custom4,
    Usage::Custom5,
    Usage::Custom6,
    Usage::Custom7,
];
const DATA_TYPES: [DataType; 4] = [DataType::F32, DataType::U32, DataType::U16, DataType::U8];

/// How the engine has an attribute; its number is the one that a mesh has.
#[derive(Clone, Copy)]
struct Kind {
    usage: Usage,
    data_type: DataType,
    shader_location: u8,
    normalized: bool,
}

impl Kind {
    /// The kind of an attribute; `None` if it is not carried.
    fn of(attribute: &VertexAttribute) -> Option<Self> {
        let kind = Self {
            usage: attribute.usage,
            data_type: attribute.data_type,
            shader_location: attribute.shader_location,
            normalized: attribute.normalized,
        };
        let is_per_vertex = attribute.divisor == 0;
        (USAGES.contains(&kind.usage) && is_per_vertex && !is_common_color(attribute))
            .then_some(kind)
    }

    fn id(self) -> u32 {
        let index = DATA_TYPES.iter().position(|kind| *kind == self.data_type);
        let bytes = [
            self.usage as u8,
            index.unwrap_or_default() as u8,
            self.shader_location,
            u8::from(self.normalized),
        ];
        u32::from_le_bytes(bytes)
    }

    fn from_id(id: u32) -> Option<Self> {
        let [usage, data_type, shader_location, normalized] = id.to_le_bytes();
        Some(Self {
            usage: *USAGES.iter().find(|known| **known as u8 == usage)?,
            data_type: *DATA_TYPES.get(usize::from(data_type))?,
            shader_location,
            normalized: normalized != 0,
        })
    }

    /// The number of white, for colours.
    fn white(self) -> Option<f32> {
        (self.usage == Usage::Color).then_some(match self.data_type {
            DataType::F32 => 1.0,
            DataType::U32 => u32::MAX as f32,
            DataType::U16 => f32::from(u16::MAX),
            DataType::U8 => f32::from(u8::MAX),
        })
    }

    fn read(self, bytes: &[u8]) -> Option<f32> {
        Some(match self.data_type {
            DataType::F32 => f32::from_le_bytes(*bytes.first_chunk()?),
            DataType::U32 => u32::from_le_bytes(*bytes.first_chunk()?) as f32,
            DataType::U16 => f32::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            DataType::U8 => f32::from(*bytes.first()?),
        })
    }

    fn write(self, number: f32, bytes: &mut Vec<u8>) {
        // The conversions to integers saturate.
        let rounded = number.round();
        match self.data_type {
            DataType::F32 => bytes.extend(number.to_le_bytes()),
            DataType::U32 => bytes.extend((rounded as u32).to_le_bytes()),
            DataType::U16 => bytes.extend((rounded as u16).to_le_bytes()),
            DataType::U8 => bytes.push(rounded as u8),
        }
    }
}

/// Whether these are colours as the mesh has them.
pub(super) fn is_common_color(attribute: &VertexAttribute) -> bool {
    attribute.usage == Usage::Color
        && attribute.data_type == DataType::U8
        && attribute.size == 4
        && attribute.shader_location == COLOR_LOCATION
}

/// The colours of a mesh's vertices, of whatever kind.
pub(crate) struct VertexColors<'a> {
    common: &'a [[f32; 4]],
    /// Those of an uncommon kind, and their number of white.
    carried: Option<(&'a Attribute, f32)>,
}

impl<'a> VertexColors<'a> {
    /// Looks for the colours of a mesh.
    pub fn of(mesh: &'a Mesh) -> Self {
        let white = |attribute: &Attribute| Kind::from_id(attribute.id)?.white();
        let carried = mesh.attributes.iter();
        let mut carried = carried.filter_map(|own| Some((own, white(own)?)));
        Self {
            common: &mesh.colors,
            carried: carried.next(),
        }
    }

    /// Red, green and blue of a vertex, 0 to 1: white if there are no colours.
    pub fn at(&self, vertex: usize) -> [f32; 3] {
        let common = || {
            self.common
                .get(vertex)
                .map(|[red, green, blue, _]| [*red, *green, *blue])
        };
        let carried = || {
            let (attribute, white) = self.carried?;
            let row = attribute.row(vertex)?;
            Some([0, 1, 2].map(|channel| row.get(channel).map_or(1.0, |number| number / white)))
        };
        common().or_else(carried).unwrap_or([1.0; 3])
    }
}

/// Appends what is carried of some vertices, whose positions are in the mesh already, from `first` on.
pub(super) fn append_carried(mesh: &mut Mesh, vertices: &VertexBuffer, first: usize) {
    let size = usize::from(vertices.vertex_size());
    let within = |attribute: &&VertexAttribute| {
        let own = usize::from(attribute.size) * usize::from(attribute.data_type.size());
        usize::from(attribute.offset) + own <= size && (1..=4).contains(&attribute.size)
    };
    let layout = vertices.layout().iter().filter(within);
    for (attribute, kind) in layout.filter_map(|own| Some((own, Kind::of(own)?))) {
        let is_same = |known: &Attribute| known.id.to_le_bytes()[0] == kind.usage as u8;
        let index = mesh.attributes.iter().position(is_same);
        let index = index.unwrap_or_else(|| {
            let own = usize::from(attribute.size);
            let white = kind.white();
            mesh.attributes.push(Attribute {
                id: kind.id(),
                size: own,
                values: vec![white.unwrap_or_default(); first * own],
                on_cuts: white,
            });
            mesh.attributes.len() - 1
        });
        if let Some(carried) = mesh.attributes.get_mut(index) {
            read_values(carried, vertices, attribute, kind);
        }
    }
    let count = mesh.positions.len();
    for carried in &mut mesh.attributes {
        let none = carried.on_cuts.unwrap_or_default();
        carried.values.resize(count * carried.size, none);
    }
}

fn read_values(
    carried: &mut Attribute,
    vertices: &VertexBuffer,
    attribute: &VertexAttribute,
    kind: Kind,
) {
    let step = usize::from(kind.data_type.size());
    let rows = vertices
        .raw_data()
        .chunks_exact(usize::from(vertices.vertex_size()).max(1));
    for row in rows.take(vertices.vertex_count() as usize) {
        let own = row.get(usize::from(attribute.offset)..).unwrap_or_default();
        let mut numbers = own.chunks(step).take(usize::from(attribute.size));
        let mut next = || numbers.next().and_then(|bytes| kind.read(bytes));
        let numbers = (0..carried.size).map(|_| next().unwrap_or_default());
        carried.values.extend(numbers);
    }
}

/// Builds a buffer of vertices with what is carried: first those of the engine's static vertex, then colours if `color_of`
/// gives any.
pub(super) fn carrying_buffer(
    mesh: &Mesh,
    vertices: impl ExactSizeIterator<Item = u32>,
    vertex_of: impl Fn(usize) -> StaticVertex,
    color_of: Option<impl Fn(usize) -> [u8; 4]>,
) -> Option<VertexBuffer> {
    let (count, mut layout) = (vertices.len(), Layout::of_static_vertex());
    let carried: Vec<(&Attribute, Kind)> = mesh
        .attributes
        .iter()
        .filter_map(|own| Some((own, Kind::from_id(own.id)?)))
        .filter(|(own, kind)| layout.add(*kind, own.size))
        .collect();
    let color = Kind {
        usage: Usage::Color,
        data_type: DataType::U8,
        shader_location: COLOR_LOCATION,
        normalized: true,
    };
    let color_of = color_of.filter(|_| layout.add(color, 4));
    let mut bytes = Vec::with_capacity(count * layout.size);
    for vertex in vertices.map(|vertex| vertex as usize) {
        write_static(&vertex_of(vertex), &mut bytes);
        for (own, kind) in &carried {
            let row = own.row(vertex).unwrap_or_default();
            let numbers = (0..own.size).map(|index| row.get(index).copied());
            numbers.for_each(|number| kind.write(number.unwrap_or_default(), &mut bytes));
        }
        if let Some(color_of) = &color_of {
            bytes.extend(color_of(vertex));
        }
    }
    VertexBuffer::new_with_layout(&layout.descriptors, count, BytesStorage::new(bytes)).ok()
}

fn write_static(vertex: &StaticVertex, bytes: &mut Vec<u8>) {
    let numbers = vertex.position.iter().chain(vertex.tex_coord.iter());
    let numbers = numbers
        .chain(vertex.normal.iter())
        .chain(vertex.tangent.iter());
    numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// The layout of a vertex while it is put together.
struct Layout {
    descriptors: Vec<Descriptor>,
    /// Bytes.
    size: usize,
}

impl Layout {
    fn of_static_vertex() -> Self {
        let copy = |own: &Descriptor| Descriptor {
            usage: own.usage,
            data_type: own.data_type,
            ..*own
        };
        Self {
            descriptors: StaticVertex::layout().iter().map(copy).collect(),
            size: size_of::<StaticVertex>(),
        }
    }

    /// Adds an attribute of so many numbers; `false` if the vertex has one like it or no room. A location in shaders that is
    /// taken gives way to the next free one.
    fn add(&mut self, kind: Kind, size: usize) -> bool {
        let bytes = size * usize::from(kind.data_type.size());
        let is_known = self.descriptors.iter().any(|own| own.usage == kind.usage);
        if is_known || self.size + bytes > MAX_VERTEX_SIZE {
            return false;
        }
        let is_free = |location: &u8| {
            let mut taken = self.descriptors.iter();
            !taken.any(|own| own.shader_location == *location)
        };
        let mut locations = (kind.shader_location..=u8::MAX).chain(COLOR_LOCATION..=u8::MAX);
        let Some(shader_location) = locations.find(is_free) else {
            return false;
        };
        self.size += bytes;
        self.descriptors.push(Descriptor {
            usage: kind.usage,
            data_type: kind.data_type,
            size: size as u8,
            divisor: 0,
            shader_location,
            normalized: kind.normalized,
        });
        true
    }
}

//! Attributes of vertices whose meaning only the host knows.

/// Most numbers that a vertex has of one attribute.
const MAX_SIZE: usize = 4;

/// An attribute of a mesh's vertices whose meaning only the host knows, such as the texture coordinates of a lightmap.
/// Pieces keep it, and on the cuts of the old surface it is interpolated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribute {
    /// Number by which the host knows it again.
    pub id: u32,
    /// How many numbers a vertex has, 1 to 4.
    pub size: usize,
    /// `size` numbers a vertex.
    pub values: Vec<f32>,
    /// The number on cut faces; `None` for that of the old surface beside a face, all over it.
    pub on_cuts: Option<f32>,
}

impl Attribute {
    /// The numbers of a vertex; `None` for one that does not exist.
    pub fn row(&self, vertex: usize) -> Option<&[f32]> {
        let first = vertex.checked_mul(self.size)?;
        self.values.get(first..first.checked_add(self.size)?)
    }

    /// Whether it has all its numbers for so many vertices.
    pub(crate) fn fits(&self, vertices: usize) -> bool {
        (1..=MAX_SIZE).contains(&self.size) && self.values.len() == vertices * self.size
    }

    /// The same attribute without values, with room for some vertices.
    pub(crate) fn empty(&self, vertices: usize) -> Self {
        Self {
            values: Vec::with_capacity(vertices * self.size),
            id: self.id,
            size: self.size,
            on_cuts: self.on_cuts,
        }
    }

    /// The attribute of some of the vertices, or of all, with room for more.
    pub(crate) fn copy(&self, chosen: Option<&[u32]>, more: usize) -> Self {
        let Some(vertices) = chosen else {
            let mut own = self.empty(self.values.len() / self.size.max(1) + more);
            own.values.extend_from_slice(&self.values);
            return own;
        };
        let mut own = self.empty(vertices.len() + more);
        let rows = vertices.iter().filter_map(|v| self.row(*v as usize));
        rows.for_each(|row| own.values.extend(row));
        own
    }

    /// Adds a vertex with the mean of two others.
    pub(crate) fn push_middle(&mut self, [a, b]: [usize; 2]) {
        for index in 0..self.size {
            let value = |vertex: usize| self.values.get(vertex * self.size + index);
            let (a, b) = (value(a).copied(), value(b).copied());
            self.values
                .push(0.5 * (a.unwrap_or_default() + b.unwrap_or_default()));
        }
    }

    /// Appends the attributes of a mesh of `count` vertices to those of one that had `first` vertices. Where either has none,
    /// they are 0.
    pub fn append(all: &mut Vec<Self>, more: &[Self], first: usize, count: usize) {
        for new in more {
            let is_same = |known: &Self| (known.id, known.size) == (new.id, new.size);
            if let Some(known) = all.iter_mut().find(|known| is_same(known)) {
                known.values.extend(&new.values);
            } else {
                let mut values = vec![0.0; first * new.size];
                values.extend(&new.values);
                all.push(Self {
                    values,
                    ..new.clone()
                });
            }
        }
        for attribute in all {
            let length = (first + count) * attribute.size;
            attribute.values.resize(length, 0.0);
        }
    }
}

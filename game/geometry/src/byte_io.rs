//! Reading and writing of numbers as bytes, little-endian: for patterns, and for the saves of the simulation.

use glam::Vec3;

/// Largest coordinate of a mesh that is read, metres: a larger mesh can be no part of a game, and squares and cubes of its
/// coordinates have no place in the numbers of its physics.
const MAX_COORDINATE: f32 = 1e6;

/// The error of bytes that are too few, or hold numbers that are out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Reads numbers from the front of bytes.
pub struct ByteReader<'a>(
    /// The bytes that have not been read.
    pub &'a [u8],
);

impl<'a> ByteReader<'a> {
    /// Reads bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    /// Reads an integer of 8 bits.
    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Reads an integer of 32 bits.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads an integer of 64 bits.
    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a number of 64 bits.
    pub fn f64(&mut self) -> Result<f64, Malformed> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// Reads numbers of 64 bits.
    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], Malformed> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.f64()?;
        }
        Ok(numbers)
    }

    /// Reads numbers of 32 bits.
    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], Malformed> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = f32::from_le_bytes(self.array()?);
        }
        Ok(numbers)
    }

    /// Reads rows of `N` numbers over the content of a vector. A count that is too high for the bytes
    /// allocates nothing.
    pub fn f32_rows<const N: usize>(
        &mut self,
        count: usize,
        rows: &mut Vec<[f32; N]>,
    ) -> Result<(), Malformed> {
        let bytes = self.take(count.checked_mul(4 * N).ok_or(Malformed)?)?;
        rows.resize(count, [0.0; N]);
        convert(rows.as_flattened_mut(), bytes, f32::from_le_bytes);
        Ok(())
    }

    /// Reads positions of a mesh over the content of a vector.
    pub fn positions(
        &mut self,
        count: usize,
        positions: &mut Vec<[f32; 3]>,
    ) -> Result<(), Malformed> {
        self.f32_rows(count, positions)?;
        // Without an early exit the loop is vectorised.
        let numbers = positions.as_flattened().iter();
        let is_near = numbers.fold(true, |all, number| all & (number.abs() <= MAX_COORDINATE));
        is_near.then_some(()).ok_or(Malformed)
    }

    /// Reads a point.
    pub fn point(&mut self) -> Result<Vec3, Malformed> {
        let point = Vec3::from_array(self.f32s()?);
        point.is_finite().then_some(point).ok_or(Malformed)
    }

    /// Reads points.
    pub fn points(&mut self, count: usize) -> Result<Vec<Vec3>, Malformed> {
        let bytes = self.take(count.checked_mul(12).ok_or(Malformed)?)?;
        let mut points = Vec::with_capacity(count);
        for bytes in bytes.chunks_exact(12) {
            points.push(ByteReader(bytes).point()?);
        }
        Ok(points)
    }

    /// Reads triangles over the given number of vertices.
    pub fn triangles(&mut self, count: usize, vertices: usize) -> Result<Vec<[u32; 3]>, Malformed> {
        let mut triangles = Vec::new();
        self.triangles_into(count, vertices, &mut triangles)?;
        Ok(triangles)
    }

    /// Reads triangles over the content of a vector.
    pub fn triangles_into(
        &mut self,
        count: usize,
        vertices: usize,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), Malformed> {
        let size = if needs_u32(vertices) { 4 } else { 2 };
        let bytes = self.take(count.checked_mul(3 * size).ok_or(Malformed)?)?;
        triangles.resize(count, [0; 3]);
        let corners = triangles.as_flattened_mut();
        if needs_u32(vertices) {
            convert(corners, bytes, u32::from_le_bytes);
        } else {
            convert(corners, bytes, |bytes| u16::from_le_bytes(bytes).into());
        }
        // Without an early exit the loop is vectorised.
        let highest = corners
            .iter()
            .fold(0, |highest, corner| highest.max(*corner));
        if count == 0 || (highest as usize) < vertices {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

/// Converts each `N` bytes to a number.
fn convert<const N: usize, T>(numbers: &mut [T], bytes: &[u8], from_bytes: impl Fn([u8; N]) -> T) {
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(N)) {
        if let Ok(bytes) = bytes.try_into() {
            *number = from_bytes(bytes);
        }
    }
}

/// Writes a count as 32 bits. Counts above 2^32 - 1 do not occur.
pub fn write_count(out: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    out.extend(count.to_le_bytes());
}

/// Writes numbers of 32 bits.
pub fn write_f32s(out: &mut Vec<u8>, numbers: &[f32]) {
    for (place, number) in grow::<4>(out, numbers.len()).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// Writes numbers of 64 bits.
pub fn write_f64s(out: &mut Vec<u8>, numbers: &[f64]) {
    for (place, number) in grow::<8>(out, numbers.len()).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// Writes triangles over the given number of vertices.
pub fn write_triangles(out: &mut Vec<u8>, triangles: &[[u32; 3]], vertices: usize) {
    let corners = triangles.as_flattened();
    if needs_u32(vertices) {
        for (place, corner) in grow::<4>(out, corners.len()).zip(corners) {
            place.copy_from_slice(&corner.to_le_bytes());
        }
    } else {
        for (place, corner) in grow::<2>(out, corners.len()).zip(corners) {
            place.copy_from_slice(&(*corner as u16).to_le_bytes());
        }
    }
}

/// Appends room for numbers of `SIZE` bytes. That is several times as fast as appending number by number.
fn grow<const SIZE: usize>(
    out: &mut Vec<u8>,
    count: usize,
) -> impl Iterator<Item = &mut [u8]> + use<'_, SIZE> {
    let start = out.len();
    out.resize(start + SIZE * count, 0);
    let added = out.get_mut(start..).unwrap_or_default();
    added.chunks_exact_mut(SIZE)
}

/// Whether vertex indices need 32 bits instead of 16.
fn needs_u32(vertices: usize) -> bool {
    vertices > 1 << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_beyond_every_game_are_refused() {
        let read = |x: f32| {
            let mut bytes = Vec::new();
            write_f32s(&mut bytes, &[0.0, x, 0.0]);
            let mut positions = Vec::new();
            let all = ByteReader(&bytes).positions(1, &mut positions);
            all.map(|()| positions)
        };
        for x in [0.0, -1e6, 1e6] {
            assert_eq!(read(x), Ok(vec![[0.0, x, 0.0]]));
        }
        for x in [-2e6, 1e30, f32::INFINITY, f32::NAN] {
            assert_eq!(read(x), Err(Malformed));
        }
    }
}

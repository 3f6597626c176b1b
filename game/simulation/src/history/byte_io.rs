//! Numbers as bytes, the lowest first.

use glam::Vec3;

/// There are fewer bytes than were asked for, or they are numbers that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Bytes that are left to be read.
pub(crate) struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = tail;
        Ok(head)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.bytes()?))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    pub fn f64(&mut self) -> Result<f64, Malformed> {
        Ok(f64::from_le_bytes(self.bytes()?))
    }

    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], Malformed> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.f64()?;
        }
        Ok(numbers)
    }

    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], Malformed> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = f32::from_le_bytes(self.bytes()?);
        }
        Ok(numbers)
    }

    /// Rows of numbers, in the place of what is in a vector. Memory is asked for only when there are so many
    /// bytes.
    pub fn rows<const N: usize>(
        &mut self,
        count: usize,
        rows: &mut Vec<[f32; N]>,
    ) -> Result<(), Malformed> {
        let bytes = self.take(count.checked_mul(4 * N).ok_or(Malformed)?)?;
        rows.resize(count, [0.0; N]);
        fill(rows.as_flattened_mut(), bytes, f32::from_le_bytes);
        Ok(())
    }

    /// A point in space.
    pub fn place(&mut self) -> Result<Vec3, Malformed> {
        let place = Vec3::from_array(self.f32s()?);
        place.is_finite().then_some(place).ok_or(Malformed)
    }

    /// Points in space.
    pub fn points(&mut self, count: usize) -> Result<Vec<Vec3>, Malformed> {
        let bytes = self.take(count.checked_mul(12).ok_or(Malformed)?)?;
        let mut points = Vec::with_capacity(count);
        for bytes in bytes.chunks_exact(12) {
            points.push(ByteReader(bytes).place()?);
        }
        Ok(points)
    }

    /// Points in space, in the place of what is in a vector.
    pub fn places(&mut self, count: usize, places: &mut Vec<[f32; 3]>) -> Result<(), Malformed> {
        self.rows(count, places)?;
        // Without a way out in the middle it is done many at a time.
        let numbers = places.as_flattened().iter();
        match numbers.fold(true, |all, number| all & number.is_finite()) {
            true => Ok(()),
            false => Err(Malformed),
        }
    }

    /// Triangles over so many points.
    pub fn corners(&mut self, triangles: usize, points: usize) -> Result<Vec<[u32; 3]>, Malformed> {
        let mut corners = Vec::new();
        self.corners_into((triangles, points), &mut corners)?;
        Ok(corners)
    }

    /// The same in the place of what is in a vector.
    pub fn corners_into(
        &mut self,
        (triangles, points): (usize, usize),
        corners: &mut Vec<[u32; 3]>,
    ) -> Result<(), Malformed> {
        let size = if is_wide(points) { 4 } else { 2 };
        let bytes = self.take(triangles.checked_mul(3 * size).ok_or(Malformed)?)?;
        corners.resize(triangles, [0; 3]);
        let numbers = corners.as_flattened_mut();
        match is_wide(points) {
            true => fill(numbers, bytes, u32::from_le_bytes),
            false => fill(numbers, bytes, |bytes| u16::from_le_bytes(bytes).into()),
        }
        // A fold is done many at a time.
        let highest = numbers
            .iter()
            .fold(0, |highest, corner| highest.max(*corner));
        match triangles == 0 || (highest as usize) < points {
            true => Ok(()),
            false => Err(Malformed),
        }
    }
}

/// Numbers of so many bytes each, as many as there are places for them.
fn fill<const N: usize, T>(places: &mut [T], bytes: &[u8], number: impl Fn([u8; N]) -> T) {
    for (place, bytes) in places.iter_mut().zip(bytes.chunks_exact(N)) {
        if let Ok(bytes) = bytes.try_into() {
            *place = number(bytes);
        }
    }
}

/// A count; more than 2^32 of anything are not written.
pub(crate) fn write_count(out: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    out.extend(count.to_le_bytes());
}

pub(crate) fn write_f32s(out: &mut Vec<u8>, numbers: &[f32]) {
    for (place, number) in room::<4>(out, numbers.len()).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

pub(crate) fn write_f64s(out: &mut Vec<u8>, numbers: &[f64]) {
    for (place, number) in room::<8>(out, numbers.len()).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// Triangles over so many points.
pub(crate) fn write_corners(out: &mut Vec<u8>, triangles: &[[u32; 3]], points: usize) {
    let corners = triangles.as_flattened();
    if is_wide(points) {
        for (place, corner) in room::<4>(out, corners.len()).zip(corners) {
            place.copy_from_slice(&corner.to_le_bytes());
        }
    } else {
        for (place, corner) in room::<2>(out, corners.len()).zip(corners) {
            place.copy_from_slice(&(*corner as u16).to_le_bytes());
        }
    }
}

/// Room for some numbers of a size, at the end. Written number by number to the vector itself, it would
/// take several times as long.
fn room<const SIZE: usize>(
    out: &mut Vec<u8>,
    count: usize,
) -> impl Iterator<Item = &mut [u8]> + use<'_, SIZE> {
    let start = out.len();
    out.resize(start + SIZE * count, 0);
    let room = out.get_mut(start..).unwrap_or_default();
    room.chunks_exact_mut(SIZE)
}

/// Whether numbers of points take 32 bits instead of 16.
fn is_wide(points: usize) -> bool {
    points > 1 << 16
}

//! Volume, centre of mass and inertia of closed meshes, as sums over signed tetrahedra.

use super::Mesh;
use crate::math::symmetric_eigen;
use glam::{DMat3, DQuat, DVec3, Vec3};

/// How many times as large as another one a second moment is in whose direction a body is called longer.
const CLEARLY_LONGER: f64 = 1.001;

/// Cosine of the angle between directions from which on one is along the other.
const ALONG: f64 = 0.9;

/// How many times as long as wide a part is that is a member of its own, as the leg of a table.
const MEMBER_LENGTH: f64 = 6.0;

/// Mass properties of a solid of density one.
///
/// The divergence theorem over tetrahedra from a reference point is exact for polyhedra (Eberly, "Polyhedral Mass Properties (Revisited)", 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassProperties {
    /// Volume in cubic metres; negative for a solid that is inside out.
    pub volume: f64,
    /// Centre of mass in metres.
    pub center: DVec3,
    /// Second moments about the centre, the integral of `r r^T` over the volume, in m^5. A linear map `L`
    /// takes them to `L M L^T |det L|`. See [`MassProperties::inertia`].
    pub moments: DMat3,
}

impl MassProperties {
    /// The mass properties inside a closed surface, given as the corners of its triangles.
    pub fn from_triangles(triangles: impl IntoIterator<Item = [DVec3; 3]>) -> Self {
        let mut triangles = triangles.into_iter().peekable();
        let origin = triangles.peek().map_or(DVec3::ZERO, |[a, _, _]| *a);
        let mut sum = MassAccumulator::default();
        for triangle in triangles {
            sum.add(triangle.map(|p| p - origin));
        }
        sum.properties(origin)
    }

    /// The mass properties of a closed mesh. Triangles with an index out of range do not count.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        let place = |v: u32| mesh.positions.get(v as usize).copied().map(Vec3::from);
        Self::from_triangles(mesh.triangles.iter().filter_map(|triangle| {
            let [a, b, c] = triangle.map(place);
            Some([a?, b?, c?].map(|p| p.as_dvec3()))
        }))
    }

    /// The inertia tensor about the centre for a density in kg/m^3, in kg m^2.
    pub fn inertia(&self, density: f64) -> DMat3 {
        let m = self.moments;
        let trace = m.x_axis.x + m.y_axis.y + m.z_axis.z;
        (DMat3::from_diagonal(DVec3::splat(trace)) - m) * density
    }

    /// The principal moments of inertia about the centre for a density in kg/m^3, in kg m^2, and the rotation from body
    /// space to their axes. None is negative.
    pub fn principal_inertia(&self, density: f64) -> (DVec3, DQuat) {
        let (inertia, axes) = symmetric_eigen(self.inertia(density));
        (
            inertia.max(DVec3::ZERO),
            DQuat::from_mat3(&axes).normalize(),
        )
    }

    /// The rotation whose columns are the directions in which the body is thinnest, in which it is longest, and the one
    /// across both: those of its second moments. Where it is as long in several directions, rounding alone would choose
    /// among them: y is the longest then, or else x, and that of a cube is the identity.
    pub fn long_frame(&self) -> DMat3 {
        let (moments, axes) = symmetric_eigen(self.moments);
        let mut by_moment = [0, 1, 2].map(|axis| (moments[axis], axes.col(axis)));
        by_moment.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(most, long), (middle, _), (least, thin)] = by_moment;
        let (x, y) = match (
            most > CLEARLY_LONGER * middle,
            middle > CLEARLY_LONGER * least,
        ) {
            (false, false) => return DMat3::IDENTITY,
            (true, true) => (thin, long),
            (true, false) => (across(long, [DVec3::X, DVec3::Z]), long),
            (false, true) => (thin, across(thin, [DVec3::Y, DVec3::X])),
        };
        DMat3::from_cols(x, y, x.cross(y))
    }

    /// The [long frame](Self::long_frame) of a part of a whole with that long frame: the same, as the grain of a block of
    /// wood is that of the plank that it was, but for a part that is a member with a length of its own.
    pub fn long_frame_within(&self, whole: DMat3) -> DMat3 {
        let own = self.long_frame();
        let moment = |along: DVec3| along.dot(self.moments * along);
        let across = moment(own.x_axis).max(moment(own.z_axis));
        let is_member = moment(own.y_axis) > MEMBER_LENGTH * MEMBER_LENGTH * across;
        let is_along = own.y_axis.dot(whole.y_axis).abs() > ALONG;
        if is_member && !is_along {
            own
        } else {
            whole
        }
    }

    /// The mass properties of two bodies as one.
    pub fn union(&self, other: &Self) -> Self {
        let volume = self.volume + other.volume;
        if volume == 0.0 {
            return *self;
        }
        let center = (self.center * self.volume + other.center * other.volume) / volume;
        let about = |part: &Self| {
            let d = part.center - center;
            part.moments + outer(d, d) * part.volume
        };
        Self {
            volume,
            center,
            moments: about(self) + about(other),
        }
    }
}

/// The unit vector across a direction that is nearest to the first of two others which is not along it.
fn across(direction: DVec3, wanted: [DVec3; 2]) -> DVec3 {
    let is_along = direction.dot(wanted[0]).abs() > ALONG;
    let wanted = wanted[usize::from(is_along)];
    wanted.reject_from(direction).normalize_or(DVec3::X)
}

/// A sum over tetrahedra about an origin that the caller chooses: near the surface the terms stay
/// small, and so does their cancellation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MassAccumulator {
    /// Six times the volume.
    volume: f64,
    first_moments: DVec3,
    /// Second moments xx, yy, zz.
    squares: DVec3,
    /// Second moments xy, yz, zx.
    products: DVec3,
}

impl MassAccumulator {
    /// Adds the tetrahedron between the origin and a triangle, whose corners are relative to it.
    pub fn add(&mut self, [a, b, c]: [DVec3; 3]) {
        let six = a.dot(b.cross(c));
        // The squares of a, b, c and their sum equal those of the pairwise sums.
        let (p, q, r) = (a + b, b + c, c + a);
        self.volume += six;
        self.first_moments += six * (p + c);
        self.squares += six * (p * p + q * q + r * r);
        let mixed = |v: DVec3| v * DVec3::new(v.y, v.z, v.x);
        self.products += six * (mixed(p) + mixed(q) + mixed(r));
    }

    /// Adds another sum about the same origin.
    pub fn merge(&mut self, other: &Self) {
        self.volume += other.volume;
        self.first_moments += other.first_moments;
        self.squares += other.squares;
        self.products += other.products;
    }

    /// The sum over the same triangles with opposite orientation.
    pub fn reversed(&self) -> Self {
        Self {
            volume: -self.volume,
            first_moments: -self.first_moments,
            squares: -self.squares,
            products: -self.products,
        }
    }

    /// Adds a triangle as a sheet of a thickness.
    pub fn add_sheet(&mut self, [a, b, c]: [DVec3; 3], thickness: f64) {
        let weight = 0.5 * thickness * (b - a).cross(c - a).length();
        let sum = a + b + c;
        // The factors cancel those of tetrahedra in `properties`.
        self.volume += 6.0 * weight;
        self.first_moments += 8.0 * weight * sum;
        self.squares += 10.0 * weight * (sum * sum + a * a + b * b + c * c);
        let mixed = |v: DVec3| v * DVec3::new(v.y, v.z, v.x);
        self.products += 10.0 * weight * (mixed(sum) + mixed(a) + mixed(b) + mixed(c));
    }

    /// The volume of everything added.
    pub fn volume(&self) -> f64 {
        self.volume / 6.0
    }

    /// The mass properties of everything added.
    pub fn properties(&self, origin: DVec3) -> MassProperties {
        let volume = self.volume();
        if volume == 0.0 {
            return MassProperties {
                center: origin,
                ..MassProperties::default()
            };
        }
        let center = self.first_moments / (24.0 * volume);
        let (s, p) = (self.squares / 120.0, self.products / 120.0);
        let about_origin = DMat3::from_cols(
            DVec3::new(s.x, p.x, p.z),
            DVec3::new(p.x, s.y, p.y),
            DVec3::new(p.z, p.y, s.z),
        );
        MassProperties {
            volume,
            center: center + origin,
            moments: about_origin - outer(center, center) * volume,
        }
    }
}

/// Half the solid angle of a triangle as seen from a point (Van Oosterom and Strackee 1983).
pub(crate) fn half_solid_angle(triangle: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|p| p - point);
    let (x, y, z) = (a.length(), b.length(), c.length());
    let numerator = a.dot(b.cross(c));
    let denominator = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
    libm::atan2(numerator, denominator)
}

/// Whether a closed surface winds around a point, given the sum of its half solid angles, which is 0 or
/// a multiple of 2 pi.
pub(crate) fn is_wound_around(half_solid_angles: f64) -> bool {
    half_solid_angles > std::f64::consts::PI
}

/// Rounding error of a volume, as a fraction of the sum of the terms' magnitudes: far above the error
/// of a sum of millions, and far below any thin shell.
const VOLUME_ROUNDING: f64 = 1e-11;

/// The volume below which a sum over triangles is nothing but rounding: components whose orientations
/// cancel each other leave such a volume.
pub(crate) fn volume_rounding(triangles: impl IntoIterator<Item = [DVec3; 3]>) -> f64 {
    let mut origin = None;
    let mut sum = 0.0;
    for [a, b, c] in triangles {
        let origin = *origin.get_or_insert(a);
        sum += (a - origin).dot((b - origin).cross(c - origin)).abs();
    }
    sum / 6.0 * VOLUME_ROUNDING
}

/// [`volume_rounding`], or 0 for a volume that is larger than it can be for so many triangles in a box
/// of a diagonal; so the sum is seldom needed. No term is above the diagonal's cube.
pub(crate) fn volume_rounding_below<I: Iterator<Item = [DVec3; 3]>>(
    volume: f64,
    triangle_count: usize,
    diagonal: f64,
    triangles: impl Fn() -> I,
) -> f64 {
    if volume > triangle_count as f64 * diagonal.powi(3) * VOLUME_ROUNDING {
        0.0
    } else {
        volume_rounding(triangles())
    }
}

/// `a b^T`
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use glam::Vec3;

    fn mass(mesh: &Mesh, shift: DVec3) -> MassProperties {
        let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3() + shift;
        MassProperties::from_triangles(mesh.triangles.iter().map(|t| t.map(place)))
    }

    #[test]
    fn the_long_frame_is_that_of_a_leaning_plank_and_upright_where_no_side_is_longest() {
        let frame = |size, turn: glam::DQuat| {
            let mut mesh = Mesh::cuboid(size);
            for corner in &mut mesh.positions {
                *corner = (turn * Vec3::from(*corner).as_dvec3()).as_vec3().to_array();
            }
            MassProperties::from_mesh(&mesh).long_frame()
        };
        let turn = glam::DQuat::from_rotation_z(0.3) * glam::DQuat::from_rotation_x(1.1);
        for (size, thin, long) in [
            ([2.0, 0.1, 0.2], DVec3::Y, DVec3::X),
            ([0.1, 0.15, 0.2], DVec3::X, DVec3::Z),
            ([0.3, 1.0, 0.02], DVec3::Z, DVec3::Y),
        ] {
            let found = frame(size, turn);
            assert!((found.determinant() - 1.0).abs() < 1e-9);
            for (column, side) in [(0, thin), (1, long)] {
                let along = found.col(column).dot(turn * side).abs();
                assert!(along > 1.0 - 1e-9, "{size:?}: {along}");
            }
        }
        // The moments of a turned cube differ by rounding.
        assert_eq!(frame([1.0; 3], turn), DMat3::IDENTITY);
        let none = glam::DQuat::IDENTITY;
        for (size, x, y) in [
            ([0.1, 1.0, 1.0], DVec3::X, DVec3::Y),
            ([1.0, 0.1, 1.0], DVec3::Y, DVec3::X),
            ([0.1, 1.0, 0.1], DVec3::X, DVec3::Y),
            ([1.0, 0.1, 0.1], DVec3::Z, DVec3::X),
        ] {
            let found = frame(size, none);
            let along = [(0, x), (1, y)].map(|(column, side)| found.col(column).dot(side).abs());
            assert!(
                along.iter().all(|cosine| *cosine > 1.0 - 1e-9),
                "{size:?}: {found}"
            );
        }
        assert_eq!(MassProperties::default().long_frame(), DMat3::IDENTITY);
    }

    #[test]
    fn a_part_has_the_long_frame_of_the_whole_unless_it_is_a_member_of_its_own() {
        let whole = MassProperties::from_mesh(&Mesh::cuboid([1.2, 0.05, 0.8])).long_frame();
        for (size, along) in [
            ([0.05, 0.7, 0.05], DVec3::Y), // a leg
            ([0.1, 0.2, 0.1], DVec3::X),   // a stump of one that is not known to be one
            ([0.2, 0.05, 0.8], DVec3::X),  // the end of the top
            ([0.02, 0.02, 0.02], DVec3::X),
            ([0.8, 0.04, 0.05], DVec3::X),
        ] {
            let part = MassProperties::from_mesh(&Mesh::cuboid(size));
            let found = part.long_frame_within(whole);
            assert!(found.y_axis.dot(along).abs() > 1.0 - 1e-9, "{size:?}");
            assert_eq!(part.long_frame_within(found), found);
        }
    }

    #[test]
    fn the_principal_inertia_of_a_turned_box_is_that_of_the_box_about_turned_axes() {
        let mut mesh = Mesh::cuboid([1.0, 2.0, 4.0]);
        let turn = DQuat::from_rotation_z(0.3) * DQuat::from_rotation_x(1.1);
        for corner in &mut mesh.positions {
            *corner = (turn * Vec3::from(*corner).as_dvec3()).as_vec3().to_array();
        }
        let (found, to_axes) = MassProperties::from_mesh(&mesh).principal_inertia(3.0);
        for (along, sides) in [(DVec3::X, 20.0), (DVec3::Y, 17.0), (DVec3::Z, 5.0)] {
            let axis = to_axes.inverse() * (turn * along);
            let about = found.dot(axis * axis);
            assert!(
                (about - 3.0 * 8.0 / 12.0 * sides).abs() < 1e-4,
                "{along}: {about}"
            );
        }
    }

    #[test]
    fn a_box_has_the_moments_of_a_box() {
        let sides = DVec3::new(1.0, 2.0, 4.0);
        let shift = DVec3::new(3.0, -2.0, 5.0);
        let found = mass(&Mesh::cuboid([1.0, 2.0, 4.0]), shift);
        assert!((found.volume - 8.0).abs() < 1e-12);
        assert!((found.center - shift).length() < 1e-12);
        let wanted = DMat3::from_diagonal(sides * sides * 8.0 / 12.0);
        assert!((found.moments - wanted)
            .to_cols_array()
            .iter()
            .all(|x| x.abs() < 1e-9));
        let inertia = found.inertia(3.0);
        let about_x = 3.0 * 8.0 / 12.0 * (sides.y * sides.y + sides.z * sides.z);
        assert!((inertia.x_axis.x - about_x).abs() < 1e-9);
    }

    #[test]
    fn a_sheet_has_the_moments_of_a_thin_box() {
        let (mesh, thickness) = (Mesh::cuboid([1.0, 2.0, 0.0]), 1e-6);
        let mut sheet = MassAccumulator::default();
        for triangle in mesh.triangles.iter().filter(|t| t[0] >= 20) {
            sheet.add_sheet(
                triangle.map(|v| DVec3::from(mesh.positions[v as usize].map(f64::from))),
                thickness,
            );
        }
        let sheet = sheet.properties(DVec3::ZERO);
        assert!((sheet.volume - 2e-6).abs() < 1e-18, "{sheet:?}");
        assert!(sheet.center.length() < 1e-12, "{sheet:?}");
        let wanted = DVec3::new(1.0, 4.0, 0.0) * 2e-6 / 12.0;
        let off = sheet.moments - DMat3::from_diagonal(wanted);
        assert!(
            off.to_cols_array().iter().all(|x| x.abs() < 1e-18),
            "{sheet:?}"
        );
    }

    #[test]
    fn two_halves_join_to_the_whole() {
        let half = Mesh::cuboid([1.0, 1.0, 1.0]);
        let whole = mass(&Mesh::cuboid([2.0, 1.0, 1.0]), DVec3::ZERO);
        let sum = mass(&half, DVec3::X * 0.5).union(&mass(&half, DVec3::X * -0.5));
        assert!((sum.volume - whole.volume).abs() < 1e-12);
        assert!((sum.moments - whole.moments)
            .to_cols_array()
            .iter()
            .all(|x| x.abs() < 1e-9));
    }
}

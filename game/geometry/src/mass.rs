//! Volume, centre of mass and inertia of closed meshes by signed tetrahedra.

use glam::{DMat3, DVec3};

/// The mass properties of a solid of density one.
///
/// Source of the method: the divergence theorem over tetrahedra from a reference point, exact for
/// polyhedra (Eberly, "Polyhedral Mass Properties (Revisited)", 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// Volume in cubic metres; negative for a solid turned inside out.
    pub volume: f64,
    /// Centre of mass in metres.
    pub center: DVec3,
    /// Second moments about the centre, the integral of `r r^T` over the volume, in m^5.
    /// Linear maps act on it as `L M L^T |det L|`; see [`Mass::inertia`].
    pub moments: DMat3,
}

impl Mass {
    /// Sums signed tetrahedra over a closed surface given as triangles of points.
    pub fn of_triangles(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Self {
        let Some(origin) = triangles.clone().next().map(|t| t[0]) else {
            return Self::default();
        };
        let mut volume = 0.0;
        let mut first = DVec3::ZERO;
        let mut second = DMat3::ZERO;
        for [a, b, c] in triangles {
            // A reference point on the surface keeps the terms, and so the cancellation, small.
            let (a, b, c) = (a - origin, b - origin, c - origin);
            let six = a.dot(b.cross(c));
            let sum = a + b + c;
            volume += six;
            first += six * sum;
            second += six * (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c));
        }
        let volume = volume / 6.0;
        if volume == 0.0 {
            return Self {
                center: origin,
                ..Self::default()
            };
        }
        let center = first / (24.0 * volume);
        let moments = second * (1.0 / 120.0) - outer(center, center) * volume;
        Self {
            volume,
            center: center + origin,
            moments,
        }
    }

    /// Inertia tensor about the centre for the given density (kg/m^3), in kg m^2.
    pub fn inertia(&self, density: f64) -> DMat3 {
        let m = self.moments;
        let trace = m.x_axis.x + m.y_axis.y + m.z_axis.z;
        (DMat3::from_diagonal(DVec3::splat(trace)) - m) * density
    }

    /// Two bodies as one.
    pub fn join(&self, other: &Self) -> Self {
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

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

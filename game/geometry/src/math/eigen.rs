//! Eigenvalues and eigenvectors of symmetric matrices.

use glam::{DMat3, DVec3};

/// Sweeps over the three pairs of axes; each squares what is left beside the diagonal.
const SWEEPS: usize = 8;

/// The eigenvalues of a symmetric matrix and its eigenvectors, of length one and right-handed, as columns in the same
/// order, by Jacobi rotations.
pub fn symmetric_eigen(mut matrix: DMat3) -> (DVec3, DMat3) {
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off_diagonal = matrix.col(q)[p];
            let difference = matrix.col(q)[q] - matrix.col(p)[p];
            let angle = 0.5 * libm::atan2(2.0 * off_diagonal, difference);
            let (sin, cos) = libm::sincos(angle);
            let mut rotation = DMat3::IDENTITY;
            rotation.col_mut(p)[p] = cos;
            rotation.col_mut(q)[q] = cos;
            rotation.col_mut(q)[p] = sin;
            rotation.col_mut(p)[q] = -sin;
            matrix = rotation.transpose() * matrix * rotation;
            vectors *= rotation;
        }
    }
    let values = DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, EulerRot};

    #[test]
    fn a_turned_diagonal_has_its_values_and_turned_axes() {
        for values in [
            DVec3::new(3.0, 2.0, 1.0),
            DVec3::new(1e-9, 2e-9, 2e-9),
            DVec3::splat(5.0),
        ] {
            let turn = DMat3::from_quat(DQuat::from_euler(EulerRot::XYZ, 0.3, -0.5, 0.8));
            let matrix = turn * DMat3::from_diagonal(values) * turn.transpose();
            let (found, axes) = symmetric_eigen(matrix);
            let again = axes * DMat3::from_diagonal(found) * axes.transpose();
            let error = (again - matrix).to_cols_array();
            let scale = values.max_element();
            assert!(error.iter().all(|e| e.abs() < 1e-12 * scale), "{values}");
            assert!((axes.determinant() - 1.0).abs() < 1e-12, "{values}");
            assert!((found.element_sum() - values.element_sum()).abs() < 1e-12 * scale);
        }
    }

    #[test]
    fn a_diagonal_stays_as_it_is() {
        let (values, axes) = symmetric_eigen(DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)));
        assert_eq!(values, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(axes, DMat3::IDENTITY);
    }
}

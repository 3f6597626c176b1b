//! The few vector operations the makers need.

/// Three numbers.
pub type Vec3 = [f32; 3];

/// `a + b`.
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a * factor`.
pub fn scale(a: Vec3, factor: f32) -> Vec3 {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// The inner product.
pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The Euclidean length.
pub fn length(a: Vec3) -> f32 {
    dot(a, a).sqrt()
}

/// The unit vector; the zero vector stays as it is.
pub fn normalize(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 {
        scale(a, 1.0 / length)
    } else {
        a
    }
}

/// From `a` to `b` by `t`.
pub fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

//! Three numbers in a scenario, written `(1, 2, 3)` or `[1, 2, 3]`.

use fyrox::core::algebra::Vector3;
use serde::{
    de::{Error, SeqAccess, Visitor},
    Deserialize, Deserializer, Serialize, Serializer,
};
use std::fmt;

/// A point, direction or velocity; finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub Vector3<f32>);

impl Point {
    /// Rounds to three decimals, for short recordings.
    pub fn short(self) -> Self {
        Self(self.0.map(|value| (value * 1e3).round() / 1e3))
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0.x, self.0.y, self.0.z).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PointVisitor)
    }
}

struct PointVisitor;

impl<'de> Visitor<'de> for PointVisitor {
    type Value = Point;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("three numbers, like (1.0, 2.0, 3.0)")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Point, A::Error> {
        let mut values = [0.0f32; 3];
        for (index, value) in values.iter_mut().enumerate() {
            *value = numbers
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(index, &self))?;
        }
        if numbers.next_element::<f32>()?.is_some() {
            return Err(A::Error::invalid_length(4, &self));
        }
        if values.iter().all(|value| value.is_finite()) {
            Ok(Point(values.into()))
        } else {
            Err(A::Error::custom("the three numbers must be finite"))
        }
    }
}

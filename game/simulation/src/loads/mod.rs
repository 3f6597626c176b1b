//! Loads: what rests on held bodies, debris and bodies of the host, and what hangs on them by joints.
//!
//! A force counts when it has lasted for a tenth of a second: of the three thirtieths of a second before now the one in
//! which a body pressed least is its load, so that blows, which are impacts, are none. The debris world knows the forces
//! of debris and of bodies among it, the host those of the others. A body that sleeps or is frozen goes on pressing as
//! it did. Where the loads of a body have changed by a twentieth, the stress in it is solved with them, and the building
//! is weighed.

mod body_force;
mod hanging;
mod islands;
mod landed;
pub(crate) mod landing;
mod load_list;
mod resting;
pub(crate) mod update;

pub(crate) use resting::Loads;

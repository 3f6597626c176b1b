//! The loading state of an asset that a script refers to.

use fyrox::asset::{state::ResourceState, Resource, TypedResourceData};

/// The loading state of an asset, with what is needed of its content. Assets are edited in place.
#[derive(Clone)]
pub(super) enum AssetState<T> {
    Loading,
    Loaded(T),
    Failed(String),
}

impl<T> AssetState<T> {
    /// Reads an asset; `kind` is the word for it, and the extension of its files.
    pub fn read<A: TypedResourceData>(
        asset: &Resource<A>,
        kind: &str,
        read: impl FnOnce(&A) -> T,
    ) -> Self {
        let header = asset.header();
        match &header.state {
            ResourceState::Pending { .. } | ResourceState::Unloaded => Self::Loading,
            ResourceState::LoadError { error, .. } => Self::Failed(format!(
                "its {kind} cannot be loaded: {error}; restore the file or choose another {kind}"
            )),
            ResourceState::Ok { .. } => {
                drop(header);
                match asset.data_ref().as_loaded_ref() {
                    Some(content) => Self::Loaded(read(content)),
                    None => Self::Failed(format!(
                        "its {kind} is another kind of file; choose a .{kind} file"
                    )),
                }
            }
        }
    }

    /// The content; `None` while it is being loaded.
    pub fn content(&self) -> Result<Option<&T>, String> {
        match self {
            Self::Loading => Ok(None),
            Self::Loaded(content) => Ok(Some(content)),
            Self::Failed(reason) => Err(reason.clone()),
        }
    }
}

/// A figure that is no number equals itself: else an object with one would be loaded anew in each frame.
impl<T: PartialEq + std::fmt::Debug> PartialEq for AssetState<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Loaded(one), Self::Loaded(other)) => {
                one == other || format!("{one:?}") == format!("{other:?}")
            }
            (Self::Failed(one), Self::Failed(other)) => one == other,
            _ => false,
        }
    }
}

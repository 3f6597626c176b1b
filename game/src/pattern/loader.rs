//! Reads `.pattern` files for the engine's resource manager.

use super::{file::PatternFileError, fracture_pattern::FracturePattern};
use fyrox::{
    asset::{
        io::ResourceIo,
        loader::{BoxedLoaderFuture, LoaderPayload, ResourceLoader},
        state::LoadError,
    },
    core::{uuid::Uuid, TypeUuidProvider},
};
use std::{path::PathBuf, sync::Arc};

/// File name extension of pattern files.
const EXTENSION: &str = "pattern";

/// Loads [`FracturePattern`] assets.
pub struct FracturePatternLoader;

impl ResourceLoader for FracturePatternLoader {
    fn extensions(&self) -> &[&str] {
        &[EXTENSION]
    }

    fn is_native_extension(&self, extension: &str) -> bool {
        extension.eq_ignore_ascii_case(EXTENSION)
    }

    fn data_type_uuid(&self) -> Uuid {
        <FracturePattern as TypeUuidProvider>::type_uuid()
    }

    fn load(&self, path: PathBuf, io: Arc<dyn ResourceIo>) -> BoxedLoaderFuture {
        Box::pin(async move {
            let bytes = io.load_file(&path).await.map_err(|error| {
                LoadError::new(PatternFileError::Read {
                    path: path.display().to_string(),
                    reason: error.to_string(),
                })
            })?;
            let pattern = FracturePattern::from_bytes(&bytes, &path).map_err(LoadError::new)?;
            Ok(LoaderPayload::new(pattern))
        })
    }
}

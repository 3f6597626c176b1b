//! The files of the assets, in the engine's text format: reading, writing, versions and errors.

use fyrox::{
    asset::{
        io::ResourceIo,
        loader::{BoxedLoaderFuture, LoaderPayload, ResourceLoader},
        manager::ResourceManager,
        state::LoadError,
        ResourceData, TypedResourceData,
    },
    core::{uuid::Uuid, visitor::prelude::*, TypeUuidProvider},
};
use std::{
    error::Error,
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::Arc,
};
use thiserror::Error as ThisError;

/// An asset with a file of its own.
pub(crate) trait AssetFile: TypedResourceData + ResourceData + Default {
    /// Extension of the file's name, which is the word for the asset in messages, too. Not `KIND`: `Reflect` gives each
    /// type constants with the names of its fields, which would be taken first.
    const FILE_KIND: &'static str;
    /// Name of the outermost region of the file.
    const REGION: &'static str;
    /// The version that is written, and the newest that is read.
    const NEWEST: u32;

    /// The version that the file has.
    fn version(&mut self) -> &mut u32;

    /// Checks what has been read; the error is a sentence with the remedy.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Reads the content of a file; `path` is for messages only. Other assets are requested from `resources`.
    fn from_file_content(
        bytes: &[u8],
        path: &Path,
        resources: Option<&ResourceManager>,
    ) -> Result<Self, AssetFileError> {
        let kind = Self::FILE_KIND;
        let path = || path.display().to_string();
        let corrupt = |error: VisitError| AssetFileError::Corrupt {
            kind,
            path: path(),
            reason: error.to_string(),
        };
        let mut visitor = Visitor::load_from_memory(bytes).map_err(corrupt)?;
        if let Some(resources) = resources {
            visitor.blackboard.register(Arc::new(resources.clone()));
        }
        let mut asset = Self::default();
        let result = asset.visit(Self::REGION, &mut visitor);
        let (found, newest) = (*asset.version(), Self::NEWEST);
        // A newer file may lack fields of this version: the version is the better explanation.
        if found > newest {
            return Err(AssetFileError::Version {
                kind,
                path: path(),
                found,
                newest,
            });
        }
        result.map_err(corrupt)?;
        asset.check().map_err(|reason| AssetFileError::Content {
            kind,
            path: path(),
            reason,
        })?;
        Ok(asset)
    }

    /// Writes a file.
    fn write_file(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        *self.version() = Self::NEWEST;
        let mut visitor = Visitor::new();
        self.visit(Self::REGION, &mut visitor)?;
        visitor.save_ascii_to_file(path)?;
        Ok(())
    }
}

/// Reason why the file of an asset cannot be used.
#[derive(Debug, ThisError)]
pub enum AssetFileError {
    /// The file cannot be read from the disk.
    #[error("the {kind} file \"{path}\" cannot be read: {reason}")]
    Read {
        /// Kind of the asset, in a word.
        kind: &'static str,
        /// The file.
        path: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The content is not such an asset.
    #[error("the {kind} file \"{path}\" is corrupt: {reason}; save it again in the editor")]
    Corrupt {
        /// Kind of the asset, in a word.
        kind: &'static str,
        /// The file.
        path: String,
        /// The part that could not be read.
        reason: String,
    },
    /// The file was written by a newer version of this crate.
    #[error("the {kind} file \"{path}\" has version {found}, this program reads up to {newest}; update the program")]
    Version {
        /// Kind of the asset, in a word.
        kind: &'static str,
        /// The file.
        path: String,
        /// Version in the file.
        found: u32,
        /// The newest version that can be read.
        newest: u32,
    },
    /// The file can be read, but what it says makes no sense.
    #[error("the {kind} file \"{path}\" makes no sense: {reason}; correct it in the editor")]
    Content {
        /// Kind of the asset, in a word.
        kind: &'static str,
        /// The file.
        path: String,
        /// The figure at fault.
        reason: String,
    },
}

/// Reads the files of a kind of assets for the engine's resource manager.
pub(crate) struct AssetFileLoader<T> {
    resources: ResourceManager,
    asset: PhantomData<fn() -> T>,
}

impl<T> AssetFileLoader<T> {
    pub fn new(resources: &ResourceManager) -> Self {
        Self {
            resources: resources.clone(),
            asset: PhantomData,
        }
    }
}

impl<T: AssetFile> ResourceLoader for AssetFileLoader<T> {
    fn extensions(&self) -> &[&str] {
        &[T::FILE_KIND]
    }

    fn is_native_extension(&self, extension: &str) -> bool {
        extension.eq_ignore_ascii_case(T::FILE_KIND)
    }

    fn data_type_uuid(&self) -> Uuid {
        <T as TypeUuidProvider>::type_uuid()
    }

    fn load(&self, path: PathBuf, io: Arc<dyn ResourceIo>) -> BoxedLoaderFuture {
        let resources = self.resources.clone();
        Box::pin(async move {
            let bytes = io.load_file(&path).await.map_err(|error| {
                LoadError::new(AssetFileError::Read {
                    kind: T::FILE_KIND,
                    path: path.display().to_string(),
                    reason: error.to_string(),
                })
            })?;
            let asset = T::from_file_content(&bytes, &path, Some(&resources));
            Ok(LoaderPayload::new(asset.map_err(LoadError::new)?))
        })
    }
}

//! Files that a model names: tables, meshes, parts. A model reads nothing outside its own folder unless its
//! user allows it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Largest size of a file.
pub const MAX_BYTES: u64 = 64 << 20;

/// The content of a file, a device or a pipe, if it has at most [`MAX_BYTES`]. Nothing more is read, since a
/// device may have no end.
pub(crate) fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("it has more than {MAX_BYTES} bytes, which is the largest size");
        return Err(std::io::Error::other(message));
    }
    Ok(bytes)
}

/// The same for text.
pub fn read_text(path: &Path) -> std::io::Result<String> {
    let wrong = |_| std::io::Error::other("it is not a text file (UTF-8)");
    String::from_utf8(read_bytes(path)?).map_err(wrong)
}

/// Location of the files of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    /// In the folder of the model.
    Folder {
        /// The folder of the model.
        folder: PathBuf,
        /// True if absolute paths, `..` and links may lead out of it.
        anywhere: bool,
    },
    /// In memory, by name.
    Memory(Arc<BTreeMap<String, Vec<u8>>>),
    /// Those of a part: names begin in its folder, which is below that of the model.
    Below(Arc<Files>, String),
}

impl Files {
    /// The folder of a model file, and nothing else.
    pub fn next_to(model: &str) -> Self {
        let folder = Path::new(model).parent().unwrap_or(Path::new("")).to_path_buf();
        Files::Folder { folder, anywhere: false }
    }

    /// The folder of a model file, and any other location that its names give.
    pub fn anywhere(model: &str) -> Self {
        match Files::next_to(model) {
            Files::Folder { folder, .. } => Files::Folder { folder, anywhere: true },
            other => other,
        }
    }

    /// Files by name, for tests and programs.
    pub fn memory<const N: usize>(list: [(&str, &str); N]) -> Self {
        let list = list.map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
        Files::Memory(Arc::new(BTreeMap::from(list)))
    }

    /// The files of a part: it names them from its own folder.
    pub(crate) fn of_part(&self, file: &str) -> Self {
        match file.rsplit_once('/') {
            Some((folder, _)) => Files::Below(Arc::new(self.clone()), folder.to_string()),
            None => self.clone(),
        }
    }

    /// The name of a file from the folder of the model.
    pub(crate) fn path_from_model(&self, name: &str) -> String {
        match self {
            Files::Below(files, folder) if !Path::new(name).has_root() => {
                files.path_from_model(&format!("{folder}/{}", name.trim_start_matches("./")))
            }
            Files::Below(files, _) => files.path_from_model(name),
            _ => name.to_string(),
        }
    }

    /// The content of a file.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        match self {
            Files::Below(files, _) => files.first().read(&self.path_from_model(name)),
            Files::Memory(list) => {
                list.get(name).cloned().ok_or_else(|| format!("there is no file '{name}'"))
            }
            Files::Folder { folder, anywhere } => {
                let path = if *anywhere { folder.join(name) } else { inside(folder, name)? };
                let cannot = |e: std::io::Error| format!("cannot read '{name}': {e}");
                let about = std::fs::metadata(&path).map_err(cannot)?;
                if !about.is_file() {
                    return Err(format!("'{name}' is not a file"));
                }
                read_bytes(&path).map_err(cannot)
            }
        }
    }

    /// Those of the model.
    fn first(&self) -> &Files {
        match self {
            Files::Below(files, _) => files.first(),
            other => other,
        }
    }

    /// The content of a text file.
    pub fn text(&self, name: &str) -> Result<String, String> {
        String::from_utf8(self.read(name)?).map_err(|_| format!("'{name}' is not a text file"))
    }
}

/// A path below a folder; refuses `..`, absolute paths and links out of it.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let outside = |why: &str| {
        format!("'{name}' {why}: a model reads files in its own folder only, unless it may read others")
    };
    let mut path = folder.to_path_buf();
    for part in Path::new(name).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => {
                path.push(part);
                let link = std::fs::symlink_metadata(&path).is_ok_and(|m| m.file_type().is_symlink());
                if link {
                    return Err(outside("is behind a link"));
                }
            }
            Component::ParentDir => return Err(outside("leaves the folder with '..'")),
            Component::RootDir | Component::Prefix(_) => return Err(outside("begins at the root")),
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_read() {
        let base = std::env::temp_dir().join(format!("precess-files-{}", std::process::id()));
        let folder = base.join("model");
        std::fs::create_dir_all(folder.join("parts")).unwrap();
        std::fs::write(base.join("secret.csv"), "1,2").unwrap();
        std::fs::write(folder.join("parts/in.csv"), "3,4").unwrap();
        let model = folder.join("model.toml").display().to_string();
        let files = Files::next_to(&model);
        assert_eq!(files.text("parts/in.csv").unwrap(), "3,4");
        assert_eq!(files.text("./parts/in.csv").unwrap(), "3,4");
        let absolute = base.join("secret.csv").display().to_string();
        for (name, why) in
            [("../secret.csv", "'..'"), ("parts/../../secret.csv", "'..'"), (&absolute, "root")]
        {
            assert!(files.text(name).unwrap_err().contains(why), "{name}");
            assert_eq!(Files::anywhere(&model).text(name).unwrap(), "1,2", "{name}");
        }
        assert!(files.text("parts").unwrap_err().contains("is not a file"));
        assert!(files.text("none.csv").unwrap_err().contains("cannot read"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(base.join("secret.csv"), folder.join("link.csv")).unwrap();
            std::os::unix::fs::symlink(&base, folder.join("up")).unwrap();
            assert!(files.text("link.csv").unwrap_err().contains("link"));
            assert!(files.text("up/secret.csv").unwrap_err().contains("link"));
            assert_eq!(Files::anywhere(&model).text("up/secret.csv").unwrap(), "1,2");
        }
        std::fs::remove_dir_all(base).unwrap();
    }
}

//! Enumerations whose variants have names for users.

use std::fmt::Debug;

/// Defines the names of the variants: `NAMES`, `name`, `FromStr` and `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Names in the order of the variants.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// Name as typed by users; `Display` writes it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<Self, $crate::Error> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::Error::unknown_name($what, name, Self::NAMES)),
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

/// The word of model files for a variant of an enum. It is made from the name: `RigidDistance` is
/// `rigid-distance`.
pub fn word(variant: &dyn Debug) -> String {
    let debug = format!("{variant:?}");
    let mut word = String::new();
    for c in debug.chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(c.to_lowercase());
    }
    word
}

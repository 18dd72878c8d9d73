//! Enumerations whose variants have names for users.

/// Defines the names of the variants: `NAMES`, `name`, `FromStr` and `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Names in the order of the variants.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// Name as typed by users; `Display` writes it.
            #[doc(hidden)]
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

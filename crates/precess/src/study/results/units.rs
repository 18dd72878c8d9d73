//! Results in the units chosen by a user, and back in SI units for programs that compute with them.

use std::borrow::Cow;

use super::Results;
use crate::model::expression::units::{chosen, parse};

impl Results {
    /// Converts to these units where they fit, except for times. Unknown units are ignored.
    pub(crate) fn in_units(mut self, wanted: &[String]) -> Self {
        for column in &mut self.columns {
            let Some((unit, factor)) = chosen(&column.unit, wanted) else { continue };
            column.values.iter_mut().for_each(|x| *x *= factor);
            column.unit = unit.to_string();
        }
        self.metadata.units = self.columns.iter().map(|c| c.unit.clone()).collect();
        self
    }

    /// Converts to SI units.
    pub fn in_si(&self) -> Cow<'_, Self> {
        let is_si = |text: &str| text.is_empty() || parse(text).is_ok_and(|u| u.to_si(1.0) == 1.0);
        if self.columns.iter().all(|c| is_si(&c.unit)) {
            return Cow::Borrowed(self);
        }
        let si = [
            "m", "rad", "kg", "m/s", "rad/s", "m/s^2", "rad/s^2", "N", "N m", "J", "W", "kg m/s", "kg m^2/s",
        ];
        Cow::Owned(self.clone().in_units(&si.map(str::to_string)))
    }
}

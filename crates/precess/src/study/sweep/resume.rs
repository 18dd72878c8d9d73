//! Checkpoints of sweeps: a sweep that was stopped continues with the rows that are not done.

use super::{NOT_DONE, Sweep, SweepRow};
use crate::persist::{Archive, Damage};
use crate::study::checkpoint::Identity;

/// A row in a checkpoint: its number, its numbers, the error and the doubt.
type Kept = (usize, (Vec<f64>, (Option<String>, Option<String>)));

impl Sweep {
    /// The identity of this sweep: two sweeps with the same pairs have the same rows.
    pub fn identity(&self) -> Identity {
        let model = (0..self.points.len()).take(super::MAX_TRIES).find_map(|i| self.model(i).ok());
        let identity = model.map_or_else(Identity::new, |loaded| loaded.identity());
        let names: Vec<String> = self.variations.iter().map(|v| format!("{} {}", v.path, v.unit)).collect();
        identity
            .with("the kind of run", "a sweep")
            .with("the list of varied entries", names.join(", "))
            .with("the list of collected quantities", self.collect.columns.join(", "))
            .with("the number of runs", self.points.len())
            .with_text("the list of values", &format!("{:?}", self.points))
    }

    /// Saves or restores finished rows.
    pub fn persist_rows(
        &self,
        rows: &mut Vec<(usize, SweepRow)>,
        archive: &mut Archive,
    ) -> Result<(), Damage> {
        let width = self.collect.columns.len();
        let nothing = vec![f64::NAN; width];
        let keep = |(i, row): &(usize, SweepRow)| -> Kept {
            let numbers = row.result.as_ref().ok().unwrap_or(&nothing).clone();
            (*i, (numbers, (row.result.as_ref().err().cloned(), row.untrusted.clone())))
        };
        let done = |row: &SweepRow| row.result.as_ref().err().is_none_or(|e| e != NOT_DONE);
        let mut list: Vec<Kept> = rows.iter().filter(|(_, row)| done(row)).map(keep).collect();
        archive.growing_like(&mut list, &(0, (nothing.clone(), (None, None))))?;
        if !archive.reads() {
            return Ok(());
        }
        rows.clear();
        for (i, (numbers, (error, untrusted))) in list {
            let values = self.points.get(i).cloned().ok_or(Damage::Value)?;
            rows.push((i, SweepRow { values, result: error.map_or(Ok(numbers), Err), untrusted }));
        }
        Ok(())
    }

    /// The parts that have a row which is not among these.
    pub fn missing(&self, parts: &super::Parts, rows: &[(usize, SweepRow)]) -> Vec<usize> {
        let mut done = vec![false; self.points.len()];
        for (i, _) in rows {
            if let Some(place) = done.get_mut(*i) {
                *place = true;
            }
        }
        let lacks = |runs: &[usize]| runs.iter().any(|&i| done.get(i) != Some(&true));
        (0..parts.len()).filter(|&i| parts.runs(i).is_some_and(lacks)).collect()
    }
}

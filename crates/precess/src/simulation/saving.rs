//! Saving, restoring and copying a simulation.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Method, Progress, Simulation, method};
use crate::Error;
use crate::integrate::adaptive::TurningPoints;
use crate::persist::{Archive, Damage, Persist, ensure};
use crate::runs::driver::HISTORY;
use crate::study::{Cadence, CheckpointError, Checkpoints, replace::replace};

/// Saving: the simulation continues with the same bits, in another program and on another day.
impl Simulation {
    fn checkpoints(&self) -> Checkpoints {
        let identity = self.loaded.identity().with("the kind of run", "a simulation by steps");
        Checkpoints::in_memory(Cadence::Steps(usize::MAX), identity)
    }

    /// The whole simulation as bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut checkpoints = self.checkpoints();
        let (mut place, mut state, mut course) = (self.place, self.state.clone(), self.course.clone());
        let mut method = self.method.lock().unwrap_or_else(PoisonError::into_inner);
        checkpoints.save(self.place.steps, |archive| {
            place.persist(archive)?;
            let mut inputs = self.inputs.values();
            archive.finite("the inputs", |archive| inputs.iter_mut().try_for_each(|x| x.persist(archive)))?;
            archive.finite("the state", |archive| state.persist(archive))?;
            course.persist(&self.state, archive)?;
            if self.place.started {
                archive
                    .finite(HISTORY, |archive| method.persist(&*self.system, &self.first.state, archive))?;
            }
            Ok(())
        })?;
        Ok(checkpoints.bytes().to_vec())
    }

    /// Continues from saved bytes of the same model and settings. On an error nothing changes.
    pub fn from_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut fresh = self.again()?;
        let before = self.inputs.values();
        let mut checkpoints = self.checkpoints();
        checkpoints.resume_from(bytes)?;
        let loaded = checkpoints.load(|archive| {
            fresh.read(archive)?;
            Ok((fresh.place.steps, fresh.state.t))
        });
        if let Err(error) = loaded {
            self.inputs.set_all(&before);
            return Err(error);
        }
        *self = fresh;
        Ok(())
    }

    /// Saves to a file, which appears under its name only when it is complete.
    pub fn save(&self, file: impl AsRef<Path>) -> Result<(), Error> {
        let bytes = self.to_bytes()?;
        let name = || file.as_ref().display().to_string();
        let failed = |e: std::io::Error| CheckpointError::Write { file: name(), reason: e.to_string() };
        Ok(replace(file.as_ref(), &bytes).map_err(failed)?)
    }

    /// Continues from a file that [`save`](Self::save) has written.
    pub fn restore(&mut self, file: impl AsRef<Path>) -> Result<(), Error> {
        let name = || file.as_ref().display().to_string();
        let failed = |e: std::io::Error| CheckpointError::Read { file: name(), reason: e.to_string() };
        self.from_bytes(&std::fs::read(file.as_ref()).map_err(failed)?)
    }

    /// A second simulation in the same state, which continues independently and has separate inputs;
    /// [`Clone`] is the same. The equations are shared or copied. They are built again only if the method or
    /// the formulation cannot be copied.
    pub fn fork(&self) -> Result<Self, Error> {
        let method = self.method.lock().unwrap_or_else(PoisonError::into_inner).copied();
        let (Some(method), Some((inputs, system))) = (method, self.inputs.apart(&self.system)) else {
            let mut other = Self::new((*self.loaded).clone())?;
            other.from_bytes(&self.to_bytes()?)?;
            return Ok(other);
        };
        Ok(Simulation {
            loaded: self.loaded.clone(),
            system,
            first: self.first.clone(),
            state: self.state.clone(),
            method: Mutex::new(method),
            course: self.course.clone(),
            turning: self.turning.clone(),
            place: self.place,
            inputs,
            accelerations: None,
            forces: None,
            reported: self.reported.clone(),
        })
    }

    /// Reads an archive; the simulation must be at its beginning.
    fn read(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let known = self.place.horizon;
        self.place.persist(archive)?;
        let Progress { started, horizon, h, .. } = self.place;
        ensure(horizon.is_finite() && h.is_finite() && h >= 0.0, || format!("its step is {h} s"))?;
        if horizon != known {
            let extended = self.course.extend(&*self.system, self.first.state.t, horizon);
            extended.map_err(|e| Damage::Inconsistent(e.to_string()))?;
            self.turning = Arc::new(TurningPoints::of(&*self.system, self.first.state.t, horizon));
        }
        if started {
            // Allocates the workspace.
            self.start_for_sizes().map_err(|e| Damage::Inconsistent(e.to_string()))?;
        }
        let mut inputs = self.inputs.values();
        archive.finite("the inputs", |archive| inputs.iter_mut().try_for_each(|x| x.persist(archive)))?;
        self.inputs.set_all(&inputs);
        archive.finite("the state", |archive| self.state.persist(archive))?;
        self.course.persist(&self.state, archive)?;
        if !started {
            return Ok(());
        }
        let (system, initial, method) = (&*self.system, &self.first.state, method(&mut self.method));
        archive.finite(HISTORY, |archive| method.persist(system, initial, archive))
    }

    fn start_for_sizes(&mut self) -> Result<(), Error> {
        let mut state = self.first.state.clone();
        match method(&mut self.method) {
            Method::Fixed(fixed) => fixed.start(&*self.system, &mut state, self.place.h),
            Method::Adaptive(adaptive) => adaptive.start(&*self.system, &mut state, self.place.horizon),
            Method::Broken(error) => Err(error.clone()),
        }
    }
}

/// A copy continues with the same bits and has separate inputs. If copying fails, the error appears when the
/// copy is advanced; [`Simulation::fork`] returns it at once.
impl Clone for Simulation {
    fn clone(&self) -> Self {
        self.fork().unwrap_or_else(|error| Simulation {
            loaded: self.loaded.clone(),
            system: self.system.clone(),
            first: self.first.clone(),
            method: Mutex::new(Method::Broken(error)),
            course: self.course.clone(),
            turning: self.turning.clone(),
            place: self.place,
            inputs: self.inputs.clone(),
            accelerations: None,
            forces: None,
            reported: None,
            state: self.state.clone(),
        })
    }
}

//! Explicit Runge-Kutta methods with automatic steps, for systems without constraints.
//!
//! Errors are measured in the [`Norm`] of all methods; the order of the tolerance is that of the method. Steps follow
//! [`H211b`]. A step turns no free body by more than half a turn, because exponential coordinates end there; angles of
//! joints have no such limit.
//!
//! **Stiffness.** Explicit steps follow the fastest vibration, even if nothing excites it. If h times the rate of the last
//! two evaluations stays near the boundary of stability in many steps, the method says so.

use std::f64::consts::PI;

use precess_lie::Factor;

use super::h211b::H211b;
use super::norm::{Norm, Tolerance};
use super::{Adaptive, Horizon, check_precision, finite_estimate, first_step, not_started, too_small};
use crate::Error;
use crate::integrate::explicit::{Acceleration, Stages, Tableau, refuse_constraints};
use crate::integrate::integrator::StepReport;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};

/// Steps near the boundary of stability after which a motion counts as stiff.
const STIFF_STEPS: usize = 15;
/// Steps away from it after which the count begins again.
const SMOOTH_STEPS: usize = 6;

/// An explicit method with a tolerance.
#[derive(Clone, Debug)]
pub struct VariableExplicit {
    tolerance: Tolerance,
    tableau: &'static Tableau,
    work: Option<(Stages, Acceleration)>,
    norm: Option<Norm>,
    control: H211b,
    t_end: f64,
    /// Steps in a row near the boundary of stability, and away from it.
    near: usize,
    away: usize,
    /// The first time at which the motion was stiff.
    stiff_at: Option<f64>,
}

impl VariableExplicit {
    /// The method with this table.
    pub fn new(tableau: &'static Tableau, tolerance: Tolerance) -> Self {
        VariableExplicit {
            tolerance,
            tableau,
            work: None,
            norm: None,
            control: H211b::default(),
            t_end: 0.0,
            near: 0,
            away: 0,
            stiff_at: None,
        }
    }

    fn order(&self) -> f64 {
        self.tableau.order as f64
    }

    /// h lambda of the boundary of stability on the negative real axis.
    fn boundary(&self) -> f64 {
        if self.tableau.order > 5 { 6.1 } else { 3.25 }
    }

    /// The time from which on the motion was stiff, if it was.
    pub fn stiff_at(&self) -> Option<f64> {
        self.stiff_at
    }

    /// v' of the state, and the first step.
    fn begin(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let order = self.order();
        let (Some((stages, acceleration)), Some(norm)) = (&mut self.work, &mut self.norm) else {
            return Err(not_started(self.tableau.name));
        };
        acceleration.of_state(system, state)?;
        norm.weigh(system, state);
        check_precision(norm, &self.tolerance, order, state)?;
        // The change of the derivatives over a short time.
        let mut tau = norm.instant(state);
        let mut there = state.clone();
        for _ in 0..super::SHORTER_TRIES {
            stages.step(system, acceleration, state, tau)?;
            there.copy_from(state);
            stages.accept(&mut there, tau);
            if there.vdot.iter().all(|x| x.is_finite()) {
                break;
            }
            tau *= 0.1;
        }
        let slope: Vec<f64> = there.vdot.iter().zip(&state.vdot).map(|(x, y)| (x - y) / tau).collect();
        // In units of the tolerance and of the typical time: the usual estimate of Hairer, Norsett and Wanner.
        let time = norm.scales.time;
        let (first, second) =
            (norm.of(&state.v, &state.vdot) * time, norm.of(&state.vdot, &slope) * time * time);
        let h = time * (0.01 / first.max(second)).powf(1.0 / (order + 1.0));
        self.control = H211b::new(first_step(h, self.t_end - state.t)).with_order(order);
        Ok(())
    }

    /// The longest step: half a turn of the fastest rotation of the group.
    fn longest(system: &dyn System, state: &State) -> f64 {
        let group = system.group();
        let fastest =
            group.factors().iter().enumerate().fold(0.0, |fastest: f64, (i, factor)| match factor {
                Factor::Rn(_) => fastest,
                _ => {
                    let v = group.v_range(i).start;
                    fastest.max(state.v[v..v + 3].iter().map(|x| x * x).sum::<f64>().sqrt())
                }
            });
        PI / fastest
    }

    /// The error of the step in units of the tolerance.
    fn estimate(stages: &mut Stages, norm: &Norm, h: f64) -> f64 {
        let Tableau { error, error_low, .. } = stages.tableau();
        let (theta, v) = stages.error(error, h);
        let high = norm.of(theta, v);
        if error_low.is_empty() || high == 0.0 {
            return high;
        }
        let (theta, v) = stages.error(error_low, h);
        let low = norm.of(theta, v);
        high * high / (high * high + 0.01 * low * low).sqrt()
    }

    fn watch_stiffness(&mut self, t: f64, product: f64) {
        if product > 0.9 * self.boundary() {
            (self.near, self.away) = (self.near + 1, 0);
            if self.near >= STIFF_STEPS {
                self.stiff_at.get_or_insert(t);
            }
        } else {
            self.away += 1;
            if self.away >= SMOOTH_STEPS {
                self.near = 0;
            }
        }
    }
}

impl Adaptive for VariableExplicit {
    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error> {
        refuse_constraints(self.tableau.name, system)?;
        self.t_end = t_end;
        self.work = Some((Stages::new(self.tableau, system), Acceleration::new(system)));
        self.norm = Some(Norm::new(system, state, &self.tolerance, t_end - state.t, self.order())?);
        (self.near, self.away, self.stiff_at) = (0, 0, None);
        self.begin(system, state)
    }

    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.begin(system, state)
    }

    fn advance(&mut self, system: &dyn System, state: &mut State, to: Horizon) -> Result<StepReport, Error> {
        let to = Horizon { h_max: to.h_max.min(Self::longest(system, state)), ..to };
        let mut report = StepReport::default();
        let mut not_finite = None;
        loop {
            let (Some((stages, acceleration)), Some(norm)) = (&mut self.work, &mut self.norm) else {
                return Err(not_started(self.tableau.name));
            };
            let h = self.control.fit(state.t, to);
            too_small(state.t, h, Some(norm), &self.tolerance).map_err(|e| not_finite.take().unwrap_or(e))?;
            norm.weigh(system, state);
            let outcome = stages.step(system, acceleration, state, h).and_then(|()| {
                let error = Self::estimate(stages, norm, h);
                finite_estimate(error, state.t + h).map(|()| error)
            });
            match outcome {
                Ok(error) if error <= 1.0 => {
                    let product = stages.stiffness(h);
                    stages.accept(state, h);
                    state.remember(system);
                    self.control.accepted(error);
                    self.watch_stiffness(state.t, product);
                    (report.h, report.order, report.error) = (h, self.tableau.order, error);
                    return Ok(report);
                }
                Ok(error) => {
                    report.rejected += 1;
                    self.control.rejected(error, state.t)?;
                }
                Err(error) => {
                    report.failed += 1;
                    not_finite = Some(error.clone()).filter(|e| matches!(e, Error::NotFinite { .. }));
                    self.control.failed(error, state.t)?;
                }
            }
        }
    }

    fn warning(&self) -> Option<String> {
        self.stiff_at.map(|t| {
            format!(
                "from t = {t:.3e} s on the motion is stiff for {}: its steps follow a vibration that hardly moves; bliedf \
                 or gen-alpha take longer steps",
                self.tableau.name
            )
        })
    }

    fn persist(&mut self, _: &dyn System, _: &State, archive: &mut Archive) -> Result<(), Damage> {
        self.norm.as_mut().map_or(Ok(()), |norm| norm.persist(archive))?;
        (&mut self.control, (&mut self.near, &mut self.away)).persist(archive)?;
        self.stiff_at.persist(archive)
    }
}

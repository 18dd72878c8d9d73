//! Summaries of runs as text and as JSON.

mod json;
mod text;

pub use json::json;
pub(crate) use json::rescues;
pub use text::text;

use crate::formulation::Formulation;
use crate::mechanics::State;
use crate::model::{Built, Loaded};
use crate::study::Summary;
use crate::study::text::few;

/// Notices that a reader of the results must see.
fn notices(loaded: &Loaded, built: &Built, state: &State, summary: &Summary) -> Vec<String> {
    let at = state.at();
    let kind = |name: &str| {
        let joint = loaded.model.joints.iter().find(|j| j.name == name);
        joint.map_or_else(|| "other".to_string(), |j| j.kind.name())
    };
    let shared = built.system.reactions(&at).into_iter().filter(|j| !j.unique).map(|j| j.name);
    let shared: Vec<(String, String)> = shared.map(|name| (name.clone(), kind(&name))).collect();
    let mut list = loaded.settings.notices();
    if !shared.is_empty() {
        list.push(format!(
            "constraints are redundant at {}: a rigid model determines only the sum of some reactions, and \
             {} are given; check names \
             the components that are unique",
            few(&shared),
            match loaded.settings.formulation {
                Formulation::Directors => "those without the dependent rows",
                _ => "the shares of minimum norm",
            }
        ));
    }
    let free = super::graph::free_bodies(&loaded.model);
    if !free.is_empty() && !loaded.model.joints.is_empty() {
        let names: Vec<String> = free.iter().take(4).map(|n| format!("'{n}'")).collect();
        let more = if free.len() > 4 { format!(" and {} more", free.len() - 4) } else { String::new() };
        list.push(format!(
            "nothing connects {}{more}: it moves freely; if it belongs to the mechanism, a joint is missing",
            names.join(", ")
        ));
    }
    list.extend(summary.warnings.iter().map(|w| w.to_string()));
    list.extend(built.system.troubles(&at));
    list.extend(super::beam_notices::notices(&loaded.model, summary));
    list
}

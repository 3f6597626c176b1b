//! Support graphs that were made, for the next solve of the same body, or of another one with its shape.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use fracture_geometry::support::SupportGraph;
use fracture_geometry::{FractureError, Placement, Solid, Workspace};

use super::lattice::Lattice;

/// Memory of the graphs that are kept, bytes: of some two hundred walls and columns.
const MOST_BYTES: usize = 64 << 20;

/// The support graphs that were used last: to cut a solid by its lattice takes as long as to solve the stress in it.
#[derive(Default)]
pub(crate) struct SupportGraphs(Mutex<VecDeque<KeptGraph>>);

struct KeptGraph {
    solid: Weak<Solid>,
    lattice: Weak<Lattice>,
    graph: Arc<SupportGraph>,
}

impl KeptGraph {
    fn is_of(&self, solid: &Arc<Solid>, lattice: &Arc<Lattice>) -> bool {
        let is_same_solid = self.solid.as_ptr() == Arc::as_ptr(solid);
        is_same_solid && self.lattice.as_ptr() == Arc::as_ptr(lattice)
    }
}

impl SupportGraphs {
    /// The graph of a solid that a lattice divides, made in steps if it is not kept.
    pub async fn get_or_make(
        &self,
        solid: &Arc<Solid>,
        lattice: &Arc<Lattice>,
        workspace: &mut Workspace,
    ) -> Result<Arc<SupportGraph>, FractureError> {
        if let Some(graph) = self.find(solid, lattice) {
            return Ok(graph);
        }
        let (pattern, placement) = (&lattice.pattern, Placement::IDENTITY);
        let graph = SupportGraph::in_steps(solid, pattern, placement, workspace).await?;
        let graph = Arc::new(graph);
        self.keep(KeptGraph {
            solid: Arc::downgrade(solid),
            lattice: Arc::downgrade(lattice),
            graph: graph.clone(),
        });
        Ok(graph)
    }

    fn find(&self, solid: &Arc<Solid>, lattice: &Arc<Lattice>) -> Option<Arc<SupportGraph>> {
        let mut kept = self.lock();
        let index = kept.iter().position(|kept| kept.is_of(solid, lattice))?;
        let found = kept.remove(index)?;
        let graph = found.graph.clone();
        kept.push_back(found);
        Some(graph)
    }

    /// Keeps a graph, in place of those of solids that are gone, and of the oldest ones beyond the limit.
    fn keep(&self, new: KeptGraph) {
        let mut kept = self.lock();
        kept.retain(|kept| kept.solid.strong_count() > 0);
        kept.push_back(new);
        let mut bytes: usize = kept.iter().map(|kept| kept.graph.size()).sum();
        while bytes > MOST_BYTES {
            let Some(oldest) = kept.pop_front() else {
                break;
            };
            bytes -= oldest.graph.size();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<KeptGraph>> {
        // A panic elsewhere leaves them whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use fracture_geometry::steps::finish;
    use fracture_geometry::Mesh;

    use super::*;

    fn solid(side: f32) -> (Arc<Solid>, Arc<Lattice>) {
        let solid = Arc::new(Solid::new(Mesh::cuboid([side, 1.0, 1.0])).unwrap());
        let lattice = Arc::new(Lattice::new(&solid).unwrap());
        (solid, lattice)
    }

    #[test]
    fn a_graph_is_made_once_of_a_solid_and_a_lattice() {
        let graphs = SupportGraphs::default();
        let mut get = |(solid, lattice): &(Arc<Solid>, Arc<Lattice>)| {
            finish(graphs.get_or_make(solid, lattice, &mut Workspace::default())).unwrap()
        };
        let (one, other) = (solid(1.0), solid(2.0));
        let mixed = (one.0.clone(), other.1.clone());
        let first = [&one, &other, &mixed].map(&mut get);
        let again = [&one, &other, &mixed].map(&mut get);
        for (first, again) in first.iter().zip(&again) {
            assert!(Arc::ptr_eq(first, again));
        }
        assert!(first[0] != first[1] && first[0] != first[2]);
        drop((one, mixed));
        get(&solid(3.0));
        assert_eq!(
            graphs.lock().len(),
            2,
            "those of the solid that is gone are not kept"
        );
    }

    #[test]
    fn the_oldest_graphs_go_first() {
        let graphs = SupportGraphs::default();
        let (solid, lattice) = solid(1.0);
        let mut workspace = Workspace::default();
        let graph = finish(graphs.get_or_make(&solid, &lattice, &mut workspace)).unwrap();
        let room = MOST_BYTES / graph.size();
        let others: Vec<_> = (0..room).map(|_| Arc::new(Solid::clone(&solid))).collect();
        for other in &others {
            graphs.keep(KeptGraph {
                solid: Arc::downgrade(other),
                lattice: Arc::downgrade(&lattice),
                graph: graph.clone(),
            });
        }
        let is_kept = |solid| graphs.find(solid, &lattice).is_some();
        assert!(!is_kept(&solid) && others.iter().all(is_kept));
    }
}

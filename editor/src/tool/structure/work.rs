//! Work on a structure in the background: the certificate, and what comes down without each object.

use super::findings::Findings;
use crate::background_job::{Job, Progress};
use fracture::{certificate::Removal, BodyId, SceneStructure, StructureCertificate};
use std::sync::mpsc::{channel, Receiver, Sender};

/// A certificate and what is read of it.
pub(super) struct Certified {
    pub certificate: StructureCertificate,
    pub findings: Findings,
}

/// Starts looking at a structure. Of use only unless it is cancelled.
pub(super) fn certify(structure: SceneStructure) -> Job<Certified> {
    Job::start(move |progress| {
        let certificate = structure.certify_unless_cancelled(&|| progress.is_cancelled());
        Certified {
            findings: Findings::of(&certificate),
            certificate,
        }
    })
}

/// Objects that are taken out, one after the other.
pub(super) struct TakingOut {
    /// Gives the certificate back, and the reason why it has stopped, if any.
    pub job: Job<(StructureCertificate, Option<String>)>,
    /// Each removal, as soon as it is found.
    pub found: Receiver<Removal>,
    /// How many objects there are.
    pub count: usize,
}

impl TakingOut {
    /// Starts taking objects out of a structure.
    pub fn start(certificate: StructureCertificate, bodies: Vec<BodyId>) -> Self {
        let (tell, found) = channel();
        let count = bodies.len();
        let job = Job::start(move |progress| {
            let reason = take_out(&certificate, &bodies, &tell, progress).err();
            (certificate, reason)
        });
        Self { job, found, count }
    }

    /// Share of the objects that have been taken out, 0 to 1.
    pub fn share(&self) -> f32 {
        self.job.progress.done() as f32 / self.count.max(1) as f32
    }
}

fn take_out(
    certificate: &StructureCertificate,
    bodies: &[BodyId],
    tell: &Sender<Removal>,
    progress: &Progress,
) -> Result<(), String> {
    for (number, body) in bodies.iter().enumerate() {
        if progress.is_cancelled() {
            break;
        }
        let removal = certificate.without(*body).map_err(|e| e.to_string())?;
        // The receiver is gone when the window was closed.
        let _ = tell.send(removal);
        progress.set(number as u32 + 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background_job::Poll;
    use fracture::Destructible;
    use fyrox::{
        core::algebra::Matrix4,
        graph::SceneGraph,
        scene::{
            base::BaseBuilder,
            graph::Graph,
            mesh::{
                surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
                MeshBuilder,
            },
            node::Node,
            rigidbody::{RigidBodyBuilder, RigidBodyType},
        },
    };
    use std::{sync::atomic::Ordering, thread};

    fn cube() -> Graph {
        let mut graph = Graph::new();
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mesh = MeshBuilder::new(BaseBuilder::new())
            .with_surfaces(vec![SurfaceBuilder::new(data).build()])
            .build(&mut graph);
        let body = RigidBodyBuilder::new(BaseBuilder::new().with_child(mesh))
            .with_body_type(RigidBodyType::Static)
            .build(&mut graph)
            .to_base::<Node>();
        graph.node_mut(body).add_script(Destructible::default());
        graph.update_hierarchical_data();
        graph
    }

    fn wait<T: Send + 'static>(job: &Job<T>) -> T {
        loop {
            match job.poll() {
                Poll::Running => thread::yield_now(),
                Poll::Done(result) => return result,
                Poll::Lost => panic!("the job has no result"),
            }
        }
    }

    #[test]
    fn taking_out_stops_when_it_is_cancelled_and_gives_the_certificate_back() {
        let structure = SceneStructure::new(&cube(), None).unwrap();
        let certified = wait(&certify(structure));
        let [object] = certified.findings.objects.as_slice() else {
            panic!("one object");
        };
        let body = object.member.body;
        let many = TakingOut::start(certified.certificate, vec![body; 1_000_000]);
        assert_eq!(many.found.recv().unwrap().removed, body);
        many.job.progress.cancel.store(true, Ordering::Relaxed);
        let (certificate, reason) = wait(&many.job);
        assert_eq!(reason, None);
        assert!(many.share() > 0.0 && many.share() < 1.0);
        assert!(certificate.without(body).unwrap().falls.is_empty());
    }
}

//! Commands of a game to destruction: impacts, objects to make intact again, saves, messages of other players.

use crate::{
    destruction::Destruction,
    fault::MODULE,
    impacts::{
        blasts::explode,
        delivery::enqueue,
        impact::Impact,
        kept_blast::Charge,
        queue::{
            validate, validate_explosion, validate_kerf, validate_not_negative, validate_rays,
            ImpactError, ImpactTarget,
        },
        targets::{nearest_in_batch, node_of, ray_hit, target_at, target_named, target_of},
    },
    mirror::{
        engine_bodies::key_of,
        transforms::{engine_vector, unit, vec3},
    },
    object::{
        object_ref::{no_such, resolve, ObjectError, ObjectRef},
        restore_intact::{objects_within, queue_restores},
    },
    players::lost_objects,
    save::{
        archive::{restore_objects, save_objects, RestoreError},
        embedded::embed_save,
    },
    swap::push_body,
};
use fracture_simulation::{
    network::{Message, Role},
    save::Archive,
    Push, Simulation,
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{node::Node, rigidbody::RigidBody, Scene},
};
use rapier3d::parry::bounding_volume::Aabb;

/// Rays of a cut from one end of its stroke to the other. Fewer miss small pieces.
const CUT_RAYS: u32 = 160;

impl Destruction {
    /// Strikes the object or piece that a node belongs to, in the next update. The node may be the
    /// one with the script, its rigid body, one of its meshes or colliders, or that of a piece. If frozen
    /// pieces share the node, the one nearest to the impact is struck.
    ///
    /// A handle does not say of which scene it is, and two scenes of one file have the same ones: take the `Destruction`
    /// of the node's scene from [`FracturePlugin::destruction_mut`](crate::FracturePlugin::destruction_mut), or have
    /// it checked by [`Destruction::impact_in`].
    pub fn impact(&mut self, node: Handle<Node>, impact: Impact) -> Result<(), ImpactError> {
        let batched = || nearest_in_batch(self, node, impact.point).map(ImpactTarget::Piece);
        let known = target_at(self, node).or_else(batched);
        let target = match known {
            None if self.discovery.is_new(node) => ImpactTarget::Node(node),
            known => known.ok_or(ImpactError::NotDestructible { node })?,
        };
        enqueue(self, target, impact)
    }

    /// Strikes the object or piece that a node of a scene belongs to, as [`Destruction::impact`] does.
    ///
    /// # Errors
    /// [`ImpactError::OtherScene`] if the scene is not that of this `Destruction`; else those of `impact`.
    pub fn impact_in(
        &mut self,
        scene: &Scene,
        node: Handle<Node>,
        impact: Impact,
    ) -> Result<(), ImpactError> {
        if self.discovery.is_of_other_scene(&scene.graph) {
            return Err(ImpactError::OtherScene);
        }
        self.impact(node, impact)
    }

    /// Strikes the object or piece with this name, in the next update. Of several objects with the name, as instances
    /// of a prefab are, it is the one nearest to the point of the impact.
    pub fn impact_by_name(
        &mut self,
        scene: &Scene,
        name: &str,
        impact: Impact,
    ) -> Result<(), ImpactError> {
        if self.discovery.is_of_other_scene(&scene.graph) {
            return Err(ImpactError::OtherScene);
        }
        let target = target_named(self, &scene.graph, name, impact.point);
        let target = target.ok_or_else(|| ImpactError::UnknownName {
            name: name.to_owned(),
            known: self.objects.listed_names(),
        })?;
        enqueue(self, target, impact)
    }

    /// Strikes the first object or piece along a ray, in the next update, as a shot does. `energy` is in
    /// J, `impulse` in N s along the ray. Returns the node that was hit; `None` if the ray hits something
    /// else first, or if a figure makes no sense, which is a fault.
    pub fn shoot(
        &mut self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        energy: f32,
        impulse: f32,
    ) -> Option<Handle<Node>> {
        let blow = Impact::new(origin, direction, energy).with_impulse(Vector3::repeat(impulse));
        let checked = validate_rays(origin, &[direction], max_distance);
        self.accept(checked.and_then(|()| validate(&blow)))?;
        let direction = unit(direction)?;
        let hit = ray_hit(self, origin, direction, max_distance)?;
        let (target, node) = target_of(self, &hit)?;
        let [point, normal] = [hit.point, hit.normal].map(engine_vector);
        let impact = Impact::new(point, normal, energy).with_impulse(direction * impulse);
        enqueue(self, target, impact).is_ok().then_some(node)
    }

    /// Sets off a charge of `energy` (J) at `center`, with effect in the next update. A kilogram of TNT has
    /// 4.2e6 J.
    ///
    /// The energy goes out evenly in all directions. Each body within `radius` (m) gets the part of it that goes
    /// where it stands before all others: objects and pieces break or are pushed, other dynamic bodies are
    /// pushed. The gas of the charge and the air that it sweeps up give the impulse, and no body becomes faster
    /// than they are, nor than 30 m/s. Returns the number of bodies that were reached.
    ///
    /// Bodies that have just come into the scene, or are still being read, are reached as soon as they are known, for two
    /// seconds at most. They are not counted.
    ///
    /// # Errors
    /// [`ImpactError::Value`], which names the figure that is out of its range, and the range;
    /// [`ImpactError::TooMany`] for more than 1,024 explosions in a frame.
    pub fn explosion(
        &mut self,
        center: Vector3<f32>,
        radius: f32,
        energy: f32,
    ) -> Result<usize, ImpactError> {
        validate_explosion(center, radius, energy)?;
        let charge = Charge {
            center,
            radius,
            energy,
        };
        explode(self, charge)
    }

    /// Sets whether a rigid body breaks nothing, whatever it strikes and however hard: a character, say. It is
    /// stopped and pushed as ever. Saves do not contain it. Groups of bodies:
    /// [`Settings::harmless_groups`](crate::Settings::harmless_groups).
    pub fn set_harmless(&mut self, body: Handle<Node>, harmless: bool) {
        let key = key_of(body);
        if let Some(simulation) = &mut self.simulation {
            simulation.set_harmless(key, harmless);
        } else if harmless {
            self.impacts.harmless.insert(key);
        } else {
            self.impacts.harmless.remove(&key);
        }
    }

    /// Cuts all objects and pieces that are visible from `eye` (m) along a stroke from one direction to
    /// another, and nearer than `reach`. Each target that a fan of rays hits first is divided in two by the
    /// plane of the stroke, in the next update, and `kerf` metres of it become dust. Returns the number of targets.
    ///
    /// A stroke without length, or longer than half a turn, cuts nothing. A figure that makes no sense is a fault.
    pub fn cut(
        &mut self,
        eye: Vector3<f32>,
        from: Vector3<f32>,
        to: Vector3<f32>,
        reach: f32,
        kerf: f32,
    ) -> usize {
        let stroke = validate_rays(eye, &[from, to], reach);
        let stroke = stroke.and_then(|()| validate_kerf(kerf));
        if self.accept(stroke).is_none() {
            return 0;
        }
        let (Some(from), Some(to)) = (unit(from), unit(to)) else {
            return 0;
        };
        let Some(normal) = from.cross(&to).try_normalize(1e-4) else {
            return 0;
        };
        let mut cut: Vec<ImpactTarget> = Vec::new();
        for ray in 0..CUT_RAYS {
            let share = ray as f32 / (CUT_RAYS - 1) as f32;
            let direction = from + (to - from) * share;
            let Some(hit) = ray_hit(self, eye, direction, reach) else {
                continue;
            };
            let Some((target, _)) = target_of(self, &hit) else {
                continue;
            };
            let impact = Impact::blade(engine_vector(hit.point), normal).with_kerf(kerf);
            if !cut.contains(&target) && enqueue(self, target, impact).is_ok() {
                cut.push(target);
            }
        }
        cut.len()
    }

    /// Pushes the first thing on a ray along it, at once and whatever its damage threshold: a free piece, a
    /// dynamic object or any other dynamic body. `impulse` is in N s; light things get less, so that the
    /// speed of the point that is pushed changes by `max_speed`, m/s, at most. Returns the node that was pushed; `None` if the first
    /// thing on the ray does not move, or if a figure makes no sense, which is a fault.
    pub fn push(
        &mut self,
        scene: &mut Scene,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        impulse: f32,
        max_speed: f32,
    ) -> Option<Handle<Node>> {
        if self.discovery.is_of_other_scene(&scene.graph) {
            return None;
        }
        let checked = validate_rays(origin, &[direction], max_distance);
        let checked = checked.and_then(|()| validate_not_negative("impulse", impulse));
        self.accept(checked.and_then(|()| validate_not_negative("highest speed", max_speed)))?;
        let direction = unit(direction)?;
        let push = Push {
            impulse: vec3(direction * impulse),
            energy: 0.0,
            max_speed,
        };
        let hit = ray_hit(self, origin, direction, max_distance)?;
        let point = engine_vector(hit.point);
        let pushed = match target_of(self, &hit) {
            Some((ImpactTarget::Piece(body), node)) => {
                let simulation = self.simulation.as_mut()?;
                let pushed = simulation.push(body, hit.point, &push);
                pushed.then_some(node)
            }
            Some((ImpactTarget::Object(id), node)) => {
                let live = self.objects.get(id)?.live()?;
                let free = live.dynamic && !live.broken;
                free.then(|| push_body(&mut scene.graph, live.body, point, &push))?;
                Some(node)
            }
            _ => {
                let node = node_of(&self.objects, &self.pieces, hit.owner()?)?.0;
                scene.graph.try_get_of_type::<RigidBody>(node).ok()?;
                push_body(&mut scene.graph, node, point, &push);
                Some(node)
            }
        };
        // The change of its velocity is no impact.
        self.impacts.bodies.record_states(&scene.graph);
        pushed
    }

    /// Reports the error of a call that has no result for it; `None` where there is one.
    fn accept(&mut self, checked: Result<(), ImpactError>) -> Option<()> {
        checked
            .map_err(|error| self.faults.report(MODULE, error))
            .ok()
    }

    /// Makes an object intact again in the next update, as if nothing had been; given a name, all objects that
    /// have it. Returns how many will be; those that are intact, without damage and not about to break are left
    /// alone.
    ///
    /// Pieces, dust, damage, breaks under way and impacts of the object vanish. Its meshes, colliders and rigid body are
    /// as before the first break, and fields of the script that have been changed since count. A dynamic body
    /// goes back to the place and the velocity that it had when the object was found; a static or kinematic one
    /// stays where the game has put it. Impacts that come after this call strike the intact object, and break it
    /// as they would have the first time.
    ///
    /// [`Event::Restored`](crate::Event::Restored) tells when it is done.
    ///
    /// # Errors
    /// [`ObjectError`], which names what does not exist.
    pub fn restore_intact<'a>(
        &mut self,
        object: impl Into<ObjectRef<'a>>,
    ) -> Result<usize, ObjectError> {
        let object = object.into();
        let found = resolve(self, object);
        if found.is_empty() && self.discovery.is_attached() {
            return Err(no_such(&self.objects, object));
        }
        Ok(queue_restores(self, &found))
    }

    /// Makes all objects intact again that stand in a box, in world space, metres; see
    /// [`Destruction::restore_intact`]. `bounds` are its lowest and its highest corner. What counts is the box of
    /// the intact object in its place, not where its pieces lie; it is enough that the two boxes overlap.
    pub fn restore_intact_within(
        &mut self,
        bounds: [Vector3<f32>; 2],
    ) -> Result<usize, ObjectError> {
        let [low, high] = bounds;
        let is_valid =
            |(low, high): (&f32, &f32)| high.is_finite() && low.is_finite() && low <= high;
        if !low.iter().zip(high.iter()).all(is_valid) {
            return Err(ObjectError::Box { corners: bounds });
        }
        let bounds = Aabb::new(vec3(low), vec3(high));
        let found = objects_within(&self.objects, &bounds);
        Ok(queue_restores(self, &found))
    }

    /// Saves all objects that are broken, damaged or cracked, or have lost a bond, with their pieces, about 5 kB a piece. A
    /// save is restored without breaking anything again, so it does not matter whether the mesh, the pattern or the
    /// module have changed since.
    /// Pending breaks are finished first; [`Destruction::events`] then reports them.
    ///
    /// The save holds nothing of the scene itself: the game saves where the engine's own bodies are.
    pub fn save(&mut self, scene: &mut Scene) -> Vec<u8> {
        self.finish_breaks(scene);
        save_objects(self, Simulation::save)
    }

    /// Saves the same objects as [`Destruction::save`], but without the pieces: about 110 bytes a break and 70 a piece.
    /// Restoring breaks the objects again, which takes longer, and fails for an object whose mesh
    /// or pattern has changed since.
    pub fn save_compact(&mut self, scene: &mut Scene) -> Vec<u8> {
        self.finish_breaks(scene);
        save_objects(self, Simulation::save_compact)
    }

    /// Restores the objects of a scene that has just been loaded: they get the saved pieces, or are broken
    /// again on all workers. No time passes in the scene.
    ///
    /// Objects are matched by name, and objects with the same name by their order in the scene. A save passed
    /// as a vector is not copied.
    ///
    /// # Errors
    /// [`RestoreError`]. It names the object that is not intact, or does not break as it did; the other
    /// objects are restored nevertheless.
    pub fn restore(
        &mut self,
        scene: &mut Scene,
        save: impl Into<Vec<u8>>,
    ) -> Result<(), RestoreError> {
        let archive = Archive::from_bytes(save)?;
        if self.simulation.is_none() || !self.restores.is_empty() {
            self.discover_objects(&mut scene.graph);
        }
        restore_objects(self, &mut scene.graph, archive)
    }

    /// Embeds a save of the broken objects in the scene, so that the engine's own saving keeps it. Call it
    /// right before [`Scene::save`]. Pending breaks are finished first; [`Destruction::events`] then holds
    /// their events.
    ///
    /// The first update of the loaded scene restores the objects as [`Destruction::restore`] does, or a later
    /// one if files are still being loaded. Errors are reported as faults. Debris whose object has been
    /// removed is not saved.
    pub fn embed_save(&mut self, scene: &mut Scene) {
        let save = self.save(scene);
        embed_save(self, &mut scene.graph, save);
    }

    /// Sets who decides what breaks: this game alone, as at first; this game, for others too; or another game. All
    /// games load the same scene with the same [`Settings::seed`](crate::Settings::seed). Objects know each other by
    /// name, and objects of one name by their order in the scene.
    ///
    /// A client breaks nothing of itself. A client that becomes the authority, because that has left, goes on from what
    /// it has.
    pub fn set_role(&mut self, role: Role) {
        self.players.role = role;
        if let Some(simulation) = &mut self.simulation {
            simulation.set_role(role);
        }
    }

    /// The messages since the last call: those of an authority are for all clients, those of a client for the
    /// authority. Send them as they are, in datagrams; any may be lost, doubled or late. A blow has 40 bytes.
    pub fn drain_messages(&mut self) -> Vec<Message> {
        let simulation = self.simulation.as_mut();
        simulation.map_or_else(Vec::new, |simulation| simulation.drain_messages().collect())
    }

    /// Takes a message of another game, and gives the answers to its sender. One that cannot be taken is dropped and
    /// counted, and is a fault, told once.
    pub fn receive(&mut self, message: &[u8]) -> Vec<Message> {
        let Some(simulation) = &mut self.simulation else {
            return Vec::new(); // it comes again
        };
        match simulation.receive(message) {
            Ok(answers) => answers,
            Err(error) => {
                self.faults.report_once(MODULE, error);
                Vec::new()
            }
        }
    }

    /// Brings a client to the state of the authority's [`Destruction::join_save`] in the next update, or as soon as all
    /// objects are loaded: those that have not broken here, and those that are not as the authority has them.
    pub fn join(&mut self, save: Vec<u8>) {
        self.players.needs_save = false;
        if let Some(simulation) = &self.simulation {
            let lost = lost_objects(&self.objects, simulation).into_iter();
            self.restores.extend(lost.map(|(_, object)| object));
        }
        self.players.keep(save);
    }

    /// Strikes an object or piece as a client, at once: it breaks here as it is going to, and the authority is asked to
    /// take the blow. If it does not, the blow is taken back. Returns whether anything breaks here before the authority
    /// has said so: not while an earlier blow on the object has not been confirmed, and not the first of an object that
    /// is held by touch. As an authority, or alone, it is [`Destruction::impact`].
    ///
    /// # Errors
    /// [`ImpactError`] as for [`Destruction::impact`].
    pub fn foretell(&mut self, node: Handle<Node>, impact: Impact) -> Result<bool, ImpactError> {
        if self.players.role != Role::Client {
            return self.impact(node, impact).map(|()| true);
        }
        validate(&impact)?;
        let unknown = ImpactError::NotDestructible { node };
        let body = match target_at(self, node) {
            Some(ImpactTarget::Piece(body)) => Some(body),
            Some(ImpactTarget::Object(id)) => self.objects.live(id).map(|live| live.root),
            _ => None,
        };
        let simulation = self.simulation.as_mut();
        let (Some(body), Some(simulation)) = (body, simulation) else {
            return Err(unknown);
        };
        let told = simulation.foretell(impact.on_body(body, false));
        told.map_err(|_| unknown)
    }

    /// Sets whether a client foretells what a rigid body strikes of objects and of their pieces that are held, as by
    /// [`Destruction::foretell`]: for what its own player has thrown or drives. The body does not go through what it breaks.
    /// Free pieces that it strikes are only pushed.
    pub fn set_foretelling(&mut self, body: Handle<Node>, foretelling: bool) {
        self.players.set_foretelling(body, foretelling);
    }

    /// Has an authority tell clients where large pieces are that lie free, in at most that many bytes in any second: first
    /// those that are near the places of players (metres), on their way, and not where clients would expect them. Clients
    /// lead their own pieces there, by at most 6 cm in a frame. 0 bytes, as at first, tell nothing; without places all count
    /// the same. Call it again when players have moved.
    pub fn set_debris_budget(&mut self, bytes_per_second: usize, players: &[Vector3<f32>]) {
        let players: Vec<_> = players.iter().map(|place| vec3(*place)).collect();
        if let Some(simulation) = &mut self.simulation {
            simulation.set_debris_budget(bytes_per_second, players.iter().copied());
        }
        self.players.debris_budget = (bytes_per_second, players);
    }

    /// Sets the most energy of a blow that an authority takes from a client, J; infinite by default.
    pub fn set_foretold_limit(&mut self, joules: f32) {
        self.players.foretold_limit = joules;
        if let Some(simulation) = &mut self.simulation {
            simulation.set_foretold_limit(joules);
        }
    }
}

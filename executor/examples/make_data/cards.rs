//! Cards of materials, with figures from standards and tables.

use crate::set::Set;
use fracture::{make_destructible, Anchoring, CutMapping, FracturePattern, MaterialCard};
use fyrox::{
    asset::{manager::ResourceManager, Resource, ResourceData, TypedResourceData},
    core::{algebra::Vector3, futures::executor::block_on},
    material::Material,
    scene::rigidbody::RigidBodyType,
};
use std::error::Error;
use std::path::Path;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A material. Of a figure that has a range the card has a value within it.
struct Stuff {
    /// File name without extension.
    name: &'static str,
    /// Files of the pattern and of the material inside, without extensions.
    pattern: &'static str,
    inside: &'static str,
    /// File of the material of its cube, without extension.
    outside: &'static str,
    /// Word for sounds, dust and marks.
    tag: &'static str,
    /// kg/m^3.
    density: f32,
    /// Strength against weight, Pa.
    tensile: f32,
    /// J/m^3.
    energy: f64,
    friction: f32,
    restitution: f32,
    /// Smallest and largest radius of a break, m.
    radii: [f32; 2],
    /// Height and distance of bumps, m.
    bumps: [f32; 2],
    /// Repeats of the texture inside per metre.
    texture: f32,
    /// Where the figures are from, and what is not modelled.
    source: &'static str,
}

const CARDS: &[Stuff] = &[
    Stuff {
        name: "concrete",
        pattern: "concrete_crater",
        inside: "concrete_cut",
        outside: "concrete",
        tag: "concrete",
        density: 2400.0,
        tensile: 2.9e6,
        energy: 20_000.0,
        friction: 0.6,
        restitution: 0.2,
        radii: [0.15, 1.2],
        bumps: [0.006, 0.05],
        texture: 1.0,
        source: "C30/37. Density: EN 1991-1-1, Table A.1. Mean tensile strength 2.9 MPa; crushed at 38 MPa and 33 GPa \
                 (EN 1992-1-1, Table 3.1), where it holds 22 kJ/m^3. Friction of smooth joints: EN 1992-1-1, 6.2.5.",
    },
    Stuff {
        name: "reinforced_concrete",
        pattern: "concrete_crater",
        inside: "concrete_cut",
        outside: "concrete",
        tag: "concrete",
        density: 2500.0,
        tensile: 2.9e6,
        energy: 20_000.0,
        friction: 0.6,
        restitution: 0.2,
        radii: [0.15, 1.2],
        bumps: [0.006, 0.05],
        texture: 1.0,
        source: "C30/37 with nets of bars of 12 mm every 150 mm, 30 mm deep: steel B500B, which flows at 500 MPa and tears at a \
                 strain of 5 % (EN 1992-1-1, Annex C). Density: EN 1991-1-1, Table A.1; all else as concrete. NOT MODELLED: \
                 that bars make a beam bear more (set Tensile Strength on the object).",
    },
    Stuff {
        name: "brick_masonry",
        pattern: "brick",
        inside: "brick_cut",
        outside: "brickwork",
        tag: "brick",
        density: 1900.0,
        tensile: 3e5,
        energy: 10_000.0,
        friction: 0.7,
        restitution: 0.2,
        radii: [0.15, 0.85],
        bumps: [0.003, 0.04],
        texture: 1.0,
        source: "Clay bricks of 25 x 12.5 x 7.5 cm with their joints. Density: EN 1991-1-1, Table A.3. Bending strength 0.1 \
                 along and 0.4 MPa across the bed joints (EN 1996-1-1, 3.6.3). Energy between masonry of 6 MPa and 6 GPa, 3 \
                 kJ/m^3 (3.7.2 there), and bricks of 20 MPa and 12 GPa, 17 kJ/m^3.",
    },
    Stuff {
        name: "plaster",
        pattern: "ceramic",
        inside: "plaster",
        outside: "plaster",
        tag: "plaster",
        density: 1200.0,
        tensile: 1e6,
        energy: 4000.0,
        friction: 0.6,
        restitution: 0.1,
        radii: [0.1, 0.6],
        bumps: [0.002, 0.03],
        texture: 1.5,
        source: "Gypsum plaster. Density: EN 1991-1-1, Table A.1. B7 of EN 13279-1 bears 6 MPa in compression and 2 MPa in \
                 bending; at 3 GPa it holds 0.7 to 6 kJ/m^3. In tension half of what it bears in bending.",
    },
    Stuff {
        name: "float_glass",
        pattern: "window",
        inside: "glass_cut",
        outside: "glass",
        tag: "glass",
        density: 2500.0,
        tensile: 1.3e7,
        energy: 14_500.0,
        friction: 0.4,
        restitution: 0.3,
        radii: [3.0, 3.0],
        bumps: [0.0, 0.1],
        texture: 1.0,
        source: "Density, 70 GPa, bending strength 45 MPa: EN 572-1; at 45 MPa it holds 14.5 kJ/m^3. Under lasting load 0.29 \
                 of that (EN 16612). Rays run to the borders whatever the energy, and what lies in no frame falls.",
    },
    Stuff {
        name: "tempered_glass",
        pattern: "dice",
        inside: "glass_cut",
        outside: "glass",
        tag: "glass",
        density: 2500.0,
        tensile: 1.2e8,
        energy: 103_000.0,
        friction: 0.4,
        restitution: 0.3,
        radii: [4.0, 4.0],
        bumps: [0.0, 0.1],
        texture: 1.0,
        source: "Density: EN 572-1. Bending strength 120 MPa and 40 dice in 5 x 5 cm: EN 12150-1; at 120 MPa and 70 GPa it \
                 holds 103 kJ/m^3. NOT MODELLED: dice of that size in a large pane. It breaks into 900 dice, whatever its \
                 size, at once.",
    },
    Stuff {
        name: "laminated_glass",
        pattern: "window",
        inside: "glass_cut",
        outside: "glass",
        tag: "glass",
        density: 2500.0,
        tensile: 1.3e7,
        energy: 14_500.0,
        friction: 0.4,
        restitution: 0.3,
        radii: [3.0, 3.0],
        bumps: [0.0, 0.1],
        texture: 1.0,
        source: "Two panes of float glass (EN 572-1) on a sheet of PVB (EN ISO 12543). Class 1(B)1 of EN 12600 holds 50 kg \
                 that swing down by 1.2 m: 51 kJ/m^3, three and a half times what cracks it. NOT MODELLED: colliders that sag \
                 with it, and what of the sheet hangs on its pieces once it is torn.",
    },
    Stuff {
        name: "oak",
        pattern: "wood",
        inside: "oak_cut",
        outside: "timber",
        tag: "wood",
        density: 740.0,
        tensile: 3e7,
        energy: 90_000.0,
        friction: 0.5,
        restitution: 0.3,
        radii: [0.2, 0.7],
        bumps: [0.003, 0.03],
        texture: 1.0,
        source: "D50 of EN 338: mean density 740 kg/m^3, 30 MPa in tension along the grain; in bending 50 MPa and 14 GPa, \
                 where it holds 90 kJ/m^3. The grain is the longest direction of the object, or an axis that the pattern names. \
                 NOT MODELLED: less strength across the grain.",
    },
    Stuff {
        name: "plywood",
        pattern: "plywood",
        inside: "plywood",
        outside: "plywood",
        tag: "wood",
        density: 680.0,
        tensile: 3.5e7,
        energy: 86_000.0,
        friction: 0.5,
        restitution: 0.3,
        radii: [0.15, 0.6],
        bumps: [0.003, 0.03],
        texture: PLIES_SCALE,
        source: "Birch, 9 plies of 12 mm: mean density 680 kg/m^3, in bending 42.9 MPa and 10.7 GPa (Handbook of Finnish \
                 Plywood), where it holds 86 kJ/m^3. NOT MODELLED: plies that part from each other.",
    },
    Stuff {
        name: "marble",
        pattern: "stone_crater",
        inside: "marble_cut",
        outside: "marble",
        tag: "stone",
        density: 2700.0,
        tensile: 7e6,
        energy: 50_000.0,
        friction: 0.6,
        restitution: 0.3,
        radii: [0.12, 0.8],
        bumps: [0.003, 0.04],
        texture: 1.0,
        source: "Carrara. Density: EN 1991-1-1, Table A.2. 17 MPa in bending and 130 MPa in compression at 55 GPa (tests by \
                 EN 12372 and EN 1926), where it holds 3 and 150 kJ/m^3; a blow is in between. Friction: Byerlee (1978).",
    },
    Stuff {
        name: "sandstone",
        pattern: "stone_crater",
        inside: "stone_cut",
        outside: "stone",
        tag: "stone",
        density: 2200.0,
        tensile: 3e6,
        energy: 30_000.0,
        friction: 0.7,
        restitution: 0.2,
        radii: [0.15, 1.0],
        bumps: [0.005, 0.05],
        texture: 1.0,
        source: "Density: EN 1991-1-1, Table A.2. 6 MPa in bending and 60 MPa in compression at 15 GPa (tests by EN 12372 and \
                 EN 1926), where it holds 1 and 120 kJ/m^3; a blow is in between. Friction: Byerlee (1978).",
    },
    Stuff {
        name: "terracotta",
        pattern: "ceramic",
        inside: "terracotta_cut",
        outside: "terracotta_cut",
        tag: "ceramic",
        density: 1900.0,
        tensile: 6e6,
        energy: 8000.0,
        friction: 0.6,
        restitution: 0.2,
        radii: [0.2, 0.6],
        bumps: [0.001, 0.02],
        texture: 2.0,
        source: "Fired clay of 1900 kg/m^3. 12 MPa in bending and 40 MPa in compression at 12 GPa, where it holds 6 and 67 \
                 kJ/m^3; pots are thin, and bend. In tension half of what it bears in bending.",
    },
    Stuff {
        name: "ice",
        pattern: "ice",
        inside: "ice_cut",
        outside: "ice",
        tag: "ice",
        density: 917.0,
        tensile: 1.4e6,
        energy: 6000.0,
        friction: 0.05,
        restitution: 0.3,
        radii: [0.3, 0.9],
        bumps: [0.0, 0.1],
        texture: 1.0,
        source: "Petrovic, Mechanical properties of ice and snow, J. Mater. Sci. 38 (2003): 1.43 MPa in tension, 5 to 25 MPa \
                 in compression, 9.7 GPa; at 11 MPa it holds 6 kJ/m^3. Friction: Petrenko and Whitworth, Physics of Ice \
                 (1999). NOT MODELLED: creep.",
    },
    Stuff {
        name: "cast_iron",
        pattern: "stone_crater",
        inside: "iron",
        outside: "iron",
        tag: "metal",
        density: 7200.0,
        tensile: 2.5e8,
        energy: 284_000.0,
        friction: 0.4,
        restitution: 0.5,
        radii: [0.1, 0.5],
        bumps: [0.002, 0.02],
        texture: 3.0,
        source: "Grey iron EN-GJL-250 (EN 1561): 7200 kg/m^3, 250 MPa in tension, 110 GPa, where it holds 284 kJ/m^3.",
    },
];

/// Of a sheet of 0.76 mm of PVB between two panes of 3 mm.
const SHEET_TOUGHNESS: f32 = 3.5;

/// Textures of nine plies in a metre. Real plies are a fifth as thick, and would be a blur from two metres.
pub const PLIES_SCALE: f32 = 16.0;

/// Of common walls and slabs, m.
const BAR_SPACING: f32 = 0.15;

/// Ice with notches breaks at a blow, cm^2: some 8 x 8 cm.
const ICE_NECK: f32 = 60.0;

/// Of friction some has a source; restitution has none, because pieces are no balls.
const ESTIMATES: &str =
    "Restitution, friction without a source, radii, necks and bumps are estimates.";

/// Writes every card as `<name>.card`.
pub fn write(resources: &ResourceManager, data: &Path) -> Result<()> {
    for stuff in CARDS {
        let pattern = data.join("patterns").join(stuff.pattern);
        let inside = data.join("materials").join(stuff.inside);
        let is_wood = stuff.tag == "wood";
        let mut card = MaterialCard {
            source: format!("{} {ESTIMATES}", stuff.source),
            density: stuff.density,
            surface_tag: stuff.tag.to_owned(),
            friction: stuff.friction,
            restitution: stuff.restitution,
            pattern: Some(asset::<FracturePattern>(resources, &pattern, "pattern")?),
            energy_per_volume: stuff.energy,
            min_radius: stuff.radii[0],
            max_radius: stuff.radii[1],
            tensile_strength: stuff.tensile,
            sheet_toughness: if stuff.name == "laminated_glass" {
                SHEET_TOUGHNESS
            } else {
                1.0
            },
            held_pieces_stay: stuff.pattern == "window",
            bar_spacing: if stuff.name == "reinforced_concrete" {
                BAR_SPACING
            } else {
                0.0
            },
            min_neck: if stuff.tag == "ice" { ICE_NECK } else { 0.0 },
            inside_material: Some(asset::<Material>(resources, &inside, "material")?),
            texture_mapping: if is_wood {
                CutMapping::Box
            } else {
                CutMapping::Planar
            },
            texture_scale: stuff.texture,
            bump_height: stuff.bumps[0],
            bump_distance: stuff.bumps[1],
            ..MaterialCard::default()
        };
        card.save(&data.join("cards").join(stuff.name).with_extension("card"))?;
        println!("{}.card", stuff.name);
    }
    Ok(())
}

/// Side of the cubes, m.
pub const SIDE: f32 = 0.6;

/// A free cube of each material, in two rows.
pub fn cubes(set: &mut Set) -> Result<()> {
    for (index, stuff) in CARDS.iter().enumerate() {
        let (column, row) = ((index % 7) as f32, (index / 7) as f32);
        let clear = ["glass", "ice"].contains(&stuff.tag);
        let model = if stuff.name == "plywood" {
            "plies"
        } else {
            "cube"
        };
        let cube = set.model(model, stuff.outside, clear)?;
        let graph = &mut set.scene.graph;
        let place = graph[cube].local_transform_mut();
        place.set_position(Vector3::new(1.3 * (column - 3.0), 0.0, -2.0 * row));
        place.set_scale(Vector3::repeat(SIDE));
        let mut script = set.of_card(stuff.name)?;
        script.held.anchoring = Anchoring::Free.into();
        let graph = &mut set.scene.graph;
        let made = make_destructible(graph, cube, RigidBodyType::Dynamic, script)?;
        // The model keeps its name: by that the engine finds what it is an instance of.
        graph[made.body].set_name(stuff.name);
    }
    set.allow_many_pieces();
    Ok(())
}

fn asset<T: TypedResourceData>(
    resources: &ResourceManager,
    path: &Path,
    extension: &str,
) -> Result<Resource<T>> {
    let path = path.with_extension(extension);
    let asset = block_on(resources.request::<T>(&path));
    Ok(asset.map_err(|error| format!("{}: {error:?}", path.display()))?)
}

// A mesh fractured by three-pinata with given sites: prints a time in milliseconds.
// node pinata.mjs MODULES MESH SITES
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, mesh, sites] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${modules}/node_modules/${file}`));
const THREE = await load("three/build/three.module.js");
const pinata = await load("@dgreenheck/three-pinata/build/three-pinata.es.js");
const { DestructibleMesh, FractureOptions } = pinata;

const lines = (file) => readFileSync(file, "utf8").split("\n").map((l) => l.trim().split(/\s+/));
const vertices = [], corners = [];
for (const [kind, ...words] of lines(mesh)) {
  if (kind === "v") vertices.push(words.map(Number));
  if (kind === "f") corners.push(...words.map((w) => parseInt(w) - 1));
}
const geometry = new THREE.BufferGeometry();
const flat = new Float32Array(corners.flatMap((c) => vertices[c]));
geometry.setAttribute("position", new THREE.BufferAttribute(flat, 3));
geometry.setAttribute("uv", new THREE.BufferAttribute(new Float32Array(corners.length * 2), 2));
geometry.computeVertexNormals();
const seedPoints = lines(sites)
  .filter((w) => w.length === 3)
  .map((w) => new THREE.Vector3(...w.map(Number)));
const options = new FractureOptions({
  fractureMethod: "voronoi",
  fragmentCount: seedPoints.length,
  voronoiOptions: { mode: "3D", seedPoints, useApproximation: false },
  seed: 1,
});
const whole = new DestructibleMesh(geometry);
console.log = () => {};
const start = performance.now();
const pieces = whole.fracture(options);
const time = performance.now() - start;
process.stdout.write(pieces.length > 0 ? `${time}\n` : "");

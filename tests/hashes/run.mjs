// Prints the hashes that the module gives in WebAssembly: node run.mjs state_hashes.wasm EVERY
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = {};
for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    // All that the code asks of the page is the time, which no result depends on.
    (imports[space] ??= {})[name] = () => (name.includes("is_undefined") ? 0 : 1);
}
const { exports } = await WebAssembly.instantiate(module, imports);
const length = exports.write_lines(Number(process.argv[3] ?? 1));
const bytes = Uint8Array.from({ length }, (_, at) => exports.written_byte(at));
process.stdout.write(new TextDecoder().decode(bytes));

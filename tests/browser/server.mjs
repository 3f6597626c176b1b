// Serves a folder as a web server would, compressed.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** The server, and its address. */
export async function serve(folder) {
    const packed = new Map();
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
        const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
        try {
            if (!packed.has(file)) {
                packed.set(file, gzipSync(await readFile(file)));
            }
            const type = KINDS[extname(file)] ?? "application/octet-stream";
            response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
            response.end(packed.get(file));
        } catch {
            response.writeHead(404).end("not found");
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

// Loads the demo and starts it with the button: browsers play sound only after a press.
import * as program from "./pkg/executor_wasm.js";

const start = document.getElementById("start");
const words = document.getElementById("words");
const button = document.getElementById("button");

function say(text) {
    words.textContent = text;
    start.hidden = false;
    button.hidden = true;
}

// Fails for files that are not there: the engine asks for some that need not be, and would take a server's page that says
// "not found" for the file.
async function knowFiles() {
    const list = await fetch("files.json");
    if (!list.ok) {
        return;
    }
    const files = new Set(await list.json());
    const fetchFile = window.fetch;
    window.fetch = (what, ...more) => {
        const missing = typeof what === "string" && what.startsWith("data/") && !files.has(what);
        return missing ? Promise.reject(new Error(`there is no ${what}`)) : fetchFile(what, ...more);
    };
}

// The engine leaves the canvas as many pixels as it had at first.
function fitCanvas() {
    const canvas = document.querySelector("canvas");
    if (!canvas) {
        requestAnimationFrame(fitCanvas);
        return;
    }
    new ResizeObserver(([entry]) => {
        const box = entry.devicePixelContentBoxSize?.[0];
        const scale = box ? 1 : devicePixelRatio;
        const { inlineSize, blockSize } = box ?? entry.contentBoxSize[0];
        canvas.width = Math.max(1, Math.round(inlineSize * scale));
        canvas.height = Math.max(1, Math.round(blockSize * scale));
    }).observe(canvas);
    canvas.focus();
}

function play() {
    start.hidden = true;
    try {
        program.main(new URLSearchParams(location.search).get("scene") ?? undefined);
    } catch (error) {
        say(`The demo does not open: ${error}`);
        return;
    }
    fitCanvas();
    if (program.state) {
        // Read by tests.
        window.demoState = () => JSON.parse(program.state());
        window.forgetLongest = program.forget_longest;
        // "Quit" leads back to the button.
        setInterval(() => window.demoState().is_over && location.reload(), 500);
    }
}

window.addEventListener("error", () => {
    document.querySelector("canvas")?.remove();
    say("The demo has stopped with an error, which the console shows. Please load the page anew.");
});

if (!document.createElement("canvas").getContext("webgl2")) {
    say("The demo needs WebGL 2, and this browser does not have it, or has it switched off.");
} else {
    try {
        await Promise.all([program.default(), knowFiles()]);
        words.textContent = "Shoot at things, and see them break.";
        button.hidden = false;
        button.addEventListener("click", play, { once: true });
    } catch (error) {
        say(`The demo cannot be loaded: ${error}`);
    }
}

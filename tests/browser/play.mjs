// Plays the demo's page in a browser: node play.mjs PAGE PICTURES BROWSER
import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { Browser } from "./devtools.mjs";
import { serve } from "./server.mjs";

const [folder, pictures, program] = process.argv.slice(2);
const SIZE = [640, 400];
const MIDDLE = [320, 200];

// Notes frame times and sound devices.
const NOTES = `
    window.frames_ms = [];
    let last = performance.now();
    requestAnimationFrame(function note(now) {
        window.frames_ms.push(now - last);
        last = now;
        requestAnimationFrame(note);
    });
    window.devices = [];
    window.AudioContext = class extends AudioContext {
        constructor(...parts) {
            super(...parts);
            window.devices.push(this);
        }
    };
`;

// Rows of the menu, whose texts begin at the left; see menu_panel.rs.
const row = (number) => [60, 75 + 17 * number];
const CONCRETE = row(2);
const VASES = row(5);
const TOOL = row(15.5);

const report = [];
function say(line) {
    report.push(line);
    console.log(line);
}

const seconds = (milliseconds) => `${(milliseconds / 1e3).toFixed(1)} s`;
const state = (what) => `window.demoState?.().${what}`;
const loaded = (scene) => `${state("is_loading")} === false && ${state("scene")}.endsWith("${scene}.rgs")`;

async function keep(page, name) {
    await writeFile(join(pictures, `${name}.png`), await page.picture());
}

/** Waits for some frames to be drawn. */
async function frames(page, count) {
    const now = await page.value("frames_ms.length");
    await page.until(`frames_ms.length > ${now + count}`, `${count} frames`);
}

/** Opens the page, and starts the demo. */
async function start(page, address) {
    const begin = Date.now();
    await page.send("Page.navigate", { url: address });
    await page.until('document.getElementById("button")?.hidden === false', "the button");
    const ready = Date.now();
    await keep(page, "start");
    await press(page, "#button");
    const pressed = Date.now();
    await page.until(loaded("demo"), "the first scene", 240);
    await frames(page, 2);
    say(`download ${(page.bytes / 1e6).toFixed(1)} MB; ready to start after ${seconds(ready - begin)}, ` +
        `the first picture ${seconds(Date.now() - pressed)} after the press`);
    await keep(page, "menu");
}

async function press(page, element) {
    const box = `document.querySelector("${element}").getBoundingClientRect()`;
    await page.click([await page.value(`${box}.x + 9`), await page.value(`${box}.y + 9`)]);
}

/** Shoots with `shoot` until pieces are there, and keeps pictures of before and after. */
async function breakSomething(page, name, shoot) {
    await frames(page, 5);
    await keep(page, `${name}_before`);
    const before = await longest(page);
    const breaks = await page.value(state("breaks"));
    await page.value("void (frames_ms.length = 0)");
    await shoot();
    await page.until(`${state("breaks")} > ${breaks} && ${state("pieces")} > 2`, `pieces of the ${name}`);
    await frames(page, 3);
    await keep(page, `${name}_breaks`);
    await page.until(`${state("awake")} < ${state("pieces")} / 2`, `rest of most pieces of the ${name}`, 240);
    await keep(page, `${name}_after`);
    const times = await page.value("frames_ms");
    const slowest = Math.max(...times).toFixed(0);
    const median = times.sort((a, b) => a - b)[times.length >> 1].toFixed(0);
    say(`${name}: ${await page.value(state("pieces"))} pieces; frames of ${median} ms, the longest ${slowest} ms; the longest ` +
        `update of destruction ${await longest(page)}, before the shot ${before}; load of the machine ${loadavg()[0].toFixed(1)}`);
}

/** The longest update of destruction since this was last asked for, in words. */
async function longest(page) {
    const [update, step] = await page.value(`[${state("longest_ms")}, ${state("longest_step_ms")}]`);
    await page.value("window.forgetLongest()");
    return `${update.toFixed(1)} ms (step of the debris: ${step.toFixed(1)})`;
}

/** Opens a scene of the menu with the mouse, and shoots. */
async function playWithMouse(page) {
    await longest(page);
    await page.click(CONCRETE);
    await page.until(loaded("concrete"), "the scene of the wall");
    await page.key("F1"); // no numbers in the pictures
    await breakSomething(page, "wall", () => page.click(MIDDLE));
    // The browser translates functions when they are first called: the next shot shows what is left without that.
    await breakSomething(page, "wall_again", () => page.click([250, 150]));
    await page.key("Tab");
    await page.until(state("menu_is_open"), "the menu");
    await page.click(TOOL);
    await page.until(`${state("tool")} === "bomb"`, "the tool of the row that was clicked");
    await page.key("Tab");
    await page.until(`!${state("menu_is_open")}`, "the menu's end");
    await page.key("Digit2", "2");
    await page.until(`${state("tool")} === "shoot"`, "the tool of a key");
}

/** The same with fingers; and looks around. */
async function playWithFingers(page) {
    await page.tap([300, 300], [500, 300]);
    await page.until(state("menu_is_open"), "the menu after a tap with two fingers");
    // Once round, to the tool that it was.
    for (const tool of ["bomb", "hammer", "blade", "push", "shoot"]) {
        await page.tap(TOOL);
        await page.until(`${state("tool")} === "${tool}"`, `the ${tool} after a tap on the tool's row`);
    }
    await longest(page);
    await page.tap(VASES);
    await page.until(loaded("vase"), "the scene of the vases");
    await breakSomething(page, "vase", () => page.tap(MIDDLE));
    const breaks = await page.value(state("breaks"));
    const before = await page.value(state("look[0]"));
    // At once: between slow frames the finger would rest, and hold the tool.
    const slide = [350, 400, 450, 500].map((x) => () => page.touch("touchMove", [[x, 300]]));
    const events = [() => page.touch("touchStart", [[300, 300]]), ...slide, () => page.touch("touchEnd", [])];
    await Promise.all(events.map((send) => send()));
    await page.until(`Math.abs(${state("look[0]")} - ${before}) > 0.2`, "the turn of the camera", 30);
    await frames(page, 5);
    await keep(page, "looked");
    if ((await page.value(state("breaks"))) !== breaks) {
        throw new Error("the finger that looked has broken something");
    }
}

/** Quits by keys, which leads back to the start. */
async function quit(page) {
    await page.key("Tab");
    await page.until(state("menu_is_open"), "the menu");
    // From the row of the vases round to the last one.
    for (let times = 0; times < 6; times += 1) {
        await page.key("ArrowUp");
    }
    await page.key("Enter");
    await page.until('!window.demoState && document.getElementById("button")?.hidden === false', "the start after the end");
}

async function checkSound(page) {
    await page.until(`${state("sounds")} > 0`, "a sound", 20);
    const devices = await page.value("devices.map((device) => device.state)");
    if (devices.join() !== "running") {
        throw new Error(`the sound device does not run: ${devices}`);
    }
}

/** Opens the page in a browser without WebGL 2. */
async function openWithout(address) {
    const browser = await Browser.open(program, SIZE, "--disable-3d-apis");
    try {
        const page = await browser.page("");
        await page.send("Page.navigate", { url: address });
        await page.until('document.getElementById("words")?.textContent.includes("WebGL 2")', "the words about WebGL 2");
        await page.until('document.getElementById("button").hidden', "no button");
        await keep(page, "without_webgl");
        return page;
    } finally {
        await browser.close();
    }
}

await mkdir(pictures, { recursive: true });
const { server, address } = await serve(folder);
const browser = await Browser.open(program, SIZE);
const pages = [];
let problem;
try {
    const page = await browser.page(NOTES);
    pages.push(await openWithout(address), page);
    await start(page, address);
    await playWithMouse(page);
    await checkSound(page);
    await playWithFingers(page);
    const faults = await page.value(state("faults"));
    if (faults) {
        throw new Error(`${faults} faults`);
    }
    await quit(page);
} catch (error) {
    problem = error;
    console.error(error.message);
    console.error(await pages.at(-1)?.value("JSON.stringify(window.demoState?.())").catch(() => ""));
    await keep(pages.at(-1), "failed").catch(() => {});
}
await browser.close().catch(() => {});
server.close();
const errors = pages.flatMap((page) => page.errors);
errors.forEach((error) => console.error(`console: ${error}`));
await writeFile(join(pictures, "report.txt"), report.join("\n") + "\n");
await writeFile(join(pictures, "console.txt"), pages.flatMap((page) => page.log).join("\n") + "\n");
console.log(problem || errors.length ? "FAILED" : "All of it works.");
process.exitCode = problem || errors.length ? 1 : 0;

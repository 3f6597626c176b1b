// A browser, told what to do by its DevTools protocol over a pipe: Chromium and node are all that is needed.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Draws without a graphics card.
const FLAGS = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--hide-scrollbars",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--touch-events=enabled",
];

/** A browser with an empty profile, and with more flags if need be. */
export class Browser {
    static async open(program, [width, height], ...more) {
        const profile = await mkdtemp(join(tmpdir(), "browser-"));
        const flags = [...FLAGS, ...more, `--window-size=${width},${height}`, `--user-data-dir=${profile}`];
        const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
        const child = spawn(program, [...flags, "about:blank"], { stdio });
        return new Browser(child, profile, { width, height });
    }

    constructor(child, profile, size) {
        Object.assign(this, { child, profile, size, answers: new Map(), pages: new Map(), last: 0 });
        const [, , , to, from] = child.stdio;
        this.to = to;
        let rest = "";
        from.setEncoding("utf8").on("data", (text) => {
            const messages = (rest + text).split("\0");
            rest = messages.pop();
            messages.forEach((message) => this.take(JSON.parse(message)));
        });
        this.ended = new Promise((end) => child.once("exit", end));
        this.ended.then(() => this.answers.forEach(({ fail }) => fail(new Error("the browser has ended"))));
    }

    take({ id, result, error, method, params, sessionId }) {
        const answer = this.answers.get(id);
        if (answer) {
            this.answers.delete(id);
            error ? answer.fail(new Error(error.message)) : answer.done(result);
        } else if (method) {
            this.pages.get(sessionId)?.hear(method, params);
        }
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.last;
        this.to.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        return new Promise((done, fail) => this.answers.set(id, { done, fail }));
    }

    /** Opens a page on which a script runs before those of the page. */
    async page(script) {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId);
        this.pages.set(sessionId, page);
        for (const part of ["Page", "Runtime", "Log", "Network"]) {
            await page.send(`${part}.enable`);
        }
        await page.send("Emulation.setDeviceMetricsOverride", { ...this.size, deviceScaleFactor: 1, mobile: false });
        await page.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
        return page;
    }

    async close() {
        this.send("Browser.close").catch(() => {});
        await this.ended;
        await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

/** A page, and the errors in its console. */
class Page {
    constructor(browser, session) {
        Object.assign(this, { browser, session, errors: [], log: [], bytes: 0 });
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    hear(method, params) {
        if (method === "Runtime.exceptionThrown") {
            const { exception, text } = params.exceptionDetails;
            this.errors.push(exception?.description ?? text);
        } else if (method === "Runtime.consoleAPICalled") {
            const text = params.args.map((part) => part.value ?? part.description ?? "").join(" ");
            this.log.push(`${params.type}: ${text}`);
            // The engine writes its errors as plain lines.
            if (["error", "assert"].includes(params.type) || text.includes("[ERROR]")) {
                this.errors.push(text);
            }
        } else if (method === "Log.entryAdded") {
            this.log.push(`${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ""}`);
            if (params.entry.level === "error") {
                this.errors.push(`${params.entry.text} ${params.entry.url ?? ""}`);
            }
        } else if (method === "Network.loadingFinished") {
            this.bytes += params.encodedDataLength;
        }
    }

    /** Value of an expression on the page. */
    async value(expression) {
        const wanted = { expression, returnByValue: true, awaitPromise: true };
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", wanted);
        if (exceptionDetails) {
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        }
        return result.value;
    }

    /** Waits until an expression holds. */
    async until(expression, what, seconds = 120) {
        const end = Date.now() + seconds * 1e3;
        while (!(await this.value(`Boolean(${expression})`))) {
            if (Date.now() > end) {
                throw new Error(`${what}: not within ${seconds} s`);
            }
            await new Promise((done) => setTimeout(done, 50));
        }
    }

    async picture() {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        return Buffer.from(data, "base64");
    }

    mouse(type, [x, y], button = "none") {
        return this.send("Input.dispatchMouseEvent", { type, x, y, button, clickCount: 1 });
    }

    async click(place) {
        await this.mouse("mouseMoved", place);
        await this.mouse("mousePressed", place, "left");
        await this.mouse("mouseReleased", place, "left");
    }

    async key(code, key = code) {
        for (const type of ["rawKeyDown", "keyUp"]) {
            await this.send("Input.dispatchKeyEvent", { type, code, key });
        }
    }

    /** Fingers at places: all those that touch now. */
    touch(type, places) {
        const touchPoints = places.map(([x, y], id) => ({ x, y, id }));
        return this.send("Input.dispatchTouchEvent", { type, touchPoints });
    }

    /** Sent at once: between slow frames the fingers would rest. */
    async tap(...places) {
        await Promise.all([this.touch("touchStart", places), this.touch("touchEnd", [])]);
    }
}

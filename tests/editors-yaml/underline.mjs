// Talks to the YAML language server as an editor does, and looks at what it underlines.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const folder = mkdtempSync(join(tmpdir(), "ludex-editors-"));
const server = spawn("node", ["node_modules/yaml-language-server/bin/yaml-language-server", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const published = new Map();
let read = Buffer.alloc(0);

server.stdout.on("data", (data) => {
    read = Buffer.concat([read, data]);
    for (;;) {
        const end = read.indexOf("\r\n\r\n");
        if (end < 0) return;
        const length = Number(/Content-Length: (\d+)/i.exec(read.subarray(0, end).toString())[1]);
        if (read.length < end + 4 + length) return;
        const message = JSON.parse(read.subarray(end + 4, end + 4 + length).toString());
        read = read.subarray(end + 4 + length);
        hear(message);
    }
});

function hear(message) {
    if (message.method === "textDocument/publishDiagnostics") {
        published.get(message.params.uri)?.(message.params.diagnostics);
    } else if (message.id !== undefined && message.method) {
        const empty = message.method === "workspace/configuration" ? message.params.items.map(() => ({ validate: true })) : null;
        send({ id: message.id, result: empty });
    } else if (message.id !== undefined) {
        waiting.get(message.id)?.(message.result);
    }
}

function send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.stdin.write(body);
}

function ask(id, method, params) {
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answer;
}

/** What is underlined in a file, as its words. */
async function underlined(name, text) {
    const uri = pathToFileURL(join(folder, name)).href;
    writeFileSync(join(folder, name), text);
    const found = new Promise((resolve) => published.set(uri, resolve));
    send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
    const lines = text.split("\n");
    return (await found).map(({ range }) => lines[range.start.line].slice(range.start.character, range.end.character));
}

const schema = (kind) => writeFileSync(join(folder, `${kind}.schema.json`), execFileSync(process.env.LUDEX, ["schema", "dice-challenge", kind]));

const sheet = (lines) => `# yaml-language-server: $schema=sheet.schema.json\nname: Night Owl\n${lines}\n`;
const scenario = (steps) => `# yaml-language-server: $schema=scenario.schema.json
- name: One
  position:
    sides:
      - entrants: [sailor-mercury]
      - entrants: [kunzite]
    at: "turn(active: 0)"
  play:
    - ${steps}
`;

try {
    ["sheet", "scenario"].forEach(schema);
    await ask(1, "initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} });
    send({ method: "initialized", params: {} });
    const sound = "starting: [6, 6, 8, 12]\nreserve: [4, 10, 10, 20]\nabilities: [planet-power]";
    assert.deepEqual(await underlined("sound.yaml", sheet(sound)), []);
    assert.ok((await underlined("key.yaml", sheet(`${sound}\nabilitys: []`))).includes("abilitys"));
    assert.ok((await underlined("die.yaml", sheet(sound.replace("12", "7")))).includes("7"));
    assert.ok((await underlined("ability.yaml", sheet(sound.replace("planet-power", "planet-powr")))).includes("planet-powr"));
    assert.deepEqual(await underlined("scenario.yaml", scenario("expect: [began(turn by 0)]")), []);
    assert.ok((await underlined("step.yaml", scenario("expct: [began(turn by 0)]"))).includes("expct"));
    console.log("the YAML language server underlines misspelt keys, sizes and abilities");
} finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
}

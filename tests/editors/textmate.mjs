// Reads every file of rules and every script with the grammars of VS Code, and says which word has no scope, or a wrong one.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const syntaxes = join(root, "tools/editors/vscode/syntaxes");
const grammars = { "source.ludex": "ludex.tmLanguage.json", "source.ludex-script": "ludex-script.tmLanguage.json" };

const wasm = readFileSync(join(dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const name = grammars[scope];
    return name ? textmate.parseRawGrammar(readFileSync(join(syntaxes, name), "utf8"), name) : null;
  },
});

// The words of the language, as the grammar that is made of them has them.
const words = new Set();
for (const { name, match } of JSON.parse(readFileSync(join(syntaxes, grammars["source.ludex"]), "utf8")).repository.word.patterns) {
  if (name.startsWith("keyword")) for (const word of match.match(/\(\?:(.*)\)/)[1].split("|")) words.add(word);
}
// Where a word of the language may stand as something else.
const fits = /^(keyword|support|constant|comment|string|entity\.name|variable\.other\.member)/;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(ludex|rhai)$/.test(entry.name)) yield path;
  }
}

let [read, wrong] = [0, 0];
const tell = (path, line, message) => {
  wrong += 1;
  if (wrong <= 20) console.error(`${relative(root, path)}:${line + 1}: ${message}`);
};
for (const folder of ["rules", "scripts", "examples"]) {
  for (const path of files(join(root, folder))) {
    const rules = path.endsWith(".ludex");
    const grammar = await registry.loadGrammar(rules ? "source.ludex" : "source.ludex-script");
    let state = textmate.INITIAL;
    read += 1;
    readFileSync(path, "utf8").split("\n").forEach((text, line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(text, state);
      state = ruleStack;
      const isRules = rules || text.startsWith("//!");
      for (const { startIndex, endIndex, scopes } of tokens) {
        const token = text.slice(startIndex, endIndex);
        const scope = scopes.at(-1);
        if (scopes.some((scope) => scope.startsWith("invalid"))) tell(path, line, `\`${token}\` is invalid`);
        if (!token.trim()) continue;
        if (/^(source|meta)\./.test(scope)) tell(path, line, `\`${token}\` has no scope`);
        if (isRules && words.has(token) && !fits.test(scope)) tell(path, line, `the word \`${token}\` is ${scope}`);
      }
      const depth = (frame) => (frame ? 1 + depth(frame.parent) : 0);
      if (rules && depth(ruleStack) > 1) tell(path, line, "something goes on beyond the end of the line");
    });
  }
}
console.log(`${read} files read, ${wrong} things wrong`);
process.exitCode = wrong || read < 150 ? 1 : 0;

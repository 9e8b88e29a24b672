// Builds everything that runs: extension, language server, command line, worker, sidebar. Usage: node esbuild.mjs
// [--watch] [--production]
import { build, context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { repairGrammar } from './server/src/adapters/grammars/repair.ts';
import { createCompilerNamesPlugin } from './scripts/bundle/compilerNames.mjs';
import { findPackageFolders } from './scripts/notices.mjs';
import { PACKAGED_GRAMMARS } from './server/src/adapters/grammars/packagedGrammars.ts';

const root = dirname(fileURLToPath(import.meta.url));
const out = join(root, 'dist');
const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** CommonJS dependencies inside ES modules need these three names. */
const commonJsNames = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __toPath } from 'node:url';",
  "import { dirname as __dirOf } from 'node:path';",
  'const require = __createRequire(import.meta.url); const __filename = __toPath(import.meta.url); const __dirname = __dirOf(__filename);',
].join('\n');

const common = {
  bundle: true,
  logLevel: 'warning',
  sourcemap: production ? false : 'linked',
  minify: production,
  absWorkingDir: root,
  legalComments: 'none',
};

/** zod brings its messages in fifty languages: half a megabyte that each command would read. Ours are English. */
const englishOfZod = {
  name: 'english-of-zod',
  setup(builder) {
    builder.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';\n",
    }));
  },
};

/** Split at every dynamic import, so that the server answers `initialize` before the heavy parts are read. */
const node = {
  ...common,
  entryPoints: {
    main: 'server/src/main.ts',
    cli: 'server/src/cli.ts',
    worker: 'server/src/adapters/workers/worker.ts',
    harness: 'server/src/adapters/harness/main.ts',
    localModel: 'server/src/adapters/models/local/main.ts',
  },
  outdir: out,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  splitting: true,
  // Every thread keeps the text of what it has loaded, the compiler's nine megabytes among it. Source maps name the
  // lines.
  minifyWhitespace: true,
  plugins: [createCompilerNamesPlugin(root), englishOfZod],
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: commonJsNames },
  // Natives ship beside the bundle; openai and transformers are optional parts of LanceDB that we never call.
  external: ['*.node', '@lancedb/lancedb-*', 'openai', '@huggingface/transformers', 'onnxruntime-node', 'sharp'],
};

/** Loaded into the test runner of a repository, by whatever Node that one runs on: one file, and nothing new in it. */
const inTests = {
  ...common,
  entryPoints: { inTests: 'server/src/adapters/harness/inTests/preload.ts' },
  outdir: out,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  minifyWhitespace: true,
};

/** Copied into an agent's enclosure: two files, which need no other. */
const inEnclosure = {
  ...common,
  entryPoints: {
    acpClient: 'server/src/adapters/agents/acp/main.ts',
    agentTools: 'server/src/adapters/agents/tools/main.ts',
  },
  outdir: out,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  minifyWhitespace: true,
};

/**
 * The library of the language client is ten times our own client: it lies apart, and activation does not read it. By
 * `require`: an import of Node's own would see only half of its names.
 */
const libraryApart = {
  name: 'language-client-apart',
  setup(builder) {
    builder.onResolve({ filter: /^vscode-languageclient\/node$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './languageClient.cjs', external: true },
    );
  },
};

/**
 * An import of `vscode` copies its hundreds of names, in each of our files, while the window waits. Here the few that
 * we use are taken once for all.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(builder) {
    const namespace = 'vscode-once';
    const folder = join(root, 'client/src');
    const names = () =>
      new Set(
        readdirSync(folder, { recursive: true })
          .filter((name) => name.endsWith('.ts'))
          .flatMap((name) =>
            [...readFileSync(join(folder, name), 'utf8').matchAll(/\bvscode\.([A-Za-z]+)/g)].map(([, used]) => used),
          ),
      );
    builder.onResolve({ filter: /^vscode$/ }, ({ namespace: from }) =>
      from === namespace ? { path: 'vscode', external: true } : { path: 'vscode', namespace },
    );
    builder.onLoad({ filter: /.*/, namespace }, () => ({
      contents: `const api = require('vscode');\nexport const ${[...names()].map((name) => `${name} = api.${name}`).join(', ')};\n`,
    }));
  },
};

const client = {
  ...common,
  entryPoints: { extension: 'client/src/extension.ts' },
  outdir: out,
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  minifyWhitespace: true,
  supported: { 'dynamic-import': false },
  plugins: [libraryApart, vscodeOnce],
};
const clientLibrary = {
  ...client,
  entryPoints: { languageClient: 'node_modules/vscode-languageclient/lib/node/main.js' },
  plugins: [],
};

const webview = {
  ...common,
  entryPoints: { main: 'webview/src/main.ts', styles: 'webview/src/styles.css' },
  outdir: join(out, 'webview'),
  platform: 'browser',
  format: 'esm',
  target: 'chrome128',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  tsconfig: 'webview/tsconfig.json',
};

const targets = [node, inTests, inEnclosure, client, clientLibrary, webview].filter((target) =>
  Object.values(target.entryPoints).every((entry) => existsSync(join(root, entry))),
);

if (watch) {
  copyAssets();
  for (const target of targets) await (await context(target)).watch();
} else {
  const results = await Promise.all(targets.map((target) => build({ ...target, metafile: true })));
  removeStaleChunks(results.flatMap((result) => Object.keys(result.metafile.outputs)));
  copyAssets();
  writeFileSync(
    join(out, 'shipped.json'),
    `${JSON.stringify(shippedPackages(results.flatMap((result) => inputsOf(result.metafile))), null, 2)}\n`,
  );
}

/** Only what has left bytes in a bundle: types, and what was shaken out, do not ship. */
function inputsOf({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );
}

/** Folders of the packages that went into a bundle, and of those whose files are copied beside it. */
function shippedPackages(inputs) {
  const copied = Object.values(PACKAGED_GRAMMARS).map((path) => join('node_modules', path));
  const parts = ['node_modules/@lancedb/lancedb/package.json', 'node_modules/@astral-sh/ruff-wasm-nodejs/package.json'];
  return findPackageFolders([...inputs, ...copied, ...parts]);
}

/** Only after the new ones are there: what runs from dist at this moment keeps working. */
function removeStaleChunks(written) {
  const current = new Set(written.map((path) => basename(path)));
  const chunks = join(out, 'chunks');
  for (const name of existsSync(chunks) ? readdirSync(chunks) : []) if (!current.has(name)) rmSync(join(chunks, name));
}

function copyAssets() {
  const modules = join(root, 'node_modules');
  const grammars = join(out, 'grammars');
  mkdirSync(grammars, { recursive: true });
  const { 'tree-sitter': runtime, ...languages } = PACKAGED_GRAMMARS;
  cpSync(join(modules, runtime), join(grammars, 'tree-sitter.wasm'));
  for (const [language, file] of Object.entries(languages))
    compress(language, join(modules, file), join(grammars, `${language}.wasm.br`));
  for (const name of readdirSync(grammars))
    if (name !== 'tree-sitter.wasm' && !(name.replace(/\.wasm\.br$/, '') in languages)) rmSync(join(grammars, name));

  const models = join(out, 'models');
  mkdirSync(models, { recursive: true });
  cpSync(join(root, 'server', 'models'), models, { recursive: true });

  const ruff = join(out, 'ruff');
  mkdirSync(ruff, { recursive: true });
  for (const name of ['ruff_wasm.js', 'ruff_wasm_bg.wasm'])
    cpSync(join(modules, '@astral-sh', 'ruff-wasm-nodejs', name), join(ruff, name));
  // The library is CommonJS, and the package around it says that `.js` is not.
  writeFileSync(join(ruff, 'package.json'), '{ "type": "commonjs" }\n');

  const python = join(out, 'python');
  mkdirSync(python, { recursive: true });
  const programs = join(root, 'server', 'src', 'adapters', 'harness', 'python');
  cpSync(programs, python, { recursive: true, filter: (path) => !path.includes('__pycache__') });

  const native = join(out, 'native');
  mkdirSync(native, { recursive: true });
  const scope = join(modules, '@lancedb');
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    if (name.endsWith('-musl')) continue;
    for (const file of readdirSync(join(scope, name)).filter((file) => file.endsWith('.node'))) {
      // Copied once: it is large. Another version has another size.
      const [from, to] = [join(scope, name, file), join(native, file)];
      if (existsSync(to) && statSync(to).size === statSync(from).size) continue;
      // Copies of the program for unattended runs may be hard links to the old file, which must not change.
      rmSync(to, { force: true });
      cpSync(from, to);
    }
  }
}

/**
 * Tables of a parser shrink to a tenth; what is there already is left alone, because this takes longer than the whole
 * bundle.
 */
function compress(language, from, to) {
  if (existsSync(to) && statSync(to).mtimeMs >= statSync(from).mtimeMs) return;
  writeFileSync(
    to,
    brotliCompressSync(repairGrammar(language, readFileSync(from)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  );
}

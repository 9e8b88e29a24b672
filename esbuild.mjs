// Builds everything that runs: extension, language server, command line, worker, sidebar. Usage: node esbuild.mjs [--watch] [--production]
import { build, context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { mendGrammar } from './server/src/adapters/grammars/mend.ts';
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

/** What we take from ts-morph as constants: a name of a CommonJS package is a getter in a bundle, and the analysis asks for `ts` with every node. */
const tsMorphAsConstants = {
  name: 'ts-morph-as-constants',
  setup(builder) {
    builder.onResolve({ filter: /^ts-morph$/ }, ({ namespace }) => (namespace === 'constants' ? undefined : { path: 'ts-morph', namespace: 'constants' }));
    builder.onLoad({ filter: /.*/, namespace: 'constants' }, () => ({ contents: "import * as all from 'ts-morph';\nexport const ts = all.ts;\nexport const Project = all.Project;\n", resolveDir: root }));
  },
};

const common = { bundle: true, logLevel: 'warning', sourcemap: production ? false : 'linked', minify: production, absWorkingDir: root, legalComments: 'none' };

/** Split at every dynamic import, so that the server answers `initialize` before the heavy parts are read. */
const node = {
  ...common,
  entryPoints: { main: 'server/src/main.ts', cli: 'server/src/cli.ts', worker: 'server/src/adapters/workers/worker.ts' },
  outdir: out,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  splitting: true,
  // Every thread keeps the text of what it has loaded, the compiler's nine megabytes among it. Source maps name the lines.
  minifyWhitespace: true,
  plugins: [tsMorphAsConstants],
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: commonJsNames },
  // Natives ship beside the bundle; openai and transformers are optional parts of LanceDB that we never call.
  external: ['*.node', '@lancedb/lancedb-*', 'openai', '@huggingface/transformers', 'onnxruntime-node', 'sharp'],
};

const client = { ...common, entryPoints: { extension: 'client/src/extension.ts' }, outdir: out, outExtension: { '.js': '.cjs' }, platform: 'node', format: 'cjs', target: 'node22', external: ['vscode'] };

const webview = { ...common, entryPoints: { main: 'webview/src/main.ts', styles: 'webview/src/styles.css' }, outdir: join(out, 'webview'), platform: 'browser', format: 'esm', target: 'chrome128', loader: { '.ttf': 'file' }, assetNames: '[name]', tsconfig: 'webview/tsconfig.json' };

const targets = [node, client, webview].filter((target) => Object.values(target.entryPoints).every((entry) => existsSync(join(root, entry))));

if (watch) {
  copyAssets();
  for (const target of targets) await (await context(target)).watch();
} else {
  const results = await Promise.all(targets.map((target) => build({ ...target, metafile: true })));
  removeStaleChunks(results.flatMap((result) => Object.keys(result.metafile.outputs)));
  copyAssets();
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
  for (const [language, file] of Object.entries(languages)) compress(language, join(modules, file), join(grammars, `${language}.wasm.br`));
  for (const name of readdirSync(grammars)) if (name !== 'tree-sitter.wasm' && !(name.replace(/\.wasm\.br$/, '') in languages)) rmSync(join(grammars, name));

  const models = join(out, 'models');
  mkdirSync(models, { recursive: true });
  cpSync(join(root, 'server', 'models'), models, { recursive: true });

  const native = join(out, 'native');
  mkdirSync(native, { recursive: true });
  const lancedb = join(modules, '@lancedb');
  for (const name of existsSync(lancedb) ? readdirSync(lancedb) : []) {
    if (name === 'lancedb' || name.endsWith('-musl')) continue;
    for (const file of readdirSync(join(lancedb, name)).filter((file) => file.endsWith('.node'))) {
      if (!existsSync(join(native, file))) cpSync(join(lancedb, name, file), join(native, file));
    }
  }
}

/** Tables of a parser shrink to a tenth; what is there already is left alone, because this takes longer than the whole bundle. */
function compress(language, from, to) {
  if (existsSync(to) && statSync(to).mtimeMs >= statSync(from).mtimeMs) return;
  writeFileSync(to, brotliCompressSync(mendGrammar(language, readFileSync(from)), { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } }));
}

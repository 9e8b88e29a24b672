// Bundles a script that a test starts many times. Without the bundle, Node takes longer to read the sources than most
// of these processes take for their work, and killing a process that still reads modules tests nothing.

import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** The folder of the bundles. It is in the repository, so that packages are found. */
const FOLDER = join(import.meta.dirname, '..', 'output', 'scripts');
/** Packages with native or WebAssembly parts, and the compiler, which not every process loads. */
const EXTERNAL = ['@lancedb/lancedb', 'apache-arrow', 'ts-morph', 'web-tree-sitter'];
/** Age in milliseconds at which a bundle is removed, because no test runs that long. */
const OUTDATED_MS = 24 * 3_600_000;

const bundles = new Map<string, Promise<string>>();

/** The path of the bundle of the script `entry`. It is made once per process; its name contains its hash. */
export function findBundledScript(entry: string): Promise<string> {
  const sharedBundle = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, sharedBundle);
  return sharedBundle;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
    external: EXTERNAL,
    // CommonJS packages that are bundled into an ES module call `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
  const text = outputFiles[0]!.text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(FOLDER, `${basename(entry, '.ts')}-${digest}.mjs`);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
  await removeOutdated();
  return file;
}

/** Removes bundles that are older than `OUTDATED_MS`. */
async function removeOutdated(): Promise<void> {
  const before = Date.now() - OUTDATED_MS;
  for (const name of await readdir(FOLDER)) {
    const path = join(FOLDER, name);
    // Another process may have removed the bundle.
    const modifiedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (modifiedAt < before) await rm(path, { force: true });
  }
}

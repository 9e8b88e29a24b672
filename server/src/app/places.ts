// Where the program's own parts are, bundled (dist/) or run from source.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SelfwareError } from '../util/typedError.ts';

/** The folder with our package.json: searched upwards, because bundled code is in dist/ or dist/chunks/. */
export function packageRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder)
      throw new SelfwareError('internal', `No package.json is at or above ${here}: the installation is incomplete.`, {
        action: 'Install Selfware again.',
      });
  }
}

/** True if this code is the bundle. */
const isBuilt = import.meta.url.endsWith('.js');

/** The worker thread's entry: the built one if we are built ourselves, else the source. */
export function workerEntry(built = isBuilt): string {
  return built
    ? join(packageRoot(), 'dist', 'worker.js')
    : join(packageRoot(), 'server', 'src', 'adapters', 'workers', 'worker.ts');
}

/**
 * The harness that compares old and new code in a sandbox, and its folders. It runs on our own Node; in an editor that
 * is the editor's program, which has to be told to act as Node.
 */
export function harnessParts(built = isBuilt): {
  readonly command: readonly string[];
  readonly folders: readonly string[];
  /** Address of what is loaded into the repository's own test runner, by whatever Node that one runs on. */
  readonly inTests: string;
} {
  const root = packageRoot();
  const entry = built
    ? join(root, 'dist', 'harness.js')
    : join(root, 'server', 'src', 'adapters', 'harness', 'main.ts');
  const editor = process.versions['electron'] !== undefined;
  const node = !editor
    ? [process.execPath]
    : process.platform === 'win32'
      ? ['node']
      : ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', process.execPath];
  const folders = built
    ? [join(root, 'dist'), join(root, 'package.json')]
    : [join(root, 'server', 'src'), join(root, 'node_modules'), join(root, 'package.json')];
  const inTests = built
    ? join(root, 'dist', 'inTests.js')
    : join(root, 'server', 'src', 'adapters', 'harness', 'inTests', 'preload.ts');
  return { command: [...node, entry], folders, inTests: pathToFileURL(inTests).href };
}

/** The language server's entry, likewise. */
export function serverEntry(): string {
  return isBuilt ? join(packageRoot(), 'dist', 'main.js') : join(packageRoot(), 'server', 'src', 'main.ts');
}

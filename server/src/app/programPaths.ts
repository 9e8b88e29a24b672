// Paths of the parts of the program, both for the bundle (dist/) and for the source.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SelfwareError } from '../util/typedError.ts';

/**
 * The folder with Selfware's package.json. It is searched upwards, because bundled code is in dist/ or dist/chunks/.
 * Throws `internal` if there is none.
 */
export function findPackageRoot(): string {
  const thisFolder = dirname(fileURLToPath(import.meta.url));
  for (let folder = thisFolder; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder)
      throw new SelfwareError(
        'internal',
        `No package.json is at or above ${thisFolder}: the installation is incomplete.`,
        {
          action: 'Install Selfware again.',
        },
      );
  }
}

/** Selfware's version, from its package.json. */
export function readProgramVersion(): string {
  return (JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

/** True if this code is the bundle. */
const isBuilt = import.meta.url.endsWith('.js');

/** The worker thread's entry: the built one if this code is the bundle, otherwise the source. */
export function workerEntry(isBundle = isBuilt): string {
  return isBundle
    ? join(findPackageRoot(), 'dist', 'worker.js')
    : join(findPackageRoot(), 'server', 'src', 'adapters', 'workers', 'worker.ts');
}

/**
 * The command of the harness, which runs code of repositories in a sandbox, and the folders that it needs. It runs on
 * the current Node executable; in an editor, that is the editor's program, which must be told to act as Node.
 */
export function locateHarness(isBundle = isBuilt): {
  readonly command: readonly string[];
  readonly folders: readonly string[];
  /** Address of the module that is loaded into the repository's own test runner, with any version of Node. */
  readonly inTests: string;
  /** The folder with the programs for Python. */
  readonly python: string;
} {
  const root = findPackageRoot();
  const entry = isBundle
    ? join(root, 'dist', 'harness.js')
    : join(root, 'server', 'src', 'adapters', 'harness', 'main.ts');
  const isInEditor = process.versions['electron'] !== undefined;
  const node = !isInEditor
    ? [process.execPath]
    : process.platform === 'win32'
      ? ['node']
      : ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', process.execPath];
  const folders = isBundle
    ? [join(root, 'dist'), join(root, 'package.json')]
    : [join(root, 'server', 'src'), join(root, 'node_modules'), join(root, 'package.json')];
  const inTests = isBundle
    ? join(root, 'dist', 'inTests.js')
    : join(root, 'server', 'src', 'adapters', 'harness', 'inTests', 'preload.ts');
  const python = isBundle ? join(root, 'dist', 'python') : join(root, 'server', 'src', 'adapters', 'harness', 'python');
  return { command: [...node, entry], folders, inTests: pathToFileURL(inTests).href, python };
}

/** The program that runs a model from a GGUF file: the built one if this code is the bundle, otherwise the source. */
export function localModelEntry(isBundle = isBuilt): string {
  return isBundle
    ? join(findPackageRoot(), 'dist', 'localModel.js')
    : join(findPackageRoot(), 'server', 'src', 'adapters', 'models', 'local', 'main.ts');
}

/** The program that speaks the Agent Client Protocol with an agent. It is one file, which exists only after a build. */
export function acpClientEntry(): string {
  return join(findPackageRoot(), 'dist', 'acpClient.js');
}

/** The MCP server that an agent uses inside its sandbox. It is one file, which exists only after a build. */
export function agentToolsEntry(): string {
  return join(findPackageRoot(), 'dist', 'agentTools.js');
}

/** The language server's entry: the built one if this code is the bundle, otherwise the source. */
export function serverEntry(): string {
  return isBuilt ? join(findPackageRoot(), 'dist', 'main.js') : join(findPackageRoot(), 'server', 'src', 'main.ts');
}

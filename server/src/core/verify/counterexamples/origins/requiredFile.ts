// Finds the file that a test or another module loads, as Node and the usual bundlers resolve it.

import { SCRIPT_PATTERN } from '../../../paths/scriptFiles.ts';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import { parseJsonOrNull } from '../../../../util/parseJson.ts';
import { findSourcesOfBuilt } from '../../../paths/builtFiles.ts';
import type { LoadFile } from '../imports.ts';

const EXTENSIONS = ['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx'];

/** The parts of a manifest that are used here. */
interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly peerDependencies?: unknown;
}

/**
 * The file behind a specifier in `from`; `package` if it is another package or a module of Node. Null if neither is
 * certain, as for an alias.
 */
export function findRequiredFile(
  from: ts.SourceFile,
  specifier: string,
  load: LoadFile,
): ts.SourceFile | 'package' | null {
  if (specifier.startsWith('.')) return findFile(posix.join(posix.dirname(from.fileName), specifier), load);
  if (isBuiltin(specifier)) return 'package';
  const manifest = readManifest('', load);
  const { name } = manifest;
  if (specifier === name) return findMainFile('', manifest, load);
  if (typeof name === 'string' && name !== '' && specifier.startsWith(`${name}/`))
    return findFile(specifier.slice(name.length + 1), load);
  const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const isInstalled = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].some(
    (packages) => typeof packages === 'object' && packages !== null && Object.hasOwn(packages, packageName),
  );
  return isInstalled ? 'package' : null;
}

function findFile(path: string, load: LoadFile): ts.SourceFile | null {
  const base = posix.normalize(path).replace(/\/$/, '');
  if (base === '.') return findMainFile('', readManifest('', load), load);
  const file = SCRIPT_PATTERN.test(base) ? (load(base) ?? load(base.replace(/js(x?)$/, 'ts$1'))) : null;
  return file ?? findScript(base, load) ?? findMainFile(base, readManifest(base, load), load);
}

/**
 * The main file of the package in this folder, or the source from which it is built; if the manifest states no file,
 * the index of the folder. Null if `exports` lists several files, or if the file does not exist.
 */
function findMainFile(folder: string, { main, exports }: Manifest, load: LoadFile): ts.SourceFile | null {
  const statedFile = [main, exports].find((value) => typeof value === 'string');
  if (statedFile === undefined && exports !== undefined) return null;
  if (typeof statedFile !== 'string') return findScript(posix.join(folder, 'index'), load);
  const target = posix.normalize(statedFile);
  const file = load(posix.join(folder, target)) ?? findScript(posix.join(folder, target), load);
  if (file) return file;
  const sources = findSourcesOfBuilt(target).flatMap((source) => findScript(posix.join(folder, source), load) ?? []);
  return sources[0] ?? findScript(posix.join(folder, target, 'index'), load);
}

/** The first file with this path and one of `EXTENSIONS`; null if there is none. */
function findScript(base: string, load: LoadFile): ts.SourceFile | null {
  for (const extension of EXTENSIONS) {
    const file = load(base + extension);
    if (file) return file;
  }
  return null;
}

function readManifest(folder: string, load: LoadFile): Manifest {
  const document = parseJsonOrNull(load(posix.join(folder, 'package.json'))?.text ?? '');
  return typeof document === 'object' && document !== null ? document : {};
}

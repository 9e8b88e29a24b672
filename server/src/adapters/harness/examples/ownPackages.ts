// Finds the packages of the repository, which examples import by name, and compiles those that Node cannot load.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ExamplesOrder } from '../../../core/verify/examples/examplePlan.ts';
import { compileAll } from '../compile.ts';
import type { Code } from '../messages.ts';
import { detectModuleFormat, resolveImport, SCRIPT_PATTERN } from '../resolve.ts';

/** Folders that may contain the source of a package that has not been built. */
const SOURCE_FOLDERS = ['src', 'source', 'lib', '.'];

/**
 * Finds the packages in these folders of the repository. `paths`: patterns that resolve imports of them by name.
 * `entries`: the path of the main file of each package. Skips packages without a name or a main file.
 */
export function findPackageEntries(
  folders: readonly string[],
  rootDir: string,
): { readonly paths: Readonly<Record<string, readonly string[]>>; readonly entries: readonly string[] } {
  const paths: Record<string, readonly string[]> = {};
  const entries: string[] = [];
  for (const folder of folders) {
    const manifest = readManifest(join(rootDir, folder, 'package.json'));
    if (manifest === null) continue;
    const main = findMain(manifest, folder, rootDir);
    if (main === null) continue;
    entries.push(main.path);
    // Node itself finds the modules of a published package whose manifest has `exports`.
    if (main.isFromManifest && manifest.exports !== undefined) continue;
    paths[manifest.name] = [main.path];
    const modulesFolder = main.isFromManifest ? folder : posix.dirname(main.path);
    paths[`${manifest.name}/*`] = [posix.join(modulesFolder, '*')];
  }
  return { paths, entries };
}

/** The fields of package.json that are read. */
interface Manifest {
  readonly name: string;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly exports?: unknown;
}

/** The manifest; null if it cannot be read or has no name. */
function readManifest(file: string): Manifest | null {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null;
    return typeof manifest?.name === 'string' && manifest.name !== '' ? { ...manifest, name: manifest.name } : null;
  } catch {
    return null;
  }
}

/**
 * The path of the module that users of the package load, or of its source if it has not been built. Null if neither is
 * found. `isFromManifest`: false for the source.
 */
function findMain(
  { exports, module, main }: Manifest,
  folder: string,
  rootDir: string,
): { readonly path: string; readonly isFromManifest: boolean } | null {
  for (const target of [resolveExportsTarget(exports), module, main, 'index.js'])
    if (typeof target === 'string') {
      const path = posix.join(folder, target);
      const resolved = [path, `${path}.js`, posix.join(path, 'index.js')].find(
        (candidate) => SCRIPT_PATTERN.test(candidate) && existsSync(join(rootDir, candidate)),
      );
      if (resolved !== undefined) return { path: resolved, isFromManifest: true };
    }
  for (const sourceFolder of SOURCE_FOLDERS) {
    const source = resolveImport(
      `./${posix.join(folder, sourceFolder, 'index')}`,
      join(rootDir, 'example.mjs'),
      { compiler: {}, paths: {}, baseUrl: null },
      rootDir,
    );
    if (source !== null && SCRIPT_PATTERN.test(source))
      return { path: source.slice(rootDir.length + 1).replaceAll('\\', '/'), isFromManifest: false };
  }
  return null;
}

/** The file that `exports` of a manifest names for the root of the package; undefined if it names none. */
function resolveExportsTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(resolveExportsTarget).find((target) => target !== undefined);
  if (typeof exports !== 'object' || exports === null) return undefined;
  const {
    '.': root,
    import: asModule,
    node,
    default: byDefault,
    require: asCommonJs,
  } = exports as Record<string, unknown>;
  return [root, node, asModule, byDefault, asCommonJs].map(resolveExportsTarget).find((target) => target !== undefined);
}

/**
 * Compiles those of the files that Node cannot load as they are, and the files that they import: TypeScript, and ES
 * modules in `.js` files of CommonJS packages. Returns the code by path; empty if there are none, or if the compilation
 * fails.
 */
export function compileSources(
  entries: readonly string[],
  rootDir: string,
  emit: ExamplesOrder['emit'],
): Readonly<Record<string, Code>> {
  const pathsToCompile = entries.filter((path) => {
    const text = readFileSync(join(rootDir, path), 'utf8');
    const isJavaScript = /\.[cm]?js$/.test(path);
    return (
      !isJavaScript || (detectModuleFormat(join(rootDir, path), text) === 'module' && !isModuleFile(path, rootDir))
    );
  });
  if (pathsToCompile.length === 0) return {};
  try {
    return compileAll({ files: [], targets: pathsToCompile.map((path) => ({ path })), emit }, rootDir, false).newCode;
  } catch {
    return {};
  }
}

/** True if Node loads the JavaScript file as an ES module. */
function isModuleFile(path: string, rootDir: string): boolean {
  return path.endsWith('.mjs') || detectModuleFormat(join(rootDir, path), '') === 'module';
}

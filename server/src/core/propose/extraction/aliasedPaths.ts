// Finds the specifiers other than relative paths by which tests may import the code: the aliases of Vite and Vitest,
// and the name of the package itself. With them, the compiler reads the sources instead of their build output.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { findSourcesOfBuilt } from '../../paths/builtFiles.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { BUNDLER_CONFIG_PATTERN, readBundlerAliases } from '../../syntax/configuration/bundlerAliases.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** Patterns and absolute targets, as in `paths` of a tsconfig.json. */
type Paths = Readonly<Record<string, readonly string[]>>;

const TYPESCRIPT_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts'];
const JAVASCRIPT_EXTENSIONS = ['.js', '.mjs', '.cjs', '.jsx'];
/** Maximum depth of nested conditions in `exports`. */
const MAX_DEPTH = 5;

/**
 * The paths that each folder declares, by tree. A job opens one tree and many of its files, which do not change during
 * the job.
 */
const pathsByTree = new WeakMap<SourceTree, Map<string, readonly Paths[]>>();

/** The paths that apply to a file; those of nearer folders take precedence. */
export function findAliasedPaths(tree: SourceTree, absolutePath: string): Record<string, string[]> {
  const root = tree.rootDir.replaceAll('\\', '/');
  const cachedPaths = pathsByTree.get(tree) ?? new Map<string, readonly Paths[]>();
  pathsByTree.set(tree, cachedPaths);
  const foundPaths: Paths[] = [];
  let folder = posix.dirname(absolutePath);
  for (; folder === root || folder.startsWith(`${root}/`); folder = posix.dirname(folder)) {
    const declaredPaths = cachedPaths.get(folder) ?? readPathsDeclaredIn(tree, folder);
    cachedPaths.set(folder, declaredPaths);
    foundPaths.push(...declaredPaths);
  }
  return Object.assign({}, ...foundPaths.toReversed()) as Record<string, string[]>;
}

/** Reads the paths that the configurations of bundlers and the package.json in the folder declare. */
function readPathsDeclaredIn(tree: SourceTree, folder: string): readonly Paths[] {
  const names = tree.list(folder).map(({ name }) => name);
  const aliases = names
    .filter((name) => BUNDLER_CONFIG_PATTERN.test(name))
    .map((name) => readPathsOfAliases(tree, folder, `${folder}/${name}`));
  return names.includes('package.json') ? [...aliases, readPathsOfPackage(tree, folder)] : aliases;
}

/** Reads the aliases in the configuration of a bundler at `path`, with absolute targets. */
function readPathsOfAliases(tree: SourceTree, folder: string, path: string): Paths {
  const aliases = readBundlerAliases(tree.read(path) ?? '');
  // If several aliases have the same pattern, the first one counts.
  return Object.fromEntries(
    aliases.toReversed().map(([pattern, target]) => [pattern, [posix.join(folder, target)]] as const),
  );
}

/** Reads the name of the package and the subpaths that it exports, each with its source. */
function readPathsOfPackage(tree: SourceTree, folder: string): Paths {
  const manifest = parseObject(tree.read(`${folder}/package.json`) ?? '');
  const { name, exports, module, main } = manifest;
  if (typeof name !== 'string' || name === '') return {};
  const listsSubpaths = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const exportEntries: readonly (readonly [string, unknown])[] = listsSubpaths
    ? Object.entries(exports as object)
    : [['.', exports ?? module ?? main ?? 'index.js']];
  return Object.fromEntries(
    exportEntries.flatMap(([subpath, value]): (readonly [string, readonly string[]])[] => {
      const target = findFirstTarget(value, 0);
      const source = target === null || subpath.includes('*') ? null : findSource(tree, folder, target);
      return source === null ? [] : [[posix.join(name, subpath), [source]]];
    }),
  );
}

/** The first file that an entry of `exports` names under any condition except `types`; null if there is none. */
function findFirstTarget(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value;
  if (!isRecord(value) || depth > MAX_DEPTH) return null;
  for (const [condition, inner] of Object.entries(value)) {
    const target = condition === 'types' ? null : findFirstTarget(inner, depth + 1);
    if (target !== null) return target;
  }
  return null;
}

/**
 * Finds the TypeScript source from which the target is built, otherwise the target itself, otherwise its JavaScript
 * source; null if none exists. The declarations beside a JavaScript file stand for it, as in a relative import.
 */
function findSource(tree: SourceTree, folder: string, target: string): string | null {
  const stems = findSourcesOfBuilt(posix.normalize(target)).map((stem) => posix.join(folder, stem));
  const addExtensions = (ends: readonly string[]) => stems.flatMap((stem) => ends.map((end) => stem + end));
  const candidates = [
    ...addExtensions(TYPESCRIPT_EXTENSIONS),
    posix.join(folder, target),
    ...addExtensions(JAVASCRIPT_EXTENSIONS),
  ];
  const source = candidates.find((path) => SCRIPT_PATTERN.test(path) && tree.fileExists(path));
  if (source === undefined) return null;
  const declarationPath = source.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  return tree.fileExists(declarationPath) ? declarationPath : source;
}

/** Parses a JSON object; empty if the text is not one. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

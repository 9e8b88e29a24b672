// Finds what tests may call the code by: the aliases of Vite and Vitest, and the name of the package itself. The
// compiler then reads the sources instead of what a build made of them.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { findSourcesOfBuilt } from '../../paths/builtFiles.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { BUNDLER_CONFIG, readBundlerAliases } from '../../syntax/configuration/bundlerAliases.ts';

/** Patterns and absolute targets, as in `paths` of a tsconfig.json. */
type Paths = Readonly<Record<string, readonly string[]>>;

const TYPED = ['.ts', '.tsx', '.mts', '.cts'];
const PLAIN = ['.js', '.mjs', '.cjs', '.jsx'];
/** Maximum depth of conditions in `exports`. */
const MAX_DEPTH = 5;

/**
 * The paths that each folder declares. Jobs open one tree each and many files of it, and the files do not change
 * meanwhile.
 */
const pathsByTree = new WeakMap<SourceTree, Map<string, readonly Paths[]>>();

/** The paths that apply to a file: those of the nearest folders first. */
export function findAliasedPaths(tree: SourceTree, absolutePath: string): Record<string, string[]> {
  const root = tree.rootDir.replaceAll('\\', '/');
  const cachedPaths = pathsByTree.get(tree) ?? new Map<string, readonly Paths[]>();
  pathsByTree.set(tree, cachedPaths);
  const foundPaths: Paths[] = [];
  let folder = posix.dirname(absolutePath);
  for (; folder === root || folder.startsWith(`${root}/`); folder = posix.dirname(folder)) {
    const declared = cachedPaths.get(folder) ?? readPathsDeclaredIn(tree, folder);
    cachedPaths.set(folder, declared);
    foundPaths.push(...declared);
  }
  return Object.assign({}, ...foundPaths.toReversed()) as Record<string, string[]>;
}

/** The paths that the configurations and the manifest in the folder declare. */
function readPathsDeclaredIn(tree: SourceTree, folder: string): readonly Paths[] {
  const names = tree.list(folder).map(({ name }) => name);
  const aliases = names
    .filter((name) => BUNDLER_CONFIG.test(name))
    .map((name) => pathsOfAliases(tree, folder, `${folder}/${name}`));
  return names.includes('package.json') ? [...aliases, readPathsOfPackage(tree, folder)] : aliases;
}

function pathsOfAliases(tree: SourceTree, folder: string, path: string): Paths {
  const aliases = readBundlerAliases(tree.read(path) ?? '');
  // Of several aliases with one pattern, the first one counts.
  return Object.fromEntries(
    aliases.toReversed().map(([pattern, target]) => [pattern, [posix.join(folder, target)]] as const),
  );
}

/** The package's own name and the subpaths that it offers, with the sources behind them. */
function readPathsOfPackage(tree: SourceTree, folder: string): Paths {
  const manifest = parseObject(tree.read(`${folder}/package.json`) ?? '');
  const { name, exports, module, main } = manifest;
  if (typeof name !== 'string' || name === '') return {};
  const isBySubpath = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const offered: readonly (readonly [string, unknown])[] = isBySubpath
    ? Object.entries(exports as object)
    : [['.', exports ?? module ?? main ?? 'index.js']];
  return Object.fromEntries(
    offered.flatMap(([subpath, value]): (readonly [string, readonly string[]])[] => {
      const target = findFirstTarget(value, 0);
      const source = target === null || subpath.includes('*') ? null : findSource(tree, folder, target);
      return source === null ? [] : [[posix.join(name, subpath), [source]]];
    }),
  );
}

/** The first file that a target of `exports` names under any condition but `types`. */
function findFirstTarget(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value;
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  for (const [condition, inner] of Object.entries(value)) {
    const target = condition === 'types' ? null : findFirstTarget(inner, depth + 1);
    if (target !== null) return target;
  }
  return null;
}

/** The source in TypeScript from which the target is built, else the target itself, else its source in JavaScript. */
function findSource(tree: SourceTree, folder: string, target: string): string | null {
  const stems = findSourcesOfBuilt(posix.normalize(target)).map((stem) => posix.join(folder, stem));
  const withEnd = (ends: readonly string[]) => stems.flatMap((stem) => ends.map((end) => stem + end));
  const candidates = [...withEnd(TYPED), posix.join(folder, target), ...withEnd(PLAIN)];
  return candidates.find((path) => SCRIPT_PATTERN.test(path) && tree.fileExists(path)) ?? null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Reads the options of tsconfig.json and jsconfig.json that determine how imports resolve: paths, baseUrl, rootDirs,
// outDir.

import { posix } from 'node:path';
import type { Notice } from '../../../model.ts';
import { BUNDLER_CONFIG_PATTERN, readBundlerAliases } from '../../../syntax/configuration/bundlerAliases.ts';
import type { PackageConfig } from './packageConfig.ts';
import {
  readString,
  readStrings,
  getTable,
  readValue,
  type Table,
  type ReadTable,
  type ReadText,
} from './readConfig.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';
import { isRecord } from '../../../../util/values/isRecord.ts';

/** One configuration of the TypeScript compiler. */
export interface CompilerConfig {
  /** Folder of the configuration file; the configuration applies to the files below it. */
  readonly dir: string;
  /** Folder in which plain specifiers are looked up; null if there is none. */
  readonly baseUrl: string | null;
  /** Patterns with at most one `*`, with their targets from the root of the repository. */
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
  /** Source folders that are merged virtually (`rootDirs`). */
  readonly rootDirs: readonly string[];
  readonly outDir: string | null;
  readonly rootDir: string | null;
}

/** Maximum number of files in a chain of `extends`. Further ones are ignored. */
const MAX_EXTENDS = 20;

/**
 * One configuration for each folder that has one. If the main file sets neither `paths` nor `baseUrl`, those of the
 * last file in its `references` that sets one of them apply. For extends, paths, baseUrl, rootDirs and `${configDir}`
 * see https://www.typescriptlang.org/tsconfig.
 */
export async function readCompilers(
  paths: readonly string[],
  packages: readonly PackageConfig[],
  readTable: ReadTable,
  notices: Notice[],
): Promise<CompilerConfig[]> {
  const existingPaths = new Set(paths);
  const readOptions = createOptionReader(existingPaths, packages, readTable, notices);
  const byFolder = new Map<string, CompilerConfig>();
  const files = paths
    .filter((path) => /(^|\/)[jt]sconfig\.json$/.test(path))
    .sort((a, b) => Number(a.endsWith('jsconfig.json')) - Number(b.endsWith('jsconfig.json')) || (a < b ? -1 : 1));
  for (const file of files) {
    const dir = parentFolderOf(file);
    if (byFolder.has(dir)) continue;
    const table = await readTable(file, 'json');
    if (!table) continue;
    let compilerOptions = await readOptions(file);
    if (compilerOptions.paths.length === 0 && compilerOptions.baseUrl === null) {
      for (const reference of collectReferences(table, dir, existingPaths)) {
        const referred = await readOptions(reference);
        if (referred.paths.length > 0 || referred.baseUrl !== null)
          compilerOptions = { ...referred, rootDirs: [...compilerOptions.rootDirs, ...referred.rootDirs] };
      }
    }
    byFolder.set(dir, { dir, ...compilerOptions });
  }
  return [...byFolder.values()];
}

/** Adds the aliases of Vite and Vitest to the configurations; the `paths` of a compiler take precedence over them. */
export async function addBundlerAliases(
  compilers: readonly CompilerConfig[],
  paths: readonly string[],
  read: ReadText,
): Promise<CompilerConfig[]> {
  const byDir = new Map(compilers.map((compiler) => [compiler.dir, compiler]));
  for (const path of paths.filter((path) => BUNDLER_CONFIG_PATTERN.test(path))) {
    const dir = parentFolderOf(path);
    const aliases = readBundlerAliases((await read(path)) ?? '');
    if (aliases.length === 0) continue;
    const compiler = byDir.get(dir) ?? { dir, baseUrl: null, paths: [], rootDirs: [], outDir: null, rootDir: null };
    const targets = aliases.map(([pattern, target]) => [pattern, [posix.join(dir, target)]] as const);
    byDir.set(dir, { ...compiler, paths: [...compiler.paths, ...targets] });
  }
  return [...byDir.values()];
}

/** The options of a configuration without its folder. */
type Options = Omit<CompilerConfig, 'dir'>;

/**
 * Returns a function that reads the options of a file. An option that the file does not set comes from the files that
 * it extends.
 */
function createOptionReader(
  existingPaths: ReadonlySet<string>,
  packages: readonly PackageConfig[],
  readTable: ReadTable,
  notices: Notice[],
): (file: string) => Promise<Options> {
  return async (leaf) => {
    const leafFolder = parentFolderOf(leaf);
    /** The file and the files that it extends, nearest first. */
    const chain: { readonly file: string; readonly table: Table }[] = [];
    const toRead = [leaf];
    const visited = new Set<string>();
    while (toRead.length > 0) {
      const file = toRead.pop()!;
      if (visited.has(file) || visited.size >= MAX_EXTENDS) {
        if (visited.has(file) && chain.at(-1)?.file !== file)
          notices.push({
            severity: 'warning',
            message: `${leaf} extends itself.`,
            action: 'Imports are resolved with what it says up to there.',
          });
        continue;
      }
      visited.add(file);
      const table = await readTable(file, 'json');
      if (!table) continue;
      chain.push({ file, table });
      // Of several parents the last one takes precedence, so it comes off the stack first.
      for (const parent of readStrings(readValue(table, 'extends'))) {
        const parentFile = resolveExtendedFile(parent, parentFolderOf(file), existingPaths, packages);
        if (parentFile) toRead.push(parentFile);
      }
    }
    const findFirstValue = <T>(pick: (compiler: Table, folder: string) => T | null): T | null => {
      for (const { file, table } of chain) {
        const picked = pick(getTable(table, 'compilerOptions'), parentFolderOf(file));
        if (picked !== null) return picked;
      }
      return null;
    };
    const readPathOption = (name: string) =>
      findFirstValue((compiler, folder) => resolveFromRoot(readString(compiler, name), folder, leafFolder));
    const baseUrl = readPathOption('baseUrl');
    return {
      baseUrl,
      paths:
        findFirstValue((compiler, folder) => findPaths(readValue(compiler, 'paths'), baseUrl ?? folder, leafFolder)) ??
        [],
      rootDirs:
        findFirstValue((compiler, folder) =>
          readValue(compiler, 'rootDirs')
            ? readStrings(readValue(compiler, 'rootDirs')).flatMap(
                (root) => resolveFromRoot(root, folder, leafFolder) ?? [],
              )
            : null,
        ) ?? [],
      outDir: readPathOption('outDir') ?? readPathOption('declarationDir'),
      rootDir: readPathOption('rootDir'),
    };
  };
}

/**
 * Patterns with their targets; null if `value` is not a table. A pattern with several `*` is invalid and skipped, as in
 * the compiler.
 */
function findPaths(value: unknown, base: string, leafFolder: string): CompilerConfig['paths'] | null {
  if (!isRecord(value)) return null;
  return Object.entries(value)
    .filter(([pattern]) => pattern.split('*').length <= 2)
    .map(
      ([pattern, targets]) =>
        [
          pattern,
          readStrings(targets)
            .filter((target) => target.split('*').length <= 2)
            .flatMap((target) => resolveFromRoot(target, base, leafFolder) ?? []),
        ] as const,
    );
}

/**
 * The path from the root of the repository; null if `path` is null, empty or absolute, or leads out of the repository.
 * `folder`: the folder to which it is relative. `leafFolder`: the folder for which `${configDir}` stands.
 */
function resolveFromRoot(path: string | null, folder: string, leafFolder: string): string | null {
  if (path === null || path === '') return null;
  const absolutePath = path.startsWith('${configDir}')
    ? posix.join(leafFolder, path.slice('${configDir}'.length))
    : path.startsWith('/')
      ? null
      : posix.join(folder, path);
  if (absolutePath === null || absolutePath === '..' || absolutePath.startsWith('../')) return null;
  return absolutePath === '.' ? '' : absolutePath.replace(/\/$/, '').replace(/^\.\//, '');
}

/** The file that `extends` names, if it is in the repository. Packages of the repository are found by their name. */
function resolveExtendedFile(
  specifier: string,
  folder: string,
  existingPaths: ReadonlySet<string>,
  packages: readonly PackageConfig[],
): string | null {
  const findConfigFile = (path: string) =>
    [path, `${path}.json`, posix.join(path, 'tsconfig.json')].find((candidate) => existingPaths.has(candidate)) ?? null;
  if (specifier.startsWith('.')) return findConfigFile(posix.join(folder, specifier));
  const [, name = '', subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
  const target = packages.find((pkg) => pkg.name === name);
  return target ? findConfigFile(posix.join(target.dir, subpath === '' ? 'tsconfig.json' : subpath)) : null;
}

/** The configuration files in `references` that exist. */
function collectReferences(table: Table, folder: string, existingPaths: ReadonlySet<string>): string[] {
  const references = readValue(table, 'references');
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference) => {
    const path = readString(reference, 'path');
    if (path === null) return [];
    const target = posix.join(folder, path);
    return (
      [target, posix.join(target, 'tsconfig.json')].find(
        (candidate) => candidate.endsWith('.json') && existingPaths.has(candidate),
      ) ?? []
    );
  });
}

// Finds the files to which an import specifier refers, by the rules of its language and the configuration of the
// project.

import { posix } from 'node:path';
import { NO_CONFIG, type ProjectConfig } from './config/projectConfig.ts';
import { createFileIndex, listFoldersAbove, findNearestPath, type FileIndex } from './resolve/fileIndex.ts';
import {
  createDeclaredResolver,
  createDefiners,
  createGoResolver,
  createJvmResolver,
  createNamespaceResolver,
  createPhpResolver,
  createRubyResolver,
  createSwiftResolver,
  findRelativeFile,
  type Declaring,
} from './resolve/namespaces.ts';
import { createPythonResolver, type ModuleResolver } from './resolve/python.ts';
import { createRustResolver } from './resolve/rust.ts';
import { createScriptResolver } from './resolve/script.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import { parentFolderOf } from '../../../util/values/parentFolder.ts';

/** The fields of a record that are needed to resolve its imports. */
export type ImportingRecord = Pick<FileRecord, 'path' | 'language'> & Declaring;
/** Returns the files to which a specifier in the file `from` resolves; empty if there are none. */
export type ImportResolver = (from: Pick<FileRecord, 'path' | 'language'>, specifier: string) => readonly string[];

/**
 * Creates the resolver. A specifier that leaves the repository or is ambiguous resolves to nothing. Results are
 * cached.
 */
export function createImportResolver(
  records: readonly ImportingRecord[],
  config: ProjectConfig = NO_CONFIG,
): ImportResolver {
  const files = createFileIndex(records.map(({ path }) => path));
  const definers = createDefiners(records, files.paths);
  const byLanguage = new Map<string, ModuleResolver>();
  const cache = new Map<string, readonly string[]>();
  const scopeKeys = new Map<string, string>();
  return ({ path, language }, specifier) => {
    const createResolver = language === null ? undefined : RESOLVER_FACTORIES[language];
    if (!createResolver || specifier === '') return [];
    let scopeKey = scopeKeys.get(path);
    if (scopeKey === undefined) scopeKeys.set(path, (scopeKey = computeCacheScope(path, language)));
    const key = `${scopeKey}\0${specifier}`;
    let targets = cache.get(key);
    if (!targets) {
      let resolve = byLanguage.get(language!);
      if (!resolve) byLanguage.set(language!, (resolve = createResolver(files, config, definers)));
      targets = resolve(path, specifier);
      cache.set(key, targets);
    }
    return targets;
  };
}

/**
 * The part of the cache key that depends on the importing file. Files with the same folder, language and extension
 * share their results, but a Rust file, an index file and an `__init__` have results of their own.
 */
function computeCacheScope(path: string, language: string | null): string {
  const hasOwnResults = language === 'rust' || /(^|\/)(index|__init__)\.[^/]+$/.test(path);
  return `${language}\0${hasOwnResults ? path : `${parentFolderOf(path)}\0${posix.extname(path)}`}`;
}

/** Creates the resolver of one language. */
type ResolverFactory = (
  files: FileIndex,
  config: ProjectConfig,
  definers: ReturnType<typeof createDefiners>,
) => ModuleResolver;

const makeScriptResolver: ResolverFactory = (files, config) => {
  const resolve = createScriptResolver(files, config);
  return (from, specifier) => {
    const target = resolve(from, specifier);
    return target === null ? [] : [target];
  };
};
const makeJvmResolver: ResolverFactory = (files, _config, definers) => createJvmResolver(files, definers);
const makeIncludeResolver: ResolverFactory = (files) => createIncludeResolver(files);

/** By language: the function that creates its resolver. Imports of other languages are not resolved. */
const RESOLVER_FACTORIES: Readonly<Record<string, ResolverFactory>> = {
  typescript: makeScriptResolver,
  tsx: makeScriptResolver,
  javascript: makeScriptResolver,
  python: (files, { pythonRoots }) => createPythonResolver(files, pythonRoots),
  rust: (files, { crates }) => createRustResolver(files, crates),
  go: (files, { goModules }) => createGoResolver(files, goModules),
  java: makeJvmResolver,
  kotlin: makeJvmResolver,
  scala: makeJvmResolver,
  c: makeIncludeResolver,
  cpp: makeIncludeResolver,
  csharp: (_files, _config, definers) => createNamespaceResolver(definers),
  elixir: (files, _config, definers) => createDeclaredResolver(files, definers, /\.exs?$/),
  haskell: (files, _config, definers) => createDeclaredResolver(files, definers, /\.hsc?$|\.lhs$/),
  php: (files, { phpRoots }, definers) => createPhpResolver(files, phpRoots, definers),
  ruby: (files, { rubyRoots }, definers) => createRubyResolver(files, rubyRoots, definers),
  swift: (files) => createSwiftResolver(files),
  lua: (files) => (from, specifier) => {
    const path = specifier.replaceAll('.', '/').replace(/^\/+/, '');
    const candidatePaths = [`${path}.lua`, `${path}/init.lua`];
    const loadedFile = ['lua', 'src', 'lib', '']
      .flatMap((inner) =>
        listFoldersAbove(from).flatMap((folder) => candidatePaths.map((place) => posix.join(folder, inner, place))),
      )
      .find((place) => files.has(place));
    const nearestFile =
      loadedFile ??
      findNearestPath(
        from,
        candidatePaths.flatMap((place) => files.filesEndingIn(place)),
      );
    return nearestFile === null ? [] : [nearestFile];
  },
  zig: (files) => (from, specifier) => findRelativeFile(files, from, specifier, []),
  bash: (files) => (from, specifier) => resolveSourced(files, from, specifier),
};

/**
 * Resolves `#include`: to the file in the same folder, otherwise to the nearest one below an include folder, otherwise
 * to the nearest file whose path ends with the specifier. `<a.h>` is found in include folders only. Empty if two are
 * equally near.
 */
function createIncludeResolver(files: FileIndex): ModuleResolver {
  const folders = new Set(
    files.paths
      .filter((path) => /(^|\/)(include|inc|src)\//.test(path))
      .map((path) => path.replace(/^(.*?(?:^|\/)(?:include|inc|src))\/.*$/, '$1')),
  );
  return (from, specifier) => {
    const isSystemHeader = specifier.startsWith('<');
    const name = specifier.replaceAll(/[<>]/g, '');
    const neighbour = posix.join(parentFolderOf(from), name);
    if (!isSystemHeader && files.has(neighbour)) return [neighbour];
    // Searches by file name, because a large repository has more include folders than files of any one name.
    const relativePath = posix.normalize(name).replace(/^\/+/, '');
    const nearestMatch = findNearestPath(
      from,
      files.filesEndingIn(relativePath).filter((path) => folders.has(path.slice(0, -relativePath.length - 1))),
    );
    if (nearestMatch !== null) return [nearestMatch];
    if (isSystemHeader && !name.includes('/')) return [];
    const nearestFile = findNearestPath(from, files.filesEndingIn(name));
    return nearestFile === null ? [] : [nearestFile];
  };
}

/**
 * The files that a shell script loads: `source "$(dirname "$0")/lib/a.sh"`. Variables and calls stand for folders; the
 * remaining path is searched.
 */
function resolveSourced(files: FileIndex, from: string, specifier: string): readonly string[] {
  const relativePath = specifier
    .replaceAll(/["']/g, '')
    .replace(/^(\$\([^)]*\)|\$\{[^}]*\}|\$\w+)\//, '')
    .replace(/^.*[$)}]\//, '');
  const neighbour = findRelativeFile(files, from, relativePath, ['.sh', '.bash']);
  if (neighbour.length > 0) return neighbour;
  const nearestFile = relativePath.includes('$')
    ? null
    : findNearestPath(
        from,
        [relativePath, `${relativePath}.bash`, `${relativePath}.sh`].flatMap((path) =>
          files.filesEndingIn(path.replace(/^(\.{1,2}\/)+/, '')),
        ),
      );
  return nearestFile === null ? [] : [nearestFile];
}

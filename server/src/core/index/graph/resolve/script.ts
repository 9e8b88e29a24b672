// Resolves TypeScript and JavaScript imports: relative paths, compiler aliases, package imports and exports,
// workspaces, bundler aliases.

import { posix } from 'node:path';
import type { CompilerConfig } from '../config/compilerConfig.ts';
import { isInFolder, type PackageConfig } from '../config/packageConfig.ts';
import type { ProjectConfig } from '../config/projectConfig.ts';
import { findBySuffix, listFoldersAbove, computeModuleStem, type FileIndex } from './fileIndex.ts';
import { findPackageTargets } from './packageTargets.ts';
import { findScriptFile, findScriptIndex, findSourceOfBuilt } from './scriptFiles.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

/** Returns the file to which a specifier in the file `from` refers; null if it is not a file of the repository. */
export type ScriptResolver = (from: string, specifier: string) => string | null;

/** Maximum number of characters of a specifier. Longer texts are data. */
const MAX_SPECIFIER = 1000;
/** Maximum length of a chain of `imports`: an entry may lead to a package that has `imports` itself. */
const MAX_HOPS = 8;

/**
 * Creates the resolver. The order of the rules is the order of TypeScript's bundler resolution. Built files that do
 * not exist resolve to their sources.
 */
export function createScriptResolver(files: FileIndex, config: ProjectConfig): ScriptResolver {
  const compilers = new Map(config.compilers.map((compiler) => [compiler.dir, compiler]));
  const packages = new Map(config.packages.map((pkg) => [pkg.dir, pkg]));
  const byName = new Map<string, PackageConfig[]>();
  for (const pkg of config.packages) if (pkg.name) byName.set(pkg.name, [...(byName.get(pkg.name) ?? []), pkg]);
  const compilersOf = cachePerFolder((folder) =>
    listFoldersAbove(`${folder === '' ? '' : `${folder}/`}x`).flatMap((parent) => compilers.get(parent) ?? []),
  );
  const packagesOf = cachePerFolder((folder) =>
    listFoldersAbove(`${folder === '' ? '' : `${folder}/`}x`).flatMap((parent) => packages.get(parent) ?? []),
  );

  /** The file at a path from the root, otherwise the entry file of the folder at that path. */
  const findFileOrEntry = (from: string, path: string): string | null => {
    if (path.startsWith('../') || path === '..') return null;
    const folder = path === '.' || path === './' ? '' : path.replace(/\/$/, '');
    const file = path.endsWith('/') || folder === '' ? null : findScriptFile(files, from, folder);
    return file ?? findFolderEntry(from, folder);
  };
  /**
   * The entry file of a folder: an existing entry of its package.json, otherwise its index file, otherwise the source
   * of a built entry.
   */
  const findFolderEntry = (from: string, folder: string): string | null => {
    if (!files.hasFolder(folder)) return null;
    const pkg = packages.get(folder);
    for (const entry of pkg ? collectEntries(from, pkg.entries) : []) {
      const sourceFile =
        findScriptFile(files, from, posix.join(folder, entry)) ??
        findScriptIndex(files, from, posix.join(folder, entry));
      if (sourceFile) return sourceFile;
    }
    const index = findScriptIndex(files, from, folder);
    if (index || !pkg) return index;
    return findPackageEntry(from, pkg);
  };
  /** The main file of a package, which may have to be derived from the path of a built file. */
  const findPackageEntry = (from: string, pkg: PackageConfig): string | null => {
    for (const entry of pkg.entries) {
      const entryFile = findTargetFile(from, pkg, entry);
      if (entryFile) return entryFile;
    }
    return findScriptIndex(files, from, pkg.dir) ?? findScriptIndex(files, from, posix.join(pkg.dir, 'src'));
  };

  /** Resolves by `paths` and `baseUrl` of the compiler configurations above the file, nearest first. */
  const resolveAlias = (from: string, specifier: string): string | null => {
    for (const compiler of compilersOf(parentFolderOf(from))) {
      const target = resolveByPaths(
        compiler,
        specifier,
        (path) => findFileOrEntry(from, path) ?? findBuiltSource(path),
      );
      if (target) return target;
      if (compiler.baseUrl !== null && !specifier.startsWith('.')) {
        const resolvedFile = findFileOrEntry(from, posix.join(compiler.baseUrl, specifier));
        if (resolvedFile) return resolvedFile;
      }
    }
    return null;
  };
  const findBuiltSource = (path: string): string | null => {
    const pkg = packagesOf(parentFolderOf(path))[0];
    return pkg
      ? findSourceOfBuilt(files, pkg.dir, path, compilersOf(pkg.dir).find(({ dir }) => dir === pkg.dir) ?? null)
      : null;
  };

  /** A target of a package.json: the file itself if it exists, otherwise the source from which it is built. */
  const findTargetFile = (from: string, pkg: PackageConfig, target: string): string | null => {
    const path = posix.join(pkg.dir, target);
    if (path.startsWith('../')) return null;
    return (
      findScriptFile(files, from, path) ??
      findScriptIndex(files, from, path) ??
      findSourceOfBuilt(files, pkg.dir, path, compilersOf(pkg.dir).find(({ dir }) => dir === pkg.dir) ?? null)
    );
  };
  /** The file for a subpath of a package ('' is the package itself). */
  const resolveSubpath = (from: string, pkg: PackageConfig, subpath: string): string | null => {
    if (pkg.exports !== null) {
      const targets = findPackageTargets(pkg.exports, subpath === '' ? '.' : `./${subpath}`);
      // A package may forbid a subpath; then the import resolves to nothing.
      if (!targets) return null;
      const innerTargets = targets.filter(({ path }) => path.startsWith('./')).map(({ path }) => path);
      for (const path of innerTargets) if (files.has(posix.join(pkg.dir, path))) return posix.join(pkg.dir, path);
      for (const path of innerTargets) {
        const innerFile = findTargetFile(from, pkg, path);
        if (innerFile) return innerFile;
      }
      return subpath === '' ? findPackageEntry(from, pkg) : findSourceNamed(files, pkg.dir, subpath);
    }
    if (subpath === '') return findPackageEntry(from, pkg);
    return (
      findFileOrEntry(from, posix.join(pkg.dir, subpath)) ??
      findTargetFile(from, pkg, subpath) ??
      findFileOrEntry(from, posix.join(pkg.dir, 'src', subpath))
    );
  };

  /**
   * Resolves `name` or `name/subpath` to a package of the repository: a linked one, then one of the same workspace,
   * then one that contains the importing file, then one whose workspace contains it.
   */
  const resolveInPackage = (from: string, specifier: string): string | null => {
    const [, name = '', subpath = ''] = /^((?:@[^/]+\/)?[^/@][^/]*)(?:\/(.*))?$/.exec(specifier) ?? [];
    if (name === '') return null;
    const enclosingPackages = packagesOf(parentFolderOf(from));
    const linkedPackage = enclosingPackages
      .map(({ links }) => (Object.hasOwn(links, name) ? links[name]! : null))
      .find((folder) => folder !== null && packages.has(folder));
    const candidates = byName.get(name) ?? [];
    const workspaces = new Set(enclosingPackages.flatMap(({ workspace }) => workspace ?? []));
    const pkg =
      (linkedPackage !== undefined && linkedPackage !== null ? packages.get(linkedPackage) : undefined) ??
      candidates.find((candidate) => candidate.workspace !== null && workspaces.has(candidate.workspace)) ??
      candidates.find((candidate) => isInFolder(parentFolderOf(from), candidate.dir)) ??
      candidates.find((candidate) => candidate.workspace !== null && isInFolder(from, candidate.workspace));
    return pkg ? resolveSubpath(from, pkg, subpath) : null;
  };

  /** Resolves `#name` by the `imports` of the nearest package that has them. */
  const resolveHashImport = (from: string, specifier: string, hops: number): string | null => {
    const pkg = packagesOf(parentFolderOf(from)).find(({ imports }) => imports !== null);
    const targets = pkg && findPackageTargets(pkg.imports, specifier);
    for (const { path } of targets ?? []) {
      const resolvedFile = path.startsWith('./')
        ? findTargetFile(from, pkg!, path)
        : hops > 0
          ? resolveSpecifier(from, path, hops - 1)
          : null;
      if (resolvedFile) return resolvedFile;
    }
    return null;
  };

  const resolveSpecifier = (from: string, specifier: string, hops: number): string | null => {
    if (specifier === '' || specifier.length > MAX_SPECIFIER) return null;
    if (/^\.{1,2}(\/|$)/.test(specifier)) {
      const path = posix.join(parentFolderOf(from), specifier) + (/(^|\/)\.{1,2}$/.test(specifier) ? '/' : '');
      return findFileOrEntry(from, path) ?? resolveOverlaid(from, path) ?? findBuiltSource(path);
    }
    if (specifier.startsWith('/'))
      return (
        packagesOf(parentFolderOf(from))
          .map(({ dir }) => findFileOrEntry(from, posix.join(dir, specifier.slice(1))))
          .find((path) => path !== null) ?? null
      );
    if (/^[a-z][a-z+.-]*:/i.test(specifier)) return null;
    const hashImport = specifier.startsWith('#') ? resolveHashImport(from, specifier, hops) : null;
    return (
      hashImport ??
      resolveAlias(from, specifier) ??
      resolveInPackage(from, specifier) ??
      resolveBundlerAlias(files, from, specifier)
    );
  };
  /** Resolves a path across the folders that `rootDirs` merges. */
  const resolveOverlaid = (from: string, path: string): string | null => {
    for (const { rootDirs } of compilersOf(parentFolderOf(from))) {
      const enclosingRoot = rootDirs.find((root) => isInFolder(path, root));
      if (enclosingRoot === undefined) continue;
      for (const otherRoot of rootDirs) {
        const overlaidFile =
          otherRoot === enclosingRoot
            ? null
            : findFileOrEntry(
                from,
                posix.join(otherRoot, path.slice(enclosingRoot === '' ? 0 : enclosingRoot.length + 1)),
              );
        if (overlaidFile) return overlaidFile;
      }
    }
    return null;
  };

  return (from, specifier) => {
    const resolvedFile = resolveSpecifier(from, specifier, MAX_HOPS);
    if (resolvedFile !== null) return resolvedFile;
    // `./icon.svg?raw`: the query is meant for the bundler.
    const query = specifier.search(/[?!]/);
    return query > 0 ? resolveSpecifier(from, specifier.slice(0, query), MAX_HOPS) : null;
  };
}

/** Resolves by `paths`: an exact pattern comes first, then the pattern with the longest prefix before its `*`. */
function resolveByPaths(
  compiler: CompilerConfig,
  specifier: string,
  findFileOrEntry: (path: string) => string | null,
): string | null {
  let bestMatch: { readonly prefix: string; readonly star: string; readonly targets: readonly string[] } | null = null;
  for (const [pattern, targets] of compiler.paths) {
    const offset = pattern.indexOf('*');
    if (offset < 0) {
      if (pattern !== specifier) continue;
      bestMatch = { prefix: pattern, star: '', targets };
      break;
    }
    const prefix = pattern.slice(0, offset);
    const suffix = pattern.slice(offset + 1);
    if (
      specifier.length < prefix.length + suffix.length ||
      !specifier.startsWith(prefix) ||
      !specifier.endsWith(suffix)
    )
      continue;
    if (!bestMatch || prefix.length > bestMatch.prefix.length)
      bestMatch = { prefix, star: specifier.slice(prefix.length, specifier.length - suffix.length), targets };
  }
  for (const target of bestMatch?.targets ?? []) {
    const resolvedFile = findFileOrEntry(target.replace('*', () => bestMatch!.star));
    if (resolvedFile) return resolvedFile;
  }
  return null;
}

/**
 * The entries of a package for an import from this file. For JavaScript, declaration files are skipped, because they
 * do not run.
 */
function collectEntries(from: string, entries: readonly string[]): readonly string[] {
  return /\.[cm]?jsx?$/.test(from) ? entries.filter((entry) => !/\.d\.[cm]?ts$/.test(entry)) : entries;
}

/** The source file of a package with the name of an exported subpath; null if there is none, or several. */
function findSourceNamed(files: FileIndex, folder: string, subpath: string): string | null {
  const stemsInside = files
    .stemsEndingIn(computeModuleStem(subpath))
    .filter((stem) => stem.startsWith(posix.join(folder, 'src/')));
  return stemsInside.length === 1 ? (files.byStem(stemsInside[0]!)[0] ?? null) : null;
}

/**
 * Resolves aliases such as `@/store` or `~/store`. Bundlers define them in code that is not run here, so the nearest
 * file whose path ends with the remaining specifier is taken.
 */
function resolveBundlerAlias(files: FileIndex, from: string, specifier: string): string | null {
  // A specifier `@scope/name` is a package, not an alias.
  const alias = /^(?:@|[~#$][^/]*)\/(.+)$/.exec(specifier)?.[1];
  return alias ? (findBySuffix(files, from, computeModuleStem(alias))[0] ?? null) : null;
}

function cachePerFolder<T>(compute: (folder: string) => T): (folder: string) => T {
  const cache = new Map<string, T>();
  return (folder) => {
    let value = cache.get(folder);
    if (value === undefined) {
      value = compute(folder);
      cache.set(folder, value);
    }
    return value;
  };
}

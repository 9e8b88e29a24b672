// Answers queries on imports: which file imports which names from which file, with re-exports followed; which exports
// are used, and which imports run.

import type { ProjectFile, ProjectView } from './projectView.ts';
import type { ExportFact, ModuleFacts } from './facts.ts';
import { appendTo } from '../../../util/values/appendTo.ts';

/** The modules of a repository and their imports. Paths are relative to the root. */
export interface ModuleGraph {
  readonly modules: ReadonlyMap<string, GraphModule>;
  /**
   * True if another file imports the name, directly or through re-exports, or if it is public API of the file's
   * package.
   */
  isUsed(path: string, name: string): boolean;
  /** True if some file imports from this file or names its path in a string, or if it is an entry. */
  isReached(path: string): boolean;
  /**
   * True if the compiler erases all of the names: interfaces, type aliases, `export type`. False if `names` is empty.
   */
  isErased(path: string, names: readonly string[]): boolean;
  /** The file to which an import specifier in the file `path` refers; null if it is outside of the repository. */
  findTarget(path: string, specifier: string): string | null;
  /**
   * The re-exports in other files of an exported name of this file. `export *` and re-exports of a whole module are not
   * included.
   */
  findReExports(path: string, name: string): readonly { readonly path: string; readonly fact: ExportFact }[];
}

/** A file with its imports and exports. */
export interface GraphModule {
  readonly file: ProjectFile;
  readonly facts: ModuleFacts;
  /** Exports by name, without `export *`. */
  readonly exportsByName: ReadonlyMap<string, ExportFact>;
  /** Each `export * from …`. */
  readonly starExports: readonly ExportFact[];
}

/** The key of an exported name of a module. */
const createKey = (path: string, name: string) => `${path}\0${name}`;

/** Maximum number of re-exports in a chain that `isErased` follows. */
const MAX_HOPS = 30;

/**
 * Creates the graph. `entries`: files whose exports all count as used. Takes time in proportion to the number of
 * imports and exports.
 */
export function createModuleGraph(view: ProjectView, entries: ReadonlySet<string>): ModuleGraph {
  const modules = new Map<string, GraphModule>();
  for (const file of view.files) if (file.facts?.module) modules.set(file.path, createModule(file, file.facts.module));
  const paths = view.files.map(({ path }) => path).sort();
  const target = (path: string, specifier: string) => {
    const module = modules.get(path);
    return module ? view.resolve(module.file, specifier) : null;
  };

  const usedNames = new Set<string>();
  const reachedPaths = new Set<string>();
  const reExportsByKey = new Map<string, { path: string; fact: ExportFact }[]>();
  const pendingNames: (readonly [path: string, name: string])[] = [];
  const markUsed = (path: string | null, name: string): void => {
    if (path === null) return;
    reachedPaths.add(path);
    const key = createKey(path, name);
    if (usedNames.has(key)) return;
    usedNames.add(key);
    pendingNames.push([path, name]);
  };
  const followReExports = (): void => {
    for (let pendingName = pendingNames.pop(); pendingName; pendingName = pendingNames.pop()) {
      const [path, name] = pendingName;
      const module = modules.get(path);
      if (!module) continue;
      const names = name === '*' ? [...module.exportsByName.keys()] : [name];
      for (const exportName of names) {
        const fact = module.exportsByName.get(exportName);
        if (name === '*') usedNames.add(createKey(path, exportName));
        if (fact?.from !== undefined) markUsed(target(path, fact.from), fact.source ?? '*');
        else if (!fact && exportName !== 'default')
          for (const star of module.starExports) markUsed(target(path, star.from!), exportName);
      }
      if (name === '*') for (const star of module.starExports) markUsed(target(path, star.from!), '*');
    }
  };
  const useAll = (path: string) => {
    markUsed(path, '*');
    if (modules.get(path)?.exportsByName.has('default')) markUsed(path, 'default');
  };

  for (const path of entries) useAll(path);
  for (const { file, facts } of modules.values()) {
    for (const [from, names] of facts.imports) {
      const targetPath = target(file.path, from);
      if (targetPath === null || targetPath === file.path) continue;
      reachedPaths.add(targetPath);
      for (const name of names === '' ? [] : names.split(' ')) markUsed(targetPath, name);
    }
    for (const fact of facts.exports) {
      const targetPath = fact.from === undefined ? null : target(file.path, fact.from);
      if (targetPath === null) continue;
      reachedPaths.add(targetPath);
      if (isNamedReExport(fact))
        appendTo(reExportsByKey, createKey(targetPath, fact.source), { path: file.path, fact });
    }
    for (const targetPath of facts.paths.flatMap((text) => findFilesNamedBy(text, file, view, paths)))
      useAll(targetPath);
  }
  followReExports();

  const isErasedByKey = new Map<string, boolean>();
  const isErasedName = (path: string, name: string, hops: number): boolean => {
    const module = modules.get(path);
    if (!module || name === '*' || hops > MAX_HOPS) return false;
    const key = createKey(path, name);
    const isCached = isErasedByKey.get(key);
    if (isCached !== undefined) return isCached;
    isErasedByKey.set(key, false);
    const fact = module.exportsByName.get(name);
    let isTypeOnly = false;
    if (fact?.types) isTypeOnly = true;
    else if (fact?.from !== undefined) {
      const targetPath = target(path, fact.from);
      isTypeOnly = targetPath !== null && isErasedName(targetPath, fact.source ?? '*', hops + 1);
    } else if (fact) isTypeOnly = fact.kind === 'interface' || fact.kind === 'type';
    else
      isTypeOnly = module.starExports.some((star) => {
        const targetPath = target(path, star.from!);
        return targetPath !== null && isErasedName(targetPath, name, hops + 1);
      });
    isErasedByKey.set(key, isTypeOnly);
    return isTypeOnly;
  };

  return {
    modules,
    isUsed: (path, name) => usedNames.has(createKey(path, name)),
    isReached: (path) => reachedPaths.has(path),
    isErased: (path, names) => names.length > 0 && names.every((name) => isErasedName(path, name, 0)),
    findTarget: target,
    findReExports: (path, name) => reExportsByKey.get(createKey(path, name)) ?? [],
  };
}

/** Splits the exports of a file into those with a name and those of the form `export *`. */
function createModule(file: ProjectFile, facts: ModuleFacts): GraphModule {
  return {
    file,
    facts,
    exportsByName: new Map(facts.exports.filter(({ name }) => name !== '*').map((fact) => [fact.name, fact])),
    starExports: facts.exports.filter(({ name }) => name === '*'),
  };
}

/** False for a star export, and for a re-export of a whole module. */
function isNamedReExport(fact: ExportFact): fact is ExportFact & { readonly source: string } {
  return fact.name !== '*' && fact.source !== undefined && fact.source !== '*';
}

/**
 * Files that a string in the code may name: relative to the file, to a package around it, or to the root. A string
 * that ends in `*` names all files with this beginning. `paths` must be sorted.
 */
function findFilesNamedBy(
  text: string,
  file: ProjectFile,
  view: ProjectView,
  paths: readonly string[],
): readonly string[] {
  if (!text.endsWith('*')) {
    const files = [text, ...(text.startsWith('.') ? [] : [`./${text}`, `/${text}`])].flatMap(
      (specifier) => view.resolve(file, specifier) ?? [],
    );
    return files.length > 0 ? files : [text.replace(/^\.\//, '')].filter((path) => includesPath(paths, path));
  }
  const folder = file.path.split('/').slice(0, -1);
  const prefix = text.slice(0, -1).replace(/^\//, '');
  const parts = prefix.startsWith('.') ? [...folder, ...prefix.split('/')] : prefix.split('/');
  const normalisedParts: string[] = [];
  for (const part of parts) {
    if (part === '..') normalisedParts.pop();
    else if (part !== '.') normalisedParts.push(part);
  }
  const start = normalisedParts.join('/');
  return start === '' ? [] : findPathsWithPrefix(paths, start);
}

/** True if the sorted list contains the path. */
function includesPath(paths: readonly string[], path: string): boolean {
  return paths[findFirstNotBefore(paths, path)] === path;
}

/** The paths with this beginning, from a sorted list. */
function findPathsWithPrefix(paths: readonly string[], start: string): string[] {
  const matches: string[] = [];
  for (let index = findFirstNotBefore(paths, start); index < paths.length && paths[index]!.startsWith(start); index++)
    matches.push(paths[index]!);
  return matches;
}

/** Index of the first path of the sorted list that is not before `path`; the list's length if all are. */
function findFirstNotBefore(paths: readonly string[], path: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (paths[middle]! < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The imports that run when the file is loaded, with the files to which they refer. `isReadAtLoad`: true if a name is
 * used while the file loads.
 */
export function listLoadTimeImports(
  graph: ModuleGraph,
  module: GraphModule,
): { readonly to: string; readonly names: readonly string[]; readonly line: number; readonly isReadAtLoad: boolean }[] {
  const { path } = module.file;
  const imports: { to: string; names: readonly string[]; line: number; isReadAtLoad: boolean }[] = [];
  const add = (from: string, names: readonly string[], line: number, isReadAtLoad: boolean): void => {
    const targetPath = graph.findTarget(path, from);
    if (targetPath !== null && targetPath !== path && !graph.isErased(targetPath, names))
      imports.push({ to: targetPath, names, line, isReadAtLoad });
  };
  for (const [from, names, time, line] of module.facts.imports)
    if (time === 'load' || time === 'ready') add(from, names === '' ? [] : names.split(' '), line, time === 'ready');
  for (const { from, source, types, at } of module.facts.exports)
    if (from !== undefined && types === undefined)
      add(from, source === undefined || source === '*' ? [] : [source], at[2], false);
  return imports;
}

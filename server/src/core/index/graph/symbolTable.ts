// Looks up names: indexes the definitions of all files by name, and the names that each file makes visible.

import type { ImportResolver } from './importResolver.ts';
import type { Binding, FileRelations } from '../../ports/catalogue.ts';

/** The fields of a record that the graph needs. */
export type GraphRecord = Pick<FileRelations, 'path' | 'language' | 'imports'> & {
  readonly symbols: readonly {
    readonly name: string;
    readonly path: string;
    readonly kind: FileRelations['symbols'][number]['kind'];
  }[];
} & Partial<Pick<FileRelations, 'references'>>;

/** A definition; if `hasSymbol` is null, a whole file. */
export interface DefinitionPlace {
  readonly path: string;
  readonly symbol: string | null;
}

/** A definition inside another definition, its owner. */
export interface Member {
  readonly place: DefinitionPlace;
  readonly owner: string;
  /** True if it is defined inside a function: it is a member only if that function returns it. */
  readonly local: boolean;
}

/** The files and names on which a lookup depended: if one of them changes, its result may change. */
export interface LookupTrace {
  readonly files: Set<string>;
  readonly names: Set<string>;
}

/** Lookups of names. Each adds to `trace` the files and names on which its result depends. */
export interface SymbolTable {
  readonly records: ReadonlyMap<string, GraphRecord>;
  /** Resolves import specifiers; replaced when files appear or vanish. */
  resolve: ImportResolver;
  /** True if a file has a definition with this path. */
  hasSymbol(path: string, symbol: string): boolean;
  /** Every definition of this name, in any file. */
  findNamed(name: string, trace: LookupTrace): readonly DefinitionPlace[];
  /** The definitions of this name that are inside another definition. The key of that owner is `path\0symbol`. */
  findMembers(name: string, trace: LookupTrace): readonly Member[];
  /** The definitions that an importer gets from these files under a name; re-exports are followed. */
  findExportedPlaces(paths: readonly string[], name: string, trace: LookupTrace): readonly DefinitionPlace[];
  /** The places to which a binding refers; `hasSymbol` is null for a module. */
  findBoundPlaces(record: GraphRecord, binding: Binding, trace: LookupTrace): readonly DefinitionPlace[];
}

/** Maximum number of re-exports in a chain that is followed. */
const MAX_HOPS = 24;
/** Languages in which every name that a module imports can be imported from it. */
const REEXPORTS_IMPORTS = new Set<string | null>(['python']);
/** Languages in which only top-level definitions of a file can be imported. */
const TOP_LEVEL_ONLY = new Set<string | null>(['typescript', 'tsx', 'javascript', 'python', 'go']);

/**
 * Creates the table. It reads `records` and `resolve` at every lookup, so both may change. Call `replaceRecord` for
 * each file that changed.
 */
export function createSymbolTable(
  records: ReadonlyMap<string, GraphRecord>,
  resolve: ImportResolver,
): SymbolTable & { replaceRecord(path: string, record: GraphRecord | null): ReadonlySet<string> } {
  /** For each name: file → paths of its definitions with this name. */
  const byName = new Map<string, Map<string, string[]>>();
  /** Sorted results of `findNamed`, by name. */
  const placesByName = new Map<string, readonly DefinitionPlace[]>();
  /** Keys of functions and methods, as `path\0symbol`. */
  const functions = new Set<string>();
  const membersByName = new Map<string, readonly Member[]>();
  const symbolsByFile = new Map<string, ReadonlySet<string>>();
  const namesByFile = new Map<string, ReadonlyMap<string, readonly string[]>>();

  const addRecord = (record: GraphRecord): void => {
    const names = new Map<string, string[]>();
    for (const { name, path } of record.symbols) {
      const paths = names.get(name);
      if (!paths) names.set(name, [path]);
      else if (!paths.includes(path)) paths.push(path);
    }
    for (const [name, paths] of names) {
      const files = byName.get(name);
      if (files) files.set(record.path, paths);
      else byName.set(name, new Map([[record.path, paths]]));
    }
    namesByFile.set(record.path, names);
    for (const { path, kind } of record.symbols)
      if (kind === 'function' || kind === 'method') functions.add(`${record.path}\0${path}`);
    symbolsByFile.set(record.path, new Set(record.symbols.map(({ path }) => path)));
  };
  for (const record of records.values()) addRecord(record);

  const table: SymbolTable = {
    records,
    resolve,
    hasSymbol: (path, symbol) => symbolsByFile.get(path)?.has(symbol) ?? false,
    findNamed(name, trace) {
      trace.names.add(name);
      let places = placesByName.get(name);
      if (!places) {
        places = [...(byName.get(name) ?? [])]
          .flatMap(([path, symbols]) => symbols.map((symbol) => ({ path, symbol })))
          .sort(comparePlaces);
        placesByName.set(name, places);
      }
      return places;
    },
    findMembers(name, trace) {
      trace.names.add(name);
      let members = membersByName.get(name);
      if (!members) {
        members = table.findNamed(name, trace).flatMap((place) => {
          if (!place.symbol!.includes('.')) return [];
          const owner = ownerKeyOf(place.path, place.symbol!);
          return [{ place, owner, local: functions.has(owner) }];
        });
        membersByName.set(name, members);
      }
      return members;
    },
    findExportedPlaces: (paths, name, trace) => findExported(paths, name, trace, new Set(), 0),
    findBoundPlaces: (record, binding, trace) => resolveBinding(record, binding, trace, new Set(), 0),
  };

  const findExported = (
    paths: readonly string[],
    name: string,
    trace: LookupTrace,
    visited: Set<string>,
    hops: number,
  ): readonly DefinitionPlace[] => {
    const places: DefinitionPlace[] = [];
    for (const path of paths) {
      const key = `${path}\0${name}`;
      if (visited.has(key) || hops > MAX_HOPS) continue;
      visited.add(key);
      trace.files.add(path);
      const record = records.get(path);
      if (record) places.push(...findDeclaredExport(record, name, trace, visited, hops));
    }
    return places;
  };
  const findDeclaredExport = (
    record: GraphRecord,
    name: string,
    trace: LookupTrace,
    visited: Set<string>,
    hops: number,
  ): readonly DefinitionPlace[] => {
    const { path, references, language } = record;
    for (const binding of references?.exports ?? []) {
      const [from, importedName, localName] = binding;
      if (localName !== name || localName === '*') continue;
      const places =
        from === ''
          ? resolveLocal(record, importedName, trace, visited, hops)
          : resolveBinding(record, binding, trace, visited, hops + 1);
      if (places.length > 0) return places;
    }
    if (table.hasSymbol(path, name)) return [{ path, symbol: name }];
    if (REEXPORTS_IMPORTS.has(language)) {
      for (const binding of references?.bindings ?? [])
        if (binding[2] === name) return resolveBinding(record, binding, trace, visited, hops + 1);
    }
    if (!TOP_LEVEL_ONLY.has(language)) {
      const definedPaths = namesByFile.get(path)?.get(name);
      if (definedPaths) return [{ path, symbol: definedPaths[0]! }];
    }
    if (name === 'default') return [];
    for (const [from, importedName, localName] of REEXPORTS_IMPORTS.has(language)
      ? (references?.bindings ?? [])
      : (references?.exports ?? [])) {
      if (importedName !== '*' || localName !== '*') continue;
      const places = findExported(table.resolve(record, from), name, trace, visited, hops + 1);
      if (places.length > 0) return places;
    }
    return [];
  };
  /** The places to which a name refers inside a file: a definition or an import. */
  const resolveLocal = (
    record: GraphRecord,
    name: string,
    trace: LookupTrace,
    visited: Set<string>,
    hops: number,
  ): readonly DefinitionPlace[] => {
    if (table.hasSymbol(record.path, name)) return [{ path: record.path, symbol: name }];
    const binding = record.references?.bindings.find(([, , localName]) => localName === name);
    return binding ? resolveBinding(record, binding, trace, visited, hops + 1) : [];
  };
  const resolveBinding = (
    record: GraphRecord,
    [from, name]: Binding,
    trace: LookupTrace,
    visited: Set<string>,
    hops: number,
  ): readonly DefinitionPlace[] => {
    const targets = table.resolve(record, from);
    if (name === '*') {
      for (const path of targets) trace.files.add(path);
      return targets.map((path) => ({ path, symbol: null }));
    }
    if (name === '') return resolveByLastPart(targets, from, trace, visited, hops);
    const places = findExported(targets, name, trace, visited, hops);
    if (places.length > 0 || record.language !== 'python')
      return places.length > 0 ? places : findCommonJsModule(record, targets, name);
    // `from package import module`.
    const modules = table.resolve(record, from.endsWith('.') ? from + name : `${from}.${name}`);
    for (const path of modules) trace.files.add(path);
    return modules.map((path) => ({ path, symbol: null }));
  };
  /**
   * Resolves `crate::module::Type` or `package.Class.Inner`: by the last part, otherwise by the one before it,
   * otherwise to the file.
   */
  const resolveByLastPart = (
    targets: readonly string[],
    from: string,
    trace: LookupTrace,
    visited: Set<string>,
    hops: number,
  ): readonly DefinitionPlace[] => {
    const parts = from.split(/::|[.\\/]/);
    for (const part of [parts.at(-1), parts.at(-2)]) {
      const places = part ? findExported(targets, part, trace, visited, hops) : [];
      if (places.length > 0) return places;
    }
    return targets.map((path) => ({ path, symbol: null }));
  };

  return Object.assign(table, {
    /** Replaces a record (null: the file was deleted) and returns the names whose definitions changed. */
    replaceRecord(path: string, record: GraphRecord | null): ReadonlySet<string> {
      const before = namesByFile.get(path) ?? new Map<string, readonly string[]>();
      const signaturesOf = (names: ReadonlyMap<string, readonly string[]>) =>
        new Map(
          [...names].map(([name, symbols]) => [
            name,
            symbols.map((symbol) => (functions.has(ownerKeyOf(path, symbol)) ? `${symbol}()` : symbol)).join(' '),
          ]),
        );
      const signaturesBefore = signaturesOf(before);
      for (const symbol of symbolsByFile.get(path) ?? []) functions.delete(`${path}\0${symbol}`);
      for (const name of before.keys()) {
        const files = byName.get(name)!;
        files.delete(path);
        if (files.size === 0) byName.delete(name);
      }
      namesByFile.delete(path);
      symbolsByFile.delete(path);
      if (record) addRecord(record);
      const after = namesByFile.get(path) ?? new Map<string, readonly string[]>();
      const signaturesAfter = signaturesOf(after);
      const changedNames = new Set<string>();
      for (const name of [...before.keys(), ...after.keys()]) {
        placesByName.delete(name);
        membersByName.delete(name);
      }
      for (const name of new Set([...before.keys(), ...after.keys()]))
        if (signaturesBefore.get(name) !== signaturesAfter.get(name)) changedNames.add(name);
      return changedNames;
    },
  });
}

/** The places for `import a from './a.cjs'`, which gets the whole of a module that has no ES exports. */
function findCommonJsModule(record: GraphRecord, targets: readonly string[], name: string): readonly DefinitionPlace[] {
  return name === 'default' && record.language !== 'python' ? targets.map((path) => ({ path, symbol: null })) : [];
}

/** The key of the definition that contains `hasSymbol`; for a top-level definition, the key ends after `\0`. */
function ownerKeyOf(path: string, symbol: string): string {
  return `${path}\0${symbol.slice(0, Math.max(0, symbol.lastIndexOf('.')))}`;
}

function comparePlaces(a: DefinitionPlace, b: DefinitionPlace): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : (a.symbol ?? '') < (b.symbol ?? '') ? -1 : 1;
}

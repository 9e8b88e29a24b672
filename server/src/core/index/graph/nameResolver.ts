// Resolves the names in one file to definitions: bare names, members, and chains such as `a.b.c`.

import { posix } from 'node:path';
import { createWordSet } from '../../../util/wordSet.ts';
import type { ResolvedImports } from './resolveImports.ts';
import type { GraphRecord, DefinitionPlace, SymbolTable, LookupTrace } from './symbolTable.ts';

/**
 * The way in which a name was resolved. `binding`: an import binds it. `file`: it is defined in the same file.
 * `scope`: it is the only match in the imports of the file, in the same package, or in a class that the file names.
 * `name`: it is the only match in the repository. `ambiguous`: it is one of several matches.
 */
export type Confidence = 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';

/** The definitions to which a name refers, and the way in which they were found. */
export interface NameResolution {
  readonly places: readonly DefinitionPlace[];
  readonly confidence: Confidence;
}

/** Resolves a name. `from`: the path of the definition that contains the name; null outside of definitions. */
export interface NameResolver {
  /** Resolves a bare name, without an owner before it. Null if no place or too many places match. */
  resolveName(from: string | null, name: string): NameResolution | null;
  /**
   * Resolves `a.b.c`: the longest known prefix, then member by member. Null if the last name is not found in this way.
   */
  resolveChain(from: string | null, names: readonly string[]): NameResolution | null;
  /** Resolves `this.name`; null if no enclosing definition has such a member. */
  findOwnMember(from: string | null, name: string): DefinitionPlace | null;
  /**
   * Resolves a member whose owner is not known for certain. `owners`: keys (`path\0symbol`) of definitions that are
   * named in the same code. Null if no place or too many places match.
   */
  resolveMember(name: string, owners: ReadonlySet<string>): NameResolution | null;
}

/** Maximum number of candidates of a name. A name with more is not resolved. */
const MAX_AMBIGUOUS = 5;
/** Languages in which the definitions of the other files of a folder are visible. */
const PACKAGE_BY_FOLDER = new Set<string | null>(['go', 'java', 'kotlin', 'scala', 'csharp', 'swift', 'php']);
/** Languages in which an import makes all names of its target visible, or in which names need no import. */
const OPEN_NAMES = new Set<string | null>([
  'c',
  'cpp',
  'ruby',
  'php',
  'csharp',
  'swift',
  'lua',
  'elixir',
  'bash',
  'haskell',
  'kotlin',
  'scala',
  'zig',
]);

/** Members of the languages' own collections and strings; `.get` without a known owner may be one of these. */
const BUILT_IN: ReadonlySet<string> = new Set([
  ...[Array, String, Map, Set, Promise, Object, Function, RegExp, Date, Number].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
  ...createWordSet(`
    append extend insert remove pop clear index count sort reverse copy get items keys values update add
    discard union join split strip lower upper format encode decode read write close open name id type size
    length len empty first last put contains start stop run call next send error message data value text
    path url
  `),
]);

/** Creates the resolver for the names in one file. Adds to `trace` all files and names on which the results depend. */
export function createNameResolver(
  { path, language }: GraphRecord,
  table: SymbolTable,
  { imports, boundPlaces, wildcardFiles }: ResolvedImports,
  trace: LookupTrace,
): NameResolver {
  /** Files in which a member without a known owner is looked for first. */
  const nearbyFiles = new Set([path, ...imports, ...trace.files]);
  const isInPackage = (place: DefinitionPlace) =>
    PACKAGE_BY_FOLDER.has(language) &&
    posix.dirname(place.path) === posix.dirname(path) &&
    findLanguage(table, place.path) === language;
  const isClose = (place: DefinitionPlace) => nearbyFiles.has(place.path) || isInPackage(place);
  /** Keys of the definitions that the file imports. */
  const importedKeys = new Set(
    [...boundPlaces.values()].flatMap((places) =>
      places.flatMap((place) => (place.symbol === null ? [] : [`${place.path}\0${place.symbol}`])),
    ),
  );

  /** The definition in the innermost enclosing scope that has one. */
  const resolveInScopes = (from: string | null, name: string): DefinitionPlace | null => {
    const scopes = from === null ? [] : from.split('.');
    for (let depth = scopes.length; depth >= 0; depth--) {
      const symbol = [...scopes.slice(0, depth), name].join('.');
      if (symbol !== from && table.hasSymbol(path, symbol)) return { path, symbol };
    }
    return null;
  };
  /** Resolves a name that neither the file nor its imports define: by its package, or by a search by name. */
  const resolveInOtherFiles = (name: string): NameResolution | null => {
    if (!PACKAGE_BY_FOLDER.has(language) && !OPEN_NAMES.has(language)) return null;
    const candidates = table
      .findNamed(name, trace)
      .filter(
        (place) =>
          isSameFamily(language, findLanguage(table, place.path)) &&
          (!place.symbol!.includes('.') || OPEN_NAMES.has(language)),
      );
    const samePackage = candidates.filter((place) => isInPackage(place) && place.path !== path);
    if (samePackage.length > 0 && samePackage.length <= MAX_AMBIGUOUS)
      return { places: samePackage, confidence: samePackage.length === 1 ? 'scope' : 'ambiguous' };
    if (!OPEN_NAMES.has(language)) return null;
    const nearbyPlaces = candidates.filter((place) => nearbyFiles.has(place.path));
    if (nearbyPlaces.length === 1) return { places: nearbyPlaces, confidence: 'scope' };
    return candidates.length === 1 && !BUILT_IN.has(name) ? { places: candidates, confidence: 'name' } : null;
  };
  const resolveBareName = (from: string | null, name: string): NameResolution | null => {
    const scopedPlace = resolveInScopes(from, name);
    const places = boundPlaces.get(name);
    // `const a = require('./a')` defines a name that refers to another definition.
    if (scopedPlace && (scopedPlace.symbol !== name || !places)) return { places: [scopedPlace], confidence: 'file' };
    if (places) return { places, confidence: 'binding' };
    const visible = wildcardFiles.length > 0 ? table.findExportedPlaces(wildcardFiles, name, trace) : [];
    return visible.length > 0 ? { places: visible.slice(0, 1), confidence: 'scope' } : resolveInOtherFiles(name);
  };
  /** The definitions to which a name refers inside these modules or definitions. */
  const findMembers = (places: readonly DefinitionPlace[], name: string): readonly DefinitionPlace[] => {
    const modules = places.filter(({ symbol }) => symbol === null).map((place) => place.path);
    const exported = modules.length > 0 ? table.findExportedPlaces(modules, name, trace) : [];
    if (exported.length > 0) return exported;
    return places.flatMap(({ path, symbol }) =>
      symbol !== null && table.hasSymbol(path, `${symbol}.${name}`)
        ? [{ path: path, symbol: `${symbol}.${name}` }]
        : [],
    );
  };
  /** The longest prefix of the chain that is known, and the number of its names. */
  const resolveLongestPrefix = (
    from: string | null,
    names: readonly string[],
  ): (NameResolution & { length: number }) | null => {
    for (let length = names.length - 1; length > 0; length--) {
      const prefix = names.slice(0, length).join('.');
      const places = boundPlaces.get(prefix);
      const start =
        length === 1 ? resolveBareName(from, prefix) : places ? { places, confidence: 'binding' as const } : null;
      if (start && start.places.length > 0) return { ...start, length };
    }
    return null;
  };

  return {
    resolveName: resolveBareName,
    findOwnMember: (from, name) => findMemberOfEnclosing(table, path, from, name),
    resolveChain(from, names) {
      const start = resolveLongestPrefix(from, names);
      if (!start) return null;
      let { places } = start;
      for (const name of names.slice(start.length)) {
        const nextPlaces = findMembers(places, name);
        // A type may have members in other places, so the caller then searches for the last name only.
        if (nextPlaces.length === 0) return null;
        places = nextPlaces;
      }
      return { places, confidence: start.confidence };
    },
    resolveMember(name, owners) {
      const members = table
        .findMembers(name, trace)
        .filter(({ place }) => isSameFamily(language, findLanguage(table, place.path)));
      if (members.length === 0) return null;
      // The owner is most likely a definition that is named in the same code, otherwise one that the file imports.
      for (const ownerKeys of [owners, importedKeys]) {
        const ofOwner = members.filter(({ owner }) => ownerKeys.has(owner)).map(({ place }) => place);
        if (ofOwner.length > 0) return createResolution(ofOwner, 'scope');
      }
      if (BUILT_IN.has(name)) return null;
      const places = members.filter(({ local }) => !local).map(({ place }) => place);
      const nearbyPlaces = places.filter(isClose);
      if (nearbyPlaces.length > 0) return createResolution(nearbyPlaces, 'scope');
      if (places.length > 0) return createResolution(places, 'name');
      // A function may return what it defines: `createStore().dispatch()`.
      return createResolution(members.map(({ place }) => place).filter(isClose), 'name');
    },
  };
}

/** Returns one match with the given confidence, and a few matches as ambiguous; null for none and for too many. */
function createResolution(places: readonly DefinitionPlace[], confidence: Confidence): NameResolution | null {
  if (places.length === 1) return { places, confidence };
  return places.length > 1 && places.length <= MAX_AMBIGUOUS ? { places, confidence: 'ambiguous' } : null;
}

/** Resolves `this.name` to a member of the enclosing class, however deeply nested the code is. */
function findMemberOfEnclosing(
  table: SymbolTable,
  path: string,
  from: string | null,
  name: string,
): DefinitionPlace | null {
  const scopes = from === null ? [] : from.split('.');
  for (let depth = scopes.length; depth > 0; depth--) {
    const symbol = [...scopes.slice(0, depth), name].join('.');
    if (symbol !== from && table.hasSymbol(path, symbol)) return { path, symbol };
  }
  return null;
}

function findLanguage(table: SymbolTable, path: string): string | null {
  return table.records.get(path)?.language ?? null;
}

/** Languages whose files can be parts of one program. */
const LANGUAGE_FAMILIES: readonly (readonly string[])[] = [
  ['typescript', 'tsx', 'javascript'],
  ['c', 'cpp'],
  ['java', 'kotlin', 'scala'],
];

/** True if files in these languages can be parts of one program. */
function isSameFamily(a: string | null, b: string | null): boolean {
  return a === b || LANGUAGE_FAMILIES.some((family) => family.includes(a ?? '') && family.includes(b ?? ''));
}

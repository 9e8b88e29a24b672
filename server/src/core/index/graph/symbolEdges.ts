// Resolves the names that one file uses: edges from its definitions to those of all files, each with a confidence.

import { posix } from 'node:path';
import { importedBy } from './importedBy.ts';
import type { GraphRecord, Place, SymbolTable, Trace } from './symbolTable.ts';
import { wordsOf } from '../../../util/wordsOf.ts';

/**
 * How a name was resolved. `binding`: an import binds it. `file`: it is defined in the same file. `scope`: it is the
 * only match in what the file imports, in the same package, or in a class that the file names. `name`: it is the only
 * match in the repository. `ambiguous`: it is one of several matches.
 */
export type Confidence = 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';

export interface SymbolEdge {
  /** The definition that contains the use, by its path in the file; null outside of definitions. */
  readonly from: string | null;
  readonly to: Place;
  readonly confidence: Confidence;
}

export interface FileEdges {
  readonly symbols: readonly SymbolEdge[];
  /** Files that the file names in an import, as written. */
  readonly imports: readonly string[];
  /** Those of `imports` that are loaded at run time: imports of types alone are erased. */
  readonly loads: readonly string[];
  /** Files that define what the file uses; re-exports are followed. */
  readonly through: readonly string[];
  readonly trace: Trace;
}

/** With more candidates than this, no edge is added. */
const MAX_AMBIGUOUS = 5;
/** Languages in which a file sees the definitions of the other files in its folder. */
const packageByFolder = new Set<string | null>(['go', 'java', 'kotlin', 'scala', 'csharp', 'swift', 'php']);
/** Languages in which an import makes all names of its target visible, or names are found without an import. */
const openNames = new Set<string | null>([
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

/** Members of the languages' own collections and strings; `.get` alone may mean one of these. */
const builtIn: ReadonlySet<string> = new Set([
  ...[Array, String, Map, Set, Promise, Object, Function, RegExp, Date, Number].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
  ...wordsOf(`
    append extend insert remove pop clear index count sort reverse copy get items keys values update add
    discard union join split strip lower upper format encode decode read write close open name id type size
    length len empty first last put contains start stop run call next send error message data value text
    path url
  `),
]);

/** The edges of one file. Pure: the same table gives the same edges, and `trace` says what they depend on. */
export function edgesOf(record: GraphRecord, table: SymbolTable): FileEdges {
  const trace: Trace = { files: new Set(), names: new Set() };
  const { path, references, symbols, language } = record;
  const { imports, loads, through, bound, wild } = importedBy(record, table, trace);
  /** Files in which a member without a known owner is looked for first. */
  const near = new Set([path, ...imports, ...trace.files]);
  const inPackage = (place: Place) =>
    packageByFolder.has(language) &&
    posix.dirname(place.path) === posix.dirname(path) &&
    kindOf(table, place.path) === language;

  const imported = new Set(
    [...bound.values()].flatMap((places) =>
      places.flatMap((place) => (place.symbol === null ? [] : [`${place.path}\0${place.symbol}`])),
    ),
  );
  const edges = new Map<string, SymbolEdge>();
  /** Keeps the edge with the highest confidence between two definitions. */
  const add = (from: string | null, places: readonly Place[], confidence: Confidence): boolean => {
    for (const to of places) {
      if (to.path === path && to.symbol === from) continue;
      const key = `${from ?? ''}\0${to.path}\0${to.symbol ?? ''}`;
      const known = edges.get(key);
      if (!known || rank[confidence] < rank[known.confidence]) edges.set(key, { from, to, confidence });
    }
    return places.length > 0;
  };
  /** Adds what a repository-wide search by name found: one match, or a few ambiguous ones. */
  const addByName = (from: string | null, places: readonly Place[]): boolean => {
    if (places.length === 1) return add(from, places, 'name');
    return places.length > 1 && places.length <= MAX_AMBIGUOUS && add(from, places, 'ambiguous');
  };
  /** The definition in the innermost enclosing scope that has one. */
  const inScopes = (from: string | null, name: string): Place | null => {
    const scopes = from === null ? [] : from.split('.');
    for (let depth = scopes.length; depth >= 0; depth--) {
      const symbol = [...scopes.slice(0, depth), name].join('.');
      if (symbol !== from && table.symbol(path, symbol)) return { path, symbol };
    }
    return null;
  };
  /** Resolves a name that stands alone, without an owner before it. */
  const resolve = (
    from: string | null,
    name: string,
  ): { readonly places: readonly Place[]; readonly confidence: Confidence } | null => {
    const own = inScopes(from, name);
    const places = bound.get(name);
    // `const a = require('./a')` defines a name that stands for another definition.
    if (own && (own.symbol !== name || !places)) return { places: [own], confidence: 'file' };
    if (places) return { places, confidence: 'binding' };
    const visible = wild.length > 0 ? table.exported(wild, name, trace) : [];
    if (visible.length > 0) return { places: visible.slice(0, 1), confidence: 'scope' };
    if (!packageByFolder.has(language) && !openNames.has(language)) return null;
    const all = table
      .named(name, trace)
      .filter(
        (place) =>
          sameFamily(language, kindOf(table, place.path)) && (!place.symbol!.includes('.') || openNames.has(language)),
      );
    const beside = all.filter((place) => inPackage(place) && place.path !== path);
    if (beside.length > 0 && beside.length <= MAX_AMBIGUOUS)
      return { places: beside, confidence: beside.length === 1 ? 'scope' : 'ambiguous' };
    if (!openNames.has(language)) return null;
    const close = all.filter((place) => near.has(place.path));
    if (close.length === 1) return { places: close, confidence: 'scope' };
    return all.length === 1 && !builtIn.has(name) ? { places: all, confidence: 'name' } : null;
  };
  /** Resolves a member whose owner is not known for certain, and adds its edges. */
  const addMember = (from: string | null, name: string, owners: ReadonlySet<string>): void => {
    const all = table.members(name, trace).filter(({ place }) => sameFamily(language, kindOf(table, place.path)));
    if (all.length === 0) return;
    // The owner is most likely a definition that is named beside the member, else one that the file imports.
    for (const known of [owners, imported]) {
      const named = all.filter(({ owner }) => known.has(owner)).map(({ place }) => place);
      if (named.length === 1) return void add(from, named, 'scope');
      if (named.length > 1) return void (named.length <= MAX_AMBIGUOUS && add(from, named, 'ambiguous'));
    }
    if (builtIn.has(name)) return;
    const places = all.filter(({ local }) => !local).map(({ place }) => place);
    const isClose = (place: Place) => near.has(place.path) || inPackage(place);
    const close = places.filter(isClose);
    if (close.length === 1) add(from, close, 'scope');
    else if (close.length > 0 || places.length > 0) addByName(from, close.length > 0 ? close : places);
    // A function may return what it defines: `createStore().dispatch()`.
    else
      addByName(
        from,
        all.filter(({ place }) => isClose(place)).map(({ place }) => place),
      );
  };
  /** Resolves `a.b.c`: the longest known prefix, then member by member. False if that does not reach the last name. */
  const addChain = (from: string | null, names: readonly string[]): boolean => {
    for (let length = names.length - 1; length > 0; length--) {
      const head = names.slice(0, length).join('.');
      const start =
        length === 1
          ? resolve(from, head)
          : bound.has(head)
            ? { places: bound.get(head)!, confidence: 'binding' as const }
            : null;
      if (!start || start.places.length === 0) continue;
      let places = start.places;
      for (const name of names.slice(length)) {
        const next = membersIn(places, name);
        // A type may have members elsewhere; the caller then looks for the last name alone.
        if (next.length === 0) return false;
        places = next;
      }
      add(
        from,
        places.filter(({ symbol }) => symbol !== null),
        start.confidence,
      );
      return true;
    }
    return false;
  };
  /** What a name means inside these modules or definitions. */
  const membersIn = (places: readonly Place[], name: string): readonly Place[] => {
    const modules = places.filter(({ symbol }) => symbol === null).map((place) => place.path);
    const exported = modules.length > 0 ? table.exported(modules, name, trace) : [];
    if (exported.length > 0) return exported;
    return places.flatMap(({ path: at, symbol }) =>
      symbol !== null && table.symbol(at, `${symbol}.${name}`) ? [{ path: at, symbol: `${symbol}.${name}` }] : [],
    );
  };

  const uses = references?.uses ?? [];
  uses.forEach((line, index) => {
    if (line === '') return;
    const from = symbols[index]?.path ?? null;
    const members: string[] = [];
    const owners = new Set<string>();
    for (const use of line.split(' ')) {
      if (use.startsWith('.')) {
        members.push(use.slice(1));
        continue;
      }
      const names = use.split('.');
      if (names[0] === 'this') {
        const own = ownMember(table, path, from, names[1]!);
        if (own) add(from, [own], 'file');
        else members.push(names[1]!);
      } else if (names.length === 1) {
        const resolved = resolve(from, use);
        if (!resolved) continue;
        add(
          from,
          resolved.places.filter(({ symbol }) => symbol !== null),
          resolved.confidence,
        );
        for (const place of resolved.places) owners.add(`${place.path}\0${place.symbol}`);
      } else if (!addChain(from, names)) members.push(names.at(-1)!);
    }
    for (const name of members) addMember(from, name, owners);
  });
  for (const { path: symbol, kind } of symbols)
    if (kind === 'class') add(symbol, constructorsOf(table, path, symbol), 'file');
  for (const { to, confidence } of edges.values())
    if (to.path !== path && confidence !== 'ambiguous') through.add(to.path);
  return { symbols: [...edges.values()], imports: [...imports], loads: [...loads], through: [...through], trace };
}

const rank: Readonly<Record<Confidence, number>> = { binding: 0, file: 1, scope: 2, name: 3, ambiguous: 4 };

/** Whoever uses a class uses its constructor. */
function constructorsOf(table: SymbolTable, path: string, symbol: string): readonly Place[] {
  return ['constructor', '__init__', '__construct', 'initialize', 'init']
    .map((name) => `${symbol}.${name}`)
    .filter((constructor) => table.symbol(path, constructor))
    .map((constructor) => ({ path, symbol: constructor }));
}

/** Resolves `this.name` to a member of the enclosing class, however deeply nested the code is. */
function ownMember(table: SymbolTable, path: string, from: string | null, name: string): Place | null {
  const scopes = from === null ? [] : from.split('.');
  for (let depth = scopes.length; depth > 0; depth--) {
    const symbol = [...scopes.slice(0, depth), name].join('.');
    if (symbol !== from && table.symbol(path, symbol)) return { path, symbol };
  }
  return null;
}

function kindOf(table: SymbolTable, path: string): string | null {
  return table.records.get(path)?.language ?? null;
}

/** Languages whose files can be parts of one program. */
const families: readonly (readonly string[])[] = [
  ['typescript', 'tsx', 'javascript'],
  ['c', 'cpp'],
  ['java', 'kotlin', 'scala'],
];

function sameFamily(a: string | null, b: string | null): boolean {
  return a === b || families.some((family) => family.includes(a ?? '') && family.includes(b ?? ''));
}

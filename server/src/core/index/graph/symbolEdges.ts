// Which definition each used name means: the edges of one file to the definitions of all files, each with how sure it
// is.

import { posix } from 'node:path';
import { importedBy } from './importedBy.ts';
import type { GraphRecord, Place, SymbolTable, Trace } from './symbolTable.ts';
import { wordsOf } from '../../../util/wordsOf.ts';

/**
 * binding: an import says so. file: defined in the same file. scope: the only one in what the file imports, in the same
 * package,
 * or in a class that it names. name: the only one of that name in the repository. ambiguous: one of several.
 */
export type Confidence = 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';

export interface SymbolEdge {
  /** Path of the using definition in its file; null: code outside of definitions. */
  readonly from: string | null;
  readonly to: Place;
  readonly confidence: Confidence;
}

export interface FileEdges {
  readonly symbols: readonly SymbolEdge[];
  /** Files that the file names in an import, as written. */
  readonly imports: readonly string[];
  /** Those of them that run: imports of types alone are erased. */
  readonly loads: readonly string[];
  /** Files whose definitions it takes, barrels looked through. */
  readonly through: readonly string[];
  readonly trace: Trace;
}

/** More places than these say nothing. */
const MAX_AMBIGUOUS = 5;
/** Languages in which a file sees the definitions of the other files in its folder. */
const packageByFolder = new Set<string | null>(['go', 'java', 'kotlin', 'scala', 'csharp', 'swift', 'php']);
/** In these every name that an import leads to is visible, or a name is found without any import. */
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

/** Members of the languages' own collections and texts: `.get` alone does not say that it is ours. */
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
  /** Files that a member without a known owner is first looked for in. */
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
  const add = (from: string | null, places: readonly Place[], confidence: Confidence): boolean => {
    for (const to of places) {
      if (to.path === path && to.symbol === from) continue;
      const key = `${from ?? ''}\0${to.path}\0${to.symbol ?? ''}`;
      const known = edges.get(key);
      if (!known || rank[confidence] < rank[known.confidence]) edges.set(key, { from, to, confidence });
    }
    return places.length > 0;
  };
  const found = (from: string | null, places: readonly Place[]): boolean => {
    if (places.length === 1) return add(from, places, 'name');
    return places.length > 1 && places.length <= MAX_AMBIGUOUS && add(from, places, 'ambiguous');
  };
  /** Definitions in the scopes around, innermost first. */
  const around = (from: string | null, name: string): Place | null => {
    const scopes = from === null ? [] : from.split('.');
    for (let depth = scopes.length; depth >= 0; depth--) {
      const symbol = [...scopes.slice(0, depth), name].join('.');
      if (symbol !== from && table.symbol(path, symbol)) return { path, symbol };
    }
    return null;
  };
  const bare = (
    from: string | null,
    name: string,
  ): { readonly places: readonly Place[]; readonly confidence: Confidence } | null => {
    const own = around(from, name);
    const places = bound.get(name);
    // `const a = require('./a')` defines a name and stands for another.
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
  const member = (from: string | null, name: string, owners: ReadonlySet<string>): void => {
    const all = table.members(name, trace).filter(({ place }) => sameFamily(language, kindOf(table, place.path)));
    if (all.length === 0) return;
    // What the definition names may be what it holds, then what the file imports.
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
    else if (close.length > 0 || places.length > 0) found(from, close.length > 0 ? close : places);
    // A function may give away what it defines: `createStore().dispatch()`.
    else
      found(
        from,
        all.filter(({ place }) => isClose(place)).map(({ place }) => place),
      );
  };
  /** `a.b.c`: what the longest known part of it stands for, then member by member as far as it leads. */
  const chain = (from: string | null, names: readonly string[]): boolean => {
    for (let length = names.length - 1; length > 0; length--) {
      const head = names.slice(0, length).join('.');
      const start =
        length === 1
          ? bare(from, head)
          : bound.has(head)
            ? { places: bound.get(head)!, confidence: 'binding' as const }
            : null;
      if (!start || start.places.length === 0) continue;
      let at = start.places;
      for (const name of names.slice(length)) {
        const next = inside(at, name);
        // A type may have members elsewhere; whoever is asked next looks for them by their name.
        if (next.length === 0) return false;
        at = next;
      }
      add(
        from,
        at.filter(({ symbol }) => symbol !== null),
        start.confidence,
      );
      return true;
    }
    return false;
  };
  const inside = (places: readonly Place[], name: string): readonly Place[] => {
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
        const places = bare(from, use);
        if (!places) continue;
        add(
          from,
          places.places.filter(({ symbol }) => symbol !== null),
          places.confidence,
        );
        for (const place of places.places) owners.add(`${place.path}\0${place.symbol}`);
      } else if (!chain(from, names)) members.push(names.at(-1)!);
    }
    for (const name of members) member(from, name, owners);
  });
  for (const { path: symbol, kind } of symbols)
    if (kind === 'class') add(symbol, constructorsOf(table, path, symbol), 'file');
  for (const { to, confidence } of edges.values())
    if (to.path !== path && confidence !== 'ambiguous') through.add(to.path);
  return { symbols: [...edges.values()], imports: [...imports], loads: [...loads], through: [...through], trace };
}

const rank: Readonly<Record<Confidence, number>> = { binding: 0, file: 1, scope: 2, name: 3, ambiguous: 4 };

/** Who uses a class uses its constructor. */
function constructorsOf(table: SymbolTable, path: string, symbol: string): readonly Place[] {
  return ['constructor', '__init__', '__construct', 'initialize', 'init']
    .map((name) => `${symbol}.${name}`)
    .filter((constructor) => table.symbol(path, constructor))
    .map((constructor) => ({ path, symbol: constructor }));
}

/** `this.name`: a member of the class around, however deep inside it the code is. */
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

/** Languages whose names meet in one program. */
const families: readonly (readonly string[])[] = [
  ['typescript', 'tsx', 'javascript'],
  ['c', 'cpp'],
  ['java', 'kotlin', 'scala'],
];

function sameFamily(a: string | null, b: string | null): boolean {
  return a === b || families.some((family) => family.includes(a ?? '') && family.includes(b ?? ''));
}

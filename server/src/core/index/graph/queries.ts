// Questions to the dependency graph: who depends on a thing, on what does it depend, where are circles, which tests reach it.

import { pageRank } from './pageRank.ts';
import type { DependencyGraph } from './dependencyGraph.ts';
import type { Confidence } from './symbolEdges.ts';
import type { Place } from './symbolTable.ts';

export interface Reached extends Place {
  /** Steps away; 1 is direct. */
  readonly depth: number;
  /** Least sure step on the way. */
  readonly confidence: Confidence | 'import';
  /** From the asked place (left out) to this one: each uses the one before it. */
  readonly way: readonly Place[];
}

export interface GraphView {
  /** Edges between definitions and files, both ways, by `keyOf`. */
  readonly uses: ReadonlyMap<string, readonly Step[]>;
  readonly usedBy: ReadonlyMap<string, readonly Step[]>;
  /** Files that each file depends on: imports as written, and definitions taken with barrels looked through. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly through: ReadonlyMap<string, readonly string[]>;
  readonly graph: DependencyGraph;
}

interface Step {
  readonly to: Place;
  readonly confidence: Confidence;
}

const views = new WeakMap<DependencyGraph, { readonly version: number; readonly view: GraphView }>();

/** The graph in the form that questions need, made once per version. */
export function viewOf(graph: DependencyGraph): GraphView {
  const known = views.get(graph);
  if (known?.version === graph.version) return known.view;
  const uses = new Map<string, Step[]>();
  const usedBy = new Map<string, Step[]>();
  const imports = new Map<string, readonly string[]>();
  const through = new Map<string, readonly string[]>();
  for (const [path, edges] of graph.edges) {
    imports.set(path, edges.imports);
    through.set(path, edges.through);
    for (const { from, to, confidence } of edges.symbols) {
      const user = { path, symbol: from };
      push(uses, keyOf(user), { to, confidence });
      push(usedBy, keyOf(to), { to: user, confidence });
    }
  }
  const view = { uses, usedBy, imports, through, graph };
  views.set(graph, { version: graph.version, view });
  return view;
}

/** `path#symbol`, or the path alone for a file. */
export function keyOf({ path, symbol }: Place): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

export interface ReachOptions {
  /** Steps to go; 1 is direct use only. */
  readonly depth: number;
  /** Follow what one of several definitions may mean, too. */
  readonly ambiguous: boolean;
}

/**
 * What depends on a place, nearest first, each with the shortest way to it. Of a class its members count too. Of a file everything
 * in it counts, and so do the files that import it.
 */
export function dependents(graph: DependencyGraph, target: Place, options: ReachOptions): readonly Reached[] {
  const view = viewOf(graph);
  return reach(graph, target, options, (place) => view.usedBy.get(keyOf(place)) ?? [], target.symbol === null ? importersOf(view) : null);
}

/** What a place depends on, nearest first. */
export function dependencies(graph: DependencyGraph, target: Place, options: ReachOptions): readonly Reached[] {
  const view = viewOf(graph);
  return reach(graph, target, options, (place) => view.uses.get(keyOf(place)) ?? [], target.symbol === null ? (path) => [...new Set([...(view.imports.get(path) ?? []), ...(view.through.get(path) ?? [])])] : null);
}

/** The tests that reach a place: test functions where the language names them, else the files whose code does. */
export function testsReaching(graph: DependencyGraph, target: Place, isTest: (path: string) => boolean, options: ReachOptions): readonly Reached[] {
  const tests = dependents(graph, target, options).filter(({ path }) => isTest(path));
  // A file says nothing more once one of its functions is named.
  const named = new Set(tests.flatMap(({ path, symbol }) => (symbol === null ? [] : [path])));
  return tests.filter(({ path, symbol }) => symbol !== null || !named.has(path));
}

/** Breadth first, so that the first way found is the shortest. With `files`, steps between files count as well. */
function reach(graph: DependencyGraph, target: Place, { depth: limit, ambiguous }: ReachOptions, steps: (place: Place) => readonly Step[], files: ((path: string) => readonly string[]) | null): readonly Reached[] {
  const starts = startsOf(graph, target);
  const seen = new Set(starts.map(keyOf));
  const found: Reached[] = [];
  let edge: readonly { readonly place: Place; readonly reached: Reached | null }[] = starts.map((place) => ({ place, reached: null }));
  for (let depth = 1; depth <= limit && edge.length > 0; depth++) {
    const next: { place: Place; reached: Reached }[] = [];
    const go = (place: Place, confidence: Reached['confidence'], before: Reached | null): void => {
      const key = keyOf(place);
      if (seen.has(key)) return;
      seen.add(key);
      const reached: Reached = { ...place, depth, confidence: lessSure(before?.confidence ?? 'import', confidence), way: [...(before?.way ?? []), { path: place.path, symbol: place.symbol }] };
      found.push(reached);
      next.push({ place, reached });
    };
    for (const { place, reached } of edge) {
      for (const { to, confidence } of steps(place)) if (ambiguous || confidence !== 'ambiguous') go(to, confidence, reached);
      if (files && place.symbol === null) for (const path of files(place.path)) go({ path, symbol: null }, 'import', reached);
    }
    edge = next;
  }
  return found.filter(({ path, symbol }) => !(target.symbol === null && path === target.path) && !(symbol === target.symbol && path === target.path));
}

/** A class stands for its members, a file for everything in it. */
function startsOf(graph: DependencyGraph, target: Place): readonly Place[] {
  const symbols = graph.records.get(target.path)?.symbols ?? [];
  const inside = symbols.filter(({ path }) => target.symbol === null || path.startsWith(`${target.symbol}.`)).map(({ path }) => ({ path: target.path, symbol: path }));
  return [target, ...inside];
}

function importersOf(view: GraphView): (path: string) => readonly string[] {
  const importers = new Map<string, string[]>();
  for (const edges of [view.imports, view.through]) for (const [from, targets] of edges) for (const to of targets) push(importers, to, from);
  return (path) => [...new Set(importers.get(path) ?? [])];
}

const order: readonly Reached['confidence'][] = ['import', 'binding', 'file', 'scope', 'name', 'ambiguous'];

function lessSure(a: Reached['confidence'], b: Reached['confidence']): Reached['confidence'] {
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}

export interface Importance {
  /** Number of others that use it directly. */
  readonly inDegree: number;
  /** Share of the whole, by PageRank; sums to 1. */
  readonly rank: number;
}

/** Importance of every file. `through`: barrels looked through, so that the file counts that defines; `imports`: as the imports are written. */
export function fileImportance(graph: DependencyGraph, edges: 'imports' | 'through'): ReadonlyMap<string, Importance> {
  const paths = [...graph.edges.keys()];
  return importance(paths, (path) => graph.edges.get(path)![edges]);
}

/** Importance of every definition, by `keyOf`. Uses that may mean several do not count. */
export function symbolImportance(graph: DependencyGraph): ReadonlyMap<string, Importance> {
  const { uses } = viewOf(graph);
  const keys = [...graph.records.values()].flatMap(({ path, symbols }) => [path, ...new Set(symbols.map((symbol) => keyOf({ path, symbol: symbol.path })))]);
  return importance(keys, (key) => (uses.get(key) ?? []).filter(({ confidence }) => confidence !== 'ambiguous').map(({ to }) => keyOf(to)));
}

function importance(keys: readonly string[], targetsOf: (key: string) => readonly string[]): ReadonlyMap<string, Importance> {
  const numbers = new Map(keys.map((key, at) => [key, at]));
  const inDegree = new Int32Array(keys.length);
  const targets = keys.map((key) => targetsOf(key).flatMap((target) => numbers.get(target) ?? []));
  for (const out of targets) for (const target of out) inDegree[target]!++;
  const rank = pageRank(targets);
  return new Map(keys.map((key, at) => [key, { inDegree: inDegree[at]!, rank: rank[at]! }]));
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

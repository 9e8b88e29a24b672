// Answers queries on the dependency graph: dependents and dependencies of a place, cycles, and the tests that reach a
// place.

import { computePageRank } from './pageRank.ts';
import type { DependencyGraph } from './dependencyGraph.ts';
import type { Confidence } from './nameResolver.ts';
import type { DefinitionPlace } from './symbolTable.ts';
import { appendTo } from '../../../util/values/appendTo.ts';

/** A place that a query reached. */
export interface ReachedPlace extends DefinitionPlace {
  /** Number of steps; 1 is direct. */
  readonly depth: number;
  /** The least certain step of the path. */
  readonly confidence: Confidence | 'import';
  /**
   * The places from the start (excluded) to this one. Each uses the one before it or, in a query for dependencies, is
   * used by it.
   */
  readonly way: readonly DefinitionPlace[];
}

/** The graph in the form that queries need. */
export interface GraphView {
  /** By `createDefinitionKey` of the user: the definitions and files that it uses. */
  readonly uses: ReadonlyMap<string, readonly Step[]>;
  /** By `createDefinitionKey` of the used place: the definitions and files that use it. */
  readonly usedBy: ReadonlyMap<string, readonly Step[]>;
  /** The files on which each file depends: those that it imports as written, and those that define what it uses. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** The files that depend on each file. */
  readonly importers: ReadonlyMap<string, readonly string[]>;
}

/** An edge of the graph, seen from one of its ends. */
interface Step {
  readonly to: DefinitionPlace;
  /** The result of `createDefinitionKey`, computed once. */
  readonly key: string;
  readonly confidence: Confidence;
}

/** The result of `getGraphView` for each graph. */
const VIEW_CACHE = new WeakMap<DependencyGraph, { readonly version: number; readonly view: GraphView }>();

/** The graph in the form that queries need, computed once per version. */
export function getGraphView(graph: DependencyGraph): GraphView {
  const cached = VIEW_CACHE.get(graph);
  if (cached?.version === graph.version) return cached.view;
  const uses = new Map<string, Step[]>();
  const usedBy = new Map<string, Step[]>();
  const imports = new Map<string, readonly string[]>();
  const importers = new Map<string, string[]>();
  for (const [path, edges] of graph.edges) {
    const targets = [...new Set([...edges.imports, ...edges.through])];
    imports.set(path, targets);
    for (const target of targets) appendTo(importers, target, path);
    for (const { from, to, confidence } of edges.symbolEdges) {
      const user = { path, symbol: from };
      const [userKey, key] = [createDefinitionKey(user), createDefinitionKey(to)];
      appendTo(uses, userKey, { to, key, confidence });
      appendTo(usedBy, key, { to: user, key: userKey, confidence });
    }
  }
  const view = { uses, usedBy, imports, importers };
  VIEW_CACHE.set(graph, { version: graph.version, view });
  return view;
}

/** `path#symbol`; for a file, its path. */
export function createDefinitionKey({ path, symbol }: DefinitionPlace): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

/** Limits of a query. */
export interface ReachOptions {
  /** Maximum number of steps; 1 is direct use only. */
  readonly depth: number;
  /** True to follow uses that may mean one of several definitions. */
  readonly ambiguous: boolean;
}

/**
 * The dependents of a place, nearest first, each with a shortest path to it. For a class its members count, too. For a
 * file everything in it counts, and so do the files that import it.
 */
export function findDependents(
  graph: DependencyGraph,
  target: DefinitionPlace,
  options: ReachOptions,
): readonly ReachedPlace[] {
  const view = getGraphView(graph);
  return findReachedPlaces(graph, target, options, view.usedBy, target.symbol === null ? view.importers : null);
}

/**
 * The dependencies of a place, nearest first, each with a shortest path to it. For a class, those of its members count,
 * too. For a file, those of everything in it count, and so do the files that it imports.
 */
export function findDependencies(
  graph: DependencyGraph,
  target: DefinitionPlace,
  options: ReachOptions,
): readonly ReachedPlace[] {
  const view = getGraphView(graph);
  return findReachedPlaces(graph, target, options, view.uses, target.symbol === null ? view.imports : null);
}

/** The tests that reach a place: test functions if the language names them, otherwise test files. */
export function findTestsReaching(
  graph: DependencyGraph,
  target: DefinitionPlace,
  isTest: (path: string) => boolean,
  options: ReachOptions,
): readonly ReachedPlace[] {
  const tests = findDependents(graph, target, options).filter(({ path }) => isTest(path));
  // A file is not added if one of its test functions is already in the result.
  const namedFiles = new Set(tests.flatMap(({ path, symbol }) => (symbol === null ? [] : [path])));
  return tests.filter(({ path, symbol }) => symbol !== null || !namedFiles.has(path));
}

/** A place that the search has reached, and the visit from which it was reached. */
interface Visit {
  readonly place: DefinitionPlace;
  readonly key: string;
  readonly depth: number;
  readonly confidence: ReachedPlace['confidence'];
  readonly previousVisit: Visit | null;
}

/**
 * The places that the steps reach from the target. The search is breadth first, so that the first path found is the
 * shortest. With `files`, edges between files count as well.
 */
function findReachedPlaces(
  graph: DependencyGraph,
  target: DefinitionPlace,
  { depth: limit, ambiguous }: ReachOptions,
  steps: ReadonlyMap<string, readonly Step[]>,
  files: ReadonlyMap<string, readonly string[]> | null,
): readonly ReachedPlace[] {
  const queue: Visit[] = collectStarts(graph, target).map((place) => ({
    place,
    key: createDefinitionKey(place),
    depth: 0,
    confidence: 'import',
    previousVisit: null,
  }));
  const startCount = queue.length;
  const visitedKeys = new Set(queue.map(({ key }) => key));
  for (let index = 0; index < queue.length; index++) {
    const visit = queue[index]!;
    if (visit.depth >= limit) break;
    const visitPlace = (place: DefinitionPlace, key: string, confidence: ReachedPlace['confidence']): void => {
      if (visitedKeys.has(key)) return;
      visitedKeys.add(key);
      queue.push({
        place,
        key,
        depth: visit.depth + 1,
        confidence: findLessCertain(visit.confidence, confidence),
        previousVisit: visit.depth === 0 ? null : visit,
      });
    };
    for (const { to, key, confidence } of steps.get(visit.key) ?? [])
      if (ambiguous || confidence !== 'ambiguous') visitPlace(to, key, confidence);
    if (files && visit.place.symbol === null)
      for (const path of files.get(visit.place.path) ?? []) visitPlace({ path, symbol: null }, path, 'import');
  }
  const isTarget = ({ path, symbol }: DefinitionPlace) =>
    path === target.path && (target.symbol === null || symbol === target.symbol);
  return queue
    .slice(startCount)
    .filter(({ place }) => !isTarget(place))
    .map(({ place, depth, confidence, previousVisit }) => ({
      path: place.path,
      symbol: place.symbol,
      depth,
      confidence,
      way: tracePathTo(place, previousVisit),
    }));
}

/** The places of a shortest path, from the first step to `place`. */
function tracePathTo(place: DefinitionPlace, before: Visit | null): DefinitionPlace[] {
  const path = [place];
  for (let current = before; current; current = current.previousVisit) path.push(current.place);
  return path.reverse();
}

/** The places from which a query starts: the target; for a class also its members; for a file also everything in it. */
function collectStarts(graph: DependencyGraph, target: DefinitionPlace): readonly DefinitionPlace[] {
  const symbols = graph.records.get(target.path)?.symbols ?? [];
  const contained = symbols
    .filter(({ path }) => target.symbol === null || path.startsWith(`${target.symbol}.`))
    .map(({ path }) => ({ path: target.path, symbol: path }));
  return [target, ...contained];
}

/** By confidence: its rank, the most certain first. */
const CONFIDENCE_ORDER: Readonly<Record<ReachedPlace['confidence'], number>> = {
  import: 0,
  binding: 1,
  file: 2,
  scope: 3,
  name: 4,
  ambiguous: 5,
};

function findLessCertain(a: ReachedPlace['confidence'], b: ReachedPlace['confidence']): ReachedPlace['confidence'] {
  return CONFIDENCE_ORDER[a] > CONFIDENCE_ORDER[b] ? a : b;
}

/** The importance of a place for the other parts of the repository. */
export interface Importance {
  /** Number of other places that use it directly. */
  readonly inDegree: number;
  /** Share of the total PageRank. */
  readonly rank: number;
}

/** Importance of every definition, by `createDefinitionKey`. Ambiguous uses do not count. */
export function computeSymbolImportance(graph: DependencyGraph): ReadonlyMap<string, Importance> {
  const { uses } = getGraphView(graph);
  const keys = [...graph.records.values()].flatMap(({ path, symbols }) => [
    path,
    ...new Set(symbols.map((symbol) => createDefinitionKey({ path, symbol: symbol.path }))),
  ]);
  return computeImportance(keys, (key) =>
    (uses.get(key) ?? [])
      .filter(({ confidence }) => confidence !== 'ambiguous')
      .map(({ to }) => createDefinitionKey(to)),
  );
}

function computeImportance(
  keys: readonly string[],
  targetsOf: (key: string) => readonly string[],
): ReadonlyMap<string, Importance> {
  const numbers = new Map(keys.map((key, index) => [key, index]));
  const inDegree = new Int32Array(keys.length);
  const targets = keys.map((key) => targetsOf(key).flatMap((target) => numbers.get(target) ?? []));
  for (const outgoing of targets) for (const target of outgoing) inDegree[target]!++;
  const rank = computePageRank(targets);
  return new Map(keys.map((key, index) => [key, { inDegree: inDegree[index]!, rank: rank[index]! }]));
}

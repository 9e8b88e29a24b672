// Answers questions about dependencies with a graph that is built at its first use. It is updated at the next question
// after the tree was read again.

import { isTestFile } from '../../paths/tests.ts';
import { deriveAll, type Derivation } from '../../index/derive.ts';
import { isProjectConfig } from '../../index/graph/config/projectConfig.ts';
import { findCycles } from '../../index/graph/cycles.ts';
import { createDependencyGraph, type DependencyGraph } from '../../index/graph/dependencyGraph.ts';
import {
  findDependencies,
  findDependents,
  createDefinitionKey,
  computeSymbolImportance,
  findTestsReaching,
  type ReachedPlace,
} from '../../index/graph/queries.ts';
import type { DefinitionPlace } from '../../index/graph/symbolTable.ts';
import { findTarget } from '../../index/graph/target.ts';
import { createEmptyRelations } from '../../index/relate.ts';
import type { GraphResult, GraphPlace, GraphQuery } from '../../index/graph/queryTypes.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { getRefreshLimits, type SessionContext } from '../context.ts';
import { loadProjectConfig } from './imports.ts';
import type { FileRelations } from '../../ports/catalogue.ts';

/** The graph, and the data from which it was built. */
interface GraphState {
  readonly graph: DependencyGraph;
  readonly relations: ReadonlyMap<string, FileRelations>;
  /** Identifies the state of the tree on which the relations are based. */
  readonly asOf: object | null;
}

/** The job and the stored rows of the relations of one file. */
const relations: Derivation<'relations'> = {
  kind: 'relations',
  job: 'relate',
  stage: 'relating',
  createFallback: createEmptyRelations,
};

/** By session: the state of the graph. Each update waits for the previous one. */
const stateBySession = new WeakMap<SessionContext, Promise<GraphState | null>>();

/**
 * Answers a question about dependencies. If a name has several definitions, the answer lists their places. Throws
 * `notFound` if nothing in the index has the name of the target.
 */
export async function answerGraph(
  context: SessionContext,
  request: GraphQuery,
  signal: AbortSignal,
): Promise<GraphResult> {
  const { graph, relations: rows } = await loadCurrentState(context, signal);
  throwIfCancelled(signal);
  if (request.question === 'cycles') return { question: 'cycles', cycles: findCycles(graph) };
  if (request.question === 'central')
    return { question: 'central', central: findCentral(graph, request.top, createPlaceFinder(rows)) };
  const depth = request.depth ?? (request.question === 'impact' || request.question === 'tests' ? Infinity : 1);
  const target = findTarget(graph, request.target);
  if ('none' in target)
    throw new SelfwareError('notFound', `Nothing in the index is named ${request.target}.`, {
      action: 'Give a path, PATH#SYMBOL, or the name of a definition.',
    });
  const createPlace = createPlaceFinder(rows);
  if ('several' in target) return { question: request.question, several: target.several.map(createPlace) };
  const options = { depth, ambiguous: request.ambiguous ?? false };
  return {
    question: request.question,
    target: createPlace(target.place),
    items: findReachable(graph, request.question, target.place, options).map((node) => ({
      ...createPlace(node),
      depth: node.depth,
      confidence: node.confidence,
      way: node.way,
    })),
  };
}

/**
 * The `top` definitions on which most other code depends. Code outside of definitions is skipped, because nothing can
 * depend on it.
 */
function findCentral(
  graph: DependencyGraph,
  top: number,
  createPlace: (place: DefinitionPlace) => GraphPlace,
): Extract<GraphResult, { question: 'central' }>['central'] {
  const importance = computeSymbolImportance(graph);
  return [...graph.records.values()]
    .flatMap(({ path, symbols }) =>
      [...new Set(symbols.map((symbol) => symbol.path))].map((symbol) => ({
        path,
        symbol,
        ...importance.get(createDefinitionKey({ path, symbol }))!,
      })),
    )
    .filter(({ inDegree }) => inDegree > 0)
    .sort(
      (a, b) =>
        b.rank - a.rank || b.inDegree - a.inDegree || (createDefinitionKey(a) < createDefinitionKey(b) ? -1 : 1),
    )
    .slice(0, top)
    .map(({ inDegree, rank, ...place }) => ({ ...createPlace(place), inDegree, rank }));
}

/** Answers one of the questions about what a place reaches, or what reaches it. */
function findReachable(
  graph: DependencyGraph,
  queryKind: 'dependents' | 'dependencies' | 'impact' | 'tests',
  place: DefinitionPlace,
  options: { readonly depth: number; readonly ambiguous: boolean },
): readonly ReachedPlace[] {
  if (queryKind === 'tests') return findTestsReaching(graph, place, isTestFile, options);
  return queryKind === 'dependencies' ? findDependencies(graph, place, options) : findDependents(graph, place, options);
}

/**
 * The graph of the current files. A change of a file that configures imports (package.json, tsconfig.json …) rebuilds
 * it.
 */
export function loadCurrentGraph(context: SessionContext, signal: AbortSignal): Promise<DependencyGraph> {
  return loadCurrentState(context, signal).then(({ graph }) => graph);
}

/**
 * The current relations in which the rows of the given texts replace the stored ones, and a graph of them. The cached
 * graph does not change.
 */
export async function computeRelationsWith(
  context: SessionContext,
  texts: readonly { readonly path: string; readonly text: string }[],
  signal: AbortSignal,
): Promise<{ readonly graph: DependencyGraph; readonly relations: ReadonlyMap<string, FileRelations> }> {
  const current = await loadCurrentState(context, signal);
  if (texts.length === 0) return current;
  const changedFiles = texts.map(({ path, text }) => {
    const bytes = new TextEncoder().encode(text);
    return { path, bytes, size: bytes.length, mtimeMs: 0, hash: sha256(bytes) };
  });
  const relatedRows = await context.ports.jobs.run('relate', changedFiles, signal);
  const rows = new Map([...current.relations, ...relatedRows.map((row) => [row.path, row] as const)]);
  return {
    graph: createDependencyGraph([...rows.values()], await loadProjectConfig(context, rows.values())),
    relations: rows,
  };
}

/** The current state of the graph. Waits for earlier updates. */
function loadCurrentState(context: SessionContext, signal: AbortSignal): Promise<GraphState> {
  const stateBefore = stateBySession.get(context) ?? Promise.resolve(null);
  // A failed attempt must not affect the next one.
  const nextState = stateBefore.catch(() => null).then((lastState) => updateOrBuildGraph(context, lastState, signal));
  stateBySession.set(context, nextState);
  return nextState;
}

/** Updates the last graph, or builds one. Returns the last one if the session has not read the tree again since. */
async function updateOrBuildGraph(
  context: SessionContext,
  lastState: GraphState | null,
  signal: AbortSignal,
): Promise<GraphState> {
  throwIfCancelled(signal);
  const asOf = getLastReport(context);
  if (lastState && asOf !== null && lastState.asOf === asOf) return lastState;
  const { rows, changedPaths } = await deriveAll(
    context.ports,
    relations,
    lastState?.relations ?? null,
    getRefreshLimits(context),
    (progress) => context.emit({ type: 'progress', progress }),
    signal,
  );
  if (lastState && !changedPaths.some(isProjectConfig)) {
    lastState.graph.update(
      changedPaths.flatMap((path) => rows.get(path) ?? []),
      changedPaths.filter((path) => !rows.has(path)),
    );
    return { ...lastState, relations: rows, asOf };
  }
  const config = await loadProjectConfig(context, rows.values());
  throwIfCancelled(signal);
  return { graph: createDependencyGraph([...rows.values()], config), relations: rows, asOf };
}

/**
 * An object that identifies the last state of the tree that the session has read; null if it has not read the tree yet.
 */
function getLastReport({ state }: SessionContext): object | null {
  return state.lastIndex ?? state.lastAnalysis;
}

/** Creates a function that adds its line to a place; null if the place is a whole file. */
function createPlaceFinder(rows: ReadonlyMap<string, FileRelations>): (place: DefinitionPlace) => GraphPlace {
  return ({ path, symbol }) => ({
    path,
    symbol,
    line:
      symbol === null
        ? null
        : (rows.get(path)?.symbols.find((candidate) => candidate.path === symbol)?.range.startLine ?? null),
  });
}

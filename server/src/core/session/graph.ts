// Answers questions about dependencies from a graph that is built when first asked and kept up with the index.

import { isTestFile } from '../analysis/testFile.ts';
import { isProjectConfig } from '../index/graph/config/projectConfig.ts';
import { cycles } from '../index/graph/cycles.ts';
import { createDependencyGraph, type DependencyGraph } from '../index/graph/dependencyGraph.ts';
import { dependencies, dependents, testsReaching, type Reached } from '../index/graph/queries.ts';
import type { Place } from '../index/graph/symbolTable.ts';
import { findTarget } from '../index/graph/target.ts';
import type { FileRecord } from '../indexPorts.ts';
import type { GraphAnswer, GraphPlace, GraphRequest } from '../session.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { SessionContext } from './context.ts';
import { projectConfigOf } from './records.ts';

interface Kept {
  readonly graph: DependencyGraph;
  /** Content of each file that the graph knows. */
  readonly hashes: Map<string, string>;
}

/** One graph for each session, in the order of the questions. */
const kept = new WeakMap<SessionContext, Promise<Kept | null>>();

/** Throws `notFound` when nothing is called like the target. A name of several definitions is answered with their places. */
export async function answerGraph(context: SessionContext, request: GraphRequest, signal: AbortSignal): Promise<GraphAnswer> {
  const graph = await currentGraph(context, signal);
  throwIfCancelled(signal);
  if (request.question === 'cycles') return { question: 'cycles', cycles: cycles(graph) };
  const depth = request.depth ?? (request.question === 'impact' || request.question === 'tests' ? Infinity : 1);
  const found = findTarget(graph, request.target);
  if ('none' in found) throw new SelfwareError('notFound', `Nothing in the index is called ${request.target}.`, { action: 'Give a path, PATH#SYMBOL, or the name of a definition.' });
  const placed = placesIn(context.state.records);
  if ('several' in found) return { question: request.question, several: found.several.map(placed) };
  const options = { depth, ambiguous: request.ambiguous ?? false };
  return { question: request.question, target: placed(found.place), items: ask(graph, request.question, found.place, options).map((reached) => ({ ...placed(reached), depth: reached.depth, confidence: reached.confidence, way: reached.way })) };
}

function ask(graph: DependencyGraph, question: 'dependents' | 'dependencies' | 'impact' | 'tests', place: Place, options: { readonly depth: number; readonly ambiguous: boolean }): readonly Reached[] {
  if (question === 'tests') return testsReaching(graph, place, isTestFile, options);
  return question === 'dependencies' ? dependencies(graph, place, options) : dependents(graph, place, options);
}

/** The graph of the records as they are now. A file that says what imports mean (package.json, tsconfig.json …) makes it anew. */
export function currentGraph(context: SessionContext, signal: AbortSignal): Promise<DependencyGraph> {
  const before = kept.get(context) ?? Promise.resolve(null);
  // A failed attempt must not spoil the next one.
  const next = before.catch(() => null).then((known) => brought(context, known, signal));
  kept.set(context, next);
  return next.then(({ graph }) => graph);
}

async function brought(context: SessionContext, known: Kept | null, signal: AbortSignal): Promise<Kept> {
  throwIfCancelled(signal);
  const { records } = context.state;
  if (known) {
    const changed = [...records.values()].filter(({ path, hash }) => known.hashes.get(path) !== hash);
    const removed = [...known.hashes.keys()].filter((path) => !records.has(path));
    if (![...changed.map(({ path }) => path), ...removed].some(isProjectConfig)) {
      known.graph.update(changed, removed);
      for (const { path, hash } of changed) known.hashes.set(path, hash);
      for (const path of removed) known.hashes.delete(path);
      return known;
    }
  }
  const config = await projectConfigOf(context, records.values());
  throwIfCancelled(signal);
  return { graph: createDependencyGraph([...records.values()], config), hashes: new Map([...records.values()].map(({ path, hash }) => [path, hash])) };
}

function placesIn(records: ReadonlyMap<string, FileRecord>): (place: Place) => GraphPlace {
  return ({ path, symbol }) => ({ path, symbol, line: symbol === null ? null : (records.get(path)?.symbols.find((known) => known.path === symbol)?.range.startLine ?? null) });
}

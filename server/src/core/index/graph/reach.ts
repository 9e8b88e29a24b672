// Finds the code that can be reached from some files: everything that they use, directly or indirectly, as far as
// names show.

import type { DependencyGraph } from './dependencyGraph.ts';
import { createDefinitionKey, getGraphView } from './queries.ts';
import { appendTo } from '../../../util/values/appendTo.ts';

/** The code that can be reached. */
export interface CodeReach {
  /** Number of files from which the search started. */
  readonly starts: number;
  /** True for a definition that may run. If `symbol` is null: true for a file that is loaded. */
  has(path: string, symbol: string | null): boolean;
}

/**
 * Computes the reached code. In doubt, code counts as reached: loading a file runs its code outside of definitions,
 * reaching a class may run its members, and an ambiguous name stands for all of its definitions.
 */
export function computeReach(
  graph: DependencyGraph,
  isStart: (path: string, symbol: string | null) => boolean,
): CodeReach {
  const view = getGraphView(graph);
  const reachedKeys = new Set<string>();
  const pendingKeys: string[] = [];
  const membersByOwner = new Map<string, string[]>();
  const fileByKey = new Map<string, string>();
  const add = (key: string): void => {
    if (reachedKeys.has(key)) return;
    reachedKeys.add(key);
    pendingKeys.push(key);
  };
  let starts = 0;
  for (const { path, symbols } of graph.records.values()) {
    fileByKey.set(path, path);
    let isStarting = isStart(path, null);
    if (isStarting) add(path);
    for (const { path: symbol } of symbols) {
      const key = createDefinitionKey({ path, symbol });
      fileByKey.set(key, path);
      const lastDot = symbol.lastIndexOf('.');
      if (lastDot > 0) appendTo(membersByOwner, createDefinitionKey({ path, symbol: symbol.slice(0, lastDot) }), key);
      if (isStarting || isStart(path, symbol)) {
        add(key);
        isStarting = true;
      }
    }
    if (isStarting) starts++;
  }
  for (let key = pendingKeys.pop(); key !== undefined; key = pendingKeys.pop()) {
    const file = fileByKey.get(key);
    if (file === undefined) continue;
    add(file);
    for (const step of view.uses.get(key) ?? []) add(step.key);
    for (const member of membersByOwner.get(key) ?? []) add(member);
    // Only loading a file loads its imports; loading does not run its functions.
    if (key === file) for (const target of view.imports.get(file) ?? []) add(target);
  }
  return { starts, has: (path, symbol) => reachedKeys.has(createDefinitionKey({ path, symbol })) };
}

/**
 * Number of definitions that use a definition directly, without those in paths for which `isSkipped` is true.
 * Ambiguous uses do not count.
 */
export function countUsers(
  graph: DependencyGraph,
  path: string,
  symbol: string,
  isSkipped: (path: string) => boolean,
): number {
  const users = getGraphView(graph).usedBy.get(createDefinitionKey({ path, symbol })) ?? [];
  return users.filter(({ to, confidence }) => confidence !== 'ambiguous' && !isSkipped(to.path)).length;
}

// Circles of files that import each other, found by Tarjan's strongly connected components.

import type { DependencyGraph } from './dependencyGraph.ts';

export interface Cycle {
  /** Every file of the circle, sorted. */
  readonly files: readonly string[];
  /** The shortest way round: each imports the next, the last the first. */
  readonly path: readonly string[];
}

/** In circles of more files than this the way round starts at one of the first ones only. */
const MAX_STARTS = 200;

/** Circles of imports that run, smallest first: what only takes types is erased by the compiler. R. Tarjan, "Depth-first search and linear graph algorithms", 1972; without recursion. */
export function cycles(graph: DependencyGraph): readonly Cycle[] {
  const edges = new Map([...graph.edges].map(([path, { loads }]) => [path, loads.filter((target) => graph.edges.has(target))]));
  return components(edges)
    .filter((files) => files.length > 1)
    .map((files) => ({ files: files.toSorted(), path: shortest(files.toSorted(), edges) }))
    .sort((a, b) => a.files.length - b.files.length || (a.files[0]! < b.files[0]! ? -1 : 1));
}

function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  for (const root of edges.keys()) {
    if (index.has(root)) continue;
    const open: { readonly node: string; next: number }[] = [];
    const enter = (node: string): void => {
      low.set(node, index.size);
      index.set(node, index.size);
      stack.push(node);
      onStack.add(node);
      open.push({ node, next: 0 });
    };
    enter(root);
    while (open.length > 0) {
      const at = open.at(-1)!;
      const target = edges.get(at.node)![at.next++];
      if (target !== undefined) {
        if (!index.has(target)) enter(target);
        else if (onStack.has(target)) low.set(at.node, Math.min(low.get(at.node)!, index.get(target)!));
        continue;
      }
      open.pop();
      const parent = open.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(at.node)!));
      if (low.get(at.node) !== index.get(at.node)) continue;
      const component = stack.splice(stack.lastIndexOf(at.node));
      for (const node of component) onStack.delete(node);
      found.push(component);
    }
  }
  return found;
}

function shortest(files: readonly string[], edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const inside = new Set(files);
  let best: readonly string[] | null = null;
  for (const start of files.slice(0, MAX_STARTS)) {
    const found = wayRound(start, inside, edges, best?.length ?? Infinity);
    if (found && (!best || found.length < best.length)) best = found;
    if (best?.length === 2) break;
  }
  return best ?? files;
}

/** Breadth first from a file back to itself, in fewer than `limit` steps. */
function wayRound(start: string, inside: ReadonlySet<string>, edges: ReadonlyMap<string, readonly string[]>, limit: number): readonly string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  let edge = [start];
  for (let length = 1; length < limit && edge.length > 0; length++) {
    const next: string[] = [];
    for (const node of edge) {
      for (const target of edges.get(node)!) {
        if (target === start) return back(node, cameFrom);
        if (!inside.has(target) || cameFrom.has(target)) continue;
        cameFrom.set(target, node);
        next.push(target);
      }
    }
    edge = next;
  }
  return null;
}

function back(node: string, cameFrom: ReadonlyMap<string, string | null>): readonly string[] {
  const way: string[] = [];
  for (let at: string | null = node; at !== null; at = cameFrom.get(at)!) way.unshift(at);
  return way;
}

// Finds the strongly connected components of a graph, and the shortest cycle in a component. The graph consists of
// files and their imports.

/**
 * Maximum number of files, or of edges, from which a shortest cycle is searched, because a search from all of them may
 * take long.
 */
const MAX_STARTS = 200;

/**
 * The strongly connected components of a graph, each as a list of its members. Every target must be a key. Algorithm:
 * R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
 */
export function findComponents(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const components: string[][] = [];
  const visitIndex = new Map<string, number>();
  const lowLink = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const visits: { readonly node: string; next: number }[] = [];
  const enter = (node: string): void => {
    lowLink.set(node, visitIndex.size);
    visitIndex.set(node, visitIndex.size);
    stack.push(node);
    onStack.add(node);
    visits.push({ node, next: 0 });
  };
  for (const root of edges.keys()) {
    if (!visitIndex.has(root)) enter(root);
    for (let current = visits.at(-1); current; current = visits.at(-1)) {
      const target = edges.get(current.node)?.[current.next++];
      if (target !== undefined) {
        if (!visitIndex.has(target)) enter(target);
        else if (onStack.has(target))
          lowLink.set(current.node, Math.min(lowLink.get(current.node)!, visitIndex.get(target)!));
        continue;
      }
      visits.pop();
      const parent = visits.at(-1);
      if (parent) lowLink.set(parent.node, Math.min(lowLink.get(parent.node)!, lowLink.get(current.node)!));
      if (lowLink.get(current.node) !== visitIndex.get(current.node)) continue;
      const component = stack.splice(stack.lastIndexOf(current.node));
      for (const node of component) onStack.delete(node);
      components.push(component);
    }
  }
  return components;
}

/**
 * The shortest cycle through one of the first `MAX_STARTS` files: each member leads to the next, and the last to the
 * first. `files` must be one component. Returns `files` if no cycle is found. `edges`: the targets of each file.
 */
export function findShortestCycle(
  files: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const members = new Set(files);
  let shortest: readonly string[] | null = null;
  for (const start of files.slice(0, MAX_STARTS)) {
    const cycle = findCycle(start, members, edges, shortest?.length ?? Infinity);
    if (cycle) shortest = cycle;
    if (shortest?.length === 2) break;
  }
  return shortest ?? files;
}

/**
 * The shortest cycle within `files` that begins with one of the first `MAX_STARTS` edges of `starts`; null if there is
 * none.
 */
export function findShortestCycleThrough(
  starts: readonly (readonly [from: string, to: string])[],
  files: readonly string[],
  edges: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  const members = new Set(files);
  let shortest: readonly string[] | null = null;
  for (const [from, to] of starts.slice(0, MAX_STARTS)) {
    // From the file at which the edge starts, only this edge is followed.
    const cycle = findCycle(
      from,
      members,
      new Map([...[...members].map((path) => [path, edges.get(path) ?? []] as const), [from, [to]]]),
      shortest?.length ?? Infinity,
    );
    if (cycle) shortest = cycle;
    if (shortest?.length === 2) break;
  }
  return shortest;
}

/**
 * Searches breadth-first for a cycle through `start` with fewer than `limit` members, all of them in `members`; null if
 * there is none.
 */
function findCycle(
  start: string,
  members: ReadonlySet<string>,
  edges: ReadonlyMap<string, readonly string[]>,
  limit: number,
): readonly string[] | null {
  const predecessors = new Map<string, string | null>([[start, null]]);
  let currentFiles = [start];
  for (let length = 1; length < limit && currentFiles.length > 0; length++) {
    const nextFiles: string[] = [];
    for (const node of currentFiles) {
      for (const target of edges.get(node) ?? []) {
        if (target === start) return tracePathTo(node, predecessors);
        if (!members.has(target) || predecessors.has(target)) continue;
        predecessors.set(target, node);
        nextFiles.push(target);
      }
    }
    currentFiles = nextFiles;
  }
  return null;
}

/** The path from the start of a search to `end`, read from the predecessor of each node that the search has reached. */
function tracePathTo(end: string, predecessors: ReadonlyMap<string, string | null>): readonly string[] {
  const path: string[] = [];
  for (let node: string | null | undefined = end; node !== null && node !== undefined; node = predecessors.get(node))
    path.push(node);
  return path.reverse();
}

// Computes the layers of modules by their dependencies. Modules that depend on each other share a level.

/** The layers of the modules of a repository. */
export interface Layering {
  /**
   * 0 if the module depends on no other one. A module is above all modules that it depends on, except those with which
   * it forms a cycle.
   */
  readonly levels: ReadonlyMap<string, number>;
  /** Groups of modules that depend on each other, directly or indirectly. */
  readonly cycles: readonly (readonly string[])[];
}

/** Computes the layers. `needs`: for each module, the modules that it imports from. */
export function computeLayers(needs: ReadonlyMap<string, ReadonlySet<string>>): Layering {
  const groups = findStronglyConnected(needs);
  const groupByModule = new Map(groups.flatMap((group) => group.map((module) => [module, group] as const)));
  const levelByGroup = new Map<readonly string[], number>();
  // Tarjan's algorithm returns a group after every group that it depends on.
  for (const group of groups) {
    let level = 0;
    for (const module of group)
      for (const neededModule of needs.get(module) ?? [])
        if (groupByModule.get(neededModule) !== group)
          level = Math.max(level, (levelByGroup.get(groupByModule.get(neededModule)!) ?? 0) + 1);
    levelByGroup.set(group, level);
  }
  return {
    levels: new Map([...groupByModule].map(([module, group]) => [module, levelByGroup.get(group)!])),
    cycles: groups.filter((group) => group.length > 1).map((group) => group.toSorted()),
  };
}

/**
 * The strongly connected components, by the algorithm of Tarjan (1972). Its recursion depth is at most the number of
 * modules, which is small.
 */
function findStronglyConnected(needs: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const groups: string[][] = [];
  const visit = (module: string): void => {
    order.set(module, order.size);
    low.set(module, order.get(module)!);
    stack.push(module);
    onStack.add(module);
    for (const neededModule of needs.get(module) ?? []) {
      if (!order.has(neededModule)) {
        visit(neededModule);
        low.set(module, Math.min(low.get(module)!, low.get(neededModule)!));
      } else if (onStack.has(neededModule)) low.set(module, Math.min(low.get(module)!, order.get(neededModule)!));
    }
    if (low.get(module) !== order.get(module)) return;
    const group = stack.splice(stack.indexOf(module));
    for (const member of group) onStack.delete(member);
    groups.push(group);
  };
  for (const module of needs.keys()) if (!order.has(module)) visit(module);
  return groups;
}

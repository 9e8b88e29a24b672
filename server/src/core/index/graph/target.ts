// Resolves the target that a person names: a path, `path#symbol`, or the name of a definition.

import type { DependencyGraph } from './dependencyGraph.ts';
import type { DefinitionPlace } from './symbolTable.ts';

/** The place that was found, the candidates if there are several, or no place. */
export type FoundTarget =
  | { readonly place: DefinitionPlace }
  | { readonly several: readonly DefinitionPlace[] }
  | { readonly none: true };

/**
 * Finds the target that a person has named. A name may include its owner (`Store.get`). A path may be shortened to its
 * end, if only one file has this end.
 */
export function findTarget(graph: DependencyGraph, target: string): FoundTarget {
  const [, file, symbol] = /^(.+?)#(.+)$/.exec(target) ?? [];
  const path = completePath(graph, (file ?? target).replace(/^\.\//, ''));
  if (file !== undefined) {
    if (path === null) return { none: true };
    const symbols = graph.records.get(path)!.symbols;
    const isExact = symbols.some((definition) => definition.path === symbol);
    return isExact
      ? { place: { path, symbol: symbol! } }
      : createFoundTarget(
          symbols
            .filter(({ name, path: symbolPath }) => name === symbol || symbolPath.endsWith(`.${symbol}`))
            .map((definition) => ({ path, symbol: definition.path })),
        );
  }
  if (path !== null) return { place: { path, symbol: null } };
  const places: DefinitionPlace[] = [];
  for (const record of graph.records.values())
    for (const definition of record.symbols)
      if (definition.name === target || definition.path === target || definition.path.endsWith(`.${target}`))
        places.push({ path: record.path, symbol: definition.path });
  return createFoundTarget(places);
}

function createFoundTarget(places: readonly DefinitionPlace[]): FoundTarget {
  const distinctPlaces = [...new Map(places.map((place) => [`${place.path}#${place.symbol}`, place])).values()];
  if (distinctPlaces.length === 0) return { none: true };
  return distinctPlaces.length === 1 ? { place: distinctPlaces[0]! } : { several: distinctPlaces };
}

/** The path that `target` names completely or by its end; null if no file or several files match. */
function completePath(graph: DependencyGraph, target: string): string | null {
  if (graph.records.has(target)) return target;
  if (!/[./]/.test(target)) return null;
  const matchingPaths = [...graph.records.keys()].filter((path) => path.endsWith(`/${target}`));
  return matchingPaths.length === 1 ? matchingPaths[0]! : null;
}

// The rules that need more than one file, one after the other over the same view of the repository.

import { duplicateCode } from '../duplicates/duplicateCode.ts';
import type { Opportunity } from '../../model.ts';
import { isExample, isLoadedByConvention } from './conventions.ts';
import { importCycles } from './importCycle.ts';
import { createModuleGraph } from './moduleGraph.ts';
import type { ProjectPackage, ProjectView } from './projectView.ts';
import { testGaps } from './testGap.ts';
import { unusedExports } from './unusedExport.ts';

/** Sorted by path, place and rule. The same view gives the same answer, in whatever order its files come. Throws what `signal` is aborted with, between rules. */
export async function projectOpportunities(view: ProjectView, signal: AbortSignal): Promise<readonly Opportunity[]> {
  const packageOf = packageFinder(view.packages);
  const entries = new Set([...view.packages.flatMap(({ entries: named, api }) => [...named, ...api]), ...view.files.map(({ path }) => path).filter(isLoadedByConvention)]);
  const graph = createModuleGraph(view, entries);
  const found: Opportunity[] = [];
  const product = view.files.filter(({ path, test, generated }) => !test && !generated && !isExample(path));
  for (const rule of [() => unusedExports(graph, packageOf), () => importCycles(graph), () => duplicateCode(product, view.read, signal), () => (view.reach ? testGaps(product, packageOf, view.reach) : [])]) {
    signal.throwIfAborted();
    found.push(...(await rule()));
  }
  return found.sort((a, b) => compare(a.path, b.path) || a.nameRange.startLine - b.nameRange.startLine || a.nameRange.startColumn - b.nameRange.startColumn || compare(a.rule, b.rule) || compare(a.id, b.id));
}

/** The package around a file: the deepest folder with a manifest. */
function packageFinder(packages: readonly ProjectPackage[]): (path: string) => ProjectPackage | null {
  const byDir = new Map(packages.map((found) => [found.dir, found]));
  const known = new Map<string, ProjectPackage | null>();
  const ofFolder = (folder: string): ProjectPackage | null => {
    const cached = known.get(folder);
    if (cached !== undefined) return cached;
    const cut = folder.lastIndexOf('/');
    const answer = byDir.get(folder) ?? (folder === '' ? null : ofFolder(cut < 0 ? '' : folder.slice(0, cut)));
    known.set(folder, answer);
    return answer;
  };
  return (path) => ofFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

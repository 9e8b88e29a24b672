// Runs the rules that need more than one file, one after the other, on the same view of the repository.

import { yieldNow } from '../../../util/yieldNow.ts';
import type { Opportunity, Range } from '../../model.ts';
import { projectFinders } from '../../rules/allProjectFinders.ts';
import { isConfiguration } from '../../paths/tools.ts';
import { isOutsideProduct, isLoadedByConvention } from './conventions.ts';
import { createModuleGraph, type ModuleGraph } from './moduleGraph.ts';
import type { ProjectPackage, ProjectView } from './projectView.ts';
import { compareStrings } from '../../../util/values/compareStrings.ts';

/**
 * The opportunities of the requested rules, sorted by path, position and rule. The same view gives the same result,
 * whatever the order of its files. Throws the reason of `signal` if it is aborted.
 */
export async function findProjectOpportunities(
  view: ProjectView,
  signal: AbortSignal,
): Promise<readonly Opportunity[]> {
  const packageOf = createPackageFinder(view.packages);
  const productFiles = view.files.filter(
    ({ path, test, generated }) => !test && !generated && !isOutsideProduct(path) && !isConfiguration(path),
  );
  let graph: ModuleGraph | null = null;
  const modules = () => (graph ??= createModuleGraph(view, collectEntries(view)));
  const opportunities: Opportunity[] = [];
  for (const [rule, { find }] of Object.entries(projectFinders)) {
    signal.throwIfAborted();
    if (!view.rules.has(rule)) continue;
    opportunities.push(...(await find({ view, product: productFiles, modules, packageOf, signal })));
    // Allows other work of this thread to run.
    await yieldNow();
  }
  return sortAndDeduplicate(opportunities);
}

/** Sorts the opportunities of several rules and removes repetitions. */
export function sortAndDeduplicate(opportunities: readonly Opportunity[]): readonly Opportunity[] {
  return removeRepeats(opportunities).sort(
    (a, b) =>
      compareStrings(a.path, b.path) ||
      a.nameRange.startLine - b.nameRange.startLine ||
      a.nameRange.startColumn - b.nameRange.startColumn ||
      compareStrings(a.rule, b.rule) ||
      compareStrings(a.id, b.id),
  );
}

/** Drops each near-duplicate of which at least half is already reported as an exact duplicate. */
function removeRepeats(opportunities: readonly Opportunity[]): Opportunity[] {
  const copiedRangesByPath = new Map<string, Range[]>();
  for (const { rule, path, range, related = [] } of opportunities) {
    if (rule === 'duplicate-code')
      for (const place of [{ path, range }, ...related])
        copiedRangesByPath.set(place.path, [...(copiedRangesByPath.get(place.path) ?? []), place.range]);
  }
  const isCopied = ({ path, range }: Opportunity) =>
    (copiedRangesByPath.get(path) ?? []).some(
      (copy) =>
        Math.min(copy.endLine, range.endLine) - Math.max(copy.startLine, range.startLine) >=
        (range.endLine - range.startLine) / 2,
    );
  return opportunities.filter((opportunity) => opportunity.rule !== 'near-duplicate' || !isCopied(opportunity));
}

/** Files whose exports count as used: entry points of packages, and files that tools load by name or folder. */
function collectEntries({ packages, files }: ProjectView): ReadonlySet<string> {
  return new Set([
    ...packages.flatMap(({ entries, api }) => [...entries, ...api]),
    ...files.map(({ path }) => path).filter(isLoadedByConvention),
  ]);
}

/** Returns a function that finds the package around a file: the deepest folder with a manifest. */
export function createPackageFinder(packages: readonly ProjectPackage[]): (path: string) => ProjectPackage | null {
  const byFolder = new Map(packages.map((projectPackage) => [projectPackage.dir, projectPackage]));
  const cache = new Map<string, ProjectPackage | null>();
  const findPackageOfFolder = (folder: string): ProjectPackage | null => {
    const cached = cache.get(folder);
    if (cached !== undefined) return cached;
    const slashIndex = folder.lastIndexOf('/');
    const packageOfFolder =
      byFolder.get(folder) ??
      (folder === '' ? null : findPackageOfFolder(slashIndex < 0 ? '' : folder.slice(0, slashIndex)));
    cache.set(folder, packageOfFolder);
    return packageOfFolder;
  };
  return (path) => findPackageOfFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

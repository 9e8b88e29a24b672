// Answers which exported names code outside of their package cannot import.

import { createModuleGraph } from './moduleGraph.ts';
import { packageFinder } from './projectOpportunities.ts';
import type { ProjectFile, ProjectView } from './projectView.ts';

/**
 * A function that is true for a name that only its own package can import. No name is internal in a package whose entry
 * is unknown, exports no names, or exports them in ways that do not show them: it may be a program.
 */
export function internalNames(
  view: Pick<ProjectView, 'files' | 'packages' | 'resolve'>,
): (path: string, name: string) => boolean {
  const { packages, resolve } = view;
  const apiPaths = new Set(packages.flatMap(({ api }) => api));
  const files = view.files.map((file) => (apiPaths.has(file.path) ? file : withoutImports(file)));
  const graph = createModuleGraph(
    { rules: new Set(), files, packages, resolve, read: async () => null, reach: null },
    apiPaths,
  );
  const scripts = (api: readonly string[]) =>
    api.flatMap((path) => (/\.d\.[cm]?ts$/.test(path) ? [] : (graph.modules.get(path) ?? [])));
  const libraries = packages.filter(({ api }) => {
    const modules = scripts(api);
    return (
      modules.some(({ named, stars }) => named.size + stars.length > 0) && modules.every(({ facts }) => !facts.opaque)
    );
  });
  const packageOf = packageFinder(packages);
  return (path, name) => {
    const around = packageOf(path);
    return around !== null && libraries.includes(around) && !graph.isUsed(path, name);
  };
}

/** The file as if it imported nothing. An entry may export what it imports, but other imports make nothing public. */
function withoutImports(file: ProjectFile): ProjectFile {
  const { facts } = file;
  return facts?.module ? { ...file, facts: { ...facts, module: { ...facts.module, imports: [], paths: [] } } } : file;
}

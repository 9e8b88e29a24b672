// Determines the exported names that code outside of their package cannot import.

import { createModuleGraph, type GraphModule, type ModuleGraph } from './moduleGraph.ts';
import { createPackageFinder } from './projectOpportunities.ts';
import type { ProjectFile, ProjectView } from './projectView.ts';

/**
 * Returns a function that is true for an exported name of a file that only its own package can import. In some
 * packages, no name counts as internal: those whose entry is unknown, exports no names or exports them in ways that do
 * not show them, and those that are not published, because these may be programs.
 */
export function createInternalNameTest(
  view: Pick<ProjectView, 'files' | 'packages' | 'resolve'>,
): (path: string, name: string) => boolean {
  const { packages } = view;
  const apiPaths = new Set(packages.flatMap(({ api }) => api));
  const graph = createPublicGraph(view, apiPaths);
  const modulesOf = (api: readonly string[]) =>
    api.flatMap((path) => (/\.d\.[cm]?ts$/.test(path) ? [] : (graph.modules.get(path) ?? [])));
  const libraries = packages.filter(({ api, published }) => {
    const modules = modulesOf(api);
    return (
      published &&
      modules.some(({ exportsByName, starExports }) => exportsByName.size + starExports.length > 0) &&
      modules.every(({ facts }) => !facts.opaque)
    );
  });
  const packageOf = createPackageFinder(packages);
  return (path, name) => {
    const packageOfFile = packageOf(path);
    const isPublic =
      graph.isUsed(path, name) || (graph.isReached(path) && graph.modules.get(path)?.facts.opaque !== false);
    return packageOfFile !== null && libraries.includes(packageOfFile) && !isPublic;
  };
}

/**
 * The module graph in which the used exports are those that the entries make public, directly or through other files.
 */
function createPublicGraph(view: Pick<ProjectView, 'files' | 'packages' | 'resolve'>, entries: ReadonlySet<string>) {
  const followedPaths = new Set(entries);
  for (;;) {
    const files = view.files.map((file) => (followedPaths.has(file.path) ? file : removeImports(file)));
    const graph = createModuleGraph({ ...view, rules: new Set(), files, read: async () => null, reach: null }, entries);
    const newModules = [...graph.modules.values()].filter(
      (module) => !followedPaths.has(module.file.path) && reexportsInValue(module, graph),
    );
    if (newModules.length === 0) return graph;
    for (const { file } of newModules) followedPaths.add(file.path);
  }
}

/**
 * True if the file makes its imports available to the importers of its package, in a value such as `{ parse, format
 * }`.
 */
function reexportsInValue({ file, facts, exportsByName }: GraphModule, graph: ModuleGraph): boolean {
  const defaultExport = exportsByName.get('default');
  const isValue =
    defaultExport?.kind === 'variable' && defaultExport.from === undefined && graph.isUsed(file.path, 'default');
  return isValue || (facts.opaque && graph.isReached(file.path));
}

/**
 * The file as if it imported nothing. An entry may export the names that it imports, but the imports of other files
 * make nothing public.
 */
function removeImports(file: ProjectFile): ProjectFile {
  const { facts } = file;
  return facts?.module ? { ...file, facts: { ...facts, module: { ...facts.module, imports: [], paths: [] } } } : file;
}

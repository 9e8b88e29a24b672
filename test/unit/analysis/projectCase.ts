// A small repository as the rules about several files see it: analysed, resolved and followed by the real parts.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectOpportunities } from '../../../server/src/core/analysis/project/projectOpportunities.ts';
import type { ProjectFile, ProjectView } from '../../../server/src/core/analysis/project/projectView.ts';
import { rules } from '../../../server/src/core/analysis/rules.ts';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { createDependencyGraph } from '../../../server/src/core/index/graph/dependencyGraph.ts';
import { readEntryPoints } from '../../../server/src/core/index/graph/entryPoints.ts';
import { createImportResolver } from '../../../server/src/core/index/graph/importResolver.ts';
import { computeReach, countUsers } from '../../../server/src/core/index/graph/reach.ts';
import { looksGenerated } from '../../../server/src/core/paths/generated.ts';
import { findTypeHolesInFiles } from '../../../server/src/core/analysis/project/holesInFiles.ts';
import { findConfigFolder } from '../../../server/src/core/propose/extraction/compilerOptions.ts';
import { openProjects } from '../../../server/src/core/propose/extraction/project.ts';
import type { Opportunity, SymbolInfo } from '../../../server/src/core/model.ts';
import { configOf, recordOf, type Texts } from '../index/graphSupport.ts';
import { memoryTree } from '../propose/recipeCase.ts';
import { analyseWithTree, languageOfPath } from './analyseCase.ts';

/** All files below a folder, by path. */
export function textsIn(folder: string): Texts {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

export async function projectViewOf(texts: Texts): Promise<ProjectView> {
  const paths = Object.keys(texts);
  const records = await Promise.all(paths.map((path) => recordOf(path, texts[path]!)));
  const config = await configOf(texts);
  const resolve = createImportResolver(records, config);
  const graph = createDependencyGraph(records, config);
  const reach = computeReach(graph, isTestFile);
  const files = await Promise.all(
    records.map(async ({ path, symbols }): Promise<ProjectFile> => {
      const generated = looksGenerated(path, texts[path]!);
      const { functions, facts } = await analyseWithTree(path, texts[path]!, { generated });
      return {
        path,
        language: languageOfPath(path),
        test: isTestFile(path),
        generated,
        symbols: symbols as readonly SymbolInfo[],
        functions,
        facts,
      };
    }),
  );
  return {
    rules: new Set(rules.map(({ id }) => id)),
    files,
    packages: await readEntryPoints(paths, config, resolve, async (path) => texts[path] ?? null),
    resolve: (from, specifier) => resolve(from, specifier)[0] ?? null,
    read: async (path) => texts[path] ?? null,
    reach: {
      tests: reach.starts,
      findReach: (path, symbol) => ({ reached: reach.has(path, symbol.path), source: 'graph' }),
      countUsers: (path, symbol) => countUsers(graph, path, symbol.path, isTestFile),
    },
  };
}

/** As a worker would find them, in a tree that lives in memory. */
function typeHolesOf(texts: Texts): NonNullable<ProjectView['typeHoles']> {
  return async (paths) =>
    findTypeHolesInFiles(paths, memoryTree(texts), {
      findConfigFolder: findConfigFolder,
      open: openProjects,
    });
}

export async function foundIn(
  texts: Texts,
  rule: string,
  more: Partial<ProjectView> = {},
): Promise<readonly Opportunity[]> {
  const view = { ...(await projectViewOf(texts)), ...more };
  const found = await findProjectOpportunities(
    rule === 'type-hole' ? { ...view, typeHoles: typeHolesOf(texts) } : view,
    new AbortController().signal,
  );
  return found.filter((opportunity) => opportunity.rule === rule);
}

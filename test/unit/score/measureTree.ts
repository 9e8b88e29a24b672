// Measures a tree as the index does: the real walk with its ignore rules, the real analysis, the real inventory.

import { analyseSource, type SourceAnalysis } from '../../../server/src/core/analysis/analyse.ts';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { findProjectOpportunities } from '../../../server/src/core/analysis/project/projectOpportunities.ts';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { readProjectConfig } from '../../../server/src/core/index/graph/config/projectConfig.ts';
import { readEntryPoints } from '../../../server/src/core/index/graph/entryPoints.ts';
import { createImportResolver } from '../../../server/src/core/index/graph/importResolver.ts';
import { looksGenerated } from '../../../server/src/core/paths/generated.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import type { Inventory, Language, Measures } from '../../../server/src/core/model.ts';
import type { TreeMeasures } from '../../../server/src/core/score/comparePoints.ts';
import {
  sumFindings,
  markDeadExports,
  type ProjectMeasures,
} from '../../../server/src/core/session/analyse/projectMeasures.ts';
import { MEASURED_RULES } from '../../../server/src/core/session/analyse/projectFindings.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const known = new Map<
  string,
  { readonly analysis: SourceAnalysis; readonly inventory: Inventory; readonly generated: boolean }
>();

/** No size limit but the product's. Files that have been measured before are not measured again. */
export async function measureTree(
  tree: Readonly<Record<string, string>>,
  extra: { readonly measures?: Measures } = {},
): Promise<TreeMeasures> {
  const { files: walked } = await createMemoryFiles(tree).walk(
    { maxBytes: 1024 * 1024, exclude: [] },
    new AbortController().signal,
  );
  const found = walked.map(({ path }) => ({
    path,
    language: detectLanguage(path, tree[path]!),
    ...analysed(path, tree[path]!),
  }));
  const project = await projectOf(found, tree);
  const files = new Map<string, Measures>(found.map(({ path, analysis }) => [path, analysis.measures]));
  files.set('/', project.measures);
  if (extra.measures) files.set('coverage', extra.measures);
  return {
    files,
    inventories: new Map(found.map(({ path, inventory }) => [path, markDeadExports(inventory, project)])),
  };
}

function analysed(path: string, text: string) {
  const key = `${path}\0${text}`;
  let found = known.get(key);
  if (!found) {
    const language = detectLanguage(path, text);
    const generated = looksGenerated(path, text);
    found = {
      analysis: analyseSource({ path, text, language, tree: null, symbols: [], generated }),
      inventory: listContent({ path, text, language, generated }),
      generated,
    };
    known.set(key, found);
  }
  return found;
}

/** What several files have to do with each other, as the session finds it. */
async function projectOf(
  rows: readonly {
    readonly path: string;
    readonly language: Language | null;
    readonly analysis: SourceAnalysis;
    readonly generated: boolean;
  }[],
  tree: Readonly<Record<string, string>>,
): Promise<ProjectMeasures> {
  const read = async (path: string) => tree[path] ?? null;
  const paths = rows.map(({ path }) => path);
  const config = await readProjectConfig(paths, read);
  const resolve = createImportResolver(
    rows.map(({ path, language }) => ({ path, language, symbols: [] })),
    config,
  );
  const packages = await readEntryPoints(paths, config, resolve, read);
  const files = rows.map(({ path, language, generated, analysis }) => ({
    path,
    language,
    test: isTestFile(path),
    generated,
    functions: analysis.functions,
    facts: analysis.facts,
    symbols: [],
  }));
  return sumFindings(
    await findProjectOpportunities(
      {
        rules: new Set(MEASURED_RULES),
        files,
        packages,
        resolve: (from, specifier) => resolve(from, specifier)[0] ?? null,
        read,
        reach: null,
      },
      new AbortController().signal,
    ),
  );
}

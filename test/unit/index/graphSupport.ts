// Small repositories as tables of texts, and their dependency graphs as lines of text, for the tests of the graph.

import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { findImports } from '../../../server/src/core/index/parse/imports.ts';
import { parseOutline } from '../../../server/src/core/index/parse/outline.ts';
import { findNameReferences } from '../../../server/src/core/index/parse/references.ts';
import { readProjectConfig, type ProjectConfig } from '../../../server/src/core/index/graph/config/projectConfig.ts';
import { createDependencyGraph, type DependencyGraph } from '../../../server/src/core/index/graph/dependencyGraph.ts';
import { createImportResolver } from '../../../server/src/core/index/graph/importResolver.ts';
import { createDefinitionKey } from '../../../server/src/core/index/graph/queries.ts';
import type { GraphRecord } from '../../../server/src/core/index/graph/symbolTable.ts';
import { parser } from './support.ts';

export type Texts = Readonly<Record<string, string>>;

export function configOf(texts: Texts): Promise<ProjectConfig> {
  return readProjectConfig(Object.keys(texts), async (path) => texts[path] ?? null);
}

/** Where `specifier` leads from `from`; several files in one string, null for nowhere. */
export async function resolved(texts: Texts, from: string, specifier: string): Promise<string | null> {
  const records = await Promise.all(Object.entries(texts).map(([path, text]) => recordOf(path, text)));
  const found = createImportResolver(records, await configOf(texts))(
    { path: from, language: detectLanguage(from) },
    specifier,
  );
  return found.length === 0 ? null : found.join(' ');
}

export async function recordOf(path: string, text: string): Promise<GraphRecord> {
  const language = detectLanguage(path);
  const tree = language && (await parser.parse(language, text));
  if (!tree || !language) return { path, language, imports: [], symbols: [], references: null };
  try {
    const symbols = parseOutline(tree, language, text);
    return {
      path,
      language,
      imports: findImports(tree, language),
      symbols,
      references: findNameReferences(tree, language, text, symbols, false),
    };
  } finally {
    tree.delete();
  }
}

export async function graphOf(texts: Texts): Promise<DependencyGraph> {
  return createDependencyGraph(
    await Promise.all(Object.entries(texts).map(([path, text]) => recordOf(path, text))),
    await configOf(texts),
  );
}

/** Edges between definitions as `from -> to (confidence)`, sorted. */
export function shownEdges(graph: DependencyGraph): string[] {
  return [...graph.edges]
    .flatMap(([path, { symbolEdges }]) =>
      symbolEdges.map(
        ({ from, to, confidence }) =>
          `${createDefinitionKey({ path, symbol: from })} -> ${createDefinitionKey(to)} (${confidence})`,
      ),
    )
    .sort();
}

// Analyses a file while a person types: the previous tree is updated where the text changed, and the type checker is
// not used.

import { ts } from 'ts-morph';
import { analyseSource, type SourceAnalysis, type SourceInput } from '../analyse.ts';
import { isDeclarationFile, parseScript } from '../script/parseScript.ts';
import { scanScript, findCachedScopes, type StatementCache } from './scanScript.ts';
import { findChange } from './textChange.ts';

/** Maximum number of documents whose trees are kept. A tree of 2,000 lines takes about 15 MB. */
const MAX_TREES = 8;

/**
 * Creates a function like `analyseSource` that keeps syntax trees from one call to the next. For a script, its result
 * lacks what `scanScript` omits: findings of the type checker, measures and facts. Generated files, declaration files
 * and other languages get the full analysis.
 */
export function createQuickAnalysis(): (source: SourceInput) => SourceAnalysis {
  const trees = new Map<string, ts.SourceFile>();
  const cache: StatementCache = new WeakMap();
  return (source) => {
    if (source.generated || isDeclarationFile(source.path)) return analyseSource(source);
    const previousTree = trees.get(source.path);
    // The update consumes the old tree, even if the following steps fail.
    trees.delete(source.path);
    const script = parseOrUpdate(source, previousTree);
    if (!script) return analyseSource(source);
    const analysis = analyseSource({
      ...source,
      glance: {
        sourceFile: script,
        read: (lines) => scanScript(script, lines, cache),
        scopes: () => findCachedScopes(script, cache),
      },
    });
    trees.set(source.path, script);
    for (const [path] of trees) if (trees.size > MAX_TREES) trees.delete(path);
    return analysis;
  };
}

/**
 * The syntax tree of a script, updated from the previous one if there is one. Null for another language, and for text
 * that the parser cannot handle, which the full analysis reports.
 */
function parseOrUpdate(
  { path, text, language }: SourceInput,
  previousTree: ts.SourceFile | undefined,
): ts.SourceFile | null {
  try {
    return previousTree ? updateTree(previousTree, text) : parseScript(path, text, language);
  } catch {
    return null;
  }
}

/** Parses only the part of a tree that an edit has changed. The old tree must not be used afterwards. */
function updateTree(sourceFile: ts.SourceFile, text: string): ts.SourceFile {
  const change = findChange(sourceFile.text, text);
  return change
    ? ts.updateSourceFile(sourceFile, text, {
        span: { start: change.start, length: change.removed },
        newLength: change.added,
      })
    : sourceFile;
}

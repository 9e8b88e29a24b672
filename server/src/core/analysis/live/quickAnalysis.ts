// Analysis while a person types: the previous tree is updated where the text changed, and the type checker is not
// asked.

import { ts } from 'ts-morph';
import { analyseSource, type SourceAnalysis, type SourceInput } from '../analyse.ts';
import { isDeclarationFile, parseScript } from '../script/parseScript.ts';
import { glanceScript, scopesSeen, type SeenStatements } from './glanceScript.ts';
import { changeBetween } from './textChange.ts';

/** Trees of this many documents are kept, those of the last ones; one of 2,000 lines takes about 15 MB. */
const KEPT_TREES = 8;

/**
 * What `analyseSource` finds, for a script without what `glanceScript` leaves out. For any other language this is the
 * whole analysis.
 */
export function createQuickAnalysis(): (source: SourceInput) => SourceAnalysis {
  const trees = new Map<string, ts.SourceFile>();
  const seen: SeenStatements = new WeakMap();
  return (source) => {
    if (source.generated || isDeclarationFile(source.path)) return analyseSource(source);
    const before = trees.get(source.path);
    // The old tree is used up even where what follows fails.
    trees.delete(source.path);
    const script = parsed(source, before);
    if (!script) return analyseSource(source);
    const found = analyseSource({
      ...source,
      glance: {
        sourceFile: script,
        read: (lines) => glanceScript(script, lines, seen),
        scopes: () => scopesSeen(script, seen),
      },
    });
    trees.set(source.path, script);
    for (const [path] of trees) if (trees.size > KEPT_TREES) trees.delete(path);
    return found;
  };
}

/** Null also for what is beyond the parser: the whole analysis tells it. */
function parsed({ path, text, language }: SourceInput, before: ts.SourceFile | undefined): ts.SourceFile | null {
  try {
    return before ? changed(before, text) : parseScript(path, text, language);
  } catch {
    return null;
  }
}

function changed(sourceFile: ts.SourceFile, text: string): ts.SourceFile {
  const change = changeBetween(sourceFile.text, text);
  return change
    ? ts.updateSourceFile(sourceFile, text, {
        span: { start: change.start, length: change.removed },
        newLength: change.added,
      })
    : sourceFile;
}

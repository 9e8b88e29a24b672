// Applies all fixes of one text that need no review, one after the other, until none remains or a limit is reached.

import { posix } from 'node:path';
import type { Opportunity } from '../model.ts';
import { applyRecipe } from './applyRecipe.ts';
import { determineSafety } from './safety.ts';
import { isSafeLevel, isSafeRecipe } from './unattended.ts';
import type { SourceTree } from '../ports/sources.ts';

/** Maximum number of rounds. One fix may make another possible; those after the last round wait for the next call. */
const MAX_ROUNDS = 5;
/** Maximum number of fixes in one call. The other fixes wait for the next call. */
const MAX_FIXES = 100;

/** A text with its fixes applied. */
export interface FixAllText {
  readonly text: string;
  /** Titles of the fixes, in their order. */
  readonly fixed: readonly string[];
  /**
   * Ids of the fixed opportunities in the same order. The id of an opportunity that an earlier fix created refers to
   * the text at that time.
   */
  readonly opportunities: readonly string[];
}

/**
 * Applies the fixes. It is synchronous and has no side effects. The same text gives the same result, and fixing the
 * result again changes nothing, unless a limit was reached. Fixes that would touch other files are skipped. `analyse`
 * finds the opportunities of a text.
 */
export function fixAll(
  path: string,
  before: string,
  tree: SourceTree,
  analyse: (text: string) => readonly Opportunity[],
): FixAllText {
  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), path);
  const refusedIds = new Set<string>();
  const fixedTitles: string[] = [];
  const opportunities: string[] = [];
  let text = before;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const textOfRound = text;
    /** The offset up to which the text is the analysed one, so that positions before it are still valid. */
    let unchangedEnd = text.length;
    // Fixes are made from the end to the start, so that no fix moves the position of the next one.
    for (const opportunity of analyse(text)
      .filter(({ recipe }) => isSafeRecipe(recipe))
      .toSorted(compareLaterFirst)) {
      if (fixedTitles.length >= MAX_FIXES) return { text, fixed: fixedTitles, opportunities };
      if (refusedIds.has(opportunity.id) || findEnd(textOfRound, opportunity) > unchangedEnd) continue;
      const outcome = applySafeFix(opportunity, text);
      if (!outcome) {
        refusedIds.add(opportunity.id);
        continue;
      }
      unchangedEnd = Math.min(unchangedEnd, countCommonPrefix(text, outcome.text));
      text = outcome.text;
      fixedTitles.push(outcome.title);
      opportunities.push(opportunity.id);
    }
    if (text === textOfRound) break;
  }
  return { text, fixed: fixedTitles, opportunities };

  /**
   * Applies the recipe to the current text. Null if it refuses, changes other files, or makes a change that needs
   * review.
   */
  function applySafeFix(
    opportunity: Opportunity,
    currentText: string,
  ): { readonly text: string; readonly title: string } | null {
    const readText = (file: string) => (file === absolutePath ? currentText : tree.read(file));
    const outcome = applyRecipe(opportunity, { ...tree, read: readText });
    if ('refused' in outcome) return null;
    const [edit, ...otherEdits] = outcome.edits;
    if (!edit || otherEdits.length > 0 || edit.path !== path || edit.after === null || edit.after === currentText)
      return null;
    return isSafeLevel(determineSafety(outcome.edits, { ...tree, read: readText }))
      ? { text: edit.after, title: outcome.title }
      : null;
  }
}

/** Compares opportunities so that later ones in the text come first. */
function compareLaterFirst(first: Opportunity, second: Opportunity): number {
  return (
    second.range.startLine - first.range.startLine ||
    second.range.startColumn - first.range.startColumn ||
    (first.id < second.id ? -1 : 1)
  );
}

/** The offset of the end of an opportunity or of its name, whichever is later. */
function findEnd(text: string, { range, nameRange }: Opportunity): number {
  return Math.max(
    computeOffset(text, range.endLine, range.endColumn),
    computeOffset(text, nameRange.endLine, nameRange.endColumn),
  );
}

/** The offset of a line and a column, which begin with 1; the end of the text if it has fewer lines. */
function computeOffset(text: string, line: number, column: number): number {
  const lineEnd = /\r\n|\r|\n/g;
  for (let index = 1; index < line; index++) if (!lineEnd.exec(text)) return text.length;
  return lineEnd.lastIndex + column - 1;
}

function countCommonPrefix(a: string, b: string): number {
  let offset = 0;
  while (offset < a.length && a.charCodeAt(offset) === b.charCodeAt(offset)) offset++;
  return offset;
}

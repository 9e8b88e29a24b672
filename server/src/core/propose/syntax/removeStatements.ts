// Removes several statements from a file at once. Adjacent ones share the blank lines that are removed with them.

import type { ts } from 'ts-morph';
import type { Replacement } from '../textEdit.ts';
import { removeStatement } from './removeStatement.ts';

/** Removes these statements. Removed spans that overlap or touch are merged. */
export function removeStatements(sourceFile: ts.SourceFile, statements: readonly ts.Statement[]): Replacement[] {
  const mergedSpans: { start: number; end: number; text: '' }[] = [];
  for (const { start, end } of statements
    .map((statement) => removeStatement(sourceFile, statement))
    .sort((a, b) => a.start - b.start)) {
    const lastSpan = mergedSpans.at(-1);
    if (lastSpan && start <= lastSpan.end) lastSpan.end = Math.max(lastSpan.end, end);
    else mergedSpans.push({ start, end, text: '' });
  }
  const finalSpan = mergedSpans.at(-1);
  // At the end of the file, the preceding blank line is removed, too.
  const blankLineMatch =
    finalSpan && /^\s*$/.test(sourceFile.text.slice(finalSpan.end))
      ? /\n([ \t]*\r?\n)$/.exec(sourceFile.text.slice(0, finalSpan.start))
      : null;
  if (finalSpan && blankLineMatch) finalSpan.start -= blankLineMatch[1]!.length;
  return mergedSpans;
}

// Converts offsets to lines and columns, which begin with 1 in opportunities.

import type { ts } from 'ts-morph';
import type { Range } from '../../model.ts';

/** The range between two offsets; `end` is exclusive. */
export function rangeInFile(sourceFile: ts.SourceFile, start: number, end: number): Range {
  const [from, to] = [sourceFile.getLineAndCharacterOfPosition(start), sourceFile.getLineAndCharacterOfPosition(end)];
  return {
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
  };
}

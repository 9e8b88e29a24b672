// Converts offsets to lines and columns, which begin with 1 in opportunities.

import type { ts } from 'ts-morph';
import type { Range } from '../../model.ts';

/** The range between two offsets; `end` is exclusive. */
export function createRange(sourceFile: ts.SourceFile, start: number, end: number): Range {
  const [startPosition, endPosition] = [
    sourceFile.getLineAndCharacterOfPosition(start),
    sourceFile.getLineAndCharacterOfPosition(end),
  ];
  return {
    startLine: startPosition.line + 1,
    startColumn: startPosition.character + 1,
    endLine: endPosition.line + 1,
    endColumn: endPosition.character + 1,
  };
}

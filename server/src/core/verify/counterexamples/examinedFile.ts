// The type of a file whose functions are examined, and the range of a node in it.

import { ts } from 'ts-morph';
import type { Range } from '../../model.ts';
import type { ModuleOutline } from '../differential/declarations.ts';
import type { ShapeReader } from '../differential/shapes.ts';
import type { MeasuredCall } from '../guard/argumentRelations.ts';
import type { RecordedCalls } from '../guard/recordedCalls.ts';
import type { ExampleValue } from './plan.ts';

/** A file whose functions are examined, with everything that is known about it. */
export interface ExaminedFile {
  readonly path: string;
  readonly outline: ModuleOutline;
  readonly reader: ShapeReader;
  readonly checker: ts.TypeChecker;
  readonly code: ts.SourceFile;
  /** False if the repository does not check for null, so that any value may be null or undefined. */
  readonly checksForNull: boolean;
  /** The argument lists of calls in tests, by the name of the called function (see `collectExamples`). */
  readonly examples: ReadonlyMap<string, readonly (readonly ExampleValue[])[]>;
  /** The numbers and arrays in calls of tests and code, by the name of the called function or member. */
  readonly measuredCalls: ReadonlyMap<string, readonly MeasuredCall[]>;
  /** Arguments that functions of the file receive while the tests run; absent if they were not recorded. */
  readonly recorded?: RecordedCalls[string];
}

/** The range of a node (1-based, with an exclusive end column); for a whole file, the range of its first character. */
export function getNodeRange(node: ts.Node, file: ts.SourceFile): Range {
  const cursorPosition = (offset: number) => file.getLineAndCharacterOfPosition(offset);
  const start = cursorPosition(node.getStart(file));
  const end = ts.isSourceFile(node) ? { line: start.line, character: start.character + 1 } : cursorPosition(node.end);
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

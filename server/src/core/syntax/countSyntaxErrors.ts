// Counts the syntax errors of a script, to check that inserted code has added none.

import { ts } from 'ts-morph';

/** The number of syntax errors. The extension of `path` decides the dialect. */
export function countSyntaxErrors(path: string, text: string): number {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false) as ts.SourceFile & {
    readonly parseDiagnostics?: readonly unknown[];
  };
  return file.parseDiagnostics?.length ?? 0;
}

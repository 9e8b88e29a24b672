// Counts the syntax errors of a script, to check that inserted code has added none.

import { ts } from 'ts-morph';

/** The number of syntax errors. The extension of `path` decides the dialect. */
export function countSyntaxErrors(path: string, text: string): number {
  return countErrorsOfParser(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false));
}

/** The number of syntax errors in a parsed file. The parser stores them there, but the public type omits them. */
export function countErrorsOfParser(sourceFile: ts.SourceFile): number {
  const { parseDiagnostics } = sourceFile as ts.SourceFile & { readonly parseDiagnostics?: readonly unknown[] };
  return parseDiagnostics?.length ?? 0;
}

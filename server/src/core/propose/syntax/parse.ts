// Parses one TypeScript or JavaScript text, with parents set.

import { ts } from 'ts-morph';

/** The kind of script of each extension. */
const SCRIPT_KINDS = new Map<string, ts.ScriptKind>(
  Object.entries({
    ts: ts.ScriptKind.TS,
    mts: ts.ScriptKind.TS,
    cts: ts.ScriptKind.TS,
    tsx: ts.ScriptKind.TSX,
    js: ts.ScriptKind.JS,
    mjs: ts.ScriptKind.JS,
    cjs: ts.ScriptKind.JS,
    jsx: ts.ScriptKind.JSX,
  }),
);

/** The syntax tree of a text, also of one with errors; null if `path` does not have the extension of a script. */
export function parseSource(path: string, text: string): ts.SourceFile | null {
  const kind = SCRIPT_KINDS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
  if (kind === undefined) return null;
  return ts.createSourceFile(path, text, { languageVersion: ts.ScriptTarget.Latest }, true, kind);
}

/** The syntax tree of a JSON text. */
export function parseJson(path: string, text: string): ts.SourceFile {
  return ts.parseJsonText(path, text);
}

/**
 * Like `parseSource`, for a file that recipes can read; null if it is not a script, does not parse, is a declaration
 * file, or is written for Flow.
 */
export function parseReadable(path: string, text: string): ts.SourceFile | null {
  const sourceFile = parseSource(path, text);
  const isReadable =
    sourceFile && !sourceFile.isDeclarationFile && !isFlow(sourceFile) && findCompilerErrors(sourceFile).length === 0;
  return isReadable ? sourceFile : null;
}

/** Messages of the parser with their lines, counted from 1; empty if the text parses. */
export function findCompilerErrors(sourceFile: ts.SourceFile): readonly string[] {
  // The parser keeps its diagnostics on the file; the public type does not show them.
  const { parseDiagnostics = [] } = sourceFile as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.Diagnostic[];
  };
  return parseDiagnostics
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .map(
      ({ messageText, start = 0 }) =>
        `${ts.flattenDiagnosticMessageText(messageText, ' ')} (line ${sourceFile.getLineAndCharacterOfPosition(start).line + 1})`,
    );
}

/** True for a file in JavaScript, by its kind of script. */
export function isJavaScript(sourceFile: ts.SourceFile): boolean {
  return (sourceFile.flags & ts.NodeFlags.JavaScriptFile) !== 0;
}

/** True if a comment at the top states that the types are Flow's. */
export function isFlow(sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  return (
    isJavaScript(sourceFile) &&
    (ts.getLeadingCommentRanges(text, ts.getShebang(text)?.length ?? 0) ?? []).some(({ pos, end }) =>
      /@flow\b/.test(text.slice(pos, end)),
    )
  );
}

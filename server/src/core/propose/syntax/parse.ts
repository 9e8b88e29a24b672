// Parses TypeScript, JavaScript or JSON texts into syntax trees with parents, and lists their syntax errors.

import { ts } from 'ts-morph';

/** The kind of script for each file extension. */
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

/** Parses a text, also one with syntax errors. Null if `path` does not have the extension of a script. */
export function parseSource(path: string, text: string): ts.SourceFile | null {
  const kind = SCRIPT_KINDS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
  if (kind === undefined) return null;
  return ts.createSourceFile(path, text, { languageVersion: ts.ScriptTarget.Latest }, true, kind);
}

/** Parses a JSON text. */
export function parseJson(path: string, text: string): ts.SourceFile {
  return ts.parseJsonText(path, text);
}

/**
 * Parses a file that recipes can work on. Null if it is not a script, does not parse, is a declaration file, or is
 * written for Flow.
 */
export function parseForRecipes(path: string, text: string): ts.SourceFile | null {
  const sourceFile = parseSource(path, text);
  const isReadable =
    sourceFile && !sourceFile.isDeclarationFile && !isFlow(sourceFile) && listSyntaxErrors(sourceFile).length === 0;
  return isReadable ? sourceFile : null;
}

/** The messages of the parser, each with its line, which begins with 1; empty if the text parses. */
export function listSyntaxErrors(sourceFile: ts.SourceFile): readonly string[] {
  // The parser stores its diagnostics on the file, but the public type omits them.
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

/** True if a comment at the top of the file states that its types are those of Flow. */
export function isFlow(sourceFile: ts.SourceFile): boolean {
  const { text } = sourceFile;
  return (
    isJavaScript(sourceFile) &&
    (ts.getLeadingCommentRanges(text, ts.getShebang(text)?.length ?? 0) ?? []).some(({ pos, end }) =>
      /@flow\b/.test(text.slice(pos, end)),
    )
  );
}

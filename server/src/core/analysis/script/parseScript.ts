// Parses TypeScript and JavaScript once, for the metrics, the rules and the checker.

import { ts } from 'ts-morph';
import type { Language } from '../../model.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { countErrorsOfParser } from '../../syntax/countSyntaxErrors.ts';

/** Maximum number of syntax errors of a script. A file in the middle of an edit has far fewer. */
const MAX_ERRORS = 10_000;

/**
 * The tree of a script; null for any other language. The tree of broken code contains the parts that could be read
 * (`hasSyntaxErrors`). If `setsParents` is false, nodes know their parents only after the binder or a brief walk.
 * `parsesDocs`: true to also parse doc comments, which the type checker needs.
 */
export function parseScript(
  path: string,
  text: string,
  language: Language | null,
  {
    parents: setsParents = true,
    docs: parsesDocs = true,
  }: { readonly parents?: boolean; readonly docs?: boolean } = {},
): ts.SourceFile | null {
  const kind = findScriptKind(path, language);
  if (kind === null) return null;
  return ts.createSourceFile(
    `/${path}`,
    text,
    {
      languageVersion: ts.ScriptTarget.Latest,
      jsDocParsingMode: parsesDocs ? ts.JSDocParsingMode.ParseForTypeErrors : ts.JSDocParsingMode.ParseNone,
    },
    setsParents,
    kind,
  );
}

/** True if the parser reported an error. */
export function hasSyntaxErrors(sourceFile: ts.SourceFile): boolean {
  return countErrorsOfParser(sourceFile) > 0;
}

/**
 * Throws `unreadable` if a text has so many errors that it is not a script, because a walk through it would take
 * seconds and find nothing.
 */
export function requireScript(sourceFile: ts.SourceFile): void {
  const errors = countErrorsOfParser(sourceFile);
  if (errors > MAX_ERRORS) throw new SelfwareError('unreadable', `This is no script: it has ${errors} syntax errors.`);
}

/** True for declaration files, which describe code in other files. */
export function isDeclarationFile(path: string): boolean {
  return /\.d\.([cm]?ts|[^/]+\.ts)$/.test(path);
}

/** TypeScript's kind of a script; null for any other language. */
function findScriptKind(path: string, language: Language | null): ts.ScriptKind | null {
  switch (language) {
    case 'typescript':
      return ts.ScriptKind.TS;
    case 'tsx':
      return ts.ScriptKind.TSX;
    case 'javascript':
      return path.endsWith('.jsx') ? ts.ScriptKind.JSX : ts.ScriptKind.JS;
    default:
      return null;
  }
}

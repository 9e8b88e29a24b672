// Writes the result of an extraction: a call in place of the moved statements, the new function where the file keeps
// its helper functions, and the moved text with no change but its indentation and the planned replacements.

import { ts } from 'ts-morph';
import { findCommentsAbove } from '../syntax/comments.ts';
import type { Span } from '../syntax/locate.ts';
import { reindent } from '../syntax/reindent.ts';
import { applyReplacements, indentAt, lineEnd, lineStart, type Replacement } from '../textEdit.ts';
import type { Style } from '../fileStyle.ts';
import type { Conventions } from './conventions.ts';
import { collectCandidateNodes, type ExtractionCandidate, type FunctionWithBody } from './extractionCandidates.ts';
import { createDeclaration, measureLineWidth, type Part } from './declaration.ts';

/** Everything that is needed to write one extraction. */
export interface ExtractionPlan {
  readonly outerFunction: FunctionWithBody;
  readonly candidate: ExtractionCandidate;
  /** The node that will contain the new function, next to the member that contains `outerFunction`. */
  readonly scope: ts.Node;
  readonly part: Part;
  /** True if the comment above the first statement describes all of them, so it moves above the new function. */
  readonly movesLeadingComment: boolean;
  /** Replacements inside the moved statements. */
  readonly changes?: readonly Replacement[];
}

/**
 * Writes the new text of the file; null if the candidate is empty, shares its lines with other code, or is outside the
 * scope.
 */
export function extractFunctions(
  sourceFile: ts.SourceFile,
  plan: ExtractionPlan,
  style: Style,
  conventions: Conventions,
): string | null {
  const replacements = createReplacements(sourceFile, plan, style, conventions);
  return replacements && applyReplacements(sourceFile.text, replacements);
}

/**
 * Replaces the statements, the comments above them and the comment behind the last one by the call. Null if the
 * candidate is empty or shares its lines with other code.
 */
export function createCallReplacement(
  sourceFile: ts.SourceFile,
  candidate: ExtractionCandidate,
  call: string,
  style: Style,
): Replacement | null {
  const { text } = sourceFile;
  const [firstStatement, lastStatement] = [candidate.statements[0], candidate.statements.at(-1)];
  if (!firstStatement || !lastStatement) return null;
  const start = findCommentsAbove(sourceFile, firstStatement)[0]?.start ?? firstStatement.getStart(sourceFile);
  const end = lineEnd(text, lastStatement.end);
  if (
    text.slice(lineStart(text, start), start).trim() ||
    !/^\s*(\/\/.*|\/\*[^\n]*\*\/\s*)?$/.test(text.slice(lastStatement.end, end))
  )
    return null;
  const callStatement = call.replace(/;?$/, style.semicolons ? ';' : '');
  const lines = breakCallIntoLines(
    callStatement,
    indentAt(text, start),
    measureLineWidth(text),
    style,
    hasTrailingComma(text),
  );
  return {
    start,
    end:
      lastStatement.end +
      (/^[ \t]*/.exec(text.slice(lastStatement.end))?.[0].length ?? 0) +
      measureTrailingComment(text, lastStatement.end, end),
    text: lines.replaceAll(/\r?\n/g, style.newline),
  };
}

/**
 * Creates the imports, the call and the new function as replacements. Null if the candidate is empty, shares its lines
 * with other code, or is outside the scope.
 */
export function createReplacements(
  sourceFile: ts.SourceFile,
  { outerFunction, candidate, scope, part, movesLeadingComment, changes = [] }: ExtractionPlan,
  style: Style,
  conventions: Conventions,
): Replacement[] | null {
  const { text } = sourceFile;
  const [firstStatement, lastStatement] = [candidate.statements[0], candidate.statements.at(-1)];
  const host = findMember(outerFunction, scope);
  const callReplacement = createCallReplacement(sourceFile, candidate, part.call, style);
  if (!firstStatement || !lastStatement || !host || !callReplacement) return null;
  const comments = findCommentsAbove(sourceFile, firstStatement);
  const { start } = callReplacement;
  const end = lineEnd(text, lastStatement.end);
  const oldIndent = indentAt(text, start);
  const outerIndent = indentAt(text, host.getStart(sourceFile));
  const innerIndent = outerIndent + style.indent;
  const bodyStart = movesLeadingComment ? lineStart(text, firstStatement.getStart(sourceFile)) : lineStart(text, start);
  const leadingComment =
    movesLeadingComment && bodyStart > lineStart(text, start)
      ? [
          moveText(
            sourceFile,
            { start: lineStart(text, start), end: lineEnd(text, comments.at(-1)?.end ?? start) },
            oldIndent,
            outerIndent,
          ),
        ]
      : [];
  const foldedReturn = foldReturn(candidate, part, sourceFile);
  const body = moveText(sourceFile, { start: bodyStart, end }, oldIndent, innerIndent, [
    ...changes,
    ...(foldedReturn ? [foldedReturn] : []),
  ]);
  const endStatement = (code: string) => code.replace(/;?$/, style.semicolons ? ';' : '');
  const blankLines = conventions.putsBlankBeforeReturn && candidate.statements.length > 1 ? [''] : [];
  const returnLines =
    part.returnStatement && !foldedReturn ? [...blankLines, innerIndent + endStatement(part.returnStatement)] : [];
  const width = measureLineWidth(text);
  const { head, tail, isAboveCaller } = createDeclaration(part, scope, outerIndent, {
    style,
    // A hoisted function can be called before a constant is initialised, so a function that it calls must be hoisted,
    // too.
    conventions: { ...conventions, usesArrows: conventions.usesArrows && !ts.isFunctionDeclaration(host) },
    lineWidth: width,
    usesTrailingComma: hasTrailingComma(text),
    isTsx: /\.[jt]sx$/.test(sourceFile.fileName),
  });
  const declaration = [...leadingComment, head, body, ...returnLines, tail]
    .join(style.newline)
    .replaceAll(/\r?\n/g, style.newline);
  const insertPosition = isAboveCaller ? findStartAboveHost(sourceFile, host) : lineEnd(text, host.end);
  return [
    ...part.imports,
    callReplacement,
    {
      start: insertPosition,
      end: insertPosition,
      text: isAboveCaller ? declaration + style.newline + style.newline : style.newline + style.newline + declaration,
    },
  ];
}

/** The text of some lines with replacements, and with the indentation `newIndent` instead of `oldIndent`. */
function moveText(
  sourceFile: ts.SourceFile,
  span: Span,
  oldIndent: string,
  newIndent: string,
  changes: readonly Replacement[] = [],
): string {
  const allChanges = [...reindent(sourceFile, span, oldIndent, newIndent), ...changes];
  return applyReplacements(
    sourceFile.text.slice(span.start, span.end),
    allChanges.map((change) => ({ ...change, start: change.start - span.start, end: change.end - span.start })),
  );
}

/**
 * Changes `const total = sum(a); return total;` to `return sum(a);`; null if the candidate does not end with such a
 * declaration.
 */
function foldReturn(
  candidate: ExtractionCandidate,
  { returnStatement }: Part,
  sourceFile: ts.SourceFile,
): Replacement | null {
  const lastStatement = candidate.statements.at(-1);
  const name = /^return (\w+);?$/.exec(returnStatement ?? '')?.[1];
  if (
    !lastStatement ||
    !name ||
    !ts.isVariableStatement(lastStatement) ||
    lastStatement.declarationList.declarations.length !== 1
  )
    return null;
  const [declaration] = lastStatement.declarationList.declarations;
  if (
    !declaration?.initializer ||
    declaration.type ||
    !ts.isIdentifier(declaration.name) ||
    declaration.name.text !== name
  )
    return null;
  if (collectCandidateNodes(candidate).filter((node) => ts.isIdentifier(node) && node.text === name).length !== 1)
    return null;
  return {
    start: lastStatement.getStart(sourceFile),
    end: declaration.initializer.getStart(sourceFile),
    text: 'return ',
  };
}

/**
 * Finds the direct child of `scope` that is or contains `outer`: a statement of the file or of a function, or a member
 * of a class. Null if `outer` is not inside `scope`.
 */
function findMember(outer: ts.Node, scope: ts.Node): ts.Node | null {
  const container = ts.isFunctionLike(scope) && 'body' in scope ? (scope as FunctionWithBody).body : scope;
  for (let node = outer; node.parent; node = node.parent) if (node.parent === container) return node;
  return null;
}

/** The start of the line on which the host begins, or the first comment that belongs to it. */
function findStartAboveHost(sourceFile: ts.SourceFile, host: ts.Node): number {
  const [comment] = findCommentsAbove(sourceFile, host);
  return lineStart(sourceFile.text, comment?.start ?? host.getStart(sourceFile));
}

/**
 * The length of the comment between the last statement and the end of its line; 0 if there is none. The comment moves
 * with the statement.
 */
function measureTrailingComment(text: string, from: number, end: number): number {
  const remainingText = text.slice(from, end);
  return remainingText.trim() ? remainingText.length - (/^[ \t]*/.exec(remainingText)?.[0].length ?? 0) : 0;
}

/**
 * Breaks a call that is too long for its line into one line for each argument, unless an argument contains parentheses.
 */
function breakCallIntoLines(call: string, indent: string, width: number, style: Style, trailingComma: boolean): string {
  const match = /^(.*?\w\()([^()]+)(\);?)$/.exec(call);
  if (indent.length + call.length <= width || !match) return call;
  const [, before = '', argumentList = '', after = ''] = match;
  const lines = argumentList.split(', ').map((argument) => indent + style.indent + argument);
  return `${before}${style.newline}${lines.join(`,${style.newline}`)}${trailingComma ? ',' : ''}${style.newline}${indent}${after}`;
}

/** True if a closing parenthesis at the start of a line follows a comma somewhere in the file. */
function hasTrailingComma(text: string): boolean {
  return /,[ \t]*\r?\n[ \t]*\)/.test(text);
}

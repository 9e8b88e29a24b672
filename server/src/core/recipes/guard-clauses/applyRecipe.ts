// Implements the recipe `guard-clauses`: replaces an `if` around the remaining code of a function or loop by an early
// exit, so that the main path needs no nesting.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import {
  findPreferredEmptyReturn,
  explainAvoidedContinue,
  explainPreferredWrapping,
} from '../../propose/preferredForm.ts';
import { containsAssignment } from '../../syntax/writtenNames.ts';
import { planGuardClause, type GuardClause } from '../../propose/syntax/guardClause.ts';
import { findNodeAt, collectDescendants, findSpan } from '../../propose/syntax/locate.ts';
import { negate } from '../../propose/syntax/negate.ts';
import { parseSource } from '../../propose/syntax/parse.ts';
import { collectBlockScopedNames, findNameUsedOutside } from '../../propose/syntax/scopes.ts';
import type { Style } from '../../propose/fileStyle.ts';
import { unwrapBlock } from '../../propose/syntax/unwrapBlock.ts';
import { applyReplacements, indentAt } from '../../propose/textEdit.ts';

/** Maximum number of nested `if` statements that one change inverts. Deeper ones are left to another proposal. */
const MAX_LEVELS = 6;

/**
 * Changes `if (c) { … }` at the end of a function or loop to `if (!c) return;` or `if (!c) continue;`, followed by the
 * statements of the block. Refuses if a condition assigns, if names would conflict, or if the block shares its lines
 * with other code. Also refuses if the file prefers the wrapped form, unless a person has requested this opportunity.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { opportunity, path, style } = context;
  const span = findSpan(context.sourceFile, opportunity.range);
  const outermost =
    (span && findWrapperByEvidence(context)) ??
    (span && findWrapper(context.sourceFile, span, findSpan(context.sourceFile, opportunity.nameRange)));
  if (!outermost) return refuse('There is no if here that wraps the rest of a function or loop.');
  const formRefusal = context.isRequested ? null : explainRefusedForm(context.sourceFile, outermost);
  if (formRefusal) return refuse(formRefusal);
  const position = outermost.getStart(context.sourceFile);

  let { sourceFile } = context;
  let nextWrapper: ts.IfStatement | null = outermost;
  let levelCount = 0;
  while (nextWrapper && levelCount < MAX_LEVELS) {
    const inversion = invertIf(sourceFile, nextWrapper, style);
    if ('refused' in inversion) {
      if (levelCount === 0) return inversion;
      break;
    }
    levelCount++;
    const parsedFile = parseSource(path, inversion.text);
    if (!parsedFile) break;
    sourceFile = parsedFile;
    nextWrapper = findWrapperAfter(sourceFile, position, levelCount);
  }
  return {
    text: sourceFile.text,
    title: `flatten ${levelCount === 1 ? 'a nested if with a guard clause' : `${levelCount} nested ifs with guard clauses`}`,
    rationale: `The condition wraps all of the remaining code, so the opposite case can leave at once and the main path loses ${levelCount === 1 ? 'a level' : `${levelCount} levels`} of nesting.`,
  };
}

/** The reason why the file prefers the wrapped form, as a sentence; null if it does not. */
function explainRefusedForm(sourceFile: ts.SourceFile, outermost: ts.IfStatement): string | null {
  const guard = planGuardClause(outermost);
  return (
    explainPreferredWrapping(sourceFile, outermost) ??
    ('exitStatement' in guard && guard.exitStatement === 'continue' ? explainAvoidedContinue(sourceFile) : null)
  );
}

/** Changes one wrapping `if` into a guard clause, and returns the new text. */
function invertIf(
  sourceFile: ts.SourceFile,
  statement: ts.IfStatement,
  style: Style,
): { readonly text: string } | { readonly refused: string } {
  const { text } = sourceFile;
  const guard = planGuardClause(statement);
  if ('refused' in guard) return guard;
  if (containsAssignment(statement.expression))
    return refuse('The condition assigns, which is easier to see where it stands.');
  const block = statement.thenStatement;
  if (!ts.isBlock(block)) return refuse('The if has no block.');
  const conflictingName = findNameUsedOutside(collectBlockScopedNames([...block.statements]), statement.parent, block);
  if (conflictingName) return refuse(`The block declares ${conflictingName}, a name that is also used around it.`);

  const parenthesis = statement.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.CloseParenToken);
  if (!parenthesis) return refuse('The if has no closing parenthesis.');
  const indent = indentAt(text, statement.getStart(sourceFile));
  const unwrapReplacements = unwrapBlock(sourceFile, block, style, {
    keptEnd: parenthesis.end,
    keyword: null,
    insertedText: createGuardText(sourceFile, block, guard, style, indent),
    indent,
  });
  if ('refused' in unwrapReplacements) return unwrapReplacements;
  return { text: applyReplacements(text, [...negate(sourceFile, statement.expression), ...unwrapReplacements]) };
}

/**
 * Writes the statement of the guard clause: ` return;` or, if most guard clauses of the file have braces, the same in
 * braces and followed by a blank line.
 */
function createGuardText(
  sourceFile: ts.SourceFile,
  block: ts.Block,
  { exitStatement }: GuardClause,
  style: Style,
  indent: string,
): string {
  const exitText =
    exitStatement === 'return undefined'
      ? (findPreferredEmptyReturn(sourceFile, block.parent.parent.parent) ?? exitStatement)
      : exitStatement;
  const statement = exitText + (style.semicolons ? ';' : '');
  if (!prefersBraces(sourceFile)) return ` ${statement}`;
  const blankFollows = /^[ \t]*\r?\n[ \t]*\r?\n/.test(sourceFile.text.slice(block.getStart(sourceFile) + 1));
  return ` {${style.newline}${indent}${style.indent}${statement}${style.newline}${indent}}${blankFollows ? '' : style.newline}`;
}

/** True if more guard clauses of the file have braces than have none. */
function prefersBraces(sourceFile: ts.SourceFile): boolean {
  let [bracedCount, unbracedCount] = [0, 0];
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && !node.elseStatement) {
      const onlyStatement = ts.isBlock(node.thenStatement)
        ? node.thenStatement.statements.length === 1
          ? node.thenStatement.statements[0]
          : undefined
        : node.thenStatement;
      if (onlyStatement && !ts.isBlock(node.thenStatement)) unbracedCount++;
      else if (
        onlyStatement &&
        (ts.isReturnStatement(onlyStatement) ||
          ts.isContinueStatement(onlyStatement) ||
          ts.isThrowStatement(onlyStatement))
      )
        bracedCount++;
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return bracedCount > unbracedCount;
}

/**
 * Finds the wrapping `if` in the line that the evidence of an opportunity about a whole function names; null if it
 * names none.
 */
function findWrapperByEvidence({ sourceFile, opportunity }: RecipeContext): ts.IfStatement | null {
  const line = opportunity.evidence['guardLine'];
  if (typeof line !== 'number') return null;
  return (
    collectDescendants(sourceFile).find(
      (node): node is ts.IfStatement =>
        ts.isIfStatement(node) && sourceFile.getLineAndCharacterOfPosition(node.getStart(sourceFile)).line + 1 === line,
    ) ?? null
  );
}

/**
 * Finds the wrapping `if` of an opportunity: the one at the range or the name, otherwise the last statement of the
 * function or loop that contains the range.
 */
function findWrapper(
  sourceFile: ts.SourceFile,
  wholeSpan: { start: number; end: number },
  nameSpan: { start: number; end: number } | null,
): ts.IfStatement | null {
  const isInvertible = (node: ts.Node): node is ts.IfStatement =>
    ts.isIfStatement(node) && !('refused' in planGuardClause(node));
  for (const span of [wholeSpan, nameSpan]) {
    if (!span) continue;
    const exactNode = findNodeAt(sourceFile, span, ts.isIfStatement);
    if (exactNode && exactNode.getStart(sourceFile) === span.start) return findOutermostWrapper(exactNode);
  }
  return findNodeAt(sourceFile, wholeSpan, isInvertible);
}

/** Finds the outermost wrapping `if` around this one in the same function or loop. */
function findOutermostWrapper(statement: ts.IfStatement): ts.IfStatement {
  let outermostWrapper = statement;
  for (
    let node: ts.Node = statement;
    node.parent && !ts.isFunctionLike(node) && !ts.isIterationStatement(node, false);
    node = node.parent
  ) {
    if (ts.isIfStatement(node) && !('refused' in planGuardClause(node))) outermostWrapper = node;
  }
  return outermostWrapper;
}

/**
 * Finds the next wrapping `if` after `level` guard clauses that begin at `position`. Null if the list does not end with
 * one, or if it contains too little code to be worth inverting.
 */
function findWrapperAfter(sourceFile: ts.SourceFile, position: number, level: number): ts.IfStatement | null {
  const guard = findNodeAt(sourceFile, { start: position, end: position }, ts.isIfStatement);
  if (!guard || !ts.isBlock(guard.parent)) return null;
  const statements = guard.parent.statements;
  const lastStatement = statements.at(-1);
  if (!lastStatement || !ts.isIfStatement(lastStatement) || statements.indexOf(guard) + level > statements.length)
    return null;
  const innerStatements = ts.isBlock(lastStatement.thenStatement) ? lastStatement.thenStatement.statements : [];
  const isWorthwhile =
    innerStatements.length >= 2 ||
    innerStatements.some(
      (statement) =>
        ts.isIfStatement(statement) ||
        ts.isIterationStatement(statement, false) ||
        ts.isSwitchStatement(statement) ||
        ts.isTryStatement(statement),
    );
  return isWorthwhile ? lastStatement : null;
}

// Decides which of two equivalent forms a file prefers. A recipe follows this preference, or leaves the file unchanged.

import { ts } from 'ts-morph';
import { parseConcatenation, isInConcatenation } from '../syntax/concatenation.ts';
import { createRefusalByConvention } from './ownForm.ts';
import { planGuardClause } from './syntax/guardClause.ts';
import { collectDescendants } from './syntax/locate.ts';

/**
 * Minimum number of other occurrences in the file that make a form a preference. The form must also be more frequent
 * than the one that would replace it.
 */
const MIN_OCCURRENCES = 3;

/**
 * The refusal of a guard clause, as a sentence, if the file usually wraps the remaining code of a function in an `if`
 * and seldom exits early; otherwise null.
 */
export function explainPreferredWrapping(sourceFile: ts.SourceFile, statement: ts.IfStatement): string | null {
  const ifs = collectDescendants(sourceFile).filter(ts.isIfStatement);
  const isInStatement = (node: ts.Node) => node.pos >= statement.pos && node.end <= statement.end;
  const wrapCount = ifs.filter((node) => !isInStatement(node) && wrapsSeveralStatements(node)).length;
  const earlyExitCount = ifs.filter(exitsEarly).length;
  if (wrapCount < MIN_OCCURRENCES || wrapCount <= earlyExitCount) return null;
  const counts = `${wrapCount} others, and ${earlyExitCount} that leave early`;
  return createRefusalByConvention(`the if around what is left to do: ${counts}`);
}

/**
 * The refusal of a template, as a sentence, if the file often joins strings by `+` and seldom uses templates; otherwise
 * null.
 */
export function explainPreferredJoining(sourceFile: ts.SourceFile, concatenation: ts.BinaryExpression): string | null {
  const nodes = collectDescendants(sourceFile);
  const joinedCount = nodes.filter(
    (node) => node !== concatenation && ts.isBinaryExpression(node) && joinsValues(node),
  ).length;
  const templateCount = nodes.filter(ts.isTemplateExpression).length;
  if (joinedCount < MIN_OCCURRENCES || joinedCount <= templateCount) return null;
  return createRefusalByConvention(
    `to put texts together by +: ${joinedCount} others, and ${formatCount(templateCount, 'template')}`,
  );
}

/**
 * The refusal of `for … of`, as a sentence, if the file often counts through its lists and seldom iterates over
 * elements; otherwise null.
 */
export function explainPreferredCounting(sourceFile: ts.SourceFile, loop: ts.ForStatement): string | null {
  const nodes = collectDescendants(sourceFile);
  const indexLoopCount = nodes.filter(
    (node) => node !== loop && ts.isForStatement(node) && /\.length\b/.test(node.condition?.getText(sourceFile) ?? ''),
  ).length;
  const elementLoopCount = nodes.filter(ts.isForOfStatement).length;
  if (indexLoopCount < MIN_OCCURRENCES || indexLoopCount <= elementLoopCount) return null;
  return createRefusalByConvention(
    `to count through a list: ${indexLoopCount} others, and ${formatCount(elementLoopCount, 'for … of', 'for … of')}`,
  );
}

/**
 * The refusal of `continue`, as a sentence, if the file has more than three loops and no `continue`; otherwise null.
 */
export function explainAvoidedContinue(sourceFile: ts.SourceFile): string | null {
  const nodes = collectDescendants(sourceFile);
  const loopCount = nodes.filter((node) => ts.isIterationStatement(node, false)).length;
  if (loopCount <= MIN_OCCURRENCES || nodes.some(ts.isContinueStatement)) return null;
  return createRefusalByConvention(`a loop without continue: it has ${loopCount} loops, and none is left that way`);
}

/**
 * Finds the more frequent form of an empty `return` in the function, otherwise in the file; null if neither form is
 * more frequent.
 */
export function findPreferredEmptyReturn(
  sourceFile: ts.SourceFile,
  owner: ts.Node,
): 'return' | 'return undefined' | null {
  return findCommonestReturn(owner) ?? findCommonestReturn(sourceFile);
}

/** The more frequent form of an empty `return` inside a node; null if neither is more frequent. */
function findCommonestReturn(within: ts.Node): 'return' | 'return undefined' | null {
  const returns = collectDescendants(within).filter(ts.isReturnStatement);
  const bareCount = returns.filter(({ expression }) => !expression).length;
  const explicitCount = returns.filter(({ expression }) => expression && isUndefined(expression)).length;
  if (bareCount === explicitCount) return null;
  return bareCount > explicitCount ? 'return' : 'return undefined';
}

function isUndefined(expression: ts.Expression): boolean {
  return ts.isIdentifier(expression) && expression.text === 'undefined';
}

/** True for a whole concatenation that contains a value in addition to literal strings. */
function joinsValues(node: ts.BinaryExpression): boolean {
  return !isInConcatenation(node) && (parseConcatenation(node)?.valueCount ?? 0) > 0;
}

function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return count === 0 ? `no ${singular}` : `${count} ${count === 1 ? singular : plural}`;
}

/** True for an `if` around more than one statement that a guard clause could replace. */
function wrapsSeveralStatements(node: ts.IfStatement): boolean {
  return (
    !('refused' in planGuardClause(node)) && ts.isBlock(node.thenStatement) && node.thenStatement.statements.length > 1
  );
}

/** True for an `if` without `else` that only returns or continues, and that is not the last statement of its list. */
function exitsEarly({ parent, thenStatement, elseStatement }: ts.IfStatement): boolean {
  const singleStatement = ts.isBlock(thenStatement) ? thenStatement.statements[0] : thenStatement;
  if (elseStatement || !singleStatement || !('statements' in parent)) return false;
  const isSingleStatement = !ts.isBlock(thenStatement) || thenStatement.statements.length === 1;
  const lastStatement = (parent.statements as ts.NodeArray<ts.Statement>).at(-1);
  return (
    isSingleStatement &&
    (ts.isReturnStatement(singleStatement) || ts.isContinueStatement(singleStatement)) &&
    lastStatement !== thenStatement.parent
  );
}

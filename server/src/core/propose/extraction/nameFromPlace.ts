// Finds names for the statements of a complete `case`, a branch of an `else if` chain, or an iteration of a loop.

import { ts } from 'ts-morph';
import { splitIntoWords } from '../syntax/prose.ts';
import { collectCandidateNodes, type ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow } from './dataFlow.ts';
import { findDominantVerb } from './dominantVerb.ts';
import { readCalledName, joinInCamelCase, isMeaningful, isVerb, toNoun } from './nameWords.ts';

/**
 * Finds a name for a run of statements by its place: `renderOpen` for `case 'open':` in `render`, or `printFile` for
 * `for (const file of …) print(file)`. Null if the run computes a value for later code, if its place contains other
 * statements than jumps, if several cases share it, or if no verb or noun is found.
 */
export function nameFromPlace(
  candidate: ExtractionCandidate,
  { returns, output }: Pick<Flow, 'output' | 'returns'>,
  outerName: string,
): string | null {
  const parent = candidate.statements[0]?.parent;
  const siblings = parent && 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const otherStatements = siblings?.filter((statement) => !candidate.statements.includes(statement));
  if (
    !parent ||
    output ||
    !otherStatements ||
    otherStatements.some(
      (statement) =>
        !ts.isBreakOrContinueStatement(statement) && !(ts.isReturnStatement(statement) && !statement.expression),
    )
  )
    return null;
  const branch = ts.isBlock(parent) ? parent.parent : parent;
  const verb = findVerbOfBranch(candidate, branch, outerName);
  if (ts.isCaseClause(branch)) return sharesCode(branch) ? null : nameWithLabel(verb, branch.expression);
  if (ts.isIfStatement(branch) && branch.thenStatement === parent) {
    const condition = branch.expression;
    // A test of the type of a value does not show the purpose.
    if (!ts.isBinaryExpression(condition) || ts.isTypeOfExpression(condition.left) || !isInElseIfChain(branch))
      return null;
    return /^===?$/.test(condition.operatorToken.getText()) ? nameWithLabel(verb, condition.right) : null;
  }
  if (!ts.isForOfStatement(branch) || !ts.isVariableDeclarationList(branch.initializer) || returns) return null;
  const variable = branch.initializer.declarations[0]?.name;
  const nounWords = variable && ts.isIdentifier(variable) ? toNoun(variable) : null;
  if (!nounWords || !variable || !ts.isIdentifier(variable)) return null;
  const sharedVerb = findDominantVerb(candidate.statements, variable.text, nounWords);
  return sharedVerb ? joinInCamelCase([sharedVerb, ...nounWords]) : null;
}

/** True if the previous `case` shares its statements: `case 'open': case 'close': …`. */
function sharesCode(clause: ts.CaseClause): boolean {
  const { clauses } = clause.parent;
  return clauses[clauses.indexOf(clause) - 1]?.statements.length === 0;
}

/** True for a branch in a chain of `else if`. */
function isInElseIfChain(branch: ts.IfStatement): boolean {
  return (
    (branch.elseStatement !== undefined && ts.isIfStatement(branch.elseStatement)) ||
    (ts.isIfStatement(branch.parent) && branch.parent.elseStatement === branch)
  );
}

/**
 * Finds the verb of a branch: that of the calls in all its returned values; in a `case`, otherwise the common verb of
 * the other cases; otherwise that of the enclosing function, because its branches do the same kind of work.
 */
function findVerbOfBranch(candidate: ExtractionCandidate, branch: ts.Node, outerName: string): string | null {
  const returnedVerbs = collectCandidateNodes(candidate).flatMap((node) =>
    ts.isReturnStatement(node) ? [findVerbWithObject(node.expression)] : [],
  );
  const otherVerbs = ts.isCaseClause(branch)
    ? branch.parent.clauses.filter((clause) => clause !== branch).flatMap(findFirstCallVerb)
    : [];
  const [outerVerb] = splitIntoWords(outerName);
  return findCommonVerb(returnedVerbs) ?? findCommonVerb(otherVerbs) ?? (isVerb(outerVerb) ? outerVerb : null);
}

/**
 * The verb of the first statement of a case, as a list of one, if this statement is a call or returns one; otherwise an
 * empty list.
 */
function findFirstCallVerb({ statements }: ts.CaseOrDefaultClause): (string | null)[] {
  const [firstStatement] = statements.flatMap((statement) =>
    ts.isBlock(statement) ? [...statement.statements] : [statement],
  );
  if (!firstStatement || !(ts.isReturnStatement(firstStatement) || ts.isExpressionStatement(firstStatement))) return [];
  const verb = findVerbWithObject(firstStatement.expression);
  return verb ? [verb] : [];
}

/**
 * The verb of a call such as `printRule(rule)`: `print`. Null for a verb without an object, such as `log` or `push`,
 * which does not show the purpose.
 */
function findVerbWithObject(value: ts.Expression | undefined): string | null {
  let call = value;
  while (call && (ts.isParenthesizedExpression(call) || ts.isAwaitExpression(call))) call = call.expression;
  const [first, second] = call && ts.isCallExpression(call) ? splitIntoWords(readCalledName(call)) : [];
  return second !== undefined && isVerb(first) ? first : null;
}

/** The verb if all verbs are the same; otherwise null. */
function findCommonVerb(verbs: readonly (string | null)[]): string | null {
  const [verb = null, ...otherVerbs] = new Set(verbs);
  return otherVerbs.length === 0 ? verb : null;
}

/**
 * Joins verb and label: `renderRolledBack` for `render` and `'rolledBack'` or `Kind.RolledBack`. Null if the label is
 * not usable as a name.
 */
function nameWithLabel(verb: string | null, label: ts.Expression): string | null {
  if (!verb) return null;
  const text = ts.isStringLiteral(label) ? label.text : ts.isPropertyAccessExpression(label) ? label.name.text : '';
  const words = splitIntoWords(text);
  return /^[a-zA-Z][\w-]{2,}$/.test(text) &&
    words.every((word) => /^[a-z][a-z0-9]*$/.test(word)) &&
    isMeaningful(words.join(''))
    ? joinInCamelCase([verb, ...words])
    : null;
}

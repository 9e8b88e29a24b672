// Decides whether a run of statements writes to its future parameters or to the objects in them.

import { ts } from 'ts-morph';
import { collectCandidateNodes, type ExtractionCandidate } from './extractionCandidates.ts';
import { isWritten, type Flow } from './dataFlow.ts';
import { readCalledName, findLeftmostName } from './nameWords.ts';
import { isAssignment } from '../../syntax/values.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';

/** Matches methods that change the list on which they are called. */
const LIST_MUTATORS = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;
/** Matches names of methods that usually change their object. */
const OTHER_MUTATORS = /^(set|add|delete|clear|append|prepend|remove|insert)([A-Z]\w*)?$/;
/** Matches functions that change their first argument. */
const OBJECT_MUTATORS = /^(Object\.(assign|definePropert(y|ies)|setPrototypeOf)|Reflect\.(set|deleteProperty))$/;
/** Matches methods that return a part of their object. */
const PART_GETTERS = /^(get|at|find|findLast|values|entries)$/;

/** The first input to which the run writes, directly or through a variable for a part of it; null if there is none. */
export function findWrittenInput(candidate: ExtractionCandidate, { inputs }: Pick<Flow, 'inputs'>): string | null {
  const owners = new Map(inputs.map(({ name }) => [name, name]));
  for (const node of collectCandidateNodes(candidate)) {
    if (ts.isVariableDeclaration(node)) {
      const source = findSource(node);
      const owner = source && isReference(source) ? owners.get(findLeftmostName(source)) : undefined;
      if (owner) for (const { text } of collectBoundIdentifiers(node.name)) owners.set(text, owner);
    }
    const writtenName = findWrittenName(node);
    const owner = writtenName === null ? undefined : owners.get(writtenName);
    // A variable of the run that refers to a part of a parameter may get another value later, which does not write to
    // the parameter.
    if (owner && !(ts.isIdentifier(node) && owner !== node.text)) return owner;
  }
  return null;
}

/** The initial value of a variable, or the iterable of its `for … of` loop. */
function findSource(declaration: ts.VariableDeclaration): ts.Expression | undefined {
  const loop = declaration.parent.parent;
  const isLoopVariable = ts.isForOfStatement(loop) && loop.initializer === declaration.parent;
  return isLoopVariable ? loop.expression : declaration.initializer;
}

/**
 * True for an expression that refers to an existing object: a name, a property of it, or a part that a method returns.
 */
function isReference(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return true;
  if (
    isMemberAccess(node) ||
    ts.isNonNullExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node)
  ) {
    return isReference(node.expression);
  }
  if (ts.isCallExpression(node)) {
    return PART_GETTERS.test(readCalledName(node)) && isMemberAccess(node.expression) && isReference(node.expression);
  }
  return ts.isBinaryExpression(node) && /^(\?\?|\|\|)$/.test(node.operatorToken.getText()) && isReference(node.left);
}

/** The leftmost name of the value that the node assigns to, changes or deletes; null if it does none of these. */
function findWrittenName(node: ts.Node): string | null {
  if (ts.isIdentifier(node)) return isWritten(node) ? node.text : null;
  if (ts.isDeleteExpression(node)) return findLeftmostName(node.expression);
  const target = ts.isCallExpression(node) ? findMutationTarget(node) : findAssignmentTarget(node);
  return target ? findLeftmostName(target) : null;
}

/** The property or element that an assignment, `++` or `--` writes to; undefined for other nodes. */
function findAssignmentTarget(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) return isAssignment(node) && isMemberAccess(node.left) ? node.left : undefined;
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return undefined;
  const isIncrement = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  return isIncrement && isMemberAccess(node.operand) ? node.operand : undefined;
}

/** The object that a call changes, judged by the name of the called function; undefined if it changes none. */
function findMutationTarget({ expression, arguments: callArguments }: ts.CallExpression): ts.Expression | undefined {
  if (OBJECT_MUTATORS.test(expression.getText())) return callArguments[0];
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { text } = expression.name;
  return LIST_MUTATORS.test(text) || OTHER_MUTATORS.test(text) ? expression.expression : undefined;
}

function isMemberAccess(node: ts.Expression): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** True if the run changes the object to which a variable refers, and not only the variable. */
export function isMutated(candidate: ExtractionCandidate, name: string): boolean {
  return collectCandidateNodes(candidate).some((node) => !ts.isIdentifier(node) && findWrittenName(node) === name);
}

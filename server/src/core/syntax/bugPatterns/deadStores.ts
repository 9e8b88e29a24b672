// The bug pattern of a dead store: a value that a local variable gets and loses again before anybody can read it.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { collectNodesBelow } from '../nodesBelow.ts';
import { hasSideEffects } from '../sideEffects.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPattern, BugPatternFinder } from './pattern.ts';

/** Patterns of a statement that assigns a value to a variable. */
export const storePatterns: BugPatternFinder = { nodes: [ts.SyntaxKind.ExpressionStatement], find: findDeadStore };

/**
 * `x = a; x = b;`: the value `a` is never read. Only in one list of statements without jumps, of a local variable that
 * no inner function uses, and outside of `try`. A value whose making has an effect may be wanted for the effect.
 */
function findDeadStore(node: ts.Node, sourceFile: ts.SourceFile): BugPattern | null {
  const store = readStore(node);
  if (!store || !hasStatements(node.parent)) return null;
  const { statements } = node.parent;
  const next = findNextStore(store.name.text, statements.slice(statements.indexOf(node as ts.Statement) + 1));
  if (!next || isReset(store.value) || !isLocalToItsFunction(store.name, node)) return null;
  if (hasSideEffects(sourceFile, store.value)) return null;
  return {
    name: 'dead store',
    mayBeMeant: true,
    node: store.name.parent,
    message: `${quoteCode(store.name)} gets another value below before anybody reads this one.`,
    other: { node: next, message: 'The next value.' },
  };
}

type WithStatements = ts.Block | ts.CaseOrDefaultClause;

function hasStatements(node: ts.Node): node is WithStatements {
  return ts.isBlock(node) || ts.isCaseOrDefaultClause(node);
}

/** The name and the value of `x = value;`. */
function readStore(node: ts.Node): { readonly name: ts.Identifier; readonly value: ts.Expression } | null {
  if (!ts.isExpressionStatement(node)) return null;
  const { expression } = node;
  return ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(expression.left)
    ? { name: expression.left, value: expression.right }
    : null;
}

/** True for `x = null`, which frees an object, and for `x = undefined`. */
function isReset(value: ts.Expression): boolean {
  const inner = skipParentheses(value);
  return inner.kind === ts.SyntaxKind.NullKeyword || inner.getText() === 'undefined' || ts.isVoidExpression(inner);
}

/** The next assignment of the name if no statement before it names the variable or jumps, and its value does not. */
function findNextStore(name: string, statements: readonly ts.Statement[]): ts.Node | null {
  for (const statement of statements) {
    const store = readStore(statement);
    if (store?.name.text === name) return isNamedIn(name, store.value) ? null : store.name.parent;
    if (isNamedIn(name, statement) || jumps(statement)) return null;
  }
  return null;
}

function isNamedIn(name: string, node: ts.Node): boolean {
  return [node, ...collectNodesBelow(node)].some((inner) => ts.isIdentifier(inner) && inner.text === name);
}

function jumps(statement: ts.Statement): boolean {
  return [statement, ...collectNodesBelow(statement)].some(
    ({ kind }) =>
      kind === ts.SyntaxKind.BreakStatement ||
      kind === ts.SyntaxKind.ContinueStatement ||
      kind === ts.SyntaxKind.YieldExpression ||
      kind === ts.SyntaxKind.LabeledStatement,
  );
}

/**
 * True if the innermost function around the statement declares the name, once, no function inside of it names it, and
 * no `try` is around the statement.
 */
function isLocalToItsFunction({ text }: ts.Identifier, statement: ts.Node): boolean {
  let owner: ts.Node | undefined = statement.parent;
  for (; owner && !ts.isFunctionLike(owner); owner = owner.parent) if (ts.isTryStatement(owner)) return false;
  if (!owner) return false;
  let declarations = 0;
  for (const node of collectNodesBelow(owner)) {
    if (!ts.isIdentifier(node) || node.text !== text) continue;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) continue;
    if (
      (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)) &&
      parent.name === node
    )
      declarations += 1;
    if (findOwner(node) !== owner) return false;
  }
  // `arguments` shows the values of parameters in old code.
  return declarations === 1 && !isNamedIn('arguments', owner);
}

function findOwner(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

// The bug pattern of a dead store: a value that is assigned to a local variable and replaced before any code can read
// it.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { collectNodesBelow } from '../nodesBelow.ts';
import { hasSideEffects } from '../sideEffects.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';
import { isNameOfMember } from '../names.ts';

/** Patterns of a statement that assigns a value to a variable. */
export const storePatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.ExpressionStatement], find: findDeadStore };

/** Maximum number of statements below a store in which the next store is searched. */
const MAX_STATEMENTS = 20;

/**
 * Finds a value that is never read: `a` in `x = a; x = b;`. The two stores must be in one list of statements without
 * jumps, outside of `try`, and the variable must be a local one that no inner function uses. Values whose computation
 * may have an effect are skipped, because the effect may be wanted; reading a property may have one. The cheap checks
 * come first, because most stores are not dead.
 */
function findDeadStore(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const store = readStore(node);
  if (!store || isReset(store.value) || !hasStatements(node.parent)) return null;
  const next = findNextStore(store.name.text, node, node.parent);
  if (!next || !isLocalToItsFunction(store.name.text, node)) return null;
  if (readsProperty(store.value) || hasSideEffects(sourceFile, store.value)) return null;
  return {
    name: 'dead store',
    mayBeIntended: true,
    node: store.name.parent,
    message: `${quoteCode(store.name)} gets another value below before anybody reads this one.`,
    conflicting: { node: next, message: 'The next value.' },
  };
}

type StatementList = ts.Block | ts.CaseOrDefaultClause;

function hasStatements(node: ts.Node): node is StatementList {
  return ts.isBlock(node) || ts.isCaseOrDefaultClause(node);
}

/** The name and the value of `x = value;`; null for any other node. */
function readStore(node: ts.Node): { readonly name: ts.Identifier; readonly value: ts.Expression } | null {
  if (!ts.isExpressionStatement(node)) return null;
  const { expression } = node;
  return ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(expression.left)
    ? { name: expression.left, value: expression.right }
    : null;
}

/**
 * True for `null`, `undefined`, `''`, `0`, `false`, `[]` and `{}`. Such a store initialises the variable or releases
 * its value.
 */
function isReset(value: ts.Expression): boolean {
  const inner = skipParentheses(value);
  if (inner.kind === ts.SyntaxKind.NullKeyword || inner.kind === ts.SyntaxKind.FalseKeyword) return true;
  if (ts.isIdentifier(inner)) return inner.text === 'undefined';
  if (ts.isArrayLiteralExpression(inner)) return inner.elements.length === 0;
  if (ts.isObjectLiteralExpression(inner)) return inner.properties.length === 0;
  if (ts.isNumericLiteral(inner)) return Number(inner.text) === 0;
  return ts.isVoidExpression(inner) || (ts.isStringLiteralLike(inner) && inner.text === '');
}

/**
 * True if the value reads a property. Any property may be a getter, and reading `element.offsetWidth` computes the
 * layout of the page.
 */
function readsProperty(value: ts.Expression): boolean {
  return [value, ...collectNodesBelow(value)].some(
    (node) => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node),
  );
}

/** The indices of the statements in their list, computed once. */
const INDICES_CACHE = new WeakMap<StatementList, ReadonlyMap<ts.Node, number>>();

function readStatementIndices(list: StatementList): ReadonlyMap<ts.Node, number> {
  const cachedIndices = INDICES_CACHE.get(list);
  if (cachedIndices) return cachedIndices;
  const indices = new Map<ts.Node, number>(list.statements.map((statement, index) => [statement, index]));
  INDICES_CACHE.set(list, indices);
  return indices;
}

/**
 * The next assignment of the name below the statement `from`; null if a statement between them names the variable or
 * jumps, if the new value names it, or if the assignment is a reset (`isReset`).
 */
function findNextStore(name: string, from: ts.Node, list: StatementList): ts.Node | null {
  const index = (readStatementIndices(list).get(from) ?? 0) + 1;
  const statementsBelow = list.statements.slice(index, index + MAX_STATEMENTS);
  const nextIndex = statementsBelow.findIndex((statement) => readStore(statement)?.name.text === name);
  const entry = statementsBelow[nextIndex] && readStore(statementsBelow[nextIndex]);
  if (!entry || isReset(entry.value) || isNamedIn(name, entry.value)) return null;
  const isUnreadBetween = statementsBelow
    .slice(0, nextIndex)
    .every((statement) => !isNamedIn(name, statement) && !containsJump(statement));
  return isUnreadBetween ? entry.name.parent : null;
}

function isNamedIn(name: string, node: ts.Node): boolean {
  return [node, ...collectNodesBelow(node)].some((inner) => ts.isIdentifier(inner) && inner.text === name);
}

/** True if the statement contains a `break`, `continue`, `yield` or labelled statement. */
function containsJump(statement: ts.Statement): boolean {
  return [statement, ...collectNodesBelow(statement)].some(
    ({ kind }) =>
      kind === ts.SyntaxKind.BreakStatement ||
      kind === ts.SyntaxKind.ContinueStatement ||
      kind === ts.SyntaxKind.YieldExpression ||
      kind === ts.SyntaxKind.LabeledStatement,
  );
}

/** The uses of one name in a function. */
interface NameUse {
  readonly declarations: (ts.VariableDeclaration | ts.ParameterDeclaration)[];
  /** True if an inner function or class names it. */
  isShared: boolean;
}

/** The uses of names in a function, by name; null if it shows its variables in ways that do not name them. */
type NameUses = ReadonlyMap<string, NameUse> | null;

/** By function: the uses of names in it. The object around `uses` distinguishes a cached null from a missing entry. */
const USES_CACHE = new WeakMap<ts.Node, { readonly uses: NameUses }>();

/**
 * True if the innermost function around the statement declares the name, once, in its parameters or in a block around
 * the statement, no inner function or class names it, and no `try` is around the statement.
 */
function isLocalToItsFunction(name: string, statement: ts.Node): boolean {
  const enclosing = new Set<ts.Node>();
  let owner: ts.Node | undefined = statement.parent;
  for (; owner && !ts.isFunctionLike(owner); owner = owner.parent) {
    if (ts.isTryStatement(owner) || ts.isClassLike(owner)) return false;
    enclosing.add(owner);
  }
  const use = owner && readUses(owner)?.get(name);
  const [declaration, second] = use?.declarations ?? [];
  if (use?.isShared || !declaration || second) return false;
  if (ts.isParameter(declaration)) return declaration.parent === owner;
  // In Svelte, an assignment to a variable that `$state` creates has an effect.
  return enclosing.has(findScope(declaration)) && !declaration.initializer?.getText().startsWith('$');
}

/** The block or the loop that declares the variable. */
function findScope({ parent }: ts.VariableDeclaration): ts.Node {
  return ts.isVariableDeclarationList(parent) && ts.isVariableStatement(parent.parent)
    ? parent.parent.parent
    : parent.parent;
}

function readUses(owner: ts.Node): NameUses {
  const cachedUses = USES_CACHE.get(owner);
  if (cachedUses) return cachedUses.uses;
  const uses = collectUses(owner);
  USES_CACHE.set(owner, { uses });
  return uses;
}

/** Collects the uses of all names in a function, inner functions and classes included. */
function collectUses(owner: ts.Node): NameUses {
  const uses = new Map<string, NameUse>();
  const pending: { readonly node: ts.Node; readonly isInner: boolean }[] = [{ node: owner, isInner: false }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next;
    if (isOpaque(node)) return null;
    if (ts.isIdentifier(node) && !isNameOfMember(node)) {
      const use = uses.get(node.text) ?? { declarations: [], isShared: false };
      uses.set(node.text, use);
      use.isShared ||= next.isInner;
      const declaration = findDeclaration(node);
      if (declaration) use.declarations.push(declaration);
    }
    const isInner = next.isInner || (node !== owner && (ts.isFunctionLike(node) || ts.isClassLike(node)));
    ts.forEachChild(node, (child) => void pending.push({ node: child, isInner }));
  }
  return uses;
}

/** True for code that shows variables without naming them. `arguments` shows the values of parameters in old code. */
function isOpaque(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return node.text === 'arguments' || node.text === 'eval';
  return node.kind === ts.SyntaxKind.DebuggerStatement || node.kind === ts.SyntaxKind.WithStatement;
}

/** The variable or the parameter that the name declares, itself or in a pattern; null if it declares none. */
function findDeclaration(name: ts.Identifier): ts.VariableDeclaration | ts.ParameterDeclaration | null {
  let node: ts.Node = name;
  while (ts.isBindingElement(node.parent) && node.parent.name === node) node = node.parent.parent;
  const { parent } = node;
  return (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) && parent.name === node ? parent : null;
}

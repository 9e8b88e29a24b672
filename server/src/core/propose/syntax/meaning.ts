// Tells rearranged code from code that says something new, by what it is made of.

import { ts } from 'ts-morph';
import { nodesIn } from './locate.ts';
import { boundNames } from './scopes.ts';

/**
 * True when nothing new is said (no literal, operator, property, decision or call that was not there as often before,
 * except turned conditions and calls of functions that are new in the file) and nothing that acts or decides is lost,
 * except inside functions that are gone. Necessary for a rearrangement, not sufficient: the gates do the rest.
 */
export function keepsMeaning(old: ts.SourceFile, changed: ts.SourceFile): boolean {
  const [oldNames, newNames] = [declaredNames(old), declaredNames(changed)];
  const fresh = (name: string) => newNames.has(name) && !oldNames.has(name);
  const gone = (name: string) => oldNames.has(name) && !newNames.has(name);
  const none = () => false;
  const after = partsOf(changed, fresh, none);
  return within(after, partsOf(old, none, none)) && within(new Map([...partsOf(old, none, gone)].filter(([part]) => !/^(literal|property|operator)/.test(part))), after);
}

type Parts = ReadonlyMap<string, number>;

function within(some: Parts, all: Parts): boolean {
  return [...some].every(([part, times]) => times <= (all.get(part) ?? 0));
}

/** How often each part occurs. Calls of `fresh` functions and all inside `dropped` declarations are left out. */
function partsOf(sourceFile: ts.SourceFile, fresh: (name: string) => boolean, dropped: (name: string) => boolean): Parts {
  const counts = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const name = functionName(node);
    if (name !== null && dropped(name)) return;
    const part = partOf(node, fresh);
    if (part) counts.set(part, (counts.get(part) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return counts;
}

function partOf(node: ts.Node, fresh: (name: string) => boolean): string | null {
  if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return `literal:${node.getText()}`;
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return fresh(calleeName(node)) ? null : `call:${calleeName(node)}`;
  if (ts.isPropertyAccessExpression(node)) return fresh(node.name.text) ? null : `property:${node.name.text}`;
  if (ts.isAwaitExpression(node)) return callsFresh(node.expression, fresh) ? null : 'act:await';
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind < ts.SyntaxKind.FirstAssignment || kind > ts.SyntaxKind.LastAssignment) return operatorPart(kind);
    return callsFresh(node.right, fresh) ? null : `act:${kind}`;
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken ? null : `act:${node.operator}`;
  if (ts.isYieldExpression(node) || ts.isThrowStatement(node) || ts.isDeleteExpression(node)) return `act:${node.kind}`;
  if (ts.isReturnStatement(node) || ts.isBreakOrContinueStatement(node)) return isGuard(node) || (ts.isReturnStatement(node) && node.expression) ? null : `jump:${node.kind}`;
  const decides = ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isIterationStatement(node, false) || ts.isCaseOrDefaultClause(node) || ts.isTryStatement(node) || ts.isCatchClause(node);
  return decides ? `decision:${node.kind}` : null;
}

/** A jump without a value that is all that a branch does: what a guard clause adds. */
function isGuard(node: ts.Node): boolean {
  const branch = ts.isBlock(node.parent) && node.parent.statements.length === 1 ? node.parent : node;
  return ts.isIfStatement(branch.parent) && branch.parent.thenStatement === branch;
}

/** Equality and its opposite are one: conditions may be turned around. So are `&&` and `||`, by De Morgan. */
function operatorPart(kind: ts.SyntaxKind): string {
  switch (kind) {
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return `operator:${ts.SyntaxKind.EqualsEqualsEqualsToken}`;
    case ts.SyntaxKind.ExclamationEqualsToken:
      return `operator:${ts.SyntaxKind.EqualsEqualsToken}`;
    case ts.SyntaxKind.BarBarToken:
      return `operator:${ts.SyntaxKind.AmpersandAmpersandToken}`;
    default:
      return `operator:${kind}`;
  }
}

function callsFresh(node: ts.Expression, fresh: (name: string) => boolean): boolean {
  const inner = ts.isAwaitExpression(node) ? node.expression : node;
  return ts.isCallExpression(inner) && fresh(calleeName(inner));
}

function calleeName({ expression }: ts.CallExpression | ts.NewExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function functionName(node: ts.Node): string | null {
  const declares = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node);
  return declares && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

function declaredNames(sourceFile: ts.SourceFile): Set<string> {
  return new Set(nodesIn(sourceFile).flatMap((node) => (ts.isVariableDeclaration(node) ? boundNames(node.name).map(({ text }) => text) : (functionName(node) ?? []))));
}

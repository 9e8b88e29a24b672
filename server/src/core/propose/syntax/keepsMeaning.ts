// Distinguishes rearranged code from code with a new meaning, by comparing its parts.

import { ts } from 'ts-morph';
import { findAssignedTargets } from '../../syntax/writtenNames.ts';
import { collectDescendants } from './locate.ts';
import { isAssignment } from '../../syntax/values.ts';
import { collectBoundIdentifiers, listBoundNames } from '../../syntax/names.ts';

/**
 * True if the change may be a mere rearrangement. Nothing is added: each of the parts that `findPart` names occurred at
 * least as often before, except calls of functions that are new in the file. Nothing with an effect or a decision is
 * lost, except inside removed functions. Nothing else is lost, except in removed functions and in values of removed
 * variables. No further constant is assigned to, and no call enters or leaves a loop.
 *
 * The condition is necessary but not sufficient, because it ignores names, `true`, `false`, `null`, `!` and the order
 * of parts. It is therefore used only for recipes of Selfware, whose form is known, and the gates check the remaining
 * cases.
 */
export function keepsMeaning(oldFile: ts.SourceFile, changedFile: ts.SourceFile): boolean {
  const [oldNames, newNames] = [collectDeclaredNames(oldFile), collectDeclaredNames(changedFile)];
  const isNew = (name: string) => newNames.has(name) && !oldNames.has(name);
  const isRemovedName = (name: string) => oldNames.has(name) && !newNames.has(name);
  const countsAfter = countParts(changedFile, { isNew });
  if (!isSubsetOf(countsAfter, countParts(oldFile))) return false;
  const effectFreePattern = /^(?:literal|property|operator):/;
  const effectfulParts = [...countParts(oldFile, { isRemoved: isRemovedName })].filter(
    ([part]) => !effectFreePattern.test(part),
  );
  const effectFreeParts = [...countParts(oldFile, { isRemoved: isRemovedName, isUnread: isRemovedName })].filter(
    ([part]) => effectFreePattern.test(part),
  );
  const writtenNames = findWrittenConstants(oldFile);
  if (!keepsLoops(oldFile, changedFile, isNew, isRemovedName)) return false;
  return (
    isSubsetOf(new Map(effectfulParts), countsAfter) &&
    isSubsetOf(new Map(effectFreeParts), countParts(changedFile)) &&
    [...findWrittenConstants(changedFile)].every((name) => writtenNames.has(name))
  );
}

/**
 * True if exactly the same calls are repeated as before: in the loop itself, or in a new function that replaces code in
 * it.
 */
function keepsLoops(
  oldFile: ts.SourceFile,
  changedFile: ts.SourceFile,
  isNew: (name: string) => boolean,
  isRemovedName: (name: string) => boolean,
): boolean {
  const isNewInLoop = (node: ts.Node) => findRepetition(node, isNew) === 'loop';
  const isRepeated = (node: ts.Node) => findRepetition(node, isNew) !== null;
  const selectCalls = (parts: PartCounts) => new Map([...parts].filter(([part]) => part.startsWith('call:')));
  return (
    isSubsetOf(
      selectCalls(countParts(oldFile, { isRemoved: isRemovedName, isCounted: isNewInLoop })),
      countParts(changedFile, { isNew, isCounted: isRepeated }),
    ) &&
    isSubsetOf(
      selectCalls(countParts(changedFile, { isNew, isCounted: isNewInLoop })),
      countParts(oldFile, { isCounted: isNewInLoop }),
    )
  );
}

/**
 * How a node may be repeated: in a loop of its function, or in a new function, which a loop may call. Null if it is not
 * repeated.
 */
function findRepetition(node: ts.Node, isNew: (name: string) => boolean): 'loop' | 'newFunction' | null {
  for (let ancestor = node; ancestor.parent; ancestor = ancestor.parent) {
    const { parent } = ancestor;
    if (
      ts.isIterationStatement(parent, false) &&
      (parent.statement === ancestor ||
        (ts.isForStatement(parent) && parent.initializer !== ancestor) ||
        ts.isWhileStatement(parent) ||
        ts.isDoStatement(parent))
    )
      return 'loop';
    const name =
      readFunctionName(parent) ??
      (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : null);
    if (
      name !== null &&
      isNew(name) &&
      (ts.isFunctionLike(parent) ||
        (ts.isVariableDeclaration(parent) && parent.initializer !== undefined && ts.isFunctionLike(parent.initializer)))
    )
      return 'newFunction';
  }
  return null;
}

/**
 * Finds the names of constants that are assigned to in their scope, or that share their name with a variable that is.
 */
function findWrittenConstants(sourceFile: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const node of collectDescendants(sourceFile)) {
    if (!ts.isVariableDeclarationList(node) || (node.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Const) continue;
    const assignedNames = findAssignedTargets(ts.isVariableStatement(node.parent) ? node.parent.parent : node.parent);
    for (const { name } of node.declarations)
      for (const { text } of collectBoundIdentifiers(name)) if (assignedNames.has(text)) names.add(text);
  }
  return names;
}

/** The number of occurrences of each part, by the text of the part. */
type PartCounts = ReadonlyMap<string, number>;

/** True if `superset` contains each part of `subset` at least as often. */
function isSubsetOf(subset: PartCounts, superset: PartCounts): boolean {
  return [...subset].every(([part, times]) => times <= (superset.get(part) ?? 0));
}

/** Decides which nodes `countParts` skips. An absent function skips nothing. */
interface PartSelection {
  /** True for the name of a new function, whose calls are skipped. */
  readonly isNew?: (name: string) => boolean;
  /** True for the name of a function that is skipped with everything in it. */
  readonly isRemoved?: (name: string) => boolean;
  /** True for the name of a variable whose initial value is skipped. */
  readonly isUnread?: (name: string) => boolean;
  /** False for a node that is not counted. The nodes inside it may still be counted. */
  readonly isCounted?: (node: ts.Node) => boolean;
}

const returnFalse = (): boolean => false;

/** Counts the occurrences of each part. */
function countParts(
  sourceFile: ts.SourceFile,
  { isNew = returnFalse, isRemoved = returnFalse, isUnread = returnFalse, isCounted = () => true }: PartSelection = {},
): PartCounts {
  const countsByPart = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const name = readFunctionName(node);
    if (name !== null && isRemoved(name)) return;
    if (ts.isVariableDeclaration(node) && collectBoundIdentifiers(node.name).some(({ text }) => isUnread(text))) return;
    const part = findPart(node, isNew);
    if (part && isCounted(node)) countsByPart.set(part, (countsByPart.get(part) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return countsByPart;
}

/**
 * The part that a node represents, as text. Null for nodes that are not parts, such as names, `true`, `false`, `null`
 * and `!`.
 */
function findPart(node: ts.Node, isNew: (name: string) => boolean): string | null {
  if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return `literal:${node.getText()}`;
  if (ts.isCallExpression(node) || ts.isNewExpression(node))
    return isNew(readCalleeName(node)) ? null : `call:${readCalleeName(node)}/${node.arguments?.length ?? 0}`;
  // Removing the copy would make two places share one list.
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return 'act:spread';
  if (ts.isPropertyAccessExpression(node)) return isNew(node.name.text) ? null : `property:${node.name.text}`;
  if (ts.isAwaitExpression(node)) return callsNewFunction(node.expression, isNew) ? null : 'act:await';
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (!isAssignment(node)) return createOperatorPart(kind);
    return callsNewFunction(node.right, isNew) ? null : `act:${kind}`;
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.ExclamationToken ? null : `act:${node.operator}`;
  if (ts.isYieldExpression(node) || ts.isThrowStatement(node) || ts.isDeleteExpression(node)) return `act:${node.kind}`;
  if (ts.isReturnStatement(node) || ts.isBreakOrContinueStatement(node))
    return isGuardJump(node) || (ts.isReturnStatement(node) && node.expression) ? null : `jump:${node.kind}`;
  const isDecision =
    ts.isIfStatement(node) ||
    ts.isConditionalExpression(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isCaseOrDefaultClause(node) ||
    ts.isTryStatement(node) ||
    ts.isCatchClause(node);
  return isDecision ? `decision:${node.kind}` : null;
}

/** True if the node is the only statement of the first branch of an `if`, like the jump of a guard clause. */
function isGuardJump(node: ts.Node): boolean {
  const branch = ts.isBlock(node.parent) && node.parent.statements.length === 1 ? node.parent : node;
  return ts.isIfStatement(branch.parent) && branch.parent.thenStatement === branch;
}

/**
 * The part for an operator. Equality and inequality are the same part, because conditions may be inverted; so are `&&`
 * and `||`, by De Morgan.
 */
function createOperatorPart(kind: ts.SyntaxKind): string {
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

function callsNewFunction(node: ts.Expression, isNew: (name: string) => boolean): boolean {
  const inner = ts.isAwaitExpression(node) ? node.expression : node;
  return ts.isCallExpression(inner) && isNew(readCalleeName(inner));
}

/** The name of the called function or method; empty if the callee has another form. */
function readCalleeName({ expression }: ts.CallExpression | ts.NewExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

/** The name of a declared function, class or method; null for other nodes. */
function readFunctionName(node: ts.Node): string | null {
  const isDeclaration = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node);
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

function collectDeclaredNames(sourceFile: ts.SourceFile): Set<string> {
  return new Set(
    collectDescendants(sourceFile).flatMap((node) =>
      ts.isVariableDeclaration(node) ? listBoundNames(node.name) : (readFunctionName(node) ?? []),
    ),
  );
}

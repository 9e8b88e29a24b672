// Proves that two texts of a file behave alike: both trees are walked in parallel, and each difference must be a known
// equivalence.

import { ts } from 'ts-morph';
import type { Types } from '../extraction/checkerTypes.ts';
import { listEquivalences, nodeEquivalences } from './equivalences.ts';
import type { ExpressionUse, EquivalenceProof } from './equivalence.ts';

/** True if two files provably behave alike; false if no proof is found. Comments and white space are ignored. */
export function provesFilesEquivalent(
  oldFile: ts.SourceFile,
  changedFile: ts.SourceFile,
  types: Types | null,
): boolean {
  const resultsByNode = new Map<ts.Node, Map<ts.Node, Map<ExpressionUse, boolean>>>();
  const proof: EquivalenceProof = {
    oldFile: oldFile,
    changedFile: changedFile,
    types,
    isSame(oldNode, changedNode, use = 'value') {
      const [oldInner, changedInner] = [unwrap(oldNode), unwrap(changedNode)];
      const resultsByChangedNode = resultsByNode.get(oldInner) ?? new Map<ts.Node, Map<ExpressionUse, boolean>>();
      resultsByNode.set(oldInner, resultsByChangedNode);
      const resultsByUse = resultsByChangedNode.get(changedInner) ?? new Map<ExpressionUse, boolean>();
      resultsByChangedNode.set(changedInner, resultsByUse);
      const isEquivalent =
        resultsByUse.get(use) ??
        (isSameText(oldInner, changedInner) ||
          isSameStructure(oldInner, changedInner, proof, use) ||
          nodeEquivalences.some((equivalence) => equivalence(oldInner, changedInner, proof, use)));
      resultsByUse.set(use, isEquivalent);
      return isEquivalent;
    },
    isSameList: (left, right) => areSameStatements(left, right, proof),
  };
  return proof.isSame(oldFile, changedFile);
}

/** Removes parentheses, except those that end an optional chain or keep a string from becoming a directive. */
function unwrap(node: ts.Node): ts.Node {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) &&
    !ts.isOptionalChain(inner.expression) &&
    !ts.isExpressionStatement(inner.parent)
  )
    inner = inner.expression;
  return inner;
}

function isSameText(left: ts.Node, right: ts.Node): boolean {
  return left.kind === right.kind && left.getText() === right.getText();
}

/** True if both nodes have the same kind and all their parts are the same, or, for nodes without parts, their texts. */
function isSameStructure(left: ts.Node, right: ts.Node, proof: EquivalenceProof, use: ExpressionUse): boolean {
  if (left.kind !== right.kind) return false;
  const [from, to] = [findStatements(left), findStatements(right)];
  if (from && to) return isSameHead(left, right, proof) && areSameStatements(from, to, proof);
  const [parts, otherParts] = [collectParts(left), collectParts(right)];
  if (parts.length === 0 && otherParts.length === 0) return readText(left) === readText(right);
  return (
    parts.length === otherParts.length &&
    parts.every((part, index) => proof.isSame(part, otherParts[index]!, determineUse(left, part, use)))
  );
}

/** True if the lists are the same: statement by statement, or by equivalences of several statements. */
function areSameStatements(
  oldStatements: readonly ts.Statement[],
  changedStatements: readonly ts.Statement[],
  proof: EquivalenceProof,
): boolean {
  let [oldIndex, changedIndex] = [0, 0];
  while (oldIndex < oldStatements.length || changedIndex < changedStatements.length) {
    const [oldStatement, changedStatement] = [oldStatements[oldIndex], changedStatements[changedIndex]];
    if (oldStatement && changedStatement && proof.isSame(oldStatement, changedStatement)) {
      oldIndex++;
      changedIndex++;
      continue;
    }
    const [remainingOld, remainingChanged] = [oldStatements.slice(oldIndex), changedStatements.slice(changedIndex)];
    const step = findFirstResult(listEquivalences, (equivalence) => equivalence(remainingOld, remainingChanged, proof));
    if (!step || step.oldCount + step.changedCount === 0) return false;
    oldIndex += step.oldCount;
    changedIndex += step.changedCount;
  }
  return true;
}

/**
 * True if the parts before the statements are the same. Only `case` clauses have such a part: the value that they test.
 */
function isSameHead(left: ts.Node, right: ts.Node, proof: EquivalenceProof): boolean {
  return !ts.isCaseClause(left) || (ts.isCaseClause(right) && proof.isSame(left.expression, right.expression));
}

/** The statements of a block, a file, a namespace or a `case`; null for other nodes. */
function findStatements(node: ts.Node): readonly ts.Statement[] | null {
  return ts.isBlock(node) || ts.isSourceFile(node) || ts.isModuleBlock(node) || ts.isCaseOrDefaultClause(node)
    ? node.statements
    : null;
}

/** The children of a node, including tokens. Documentation and the semicolons at the ends of statements are omitted. */
function collectParts(node: ts.Node): readonly ts.Node[] {
  return node
    .getChildren()
    .filter(
      (child) =>
        (child.kind < ts.SyntaxKind.FirstJSDocNode || child.kind > ts.SyntaxKind.LastJSDocNode) &&
        (child.kind !== ts.SyntaxKind.SemicolonToken || ts.isForStatement(node)),
    );
}

function readText(node: ts.Node): string {
  return node.kind === ts.SyntaxKind.JsxText ? node.getFullText() : node.getText();
}

/** How `node`, which itself is used as `use`, uses its part: its value, or only whether it is truthy. */
function determineUse(node: ts.Node, part: ts.Node, use: ExpressionUse): ExpressionUse {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
    return part === node.expression ? 'condition' : 'value';
  if (ts.isForStatement(node)) return part === node.condition ? 'condition' : 'value';
  if (ts.isConditionalExpression(node)) return part === node.condition ? 'condition' : use;
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.ExclamationToken && part === node.operand ? 'condition' : 'value';
  if (!ts.isBinaryExpression(node)) return 'value';
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    (kind === ts.SyntaxKind.CommaToken && part === node.right)
    ? use
    : 'value';
}

/** The first result of `tryItem` that is not null; null if there is none. */
function findFirstResult<T, R>(items: readonly T[], tryItem: (item: T) => R | null): R | null {
  for (const item of items) {
    const result = tryItem(item);
    if (result) return result;
  }
  return null;
}

// Proves that two texts of a file behave alike: both trees are walked in parallel, and each difference must be a known
// equivalence.

import { ts } from 'ts-morph';
import type { Types } from '../extraction/checkerTypes.ts';
import { listEquivalences, nodeEquivalences } from './equivalences.ts';
import type { Use, EquivalenceProof } from './equivalence.ts';

/** True if two files provably behave alike; false if no proof is found. Comments and white space are ignored. */
export function provesFilesEquivalent(old: ts.SourceFile, changed: ts.SourceFile, types: Types | null): boolean {
  const resultsByNode = new Map<ts.Node, Map<ts.Node, Map<Use, boolean>>>();
  const proof: EquivalenceProof = {
    oldFile: old,
    changedFile: changed,
    types,
    same(oldNode, changedNode, use = 'value') {
      const [a, b] = [unwrap(oldNode), unwrap(changedNode)];
      const byOther = resultsByNode.get(a) ?? new Map<ts.Node, Map<Use, boolean>>();
      resultsByNode.set(a, byOther);
      const byUse = byOther.get(b) ?? new Map<Use, boolean>();
      byOther.set(b, byUse);
      const answer =
        byUse.get(use) ??
        (isSameText(a, b) ||
          isSameStructure(a, b, proof, use) ||
          nodeEquivalences.some((equivalence) => equivalence(a, b, proof, use)));
      byUse.set(use, answer);
      return answer;
    },
    isSameList: (a, b) => areSameStatements(a, b, proof),
  };
  return proof.same(old, changed);
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

function isSameText(a: ts.Node, b: ts.Node): boolean {
  return a.kind === b.kind && a.getText() === b.getText();
}

/** True if both nodes have the same kind and all their parts are the same, or, for nodes without parts, their texts. */
function isSameStructure(a: ts.Node, b: ts.Node, proof: EquivalenceProof, use: Use): boolean {
  if (a.kind !== b.kind) return false;
  const [from, to] = [findStatements(a), findStatements(b)];
  if (from && to) return isSameHead(a, b, proof) && areSameStatements(from, to, proof);
  const [parts, otherParts] = [collectParts(a), collectParts(b)];
  if (parts.length === 0 && otherParts.length === 0) return textOf(a) === textOf(b);
  return (
    parts.length === otherParts.length &&
    parts.every((part, index) => proof.same(part, otherParts[index]!, useOf(a, part, use)))
  );
}

/** True if the lists are the same: statement by statement, or by equivalences of several statements. */
function areSameStatements(
  old: readonly ts.Statement[],
  changed: readonly ts.Statement[],
  proof: EquivalenceProof,
): boolean {
  let [left, right] = [0, 0];
  while (left < old.length || right < changed.length) {
    const [a, b] = [old[left], changed[right]];
    if (a && b && proof.same(a, b)) {
      left++;
      right++;
      continue;
    }
    const [oldRest, changedRest] = [old.slice(left), changed.slice(right)];
    const step = findFirstResult(listEquivalences, (equivalence) => equivalence(oldRest, changedRest, proof));
    if (!step || step.oldCount + step.changedCount === 0) return false;
    left += step.oldCount;
    right += step.changedCount;
  }
  return true;
}

/**
 * True if the parts before the statements are the same. Only `case` clauses have such a part: the value that they test.
 */
function isSameHead(a: ts.Node, b: ts.Node, proof: EquivalenceProof): boolean {
  return !ts.isCaseClause(a) || (ts.isCaseClause(b) && proof.same(a.expression, b.expression));
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

function textOf(node: ts.Node): string {
  return node.kind === ts.SyntaxKind.JsxText ? node.getFullText() : node.getText();
}

/** How `node`, which itself is used as `use`, uses its part: its value, or only whether it is truthy. */
function useOf(node: ts.Node, part: ts.Node, use: Use): Use {
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
    const answer = tryItem(item);
    if (answer) return answer;
  }
  return null;
}

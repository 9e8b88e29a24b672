// Finds the expressions in which two versions of a file differ, by aligning their syntax trees.

import { diffArrays } from 'diff';
import { ts } from 'ts-morph';

/** An expression of the old file, and the expression that replaced it in the new file. */
export interface ReplacedExpression {
  readonly before: ts.Expression;
  readonly after: ts.Expression;
}

/** A pair of nodes that differ. If they are not expressions, the parents of the pair are examined, too. */
interface Pair {
  readonly before: ts.Node;
  readonly after: ts.Node;
  readonly parent: Pair | null;
}

/** Maximum number of removed and of added statements or members of which similar ones are paired. */
const MAX_CHANGED = 12;
/** Minimum share of common words of two statements that count as versions of one another. */
const MIN_SIMILARITY = 0.5;
/** Maximum number of edits of a list. With more, the list was rewritten. */
const MAX_EDITS = 400;

/**
 * The smallest pairs of expressions that contain every difference of the two files inside an expression. Changes of
 * statements, declarations and types are skipped. No pair is inside another pair.
 */
export function findDifferences(before: ts.SourceFile, after: ts.SourceFile): readonly ReplacedExpression[] {
  const pairs: Pair[] = [];
  collectDifferingPairs({ before, after, parent: null }, pairs);
  const expressions = pairs.flatMap((pair) => findExpressionAround(pair) ?? []);
  const outermostPairs = expressions.filter(
    (pair, index) =>
      !expressions.some((otherExpression, position) =>
        otherExpression.before === pair.before ? position < index : isDescendant(pair.before, otherExpression.before),
      ),
  );
  return outermostPairs.map(({ before: old, after: changed }) => ({
    before: old as ts.Expression,
    after: changed as ts.Expression,
  }));
}

function isDescendant(inner: ts.Node, outer: ts.Node): boolean {
  for (let node = inner.parent; node; node = node.parent) if (node === outer) return true;
  return false;
}

/** Finds the smallest differing pairs within a pair of nodes, and adds them to `pairs`. */
function collectDifferingPairs(pair: Pair, pairs: Pair[]): void {
  const { before, after } = pair;
  if (textOf(before) === textOf(after)) return;
  if (before.kind !== after.kind) return void pairs.push(pair);
  const [oldChildren, newChildren] = [collectChildren(before), collectChildren(after)];
  if (before.kind === ts.SyntaxKind.SyntaxList) return alignLists(pair, oldChildren, newChildren, pairs);
  if (oldChildren.length !== newChildren.length || oldChildren.length === 0) return void pairs.push(pair);
  oldChildren.forEach((child, index) =>
    collectDifferingPairs({ before: child, after: newChildren[index]!, parent: pair }, pairs),
  );
}

/**
 * Pairs the nodes of two lists by their texts, and adds to `pairs` the pairs that differ. Does nothing if the lists
 * differ in more than `MAX_EDITS` nodes.
 */
function alignLists(pair: Pair, old: readonly ts.Node[], newNodes: readonly ts.Node[], pairs: Pair[]): void {
  const [oldTexts, newTexts] = [old.map(textOf), newNodes.map(textOf)];
  const parts = diffArrays(oldTexts, newTexts, { maxEditLength: MAX_EDITS });
  if (!parts) return;
  let [oldIndex, newIndex] = [0, 0];
  let [removed, added]: [ts.Node[], ts.Node[]] = [[], []];
  const closeGap = (): void => {
    const gap = pairVersions(removed, added);
    // Arguments that were added or removed change the whole call.
    if (gap) for (const [before, after] of gap) collectDifferingPairs({ before, after, parent: pair }, pairs);
    else if (!ts.isStatement(removed[0] ?? added[0]!)) pairs.push(pair);
    [removed, added] = [[], []];
  };
  for (const part of parts) {
    const count = part.value.length;
    if (part.removed) removed.push(...old.slice(oldIndex, oldIndex + count));
    else if (part.added) added.push(...newNodes.slice(newIndex, newIndex + count));
    else closeGap();
    if (!part.added) oldIndex += count;
    if (!part.removed) newIndex += count;
  }
  closeGap();
}

/**
 * The pairs of elements that are versions of one another; null if the list itself has changed, because elements other
 * than statements and members were added or removed.
 */
function pairVersions(
  removed: readonly ts.Node[],
  added: readonly ts.Node[],
): readonly (readonly [ts.Node, ts.Node])[] | null {
  if (removed.length === 0 && added.length === 0) return [];
  if (removed.length === added.length) return removed.map((node, index) => [node, added[index]!] as const);
  const areStatements = [...removed, ...added].every((node) => ts.isStatement(node) || ts.isClassElement(node));
  if (!areStatements) return null;
  if (removed.length > MAX_CHANGED || added.length > MAX_CHANGED) return [];
  return findSimilarPairs(removed, added);
}

/** Chooses pairs of nodes of the same kind greedily, the most similar first, without changing the order of nodes. */
function findSimilarPairs(
  removed: readonly ts.Node[],
  added: readonly ts.Node[],
): readonly (readonly [ts.Node, ts.Node])[] {
  const [oldWords, newWords] = [removed.map(collectWords), added.map(collectWords)];
  const ratedPairs = removed
    .flatMap((removedNode, removedIndex) =>
      added.map((addedNode, addedIndex) => ({
        removedIndex,
        addedIndex,
        share:
          removedNode.kind === addedNode.kind ? computeSimilarity(oldWords[removedIndex]!, newWords[addedIndex]!) : 0,
      })),
    )
    .filter(({ share }) => share >= MIN_SIMILARITY)
    .toSorted((a, b) => b.share - a.share);
  const chosenPairs: typeof ratedPairs = [];
  for (const pair of ratedPairs)
    if (chosenPairs.every((chosenPair) => keepsOrder(pair, chosenPair))) chosenPairs.push(pair);
  return chosenPairs.map(({ removedIndex, addedIndex }) => [removed[removedIndex]!, added[addedIndex]!] as const);
}

/** The place of a pair in the lists of removed and added nodes. */
interface PairPlace {
  readonly removedIndex: number;
  readonly addedIndex: number;
}

/** True if the pairs have the same order in both lists. */
function keepsOrder(first: PairPlace, second: PairPlace): boolean {
  return (
    (first.removedIndex < second.removedIndex && first.addedIndex < second.addedIndex) ||
    (first.removedIndex > second.removedIndex && first.addedIndex > second.addedIndex)
  );
}

/** The share of the words of the longer text that both have, from 0 to 1. */
function computeSimilarity(words: ReadonlySet<string>, otherWords: ReadonlySet<string>): number {
  return [...words].filter((word) => otherWords.has(word)).length / Math.max(1, words.size, otherWords.size);
}

function collectWords(node: ts.Node): ReadonlySet<string> {
  return new Set(node.getText().match(/[\w$]+/g) ?? []);
}

/**
 * The nearest pair of expressions around a pair that contains enough code to be recognised in other places; null if
 * there is none, if it is too large or a list of literals, or if the change around it only renames.
 */
function findExpressionAround(pair: Pair): Pair | null {
  for (let current: Pair | null = pair; current; current = current.parent) {
    const { before, after } = current;
    if (isLarge(before) || isLarge(after) || (isLiteralList(before) && isLiteralList(after))) return null;
    if (isReplaceable(before) && isReplaceable(after) && !isSingleToken(before) && !isExtended(before, after))
      return isRenamedAround(current) ? null : current;
  }
  return null;
}

/** True if the variable or parameter whose value the pair is has changed, too: `const a = f()` → `const b = g()`. */
function isRenamedAround({ before, after }: Pair): boolean {
  const [oldDeclaration, newDeclaration] = [findName(before.parent), findName(after.parent)];
  return oldDeclaration !== null && newDeclaration !== null && textOf(oldDeclaration) !== textOf(newDeclaration);
}

function findName(node: ts.Node): ts.Node | null {
  return ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node) ? node.name : null;
}

/** True for a node that contains statements, members or types: a change in it is not a change of an expression. */
function isLarge(node: ts.Node): boolean {
  return (
    ts.isStatement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isTypeNode(node) ||
    ts.isJsxElement(node) ||
    ts.isJsxSelfClosingElement(node) ||
    ts.isJsxFragment(node)
  );
}

/** True for an object or array literal. */
function isLiteralList(node: ts.Node): boolean {
  return ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);
}

/**
 * True for `ctx.event` in `ctx.event.node`: the following part of the chain shows what was replaced, as in
 * `ctx.event.req`.
 */
function isExtended(before: ts.Node, after: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(before)) return false;
  let chain = after;
  while (ts.isPropertyAccessExpression(chain)) {
    chain = chain.expression;
    if (textOf(chain) === textOf(before)) return true;
  }
  return false;
}

/** True for an expression that can be replaced without the code around it. */
function isReplaceable(node: ts.Node): node is ts.Expression {
  if (!ts.isExpression(node) || ts.isSpreadElement(node) || ts.isOmittedExpression(node)) return false;
  const { parent } = node;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return false;
  if (ts.isTaggedTemplateExpression(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (isNameOf(parent, node)) return false;
  return !ts.isParenthesizedExpression(node);
}

/** True if `node` is the name that `parent` declares. */
function isNameOf(parent: ts.Node, node: ts.Node): boolean {
  return 'name' in parent && parent.name === node;
}

/** True for a single name or literal, which matches too much or too little. */
function isSingleToken(node: ts.Node): boolean {
  return ts.isIdentifier(node) || ts.isLiteralExpression(node) || node.getChildCount() === 0;
}

function collectChildren(node: ts.Node): readonly ts.Node[] {
  return node
    .getChildren()
    .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
}

function textOf(node: ts.Node): string {
  return node.getText();
}

// Decides whether a matched place can be rewritten, and finds the names that its file must then import. A place cannot
// be rewritten if the replacement would drop, repeat, reorder or move side effects, lose a comment, or change the
// meaning of a name.

import { ts } from 'ts-morph';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { GLOBAL_ORIGIN, type OriginLookup } from '../../syntax/nameOrigins.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { listTokenTexts } from '../syntax/tokens.ts';
import { isImportable } from './patternImports.ts';
import { isHole, type Holes, type ParsedShape } from './shape.ts';
import { isAsync } from '../../syntax/declarations/modifiers.ts';
import { isAssignment } from '../../syntax/values.ts';

/** The reason why the place must not be rewritten, as a sentence; null if it may be. */
export function explainRefusal(
  node: ts.Expression,
  holes: Holes,
  shape: ParsedShape,
  origins: OriginLookup,
): string | null {
  const sourceFile = node.getSourceFile();
  if (
    /\/[/*]/.test(
      listTokenTexts(node).reduce((remainingText, token) => remainingText.replace(token, ''), node.getText(sourceFile)),
    )
  )
    return 'A comment stands in what would be replaced.';
  return (
    explainRefusedPlace(node, shape) ??
    explainChangedEffects(holes, shape, sourceFile) ??
    explainOtherMeaning(node, shape, origins)
  );
}

/** The reason why the replacement cannot be put at this place of the syntax, as a sentence; null if it can. */
function explainRefusedPlace(node: ts.Expression, { pattern, replacement }: ParsedShape): string | null {
  if (!isMemberAccess(replacement) && isWrittenTo(node)) return 'It is assigned to here.';
  const { parent } = node;
  const isCalled =
    (ts.isCallExpression(parent) || ts.isTaggedTemplateExpression(parent)) && readCallee(parent) === node;
  if (isCalled && isMemberAccess(pattern) && !isMemberAccess(replacement))
    return 'It is called here, and the call would have another `this`.';
  if (hasNode(replacement, ts.isAwaitExpression) && !hasNode(pattern, ts.isAwaitExpression) && !allowsAwait(node))
    return 'The replacement waits, and the function here is not async.';
  return null;
}

function readCallee(call: ts.CallExpression | ts.TaggedTemplateExpression): ts.Expression {
  return ts.isCallExpression(call) ? call.expression : call.tag;
}

/** True for a member access. It can be assigned to, and its call passes the object as `this`. */
function isMemberAccess(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** True if the node is assigned to, incremented, decremented or deleted, or the target of a loop. */
function isWrittenTo(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === node) return true;
  return ts.isDeleteExpression(parent);
}

function hasNode(root: ts.Node, accepts: (node: ts.Node) => boolean): boolean {
  return [root, ...collectDescendants(root)].some(accepts);
}

/** True if `await` is allowed at the node. */
function allowsAwait(node: ts.Node): boolean {
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent)
    if (ts.isFunctionLike(ancestor)) return isAsync(ancestor);
  // At the top level, `await` is allowed only in modules.
  return ts.isExternalModule(node.getSourceFile());
}

/** The reason why side effects of the code in the holes would change, as a sentence; null if they do not change. */
function explainChangedEffects(holes: Holes, shape: ParsedShape, sourceFile: ts.SourceFile): string | null {
  const holesWithEffects = [...holes].flatMap(([hole, value]) => (hasSideEffects(sourceFile, value) ? [hole] : []));
  if (holesWithEffects.length === 0) return null;
  for (const hole of holesWithEffects) {
    const timesAfter = shape.replacementHoles.filter((usedHole) => usedHole === hole).length;
    if (timesAfter !== 1)
      return `The value of ${hole} has side effects, which would be ${timesAfter === 0 ? 'left out' : 'done more than once'}.`;
    const timesBefore = [shape.pattern, ...collectDescendants(shape.pattern)].filter(
      (node) => isHole(node) && node.text === hole,
    ).length;
    if (timesBefore !== 1) return `The value of ${hole} has side effects, which would occur less often.`;
  }
  const [before, after] = [collectHoleOccurrences(shape.pattern), collectHoleOccurrences(shape.replacement)];
  const movedHole = holesWithEffects.find((hole) => before.get(hole) !== after.get(hole));
  if (movedHole !== undefined) return `The value of ${movedHole} has side effects, which would occur in another case.`;
  const listHolesWithEffects = (places: ReadonlyMap<string, boolean>) =>
    [...places.keys()].filter((hole) => holesWithEffects.includes(hole));
  return listHolesWithEffects(before).join() === listHolesWithEffects(after).join()
    ? null
    : `The values of ${holesWithEffects.join(' and ')} have side effects, which would occur in another order.`;
}

/**
 * Collects the holes in the order of their first evaluation. The value is true for a hole that may be evaluated later
 * or not at all.
 */
function collectHoleOccurrences(root: ts.Expression): ReadonlyMap<string, boolean> {
  const conditionalByHole = new Map<string, boolean>();
  const visit = (node: ts.Node, isConditional: boolean): void => {
    if (isHole(node) && !conditionalByHole.has(node.text)) conditionalByHole.set(node.text, isConditional);
    ts.forEachChild(node, (child) => visit(child, isConditional || isConditionalIn(node, child)));
  };
  visit(root, false);
  return conditionalByHole;
}

/** True if `child` is not always evaluated when `parent` is. */
function isConditionalIn(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isFunctionLike(parent)) return true;
  if (ts.isConditionalExpression(parent)) return child !== parent.condition;
  if (ts.isBinaryExpression(parent))
    return (
      child === parent.right &&
      [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(
        parent.operatorToken.kind,
      )
    );
  return (
    ts.isCallExpression(parent) && child !== parent.expression && (parent.flags & ts.NodeFlags.OptionalChain) !== 0
  );
}

/**
 * Finds the names that only the replacement needs, that are not declared here, and that can be imported, with their
 * origins.
 */
export function findMissingNames(
  node: ts.Expression,
  { pattern, originsByName }: ParsedShape,
  origins: OriginLookup,
): ReadonlyMap<string, string> {
  const patternNames = new Set(
    [pattern, ...collectDescendants(pattern)].flatMap((node) => (ts.isIdentifier(node) ? [node.text] : [])),
  );
  return new Map(
    Object.entries(originsByName).filter(
      ([name, origin]) => !patternNames.has(name) && isImportable(origin) && origins.of(name, node) === GLOBAL_ORIGIN,
    ),
  );
}

/**
 * The reason why a name of the shape is unavailable, as a sentence: it has another meaning here than where the shape
 * was learned, and cannot be imported. Null if there is no such name.
 */
function explainOtherMeaning(node: ts.Expression, shape: ParsedShape, origins: OriginLookup): string | null {
  const missingNames = findMissingNames(node, shape, origins);
  for (const [name, origin] of Object.entries(shape.originsByName)) {
    if (name === 'this' || missingNames.has(name)) continue;
    const originHere = origins.of(name, node);
    if (originHere !== origin) return `\`${name}\` is not known here, or means something else.`;
  }
  return null;
}

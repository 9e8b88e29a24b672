// optional-chain: joins tests that each read one property further by `?.`, if the result is the same.

import { ts } from 'ts-morph';
import { getReadExpression, collectChainSteps, findLink, type ChainLink, type ChainStep } from '../../syntax/chains.ts';
import { parseNullTest, type NullTest } from '../../syntax/nullTests.ts';
import { isCondition, hasOperator, findNullishWord } from '../../syntax/values.ts';
import { openTypes, type Types } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { allowsSyntax } from '../../propose/syntax/dialect.ts';
import { findNodeToReplace } from '../../propose/syntax/precedence.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** The replacements, and the paths that get a `?.`; or the reason why nothing is replaced. */
type JoinOutcome =
  | { readonly replacements: readonly Replacement[]; readonly paths: readonly string[] }
  | { readonly refused: string };

/**
 * Rewrites `a && a.b && a.b.c` as `a?.b?.c`, and `a !== undefined ? a.b : undefined` as `a?.b`. Refuses if a value may
 * be falsy in another way, or if reading a property runs code.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.BinaryExpression | ts.ConditionalExpression =>
      (hasOperator(candidate, ts.SyntaxKind.AmpersandAmpersandToken) &&
        collectChainSteps(candidate).steps.length > 0) ||
      (ts.isConditionalExpression(candidate) && findChoice(candidate) !== null),
  );
  if (!node) return refuse('There is no longer a check here that an optional chain could replace.');
  if (/\/[/*]/.test(node.getText(sourceFile).replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '')))
    return refuse('A comment stands between the tests.');
  if (!allowsSyntax(sourceFile, 'optional'))
    return refuse('Nothing in the file shows that it may use syntax as new as that.');
  const types = openTypes(context.tree, context.absolutePath, text);
  try {
    const replacement = ts.isConditionalExpression(node)
      ? replaceConditional(sourceFile, node, types)
      : joinTests(sourceFile, node, types);
    if ('refused' in replacement) return replacement;
    return {
      text: applyReplacements(text, replacement.replacements),
      title: `use ?. for ${replacement.paths.join(' and ')}`,
      rationale:
        `\`?.\` tests for null and undefined and reads the property in one step. ` +
        `By ${replacement.paths.length === 1 ? 'its type, the value' : 'their types, the values'} cannot be falsy in another way.`,
    };
  } finally {
    types.dispose();
  }
}

/** Joins those tests of a row of `&&` that can be joined. If none can, refuses with the reason for the first. */
function joinTests(sourceFile: ts.SourceFile, node: ts.BinaryExpression, types: Types): JoinOutcome {
  const { operands, steps } = collectChainSteps(node);
  const isUsedAsCondition = isCondition(node);
  const joinableSteps = steps.filter((step) => explainRefusal(step, operands, isUsedAsCondition, types) === null);
  const [firstStep] = joinableSteps;
  if (!firstStep)
    return refuse(explainRefusal(steps[0]!, operands, isUsedAsCondition, types) ?? 'There is nothing to join.');
  // If the next operand tests the same path further, all tests up to the end of the run become one chain.
  const replacements = joinableSteps.flatMap((step): Replacement[] => {
    const [operand, nextOperand] = [operands[step.operandIndex]!, operands[step.operandIndex + 1]!];
    const link = findLink(getReadExpression(nextOperand), step.path);
    const continuesRun = joinableSteps.some(({ operandIndex }) => operandIndex === step.operandIndex - 1);
    if (!link) return [];
    // Inside a run, the path is already written with its own `?.`, so only the link itself follows.
    return continuesRun
      ? [{ start: operand.end, end: findExpressionBefore(link).end, text: '' }, insertQuestionDot(link)]
      : [
          { start: operand.getStart(sourceFile), end: nextOperand.getStart(sourceFile), text: '' },
          insertQuestionDot(link),
        ];
  });
  const isWhollyJoined =
    joinableSteps.length === operands.length - 1 &&
    getReadExpression(operands.at(-1)!) === skipParentheses(operands.at(-1)!);
  return {
    replacements: [...removeEmpty(replacements), ...removeParentheses(sourceFile, node, isWhollyJoined)],
    paths: joinableSteps.map(({ path }) => path.getText(sourceFile)),
  };
}

/** Removes the parentheses around the node, if all its operands are joined into one chain, which needs none. */
function removeParentheses(sourceFile: ts.SourceFile, node: ts.Expression, isWhollyJoined: boolean): Replacement[] {
  const replacedNode = findNodeToReplace(sourceFile, node, 'tight');
  if (!isWhollyJoined || replacedNode === node) return [];
  return [
    { start: replacedNode.getStart(sourceFile), end: replacedNode.getStart(sourceFile) + 1, text: '' },
    { start: replacedNode.end - 1, end: replacedNode.end, text: '' },
  ];
}

/** The expression before a link, without its `!`, which has no effect there any longer. */
function findExpressionBefore({ expression }: ChainLink): ts.Expression {
  return ts.isNonNullExpression(expression) ? expression.expression : expression;
}

/** Writes `?.` before the link: in place of its dot, or before `[…]` or `(…)`. A `!` there is removed, too. */
function insertQuestionDot(link: ChainLink): Replacement {
  const expression = findExpressionBefore(link);
  if (!ts.isPropertyAccessExpression(link)) return { start: expression.end, end: link.expression.end, text: '?.' };
  return { start: expression.end, end: link.name.getStart(), text: '?.' };
}

/** The replacements that change anything. */
function removeEmpty(replacements: readonly Replacement[]): Replacement[] {
  return replacements.filter(({ start, end, text }) => start < end || text !== '');
}

/** The reason why a test cannot be joined with the others; null if it can. */
function explainRefusal(
  { operandIndex, path }: ChainStep,
  operands: readonly ts.Expression[],
  isUsedAsCondition: boolean,
  types: Types,
): string | null {
  const test = parseNullTest(skipParentheses(operands[operandIndex]!));
  if (!isUsedAsCondition && (operandIndex !== 0 || operands.length !== 2)) return 'The value of the whole is used.';
  if (readsAccessor(path, types)) return `Reading ${path.getText()} runs code, which would run once instead of twice.`;
  if (test)
    return isUsedAsCondition && coversNullAndUndefined(test, types) ? null : 'The test lets null or undefined through.';
  if (!types.isTruthyOrNullish(path)) return `${path.getText()} may be falsy without being null or undefined.`;
  if (!isUsedAsCondition && (!types.isNeverNull(path) || ts.isBinaryExpression(skipParentheses(operands[1]!))))
    return 'The value is used, and null would become undefined.';
  return null;
}

/** The parts of `a !== undefined ? a.b : undefined`: the test, `a.b`, and the link in it that follows `a`. */
interface Choice {
  readonly test: NullTest;
  readonly ifPresent: ts.Expression;
  readonly link: ChainLink;
}

/**
 * Finds the parts of `a !== undefined ? a.b : undefined`; null unless one branch continues the tested path and the
 * other is `undefined`.
 */
function findChoice(node: ts.ConditionalExpression): Choice | null {
  const test = parseNullTest(node.condition);
  if (!test) return null;
  const [valueIfPresent, whenMissing] = test.passesIfPresent
    ? [node.whenTrue, node.whenFalse]
    : [node.whenFalse, node.whenTrue];
  const link = findLink(skipParentheses(valueIfPresent), test.subject);
  return link && findNullishWord(whenMissing) === 'undefined'
    ? { test, ifPresent: skipParentheses(valueIfPresent), link }
    : null;
}

/**
 * Replaces a conditional expression by a chain with `?.`. Refuses if the test does not exclude both null and undefined,
 * or if reading the path runs code.
 */
function replaceConditional(sourceFile: ts.SourceFile, node: ts.ConditionalExpression, types: Types): JoinOutcome {
  const choice = findChoice(node);
  if (!choice) return refuse('There is no longer a check here that an optional chain could replace.');
  const { test, ifPresent: valueIfPresent, link } = choice;
  if (!coversNullAndUndefined(test, types))
    return {
      refused:
        `${test.subject.getText(sourceFile)} may be ${test.comparedValues === 'null' ? 'undefined' : 'null'}, ` +
        `which the test lets through.`,
    };
  if (readsAccessor(test.subject, types))
    return refuse(`Reading ${test.subject.getText(sourceFile)} runs code, which would run once instead of twice.`);
  const replacedNode = findNodeToReplace(sourceFile, node);
  const head: Replacement = {
    start: replacedNode.getStart(sourceFile),
    end: valueIfPresent.getStart(sourceFile),
    text: '',
  };
  return {
    replacements: removeEmpty([
      head,
      insertQuestionDot(link),
      { start: valueIfPresent.end, end: replacedNode.end, text: '' },
    ]),
    paths: [test.subject.getText(sourceFile)],
  };
}

/** True if the test recognises both null and undefined, or if the types exclude the one that it does not. */
function coversNullAndUndefined({ subject, comparedValues }: NullTest, types: Types): boolean {
  return (
    comparedValues === 'both' ||
    (comparedValues === 'null' ? types.isNeverUndefined(subject) : types.isNeverNull(subject))
  );
}

/** True if a property of the path is an accessor, or may be one. */
function readsAccessor(path: ts.Expression, types: Types): boolean {
  for (let part = path; ts.isPropertyAccessExpression(part); part = part.expression)
    if (types.isAccessor(part)) return true;
  return false;
}

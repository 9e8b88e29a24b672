// modern-call: replaces a deprecated call by the current one, if both certainly give the same result.

import { ts } from 'ts-morph';
import { openTypes, type Types } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements, type Replacement } from '../../propose/textEdit.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { isSubstr, findUtilReplacement, findTypeofResult } from '../../syntax/legacyCalls.ts';
import { explainDoubt } from '../../propose/extraction/untypedReceiver.ts';

/** A call that may be one of a deprecated function. */
type Call = ts.CallExpression | ts.NewExpression;
/**
 * The edits, the name of the new function (`newFunction`), and the reason why both calls give the same result (`rationale`); or the
 * reason why the call has to stay.
 */
type ReplacementPlan =
  | { readonly edits: readonly Replacement[]; readonly newFunction: string; readonly rationale: string }
  | { readonly refused: string };

/** Kinds of parents in which a comparison needs no parentheses. */
const PARENTS_WITHOUT_PARENTHESES = new Set([
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.PropertyAssignment,
]);

/**
 * Replaces a deprecated call, such as `util.isArray(x)` by `Array.isArray(x)`, `new Buffer('x')` by `Buffer.from('x')`,
 * and `s.substr(2)` by `s.slice(2)`. Refuses if the results may differ.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { tree, absolutePath, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is Call =>
      (ts.isCallExpression(candidate) || ts.isNewExpression(candidate)) && isReplaceable(candidate),
  );
  if (!node) return refuse('There is no longer a deprecated call here that can be written in another way.');
  const types = openTypes(tree, absolutePath, text);
  try {
    const plan = isBufferCall(node)
      ? planBufferCall(node, types)
      : isSubstrCall(node)
        ? planSubstrCall(node, types, tree)
        : planUtilCall(node);
    if ('refused' in plan) return plan;
    return {
      text: applyReplacements(text, plan.edits),
      title: `replace the deprecated ${isBufferCall(node) ? 'Buffer()' : node.expression.getText()} with ${plan.newFunction}`,
      rationale: plan.rationale,
    };
  } finally {
    types.dispose();
  }
}

function isReplaceable(node: Call): boolean {
  return isBufferCall(node) || isSubstrCall(node) || (ts.isCallExpression(node) && findUtilName(node) !== null);
}

function isBufferCall(node: Call): boolean {
  return ts.isIdentifier(node.expression) && node.expression.text === 'Buffer';
}

function isSubstrCall(node: Call): node is ts.CallExpression {
  return ts.isCallExpression(node) && isSubstr(node);
}

/**
 * The name of the function of `util` in a call such as `util.isArray(x)`; null for other calls, and for functions
 * without a replacement.
 */
function findUtilName({ expression, arguments: values }: ts.CallExpression): string | null {
  if (values.length !== 1 || ts.isSpreadElement(values[0]!)) return null;
  if (!ts.isPropertyAccessExpression(expression) || !ts.isIdentifier(expression.expression)) return null;
  const { text } = expression.name;
  return findUtilReplacement(text) !== null || findTypeofResult(text) !== null ? text : null;
}

/**
 * Replaces `new Buffer(x)` by `Buffer.alloc(x)` for a size, and by `Buffer.from(x)` for content. Refuses if `x` may be
 * either.
 */
function planBufferCall(node: Call, types: Types): ReplacementPlan {
  const values = node.arguments ?? [];
  const [firstValue] = values;
  if (!firstValue || values.some(ts.isSpreadElement)) return refuse('It is not certain what the buffer is made of.');
  // With an encoding, both calls refuse every value except a text.
  const hasEncoding = values.length === 2 && ts.isStringLiteralLike(values[1]!);
  const isText =
    hasEncoding ||
    ts.isStringLiteralLike(firstValue) ||
    ts.isTemplateExpression(firstValue) ||
    types.isString(firstValue);
  const isSize = ts.isNumericLiteral(firstValue) || types.isNumber(firstValue);
  if (!isText && !ts.isArrayLiteralExpression(firstValue) && !isSize)
    return refuse('It is not certain whether the buffer is made of a size or of content.');
  if (isSize && values.length > 1)
    return refuse('`Buffer.alloc` would fill the buffer with the second value, which `new Buffer` ignores.');
  const start = node.getStart();
  const now = isSize ? 'Buffer.alloc' : 'Buffer.from';
  return {
    edits: [{ start, end: node.expression.end, text: now }],
    newFunction: now,
    rationale: isSize
      ? 'Since Node 8, `new Buffer(size)` fills the buffer with zeros, as `Buffer.alloc` does.'
      : '`new Buffer(content)` calls `Buffer.from` itself.',
  };
}

/**
 * The replacement of `substr`. It is certain for a string; otherwise it holds on the condition that the value is a
 * string.
 */
function planSubstrCall(node: ts.CallExpression, types: Types, tree: SourceTree): ReplacementPlan {
  const access = node.expression as ts.PropertyAccessExpression;
  const plan = planStringCall(node, access);
  if ('refused' in plan || types.isOfString(access)) return plan;
  if (!types.isAny(access.expression))
    return refuse('It is not certain that the value is a string, as far as the types tell.');
  // Of the built-in values, only strings have a method `substr`.
  const doubt = explainDoubt(access.expression, types, tree);
  if (doubt !== null)
    return refuse(`It is not certain that the value is a string: the types say nothing, and ${doubt}.`);
  return {
    ...plan,
    rationale: `If the value is a string, which the types do not say, both give the same; no file here defines another \`substr\`. ${plan.rationale}`,
  };
}

/**
 * The replacement of `substr` of a string. With one argument, both calls count a negative start from the end. If the
 * start is 0, the length is the end of the part, for which `substring` accepts the same values as `substr`. Otherwise
 * the end is certain only if both arguments are literals.
 */
function planStringCall(node: ts.CallExpression, access: ts.PropertyAccessExpression): ReplacementPlan {
  const createRename = (text: string): Replacement => ({ start: access.name.getStart(), end: access.name.end, text });
  const edits = [createRename('slice')];
  const [from, length] = node.arguments;
  const explanation = 'Both count from the same start, and the second number is where the text ends.';
  if (!length)
    return { edits, newFunction: 'slice', rationale: 'With one number, both give the text from there to the end.' };
  if (from && ts.isNumericLiteral(from) && Number(from.text) === 0 && !ts.isNumericLiteral(length))
    return {
      edits: [createRename('substring')],
      newFunction: 'substring',
      rationale: 'From the start, the length is where the text ends; both treat a negative one as 0.',
    };
  if (!from || !ts.isNumericLiteral(from) || !ts.isNumericLiteral(length))
    return refuse('With a length that is not written as a number, the two may differ.');
  const end = Number(from.text) + Number(length.text);
  if (!Number.isSafeInteger(end) || !Number.isSafeInteger(Number(from.text)))
    return refuse('The numbers are not integers.');
  return {
    edits: [...edits, { start: length.getStart(), end: length.end, text: String(end) }],
    newFunction: 'slice',
    rationale: explanation,
  };
}

/** Replaces `util.isArray(x)` by `Array.isArray(x)`, and `util.isString(x)` by `typeof x === 'string'`. */
function planUtilCall(node: Call): ReplacementPlan {
  const call = node as ts.CallExpression;
  const name = findUtilName(call)!;
  const newFunction = findUtilReplacement(name);
  const [value] = call.arguments;
  if (newFunction !== null)
    return {
      edits: [{ start: call.expression.getStart(), end: call.expression.end, text: newFunction }],
      newFunction: newFunction,
      rationale: `\`util.${name}\` is \`${newFunction}\` by another name, and no longer exists in current versions of Node.`,
    };
  const type = findTypeofResult(name)!;
  const { parent } = call;
  const isNegated = ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken;
  const replacedNode = isNegated ? parent : call;
  const needsParentheses =
    !PARENTS_WITHOUT_PARENTHESES.has(replacedNode.parent.kind) && !isLogical(replacedNode.parent);
  const argument = value!.getText();
  const isSimpleExpression = /^[\w$.[\]'"]+$/.test(argument);
  const test = `typeof ${isSimpleExpression ? argument : `(${argument})`} ${isNegated ? '!==' : '==='} '${type}'`;
  return {
    edits: [{ start: replacedNode.getStart(), end: replacedNode.end, text: needsParentheses ? `(${test})` : test }],
    newFunction: `typeof`,
    rationale: `\`util.${name}\` makes this comparison, and no longer exists in current versions of Node.`,
  };
}

function isLogical(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ||
      node.operatorToken.kind === ts.SyntaxKind.BarBarToken)
  );
}

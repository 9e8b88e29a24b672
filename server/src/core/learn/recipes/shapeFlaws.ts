// Rejects shapes of edits that cannot become recipes, because they only rename something, match too much, or would not
// apply to other places.

import { ts } from 'ts-morph';
import type { LearnedShape } from '../../model/learnedRecipes.ts';
import { GLOBAL_ORIGIN, LOCAL_ORIGIN } from '../../syntax/nameOrigins.ts';
import { isStandardGlobal, isStandardProperty } from '../../../util/values/standardNames.ts';
import { isAssignment } from '../../syntax/values.ts';

/** A token of one side of a shape, its pattern or its replacement. */
interface Token {
  readonly text: string;
  readonly kind: 'name' | 'literal' | 'hole' | 'other';
  readonly isProperty: boolean;
}

/**
 * Minimum weight of the fixed parts of a pattern. With a lower weight, it matches nearly everything. Names and long
 * literals count 2, short literals, operators and keywords 1.
 */
const MIN_FIXED = 2;

/**
 * The reason why a shape is not a recipe, as one sentence for a person; null if it is one. `allowsRenames`: true to accept a
 * shape that only renames something, because a person has just made these edits and wants the remaining ones.
 */
export function explainShapeFlaw(
  shape: LearnedShape,
  { renames: allowsRenames = false }: { readonly renames?: boolean } = {},
): string | null {
  const { pattern, replacement, names } = shape;
  const [before, after] = [splitTokens(pattern), splitTokens(replacement)];
  const holes = new Set(before.flatMap(({ kind, text }) => (kind === 'hole' ? [text] : [])));
  const unboundHole = after.find(({ kind, text }) => kind === 'hole' && !holes.has(text));
  if (unboundHole) return `${unboundHole.text} is on the right side alone.`;
  if (computeFixedWeight(before) < MIN_FIXED) return 'The pattern matches nearly everything.';
  if (![...before, ...after].some(({ kind, text }) => kind === 'name' || text === 'any'))
    return 'It is about values alone, so it holds for some types only.';
  const flaw =
    explainUnrelated(before, after, shape) ??
    explainVariable(shape) ??
    explainAssertion(shape) ??
    explainAssignment(shape) ??
    explainCondition(shape);
  if (flaw !== null) return flaw;
  const differingTokens =
    before.length === after.length ? before.flatMap((token, index) => listDifferences(token, after[index]!)) : null;
  if (!differingTokens || differingTokens.length === 0) return null;
  if (differingTokens.every(({ kind }) => kind === 'literal')) return 'Only a value is another.';
  const renamedTexts = new Set(differingTokens.map(({ text }) => text));
  const [first] = differingTokens;
  if (allowsRenames || renamedTexts.size !== 1 || first?.kind !== 'name') return null;
  const newText = after[before.indexOf(first)]!.text;
  if (!first.isProperty && names[newText] === GLOBAL_ORIGIN && isStandardGlobal(newText)) return null;
  const isApi = first.isProperty
    ? isStandardProperty(first.text)
    : isStandardGlobal(first.text) || (names[first.text]?.startsWith('module:') ?? false);
  return isApi ? null : `It only renames ${first.text}.`;
}

/**
 * The reason against a shape that uses only local names, or whose pattern is an operation that shares nothing with the
 * replacement: there is no evidence that it applies in other places.
 */
function explainUnrelated(
  before: readonly Token[],
  after: readonly Token[],
  { pattern, names }: LearnedShape,
): string | null {
  const usedNames = before.filter(({ kind }) => kind === 'name');
  if (usedNames.length > 0 && usedNames.every(({ text, isProperty }) => !isProperty && names[text] === LOCAL_ORIGIN))
    return 'It is about local names alone.';
  const root = findExpression(pattern);
  const texts = new Set(after.flatMap(({ kind, text }) => (kind === 'other' || kind === 'literal' ? [] : [text])));
  const sharesNothing = before.every(({ text }) => !texts.has(text));
  return root && ts.isBinaryExpression(root) && sharesNothing ? 'Both sides have nothing in common.' : null;
}

/**
 * The reason against a shape with a value that was put into a variable before: in other places, a variable of this
 * name may contain anything.
 */
function explainVariable({ replacement, names }: LearnedShape): string | null {
  return names[replacement] === LOCAL_ORIGIN
    ? `It depends on the variable ${replacement} of the place where it was done.`
    : null;
}

/**
 * The reason against a shape such as `a.b` → `a.b!` or `a.b as T`: it asserts something that the compiler cannot see
 * in one place.
 */
function explainAssertion({ pattern, replacement }: LearnedShape): string | null {
  let root = findExpression(replacement);
  while (root && (ts.isNonNullExpression(root) || ts.isAsExpression(root) || ts.isParenthesizedExpression(root)))
    root = root.expression;
  const isSame = root?.getText() === pattern || removeAssertions(replacement) === removeAssertions(pattern);
  return isSame ? 'It only asserts a type, which may be wrong elsewhere.' : null;
}

/** The code without assertions and optional chains. */
function removeAssertions(code: string): string {
  return code.replace(/ as \w+|!(?=[.[)(]|$)|[()]/g, '');
}

/** The reason against a shape with an assignment, because an assignment belongs to one program. */
function explainAssignment({ pattern, replacement }: LearnedShape): string | null {
  const roots = [pattern, replacement].map(findExpression);
  return roots.some((root) => root !== null && isAssignment(root)) ? 'It is about one assignment.' : null;
}

/**
 * The reason against a shape such as `$a === 1` → `$a === 1 || $a === 2`: it adds a case to one program, which other
 * places do not need.
 */
function explainCondition({ pattern, replacement }: LearnedShape): string | null {
  if (replacement.replaceAll('?.', '.') === pattern.replaceAll('?.', '.')) return 'It only makes a chain optional.';
  const root = findExpression(replacement);
  if (!root || !(ts.isBinaryExpression(root) || ts.isConditionalExpression(root))) return null;
  const parts = collectOperands(root).map((part) => part.getText());
  return parts.length > 1 && parts.includes(pattern) ? 'It adds a condition to what was there.' : null;
}

/** The operands of `&&`, `||`, `??` and `?:`. */
function collectOperands(node: ts.Expression): readonly ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return collectOperands(node.expression);
  if (ts.isConditionalExpression(node))
    return [node.condition, node.whenTrue, node.whenFalse].flatMap((part) => collectOperands(part));
  const connects =
    ts.isBinaryExpression(node) &&
    [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(
      node.operatorToken.kind,
    );
  return connects ? [node.left, node.right].flatMap((part) => collectOperands(part)) : [node];
}

/**
 * The old token if both differ, otherwise nothing. If their kinds differ, its kind is `other`, so that it does not
 * count as a rename.
 */
function listDifferences(before: Token, after: Token): readonly Token[] {
  if (before.text === after.text) return [];
  return before.kind === after.kind ? [before] : [{ ...before, kind: 'other' }];
}

/** The weight of the fixed parts, which is compared with `MIN_FIXED`. */
function computeFixedWeight(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { kind, text }) => {
    if (kind === 'name') return sum + 2;
    if (kind === 'literal') return sum + (text.length > 4 ? 2 : 1);
    return sum + (kind === 'other' && /^(?![().,;[\]{}]$)/.test(text) ? 1 : 0);
  }, 0);
}

/** True if every name in the shape belongs to the language or its standard library. */
export function isStandard({
  pattern,
  replacement,
  names,
}: Pick<LearnedShape, 'pattern' | 'replacement' | 'names'>): boolean {
  return [...splitTokens(pattern), ...splitTokens(replacement)].every(
    ({ kind, text, isProperty }) =>
      kind !== 'name' || (isProperty ? isStandardProperty(text) : names[text] === 'global' && isStandardGlobal(text)),
  );
}

function parseSnippet(source: string): ts.SourceFile {
  return ts.createSourceFile('shape.ts', `(${source}\n);`, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
}

/** The expression in a text; null if it is not exactly one expression. */
function findExpression(source: string): ts.Expression | null {
  const [statement] = parseSnippet(source).statements;
  const isWrapped =
    statement && ts.isExpressionStatement(statement) && ts.isParenthesizedExpression(statement.expression);
  return isWrapped ? (statement.expression as ts.ParenthesizedExpression).expression : null;
}

/** The tokens of an expression, as the compiler reads them. */
function splitTokens(source: string): readonly Token[] {
  const file = parseSnippet(source);
  const tokens: Token[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    const text = node.getText(file);
    if (text !== '') tokens.push(createToken(node, text));
  };
  visit(file);
  // Removes the parentheses and the semicolon that `parseSnippet` has added.
  return tokens.slice(1, -2);
}

function createToken(node: ts.Node, text: string): Token {
  const { parent } = node;
  const isProperty =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node);
  if (ts.isIdentifier(node)) return { text, kind: /^\$[a-z]$/.test(text) ? 'hole' : 'name', isProperty };
  const isLiteral =
    ts.isLiteralExpression(node) || [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind);
  return { text, kind: isLiteral ? 'literal' : 'other', isProperty };
}

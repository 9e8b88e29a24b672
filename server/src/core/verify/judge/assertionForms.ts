// Recognises the forms of assertions in scripts, and the expression that each one checks.

import { ts } from 'ts-morph';
import { ASSERTION_NAME_PATTERN } from '../../syntax/assertionNames.ts';
import { createWordSet } from '../../../util/wordSet.ts';
import type { Assertion } from './assertion.ts';

/** An assertion without its place in the test. */
export type AssertionForm = Omit<Assertion, 'line' | 'guard' | 'rank'>;

/** Methods of the test object that assert nothing. */
const NO_ASSERTION = createWordSet(`
  plan log timeout teardown before after beforeEach afterEach comment context end test skip todo diagnostic mock signal
  name passed runOnly setTimeout getCause
`);
/** Words that only make a chain readable. */
const FILLER_WORDS = createWordSet(`
  to be been is that which and has have with at of same but does still also a an resolves rejects it expect assert
  should
`);

/** Matches matchers that return a promise. */
const PROMISE_MATCHERS =
  /^(?:rejects|resolves|rejected|rejectedWith|eventually|doesNotReject|throwsAsync|notThrowsAsync)$/;
/** Matches matchers that assert nothing unless they are called. */
const CALLED_MATCHERS = /^(?:to[A-Z]\w*|equals?|eql|deepEqual|strictEqual|throws?|match|property|lengthOf|members)$/;

/** Matches matchers that demand a true condition. */
const TRUE_MATCHERS = /^(?:assert|ok|truthy|true|isTrue|assertTrue|toBeTruthy|toBeTrue)$/;

/** Matches matchers that demand a false condition. */
const FALSE_MATCHERS = /^(?:notOk|falsy|false|isFalse|assertFalse|toBeFalsy|toBeFalse)$/;

/** Matches matchers that compare with `true` or `false` if that is the expected value. */
const COMPARE_PATTERN = /^(?:toBe|toEqual|toStrictEqual|equals?|strictEqual|is|same)$/;

/** The names of matchers for the comparison by each operator, and for its opposite. */
const MATCHER_BY_OPERATOR = new Map<ts.SyntaxKind, readonly [matcher: string, opposite: string]>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['is', 'not']],
  [ts.SyntaxKind.EqualsEqualsToken, ['is', 'not']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['not', 'is']],
  [ts.SyntaxKind.ExclamationEqualsToken, ['not', 'is']],
  [ts.SyntaxKind.GreaterThanToken, ['above', 'atMost']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['atLeast', 'below']],
  [ts.SyntaxKind.LessThanToken, ['below', 'atLeast']],
  [ts.SyntaxKind.LessThanEqualsToken, ['atMost', 'above']],
]);

/**
 * The assertions in an expression; empty if it asserts nothing. `testObjects`: names of the objects that are passed to
 * tests. `assertionNames`: the result of `findAssertionNames`.
 */
export function findAssertions(
  expression: ts.Expression,
  testObjects: ReadonlySet<string>,
  assertionNames: ReadonlyMap<string, string | null>,
): readonly AssertionForm[] {
  const links = normaliseLinks(collectLinks(expression));
  const [root] = links;
  if (!root) return [];
  const isOnTestObject = testObjects.has(root.name) && links.length === 2 && links[1]!.args !== null;
  if (isOnTestObject && isSkippedByOption(links[1]!)) return [];
  const isKnown = assertionNames.has(root.name) && links.some(({ args }) => args !== null);
  if ((isOnTestObject || isKnown) && links.length === 2 && NO_ASSERTION.has(links[1]!.name)) return [];
  if (!isOnTestObject && !isKnown && !links.some(({ name }) => ASSERTION_NAME_PATTERN.test(name))) return [];
  /** The original name, if the import was renamed. */
  const rootName = assertionNames.get(root.name) ?? root.name;
  const text = normaliseCode(expression.getText());
  const chainedExpects = links.slice(1).filter(({ name, args }) => name === 'expect' && args !== null);
  // For example `request(app).get('/').expect(200).expect(/body/)`.
  if (!ASSERTION_NAME_PATTERN.test(root.name) && !isOnTestObject && chainedExpects.length > 0)
    return chainedExpects.map(({ args }) => ({
      text: `expect(${args!.join(', ')})`,
      subject: normaliseCode(links.slice(0, links.indexOf(chainedExpects[0]!)).map(formatLink).join('.')),
      matcher: 'equal',
      isNegated: false,
      expected: args!.join(', '),
    }));
  const words = links.map(({ name }) => name).filter((name) => !FILLER_WORDS.has(name));
  const isNegated = words.some((word) => word === 'not' || word === 'doesNotThrow');
  const lastLink = links.at(-1)!;
  if (rootName === 'expect' || words[0]?.startsWith('expect') || (rootName === 'should' && root.args)) {
    const [subject = ''] = root.args ?? [];
    const matcher = words.filter((word) => word !== 'not' && !ASSERTION_NAME_PATTERN.test(word)).join('.');
    const expected = links.slice(1).flatMap(({ args }) => args ?? []);
    if (isTrivial(subject, expected)) return [];
    const form = { text, subject, matcher: matcher || 'expect', isNegated, expected: expected.join(', ') };
    return collectDemands(root.nodes[0], form);
  }
  const shouldIndex = links.findIndex(({ name }) => name === 'should');
  if (shouldIndex > 0) {
    const expected = links.slice(shouldIndex).flatMap(({ args }) => args ?? []);
    const matcher = links
      .slice(shouldIndex + 1)
      .map(({ name }) => name)
      .filter((name) => !FILLER_WORDS.has(name) && name !== 'not');
    return [
      {
        text,
        subject: normaliseCode(links.slice(0, shouldIndex).map(formatLink).join('.')),
        matcher: matcher.join('.') || 'should',
        isNegated,
        expected: expected.join(', '),
      },
    ];
  }
  const [subject = '', ...expected] = lastLink.args ?? [];
  if (isTrivial(subject, expected)) return [];
  const matcher = lastLink === root ? rootName : lastLink.name;
  return collectDemands(lastLink.nodes[0], {
    text,
    subject,
    matcher,
    isNegated,
    expected: expected.slice(0, 2).join(', '),
  });
}

/**
 * True for an assertion of tape or tap that is skipped by its last argument, such as `{ skip: true }` or `{ todo:
 * 'reason' }`.
 */
function isSkippedByOption({ nodes }: Link): boolean {
  const options = nodes.length > 2 ? nodes.at(-1)! : null;
  return (
    options !== null &&
    ts.isObjectLiteralExpression(options) &&
    options.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        /^(?:skip|todo)$/.test(property.name.getText()) &&
        property.initializer.kind !== ts.SyntaxKind.FalseKeyword,
    )
  );
}

/**
 * The separate demands of an assertion about a condition: `assert(a === 1 && b > 2)` demands that a is 1, and that b is
 * above 2.
 */
function collectDemands(subject: ts.Expression | undefined, form: AssertionForm): readonly AssertionForm[] {
  const { matcher, expected, isNegated } = form;
  const word = matcher.split('.').at(-1)!;
  const demandsTrue = TRUE_MATCHERS.test(word) || (COMPARE_PATTERN.test(word) && /^true(?:,|$)/.test(expected));
  const demandsFalse = FALSE_MATCHERS.test(word) || (COMPARE_PATTERN.test(word) && /^false(?:,|$)/.test(expected));
  if (!subject || (!demandsTrue && !demandsFalse)) return [form];
  const comparisons = findComparisons(subject, demandsTrue !== isNegated);
  return comparisons ? comparisons.map((comparison) => ({ ...form, ...comparison })) : [form];
}

/** The demand of an assertion about a comparison. */
type Comparison = Pick<AssertionForm, 'subject' | 'matcher' | 'isNegated' | 'expected'>;

/** The comparisons that are true if the expression has the truth value `holds`; null if it compares nothing. */
function findComparisons(node: ts.Expression, holds: boolean): readonly Comparison[] | null {
  if (ts.isParenthesizedExpression(node)) return findComparisons(node.expression, holds);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return findComparisons(node.operand, !holds);
  if (!ts.isBinaryExpression(node)) return null;
  const { left, right, operatorToken } = node;
  if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && holds)
    return [left, right].flatMap((side) => findComparisons(side, holds) ?? [createTruthDemand(side)]);
  const words = MATCHER_BY_OPERATOR.get(operatorToken.kind);
  if (!words) return null;
  const matcher = words[holds ? 0 : 1];
  return [
    {
      subject: normaliseCode(left.getText()),
      matcher,
      isNegated: matcher === 'not',
      expected: normaliseCode(right.getText()),
    },
  ];
}

/** The demand that an expression is true. */
function createTruthDemand(node: ts.Expression): Comparison {
  return { subject: normaliseCode(node.getText()), matcher: 'ok', isNegated: false, expected: '' };
}

/** True for an assertion that returns a promise which is not awaited, so that it proves nothing. */
export function isUnawaited(expression: ts.Expression): boolean {
  return (
    ts.isExpressionStatement(expression.parent) &&
    collectLinks(expression).some(({ name }) => PROMISE_MATCHERS.test(name))
  );
}

/**
 * True for a member that may assert without a call, such as `expect(a).to.be.true`. A member such as `expect(a).toBe`
 * asserts nothing without a call.
 */
export function mayAssertWithoutCall(expression: ts.Expression): expression is ts.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(expression) && !CALLED_MATCHERS.test(expression.name.text);
}

/** The links of a chain of members and calls from its start: `expect(a)`, `not` and `toBe(1)`. */
function collectLinks(expression: ts.Expression): readonly Link[] {
  const links: Link[] = [];
  let current: ts.Expression = expression;
  let args: readonly string[] | null = null;
  let nodes: readonly ts.Expression[] = [];
  const add = (name: string) => {
    links.unshift({ name, args, nodes });
    args = null;
    nodes = [];
  };
  for (;;) {
    if (ts.isAwaitExpression(current) || ts.isParenthesizedExpression(current) || ts.isNonNullExpression(current))
      current = current.expression;
    else if (ts.isCallExpression(current)) {
      nodes = current.arguments;
      args = nodes.map((argument) => normaliseCode(argument.getText()));
      current = current.expression;
    } else if (ts.isPropertyAccessExpression(current)) {
      add(current.name.text);
      current = current.expression;
    } else if (ts.isElementAccessExpression(current) && ts.isStringLiteralLike(current.argumentExpression)) {
      // For example `t['throws'](…)`, as code for old engines writes it.
      add(current.argumentExpression.text);
      current = current.expression;
    } else if (ts.isIdentifier(current)) {
      add(current.text);
      return links;
    } else {
      add(normaliseCode(current.getText()));
      return links;
    }
  }
}

/** The links from the value under test on: `chai.expect(a).to` and `expect.soft(a).to` become `expect(a).to`. */
function normaliseLinks(links: readonly Link[]): readonly Link[] {
  const [root, second, third] = links;
  if (!root || root.args || !second?.args || !third) return links;
  const isSoft = root.name === 'expect' && second.name === 'soft';
  const isMember = second.name === 'expect' && /^(?:to|not$|resolves$|rejects$)/.test(third.name);
  return isSoft || isMember ? [{ ...second, name: 'expect' }, ...links.slice(2)] : links;
}

/** A member of a chain, with its arguments if it is called. */
interface Link {
  readonly name: string;
  /** The arguments as strings; null if the member is not called. */
  readonly args: readonly string[] | null;
  /** The arguments as nodes; empty if the member is not called. */
  readonly nodes: readonly ts.Expression[];
}

/** True for an inner call of a chain, which its outermost call represents. */
export function isWithinChain(call: ts.CallExpression): boolean {
  const { parent } = call;
  return ts.isPropertyAccessExpression(parent) || (ts.isCallExpression(parent) && parent.expression === call);
}

/** True if the assertion uses only literals, or compares something with itself. */
function isTrivial(subject: string, expected: readonly string[]): boolean {
  const literal = /^(?:true|false|null|undefined|-?\d[\d_.]*|'[^']*')$/;
  if (expected.length === 0) return literal.test(subject);
  return (literal.test(subject) && expected.every((value) => literal.test(value))) || subject === expected[0];
}

/** The code without differences of layout and quotes, without trailing commas and without semicolons at line ends. */
export function normaliseCode(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/"((?:[^"'\\]|\\.)*)"/g, "'$1'")
    .replace(/, ?([)\]}])/g, '$1')
    .replace(/([([{]) /g, '$1')
    .replace(/ ([)\]}])/g, '$1')
    .replace(/;(?=\s|$)/g, '')
    .trim();
}

function formatLink({ name, args }: Link): string {
  return args === null ? name : `${name}(${args.join(', ')})`;
}

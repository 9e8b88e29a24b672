// Reads assertions in Go tests: `if got != want { t.Error() }`, and calls of testify, check.v1, quicktest and Gomega.

import type { Node } from 'web-tree-sitter';
import { createWordSet } from '../../../../util/wordSet.ts';
import { rankAssertion, type Assertion } from '../assertion.ts';

/** An assertion without its place in the test. `guard`: a further condition on which it depends; usually absent. */
export type GoForm = Omit<Assertion, 'line' | 'guard' | 'rank'> & { readonly guard?: string };

/** Matches methods of a test object that fail the test. */
const FAIL_PATTERN = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/;
/** Matches functions that end the test program, and so fail the test. */
const END_PATTERN = /^(?:panic|log\.Fatal\w*|os\.Exit)$/;
/** Methods of a test object that assert nothing. */
const NO_ASSERTION = createWordSet(`
  Run Log Logf Helper Parallel Cleanup Setenv TempDir Name Skip Skipf SkipNow Skipped Failed Deadline Add Fuzz Context
  Chdir T C Attr Output
`);
/**
 * Functions of testify, such as `assert.Equal(t, want, got)`: the name of the matcher, the index of the checked value
 * (without `t`), and the expected value if it is fixed.
 */
const TESTIFY_MATCHERS: Readonly<Record<string, readonly [matcher: string, subject: 0 | 1, expected?: string]>> = {
  Equal: ['equal', 1],
  EqualValues: ['equal', 1],
  Exactly: ['equal', 1],
  Same: ['same', 1],
  NotEqual: ['not', 1],
  NotSame: ['not', 1],
  JSONEq: ['equal', 1],
  YAMLEq: ['equal', 1],
  EqualError: ['equal', 0],
  ErrorIs: ['equal', 0],
  ErrorAs: ['instanceOf', 0],
  ErrorContains: ['contains', 0],
  Error: ['exists', 0],
  NoError: ['is', 0, 'nil'],
  Nil: ['is', 0, 'nil'],
  NotNil: ['exists', 0],
  True: ['true', 0],
  False: ['false', 0],
  Zero: ['is', 0, 'zero'],
  NotZero: ['exists', 0],
  Empty: ['is', 0, 'empty'],
  NotEmpty: ['exists', 0],
  Len: ['lengthOf', 0],
  Contains: ['contains', 0],
  NotContains: ['not', 0],
  ElementsMatch: ['members', 1],
  Subset: ['contains', 0],
  Greater: ['above', 0],
  GreaterOrEqual: ['atLeast', 0],
  Less: ['below', 0],
  LessOrEqual: ['atMost', 0],
  InDelta: ['closeTo', 1],
  InEpsilon: ['closeTo', 1],
  WithinDuration: ['closeTo', 1],
  Regexp: ['match', 1],
  IsType: ['instanceOf', 1],
  Implements: ['instanceOf', 1],
  Panics: ['throws', 0],
  PanicsWithValue: ['throws', 1],
  PanicsWithError: ['throws', 1],
  NotPanics: ['doesNotThrow', 0],
};
/** Maps each operator in a condition under which the test fails to the matcher that holds if the test passes. */
const MATCHER_BY_FAILING_OPERATOR: Readonly<Record<string, string>> = {
  '!=': 'is',
  '==': 'not',
  '<': 'atLeast',
  '<=': 'above',
  '>': 'atMost',
  '>=': 'below',
};
const LITERAL_PATTERN = /^(?:true|false|nil|-?\d[\d_.]*|"[^"]*"|`[^`]*`)$/;

/**
 * The assertions in the condition of an `if` whose branch fails the test. `initializer`: the statement before the
 * condition, as in `if diff := cmp.Diff(a, b); diff != ""`; null if there is none.
 */
export function findFailedConditions(condition: Node, initializer: Node | null): readonly GoForm[] {
  const text = joinLines(condition.text);
  const values = collectValues(initializer);
  const resolveValue = (value: string) => values.get(value) ?? value;
  return collectDemands(condition)
    .map((demand) => ({
      ...demand,
      text,
      subject: resolveValue(demand.subject),
      expected: resolveValue(demand.expected),
    }))
    .filter(({ subject, expected }) => !isTrivial(subject, expected));
}

/** The assertions that a call makes; empty if it asserts nothing. `objects`: names of test objects such as `t`. */
export function findCallAssertions(call: Node, objects: ReadonlySet<string>): readonly GoForm[] {
  const callee = call.childForFieldName('function');
  const argumentNodes = call.childForFieldName('arguments')?.namedChildren ?? [];
  if (!callee || isInner(call)) return [];
  const text = joinLines(call.text);
  if (/^(?:Expect|Ω|Eventually|Consistently|g\.Expect)\(/.test(text)) return readGomegaAssertion(call, text);
  const member = callee.childForFieldName('field')?.text ?? callee.text;
  const owner = callee.childForFieldName('operand')?.text ?? '';
  const [first] = argumentNodes;
  const passesTestObject = objects.has(first?.text ?? '') || /\.T\(\)$/.test(first?.text ?? '');
  const args = (passesTestObject ? argumentNodes.slice(1) : argumentNodes).map((argument) => joinLines(argument.text));
  if (objects.has(owner)) return readTestObjectAssertion(member, text, args);
  const testifyForm = TESTIFY_MATCHERS[member] ?? TESTIFY_MATCHERS[member.replace(/f$/, '')];
  if (testifyForm && (passesTestObject || /(?:^|\.)(?:assert|require|is|Assert\(\)|Require\(\)|a|r)$/i.test(owner)))
    return readTestifyAssertion(testifyForm, text, args);
  if (!passesTestObject || /^(?:testing|context)\./.test(callee.text)) return [];
  // A helper that receives the test object. What it checks is unknown.
  return [{ text, subject: args.join(', '), matcher: member, isNegated: false, expected: '' }];
}

/** True if a statement of the block itself fails the test. Inner blocks do not count. */
export function failsTest(block: Node, objects: ReadonlySet<string>): boolean {
  const statements = block.namedChildren.flatMap((child) =>
    child.type === 'statement_list' ? child.namedChildren : child,
  );
  return statements.some((statement) => {
    const call = statement.type === 'expression_statement' ? statement.namedChildren[0] : undefined;
    const callee = call?.type === 'call_expression' ? call.childForFieldName('function') : null;
    if (!callee) return false;
    const member = callee.childForFieldName('field')?.text ?? '';
    return (
      (FAIL_PATTERN.test(member) && objects.has(callee.childForFieldName('operand')?.text ?? '')) ||
      END_PATTERN.test(callee.text)
    );
  });
}

/**
 * The assertion in a call of a test object: `t.Fatal(…)` outside of an `if`, or `c.Assert(got, Equals, want)` of
 * check.v1.
 */
function readTestObjectAssertion(member: string, text: string, args: readonly string[]): readonly GoForm[] {
  if (NO_ASSERTION.has(member)) return [];
  if (FAIL_PATTERN.test(member))
    return [{ text, subject: args.join(', '), matcher: 'fails', isNegated: false, expected: '' }];
  const [subject = '', matcher = '', ...expected] = args;
  if (/^(?:Assert|Check)$/.test(member) && /^[\w.]+$/.test(matcher)) {
    const word = matcher.replace(/^.*\./, '');
    const form = {
      text,
      subject,
      matcher: MATCHER_BY_CHECKER[word] ?? word,
      isNegated: false,
      expected: expected.join(', '),
    };
    return isTrivial(subject, form.expected) ? [] : [form];
  }
  const testifyForm = TESTIFY_MATCHERS[member] ?? TESTIFY_MATCHERS[member.replace(/f$/, '')];
  return testifyForm
    ? readTestifyAssertion(testifyForm, text, args)
    : [{ text, subject: args.join(', '), matcher: member, isNegated: false, expected: '' }];
}

/** The names of matchers for the checkers of check.v1 and quicktest. */
const MATCHER_BY_CHECKER: Readonly<Record<string, string>> = {
  Equals: 'equal',
  DeepEquals: 'equal',
  IsNil: 'is',
  NotNil: 'exists',
  HasLen: 'lengthOf',
  IsTrue: 'true',
  IsFalse: 'false',
  ErrorMatches: 'match',
  Matches: 'match',
  Not: 'not',
};

function readTestifyAssertion(
  [matcher, subjectIndex, fixedExpectation]: readonly [matcher: string, subject: 0 | 1, expected?: string],
  text: string,
  args: readonly string[],
): readonly GoForm[] {
  const subject = args[subjectIndex] ?? '';
  const hasNoExpectation =
    ['true', 'false', 'exists', 'is', 'throws', 'doesNotThrow'].includes(matcher) && subjectIndex === 0;
  const numbers = matcher === 'closeTo' ? `, ${args[2] ?? ''}` : '';
  const expected = fixedExpectation ?? (hasNoExpectation ? '' : `${args[1 - subjectIndex] ?? ''}${numbers}`);
  if (isTrivial(subject, fixedExpectation === undefined ? expected : '')) return [];
  return [{ text, subject, matcher, isNegated: false, expected }];
}

/** The assertion in `Expect(got).To(Equal(want))`. */
function readGomegaAssertion(call: Node, text: string): readonly GoForm[] {
  const callee = call.childForFieldName('function');
  const verb = callee?.childForFieldName('field')?.text ?? '';
  if (!/^(?:To|NotTo|ToNot|Should|ShouldNot)$/.test(verb)) return [];
  const subject = callee?.childForFieldName('operand')?.childForFieldName('arguments')?.namedChildren[0]?.text ?? '';
  const matcher = call.childForFieldName('arguments')?.namedChildren[0];
  const name = matcher?.childForFieldName('function')?.text ?? matcher?.text ?? '';
  const words: Readonly<Record<string, string>> = { Equal: 'equal', BeNil: 'is', BeTrue: 'true', BeFalse: 'false' };
  return [
    {
      text,
      subject: joinLines(subject),
      matcher: words[name] ?? name,
      isNegated: /Not/.test(verb),
      expected: joinLines(matcher?.childForFieldName('arguments')?.text ?? ''),
    },
  ];
}

/** True for a call inside a chain, which its outermost call represents. */
function isInner(call: Node): boolean {
  return call.parent?.type === 'selector_expression' && call.parent.parent?.type === 'call_expression';
}

type Demand = Omit<GoForm, 'text'>;

/** The demands of a passing test, given a condition under which it would fail. */
function collectDemands(condition: Node): readonly Demand[] {
  if (condition.type === 'parenthesized_expression') return condition.namedChildren.flatMap(collectDemands);
  const operator = condition.childForFieldName('operator')?.text ?? '';
  const [left, right] = [condition.childForFieldName('left'), condition.childForFieldName('right')];
  if (condition.type === 'binary_expression' && left && right) {
    // The test fails if one side holds, so a passing test shows that neither does.
    if (operator === '||') return [...collectDemands(left), ...collectDemands(right)];
    // The test fails only if both sides hold, so it checks one side only if the other one holds.
    if (operator === '&&') {
      const sides = [left, right].flatMap((side, index) =>
        collectDemands(side).map((demand) => ({
          ...demand,
          guard: `${demand.guard ?? ''}if ${joinLines((index === 0 ? right : left).text)} `,
        })),
      );
      // The side that demands more is used; of equal ones, the side with an expected value.
      const computeWeight = (demand: Demand) => rankAssertion(demand) + (demand.expected === '' ? 0 : 0.5);
      return sides.toSorted((a, b) => computeWeight(b) - computeWeight(a)).slice(0, 1);
    }
    const matcher = MATCHER_BY_FAILING_OPERATOR[operator];
    if (matcher !== undefined)
      return [
        { subject: joinLines(left.text), matcher, isNegated: matcher === 'not', expected: joinLines(right.text) },
      ];
  }
  const operand =
    condition.type === 'unary_expression' && operator === '!' ? condition.childForFieldName('operand') : null;
  if (!operand) return [{ subject: joinLines(condition.text), matcher: 'false', isNegated: false, expected: '' }];
  const equal =
    /^(?:reflect\.DeepEqual|bytes\.Equal|cmp\.Equal|slices\.Equal|maps\.Equal|errors\.Is|strings\.EqualFold)$/;
  const args = operand.childForFieldName('arguments')?.namedChildren ?? [];
  if (equal.test(operand.childForFieldName('function')?.text ?? '') && args.length >= 2)
    return [
      { subject: joinLines(args[0]!.text), matcher: 'equal', isNegated: false, expected: joinLines(args[1]!.text) },
    ];
  return [{ subject: joinLines(operand.text), matcher: 'true', isNegated: false, expected: '' }];
}

/** Maps the names in a short declaration to the code of their values; `f()[1]` is the second of several results. */
function collectValues(initializer: Node | null): ReadonlyMap<string, string> {
  const names = initializer?.childForFieldName('left')?.namedChildren ?? [];
  const values = initializer?.childForFieldName('right')?.namedChildren ?? [];
  if (values.length === 1 && names.length > 1)
    return new Map(names.map((name, index) => [name.text, `${joinLines(values[0]!.text)}[${index}]`]));
  return new Map(names.flatMap((name, index) => (values[index] ? [[name.text, joinLines(values[index]!.text)]] : [])));
}

/** True if the assertion compares only literals, or compares something with itself. */
function isTrivial(subject: string, expected: string): boolean {
  return subject === expected || (LITERAL_PATTERN.test(subject) && (expected === '' || LITERAL_PATTERN.test(expected)));
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

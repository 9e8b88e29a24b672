// Which inputs a maintainer would write: values like those of the tests.

import { expect, test } from 'vitest';
import { createOrdinaryTest } from '../../../server/src/adapters/harness/distinguishing/ordinaryArguments.ts';
import type { ValueSpec } from '../../../server/src/adapters/harness/messages.ts';
import type { DistinguishingOrder } from '../../../server/src/core/verify/guard/distinguishingCalls.ts';
import { createPart } from '../../helpers/createPart.ts';

type Inputs = readonly (readonly ValueSpec[])[];

const options = (fields: Readonly<Record<string, ValueSpec>>): ValueSpec => ({
  $: 'record',
  fields: Object.entries(fields),
});
const list = (...of: readonly ValueSpec[]): ValueSpec => ({ $: 'array', of });

/** The question for a function with these inputs in its tests. */
function usualFor(examples: Inputs, more: object = {}, strings: readonly string[] = []) {
  const parameters = [{ name: 'text', shape: { kind: 'string' }, optional: false, rest: false }];
  const subject = { path: 'a.js', parameters, examples, guided: true, ...more };
  const materials = { 'a.js': { constants: { strings, numbers: [31, 0.75, 60_000] } } };
  return createOrdinaryTest(createPart<DistinguishingOrder>({ subjects: [subject], materials }), 0);
}

const PATHS = [['/foo/bar'], ['./foo/../bar'], ['https://foo.com/'], ['C:/foo']];

test.each([
  ['/foo/../bar', true],
  ['foo/bar', true],
  ['/foo/bar/baz', false],
  ['..../foo', false],
  ['https/://', false],
  ['/foo/,', false],
  ['', false],
  [' ', false],
  ['..', false],
])('signs stand where the tests put them, and words are known: %s', (text, expected) => {
  expect(usualFor(PATHS)([text])).toBe(expected);
});

const NUMBERS = [['0'], ['2.34'], ['-0.25'], ['1e33'], ['12.5']];
const VERSIONS = [['1.2.3'], ['2.0.10'], ['v1.2'], ['3']];

test.each<[Inputs, string, boolean]>([
  [NUMBERS, '3.5', true],
  [NUMBERS, '-2.5', true],
  [NUMBERS, '0.300.30', false],
  [NUMBERS, '2.3.4', false],
  [NUMBERS, '1e2e3', false],
  [VERSIONS, '4.5.6', true],
])('a number has the same sign on both sides only where a test has that: %j %s', (examples, text, expected) => {
  expect(usualFor(examples)([text])).toBe(expected);
});

test('a text of one character is usual only where a test passes another one', () => {
  expect([usualFor([['foo'], ['a b']])(['b']), usualFor([['a'], ['b']], {}, ['1'])(['b'])]).toEqual([false, true]);
});

test('signs of the code may stand anywhere if few texts show how they are used', () => {
  expect(usualFor([['plain words']], {}, ['<~'])(['<~plain'])).toBe(true);
  expect(usualFor([['plain words']])(['<~plain'])).toBe(false);
  expect(usualFor(PATHS, {}, ['<~'])(['<~foo'])).toBe(false);
});

test('what a test passes is usual, even if it is empty', () => {
  const isUsual = usualFor([...PATHS, ['', options({})]]);
  expect([isUsual(['']), isUsual(['/foo', options({})]), isUsual([options({})])]).toEqual([true, true, false]);
});

test('an empty text in a tuple is usual only at the place where a test has one', () => {
  const isUsual = usualFor([[list(list('Date', ''))], [list(list('Set', 'foo'))]]);
  expect([isUsual([list(list('Set', ''))]), isUsual([list(list('', 'foo'))])]).toEqual([true, false]);
  expect(usualFor([[list('foo', '')]])([list('', 'foo')])).toBe(true);
});

test('a call without arguments is usual only if a test makes it, or if nothing can be passed', () => {
  expect(usualFor(PATHS)([])).toBe(false);
  expect(usualFor([...PATHS, []])([])).toBe(true);
  expect(usualFor([], { parameters: [] })([])).toBe(true);
});

test('numbers are whole and not negative, unless the tests pass others', () => {
  const isUsual = usualFor([[3]]);
  expect([60_000, 7].every((number) => isUsual([number]))).toBe(true);
  expect([5_000, 0.75, -1].some((number) => isUsual([number]))).toBe(false);
  expect([0.25, -1].map((number) => usualFor([[0.5], [-2]])([number]))).toEqual([true, true]);
});

test('options have known texts, and names that are words', () => {
  const isUsual = usualFor([['EPILOG'], ['EPILOG', options({ width: 4 })]], {}, ['initial_indent']);
  expect(isUsual(['EPILOG', options({ initial_indent: '.' })])).toBe(false);
  expect(isUsual(['EPILOG', options({ initial_indent: 'foo', trim: true })])).toBe(true);
  expect(isUsual(['EPILOG', options({ c: true })])).toBe(false);
  expect(isUsual(['EPILOG', options({ '---': true })])).toBe(false);
});

test('where the tests pass an object or a list, nothing else is usual, unless the types declare it', () => {
  const engines: Inputs = [
    ['yaml', options({ engines: options({ yaml: 'foo' }) })],
    ['json', list('foo')],
  ];
  const isUsual = usualFor(engines);
  expect(isUsual(['yaml', options({ engines: 104 })])).toBe(false);
  expect(isUsual(['yaml', 104])).toBe(false);
  expect(usualFor([['yaml', options({ engines: options({}) })]])(['yaml', options({ engines: 104 })])).toBe(false);
  expect(isUsual(['yaml', options({ engines: options({ json: 'foo' }) })])).toBe(true);
  expect(usualFor(engines, { guided: false })(['yaml', options({ engines: 104 })])).toBe(true);
  expect(usualFor([...engines, ['json', 104]])(['yaml', 104])).toBe(true);
});

test('a flag at a position is usual if the types declare it, or if a test passes it', () => {
  expect(usualFor(PATHS)(['/foo', true])).toBe(false);
  expect(usualFor(PATHS, { guided: false })(['/foo', true])).toBe(true);
  expect(usualFor([...PATHS, ['/foo', true]])(['/bar', true])).toBe(true);
});

test('lists hold what the tests pass there', () => {
  const isUsual = usualFor([[list('foo', 'bar')]]);
  expect([list('bar', 'foo'), list('foo'), list(''), list()].map((one) => isUsual([one]))).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
});

test('an object that takes several steps is made as the tests make it for the same use', () => {
  const made = (name: string): readonly ValueSpec[] => [options({ headers: options({ [name]: 'foo' }) })];
  const sequences = [
    { making: made('accept'), steps: [{ use: 0, given: ['foo'] }] },
    { making: made('language'), steps: [{ use: 1, given: ['bar'] }] },
  ];
  const isUsual = usualFor([], { used: { uses: [] }, sequences });
  expect(isUsual([list(...made('accept')), list(0, 'bar')])).toBe(true);
  expect(isUsual([list(...made('language')), list(0, 'foo')])).toBe(false);
});

test('without types, no argument is omitted that all tests pass', () => {
  const ofFunction = usualFor([
    [10, 350],
    [1, 2, 3],
  ]);
  expect([ofFunction([10, 31]), ofFunction([10])]).toEqual([true, false]);
  const ofReturned = usualFor([[list(10, 350), list(0.5)]], { member: { kind: 'returned' } });
  expect([ofReturned([list(31, 350), list(0.5)]), ofReturned([list(350), list(0.5)])]).toEqual([true, false]);
  // Types say which arguments may be omitted.
  expect(usualFor([[10, 350]], { guided: false })([10])).toBe(true);
});

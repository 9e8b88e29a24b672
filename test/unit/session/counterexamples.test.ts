// Where functions are called at all: in a trusted workspace, on a machine that isolates the calls.

import { expect, test } from 'vitest';
import { removeDuplicates, removeInternalCalls } from '../../../server/src/core/session/analyse/counterexamples.ts';
import { computeGround } from '../../../server/src/core/session/analyse/storedCounterexamples.ts';
import type {
  CheckedCounterexample,
  CounterexampleKind,
  SearchPlan,
  Subject,
} from '../../../server/src/core/verify/counterexamples/plan.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const FILES = { 'package.json': '{ "type": "module" }\n', 'src/a.ts': 'export const a = (b: string) => b.length;\n' };
const ASKED = { paths: [], seconds: 5, signal: never };

test('not in an untrusted workspace', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({ trusted: false });
  await expect(session.analysis.counterexamples(ASKED)).rejects.toMatchObject({ reason: 'untrusted' });
});

test('not where nothing isolates the calls, and the error says what to do', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({
    change: (ports) => ({
      harness: ['node', 'harness.js'],
      sandbox: { ...ports.sandbox, isolation: async () => ({ kind: 'none', confined: false, tried: [] }) },
    }),
  });
  await expect(session.analysis.counterexamples(ASKED)).rejects.toMatchObject({
    reason: 'forbidden',
    action: expect.stringContaining('bubblewrap'),
  });
});

test('a function that fails twice with the same words is one find, even if the errors come from two places', () => {
  const find = (
    call: string,
    observed: string,
    site: string,
    kind: CounterexampleKind = 'engineError',
  ): CheckedCounterexample => {
    const range = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
    return {
      ...{ kind, path: 'src/a.ts', name: 'a', exportedAs: 'a', partner: null, call, calls: [call] },
      ...{ expected: 'should return a value', observed, equals: null, unlikely: false, site, range, nameRange: range },
      test: { path: 'src/a.test.ts', text: '' },
    };
  };
  const [first, sameWords, other] = [
    find('a("")', 'throws TypeError: one', 'src/a.ts:1 one'),
    find('a(" ")', 'throws TypeError: one', 'src/b.ts:7 one'),
    find('a("b")', 'throws TypeError: two', 'src/a.ts:1 two'),
  ];
  expect(removeDuplicates([first, sameWords, other])).toEqual([first, other]);
  const [text, number] = ['returns "a"', 'returns 1'].map((words) => find('a("")', words, words, 'wrongType'));
  expect(removeDuplicates([text!, number!])).toEqual([text]);
});

test('the finds in JavaScript hold until a declaration file changes that may state its types', () => {
  const groundWith = (hash: string) =>
    computeGround(
      {
        analyses: new Map([
          ['a.js', { hash: '1' }],
          ['types/a.d.ts', { hash }],
        ]),
        imports: new Map(),
      },
      'a.js',
    );
  expect(groundWith('2')).toBe(groundWith('2'));
  expect(groundWith('2')).not.toBe(groundWith('3'));
});

test('what a package does not export is not called with made-up values, but its other promises are checked', () => {
  const subject = (name: string) => ({ path: 'src/a.ts', name, exportedAs: name }) as Subject;
  const plan: SearchPlan = {
    subjects: ['open', 'inner', 'compareInner'].map(subject),
    laws: [
      { kind: 'breaks', of: 0, result: null },
      { kind: 'breaks', of: 1, result: null },
      { kind: 'order', of: 2 },
      { kind: 'breaks', of: 2, result: null },
    ],
    materials: {},
    leftOut: [],
    emit: { compiler: {}, paths: {}, baseUrl: null },
  };
  const { laws, leftOut } = removeInternalCalls(plan, (_path, name) => name !== 'open');
  expect(laws).toEqual([plan.laws[2], plan.laws[0]]);
  expect(leftOut.map(({ name }) => name)).toEqual(['inner']);
});

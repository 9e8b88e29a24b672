// Mistakes that no test notices: where they are searched at all, and what an opportunity says of them.

import { expect, test } from 'vitest';
import {
  computeEndOfSearch,
  computeMutantsPerFile,
} from '../../../server/src/core/session/analyse/unguarded/budget.ts';
import { selectFilesToMutate, noteNotCalled } from '../../../server/src/core/session/analyse/unguarded/subjects.ts';
import {
  selectFilesToSearch,
  formatMistake,
  createUnguardedOpportunity,
  addEarlierFindings,
} from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import type { UnguardedFunction } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const FILES = { 'package.json': '{ "type": "module" }\n', 'src/a.ts': 'export const a = (b: string) => b.length;\n' };
const ASKED = { paths: [], seconds: 5, signal: never };

test('not in an untrusted workspace', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({ trusted: false });
  await expect(session.analysis.unguarded(ASKED)).rejects.toMatchObject({ reason: 'untrusted' });
});

test('not where nothing isolates the tests, and the error says what to do', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({
    change: (ports) => ({
      harness: ['node', 'harness.js'],
      sandbox: { ...ports.sandbox, isolation: async () => ({ kind: 'none', confined: false, tried: [] }) },
    }),
  });
  await expect(session.analysis.unguarded(ASKED)).rejects.toMatchObject({
    reason: 'forbidden',
    action: expect.stringContaining('bubblewrap'),
  });
});

const RANGE = { startLine: 1, startColumn: 1, endLine: 3, endColumn: 2 };
const FOUND: UnguardedFunction = {
  path: 'src/a.ts',
  name: 'a',
  exportedAs: 'a',
  range: RANGE,
  nameRange: RANGE,
  runner: 'node',
  mistakes: [
    { line: 2, shown: '> → >=', place: 'src/a.ts:2 > → >=', call: 'a(1)', now: 'returns 1', then: 'returns 2' },
    { line: 3, shown: '1 → 2', place: 'src/a.ts:3 1 → 2', call: 'a(2)', now: 'returns 1', then: 'throws Error: x' },
  ],
  calls: [{ call: 'a(1)', given: ['1'], result: { value: '1', promised: false } }],
  test: { path: 'test/a.test.ts', added: "test('a returns 1 for 1', () => {});\n" },
};

test('an opportunity says which mistake, and which call shows it; the recipe writes tests if they can be written', () => {
  expect(createUnguardedOpportunity(FOUND)).toMatchObject({
    message: '`a`: no test notices `> → >=` in line 2, nor 1 more mistake: `a(1)` then returns 2; now it returns 1.',
    recipe: 'characterization-test',
    evidence: { count: 2, testPath: 'test/a.test.ts' },
  });
  expect(createUnguardedOpportunity({ ...FOUND, test: { refused: 'There are no tests.' } })).toMatchObject({
    recipe: null,
    evidence: { noTest: 'There are no tests.' },
  });
});

test('more mistakes weigh more, and a call that passes nothing weighs least', () => {
  const [first] = FOUND.mistakes;
  const impactOf = (found: UnguardedFunction) => createUnguardedOpportunity(found).impact;
  const one = { ...FOUND, mistakes: [first!] };
  expect(impactOf(FOUND)).toBeGreaterThan(impactOf(one));
  const empty = { call: 'a("")', given: ['""'], result: { value: '1', promised: false } } as const;
  expect(impactOf({ ...FOUND, calls: [empty] })).toBeLessThan(impactOf(one));
  expect(impactOf({ ...one, calls: [empty, ...FOUND.calls] })).toBe(impactOf(one));
});

test('it keeps its identity when other mistakes are left', () => {
  const [first] = FOUND.mistakes;
  expect(createUnguardedOpportunity({ ...FOUND, mistakes: [first!] }).id).toBe(createUnguardedOpportunity(FOUND).id);
});

test('calls of several steps are findings of their own, for each way to make the object', () => {
  const stepsFrom = (path: string): UnguardedFunction => {
    const made = { before: 'const bag = new ', imported: { path, name: 'Bag', exportedAs: 'Bag' }, after: '()' };
    const steps = [made, { before: 'a(bag)', imported: null, after: '' }];
    return { ...FOUND, calls: [{ ...FOUND.calls[0]!, steps }] };
  };
  const all = [FOUND, stepsFrom('src/bag.ts'), stepsFrom('src/other.ts')];
  expect(new Set(all.map((one) => createUnguardedOpportunity(one).id)).size).toBe(3);
  // The identity of a single call, as it was before there were steps.
  expect(createUnguardedOpportunity(FOUND).id).toBe('76885f66dee8c9edf759');
  const kept = (found: readonly UnguardedFunction[]) => ({ ground: 'g', seconds: 5, found });
  expect(addEarlierFindings(kept([all[1]!]), kept(all)).found).toHaveLength(3);
});

test('a file that a search did not finish is not done, and is looked at again with more time', () => {
  const kept = new Map([
    ['done.ts', { ground: 'g', seconds: null, found: [] }],
    ['long.ts', { ground: 'g', seconds: 120, found: [] }],
    ['late.ts', { ground: 'g', seconds: 0, found: [] }],
    ['other.ts', { ground: 'changed', seconds: null, found: [] }],
  ]);
  const left = (seconds: number) =>
    selectFilesToSearch([...kept.keys(), 'new.ts'], kept, (_, { ground }) => ground === 'g', seconds);
  expect(left(120)).toEqual({ open: ['late.ts', 'other.ts', 'new.ts'], undone: 4, spent: null });
  expect(left(240)).toEqual({ open: ['long.ts', 'late.ts', 'other.ts', 'new.ts'], undone: 4, spent: null });
});

test('a file with untried mistakes is done, unless all are asked for with more time', () => {
  const kept = new Map([
    ['done.ts', { ground: 'g', seconds: null, found: [] }],
    ['more.ts', { ground: 'g', seconds: null, untriedAfter: 120, found: [FOUND] }],
  ]);
  const left = (seconds: number, all: boolean) => selectFilesToSearch([...kept.keys()], kept, () => true, seconds, all);
  expect(left(240, false)).toEqual({ open: [], undone: 0, spent: null });
  expect(left(120, true)).toEqual({ open: [], undone: 1, spent: 120 });
  expect(left(240, true)).toEqual({ open: ['more.ts'], undone: 1, spent: null });
  // A search that gets less far does not undo what the one before has done.
  const short = { ground: 'g', seconds: 0, untriedAfter: 0, found: [] };
  expect(addEarlierFindings(short, kept.get('more.ts'))).toEqual({ ...short, seconds: null, found: [FOUND] });
});

test('a search without enough time keeps what an earlier one found in the same code', () => {
  const earlier = { ground: 'g', seconds: 60, found: [FOUND, { ...FOUND, name: 'b' }] };
  const [first] = FOUND.mistakes;
  const now = {
    ground: 'g',
    seconds: 0,
    found: [
      { ...FOUND, mistakes: [first!] },
      { ...FOUND, name: 'c' },
    ],
  };
  expect(addEarlierFindings(now, earlier)).toEqual({ ...earlier, found: [...earlier.found, now.found[1]] });
  expect(addEarlierFindings({ ...now, seconds: null }, earlier)).toEqual({ ...now, seconds: null });
  expect(addEarlierFindings(now, { ...earlier, ground: 'other' })).toBe(now);
  expect(addEarlierFindings(now, undefined)).toBe(now);
});

test('the files of functions without time are not done, and a function that is left out twice is listed once', () => {
  const subjects = ['a.ts', 'b.ts', 'b.ts', 'c.ts'].map((path) => ({ path }));
  const seen = { leftOut: [{ path: 'a.ts', name: 'a', reason: 'First.' }], incomplete: new Set<string>() };
  const more = [
    { path: 'a.ts', name: 'a', reason: 'Second.' },
    { path: 'b.ts', name: 'b', reason: 'Third.' },
  ];
  noteNotCalled({ notCalledYet: 0, skipped: [] }, subjects, seen);
  expect(seen.incomplete.size).toBe(0);
  noteNotCalled({ notCalledYet: 2, skipped: more }, subjects, seen);
  expect([...seen.incomplete]).toEqual(['b.ts', 'c.ts']);
  expect(seen.leftOut.map(({ reason }) => reason)).toEqual(['First.', 'Third.']);
});

test('long results of a mistake are shortened to the part that differs', () => {
  const [mistake] = FOUND.mistakes;
  expect(formatMistake(mistake!)).toBe('line 2: > → >=; a(1) then returns 2; now it returns 1');
  const long = (end: string) => `returns { ${'same: true, '.repeat(20)}end: ${end}, ${'more: 1, '.repeat(20)} }`;
  const line = formatMistake({ ...mistake!, then: long('1'), now: long('22') });
  expect(line).toMatch(/then returns ….{19}end: 1, more.*…; now it returns ….{19}end: 22, more.*…$/);
  expect(line.length).toBeLessThan(250);
});

test('a file without functions of its own to call is mutated if a file with such functions imports it', () => {
  const subject = (path: string, readsClock = false) => ({ path, name: 'a', examples: [], readsClock });
  const subjects = [subject('index.js'), subject('clock.js', true)] as unknown as Parameters<
    typeof selectFilesToMutate
  >[0]['subjects'];
  const imports = new Map([
    ['index.js', ['lib/a.js']],
    ['lib/a.js', ['lib/b.js']],
    ['clock.js', ['lib/c.js']],
  ]);
  const paths = ['index.js', 'lib/b.js', 'lib/c.js', 'clock.js'];
  expect([...selectFilesToMutate({ subjects }, paths, imports)]).toEqual(['index.js', 'lib/b.js']);
});

test('a long search tries more mistakes in few files', () => {
  expect([computeMutantsPerFile(1, 120), computeMutantsPerFile(6, 120), computeMutantsPerFile(100, 120)]).toEqual([
    720, 120, 60,
  ]);
  expect([computeMutantsPerFile(1, 200), computeMutantsPerFile(6, 600), computeMutantsPerFile(100, 600)]).toEqual([
    1000, 240, 60,
  ]);
});

test('a search whose tests took long before it ends in time nevertheless', () => {
  expect(computeEndOfSearch(0, 58_000, { seconds: 90 })).toBe(148_000);
  expect(computeEndOfSearch(0, 58_000, { seconds: 90, secondsInAll: 90 })).toBe(90_000);
  expect(computeEndOfSearch(0, 5_000, { seconds: 60, secondsInAll: 90 })).toBe(65_000);
});

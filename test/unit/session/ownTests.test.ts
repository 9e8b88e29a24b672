// Findings of the search for missing tests stay valid while tests of others among them are added.

import { expect, test } from 'vitest';
import {
  createGrounds,
  createUnguardedOpportunity,
} from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import { collectOwnTests } from '../../../server/src/core/session/analyse/unguarded/ownTests.ts';
import {
  computeMutantsPerFile,
  selectNeededMutants,
} from '../../../server/src/core/session/analyse/unguarded/budget.ts';
import type { UnguardedFunction } from '../../../server/src/core/verify/guard/unguarded.ts';

const RANGE = { startLine: 1, startColumn: 1, endLine: 3, endColumn: 2 };
const found = (name: string, test: UnguardedFunction['test']): UnguardedFunction => ({
  ...{ path: 'src/a.ts', name, exportedAs: name, range: RANGE, nameRange: RANGE, runner: 'vitest' },
  mistakes: [
    { line: 2, shown: '> → >=', place: 'src/a.ts:2 > → >=', call: 'a(1)', now: 'returns 1', then: 'returns 2' },
  ],
  calls: [{ call: `${name}(1)`, given: ['1'], result: { value: '1', promised: false } }],
  test,
});
const TEST = { path: 'test/a.test.ts', added: 'test();\n' };
const [FIRST, SECOND] = [found('first', TEST), found('second', TEST)];
const idOf = (one: UnguardedFunction) => createUnguardedOpportunity(one).id;

/** The grounds of a tree in which these tests, by path, import `src/a.ts`. */
function groundsWith(tests: Readonly<Record<string, string>>, added: Parameters<typeof collectOwnTests>[0] = []) {
  const state = {
    imports: new Map(Object.keys(tests).map((path) => [path, ['src/a.ts']])),
    analyses: new Map(Object.entries({ 'src/a.ts': 'code', ...tests }).map(([path, hash]) => [path, { hash }])),
  };
  return createGrounds(state as never, collectOwnTests(added));
}

const before = groundsWith({ 'test/a.test.ts': 'old' });
const known = (list: readonly UnguardedFunction[]) => ({
  ground: before.of('src/a.ts', list),
  seconds: null,
  found: list,
});
const namesOf = (grounds: typeof before, list = [FIRST, SECOND]) =>
  grounds.current('src/a.ts', known(list)).map(({ name }) => name);

test('a test that was added for one finding leaves the others, and ends its own', () => {
  expect(namesOf(before)).toEqual(['first', 'second']);
  const added = [
    { path: 'test/a.test.ts', before: 'old', after: 'new', opportunities: [idOf(FIRST)] },
    { path: 'test/a.test.ts', before: 'new', after: 'newer', opportunities: [idOf(SECOND)] },
  ];
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'new' }, added))).toEqual(['second']);
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'newer' }, added))).toEqual([]);
  // It was undone by hand.
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'old' }, added))).toEqual(['first', 'second']);
});

test('a file that was made for such a test changes nothing for the others', () => {
  const added = [{ path: 'test/b.test.ts', before: null, after: 'made', opportunities: [idOf(FIRST)] }];
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'old', 'test/b.test.ts': 'made' }, added))).toEqual(['second']);
});

test('any other change of the tests ends all findings', () => {
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'edited' }))).toEqual([]);
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'old', 'test/b.test.ts': 'made' }))).toEqual([]);
});

test('a new test of the file in which a mistake is ends the finding, as its own test does', () => {
  const elsewhere: UnguardedFunction = {
    ...FIRST!,
    mistakes: FIRST!.mistakes.map((one) => ({ ...one, path: 'src/b.ts' })),
  };
  const stateWith = (tests: Readonly<Record<string, string>>) => ({
    imports: new Map(Object.keys(tests).map((path) => [path, [path.replace('test/', 'src/').replace('.test', '')]])),
    analyses: new Map(
      Object.entries({ 'src/a.ts': 'code', 'src/b.ts': 'more', ...tests }).map(([path, hash]) => [path, { hash }]),
    ),
  });
  const grounds = (tests: Readonly<Record<string, string>>, added: Parameters<typeof collectOwnTests>[0] = []) =>
    createGrounds(stateWith(tests) as never, collectOwnTests(added));
  const first = grounds({ 'test/a.test.ts': 'old' });
  const kept = { ground: first.of('src/a.ts', [elsewhere]), seconds: null, found: [elsewhere] };
  const countWith = (one: typeof first) => one.current('src/a.ts', kept).length;
  expect(countWith(first)).toBe(1);
  const both = { 'test/a.test.ts': 'old', 'test/b.test.ts': 'made' };
  expect(countWith(grounds(both))).toBe(0);
  const made = [{ path: 'test/b.test.ts', before: null, after: 'made', opportunities: ['another'] }];
  expect(countWith(grounds(both, made))).toBe(1);
});

test('insertions at lines fit only the text for which they were made', () => {
  const fixed = found('fixed', { ...TEST, splices: [{ from: 1, to: 1, lines: ['new'] }] });
  const added = [{ path: 'test/a.test.ts', before: 'old', after: 'new', opportunities: [idOf(FIRST)] }];
  expect(namesOf(before, [fixed])).toEqual(['fixed']);
  expect(namesOf(groundsWith({ 'test/a.test.ts': 'new' }, added), [fixed])).toEqual([]);
});

test('a text that comes back does not lead round in a circle', () => {
  const circle = collectOwnTests([
    { path: 't', before: 'a', after: 'b', opportunities: ['1'] },
    { path: 't', before: 'b', after: 'a', opportunities: ['2'] },
  ]);
  expect(circle.heldBy('t', 'b')).toEqual(['1', '2']);
});

test('few files get more mistakes each, of which only some are needed', () => {
  expect([1, 3, 12, 400].map((files) => computeMutantsPerFile(files, 120))).toEqual([720, 240, 60, 60]);
  const planned = (path: string, count: number) => Array.from({ length: count }, () => ({ path }));
  expect(selectNeededMutants(planned('a.js', 720))).toHaveLength(60);
  // Each file needs its own, however many the others have.
  const needed = selectNeededMutants([...planned('a.js', 100), ...planned('b.js', 20)]);
  expect(['a.js', 'b.js'].map((path) => needed.filter((one) => one.path === path).length)).toEqual([60, 20]);
});

test('mutants that were noticed stay noticed after tests of findings were added, also at lines', () => {
  const noticed = { noticedOn: before.noticedOn('src/a.ts') };
  const added = [{ path: 'test/a.test.ts', before: 'old', after: 'new', opportunities: [idOf(FIRST)] }];
  expect(groundsWith({ 'test/a.test.ts': 'new' }, added).isStillNoticed('src/a.ts', noticed)).toBe(true);
  expect(groundsWith({ 'test/a.test.ts': 'edited' }, added).isStillNoticed('src/a.ts', noticed)).toBe(false);
  expect(before.isStillNoticed('src/a.ts', {})).toBe(false);
});

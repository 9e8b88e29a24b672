// A file is searched for missing tests again once some of its tests were kept: without the mistakes that tests have
// noticed, and without functions whose tests nobody has kept.

import { expect, test } from 'vitest';
import {
  mergeRepeatedSearch,
  isWorthRepeating,
  collectNoticedKeys,
  selectUnknownMutants,
  removeDoubtfulMutants,
} from '../../../server/src/core/session/analyse/unguarded/repeatedSearch.ts';
import {
  selectFilesToSearch,
  createUnguardedOpportunity,
  type KeptUnguarded,
} from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import type { Search } from '../../../server/src/core/session/analyse/unguarded/search.ts';
import type { Mutant } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { UnguardedFunction } from '../../../server/src/core/verify/guard/unguarded.ts';

const RANGE = { startLine: 1, startColumn: 1, endLine: 3, endColumn: 2 };
const found = (name: string, place: string): UnguardedFunction => ({
  ...{ path: 'a.ts', name, exportedAs: name, range: RANGE, nameRange: RANGE, runner: 'vitest' },
  mistakes: [{ line: 2, shown: place, place: `a.ts:2 ${place}`, call: 'a(1)', now: 'returns 1', then: 'returns 2' }],
  calls: [{ call: `${name}(1)`, given: ['1'], result: { value: '1', promised: false } }],
  test: { path: 'a.test.ts', added: 'test();\n' },
});
const [FIRST, SECOND] = [found('first', '> → >='), found('second', '1 → 2')];
const mutant = (start: number, shown: string): Mutant => ({
  ...{
    path: 'a.ts',
    operator: 'conditional',
    line: 2,
    touched: false,
    start,
    end: start + 1,
    text: '',
    shown,
    probe: 1,
  },
});
const known: KeptUnguarded = { ground: 'g', seconds: null, found: [FIRST, SECOND] };
const idOf = (one: UnguardedFunction) => createUnguardedOpportunity(one).id;

/** Grounds on which the tests of these findings were kept. */
function groundsWith(kept: readonly UnguardedFunction[]) {
  const done = new Set(kept.map(idOf));
  return {
    isSame: () => true,
    isStillNoticed: () => true,
    noticedOn: () => 'n',
    of: () => 'g',
    heldIn: () => [...done],
    doneIn: (_path: string, { found: all }: KeptUnguarded) => new Set(all.map(idOf).filter((id) => done.has(id))),
    current: (_path: string, one: KeptUnguarded | undefined) => (one?.found ?? []).filter((f) => !done.has(idOf(f))),
  };
}
const result = (...names: readonly UnguardedFunction[]) => ({ foundFunctions: names, incomplete: new Set<string>() });

test('it is searched again only after further tests of it were kept, and three times at most', () => {
  expect(isWorthRepeating('a.ts', known, groundsWith([]))).toBe(false);
  expect(isWorthRepeating('a.ts', { ...known, seconds: 5 }, groundsWith([FIRST]))).toBe(false);
  expect(isWorthRepeating('a.ts', known, groundsWith([FIRST]))).toBe(true);
  const second = mergeRepeatedSearch('a.ts', known, result(), groundsWith([FIRST]));
  expect(isWorthRepeating('a.ts', second, groundsWith([FIRST]))).toBe(false);
  expect(isWorthRepeating('a.ts', second, groundsWith([FIRST, SECOND]))).toBe(true);
  const third = mergeRepeatedSearch('a.ts', second, result(), groundsWith([FIRST, SECOND]));
  expect(isWorthRepeating('a.ts', { ...third, done: 0 }, groundsWith([FIRST, SECOND]))).toBe(false);

  const stored = new Map([['a.ts', known]]);
  const open = (again: ReadonlySet<string>) => selectFilesToSearch(['a.ts'], stored, () => true, 120, true, again).open;
  expect([open(new Set()), open(new Set(['a.ts']))]).toEqual([[], ['a.ts']]);
});

test('mistakes that a test has noticed, or that an earlier search has shown, are not tried again', () => {
  const [noticed, shown, missed] = [mutant(10, 'a → b'), mutant(20, '> → >='), mutant(30, 'c → d')];
  const keys = collectNoticedKeys(
    new Map([
      [noticed, 'noticed'],
      [missed, 'survived'],
    ] as const),
  );
  const kept = new Map([['a.ts', { ...known, noticed: keys.get('a.ts')! }]]);
  const run = (again: readonly string[]) =>
    ({ repeatedFiles: new Set(again), keptByPath: kept, grounds: { isStillNoticed: () => false } }) satisfies Partial<
      Record<keyof Search, unknown>
    > as unknown as Search;
  expect(selectUnknownMutants(run([]), [noticed, shown, missed])).toBeUndefined();
  expect([...selectUnknownMutants(run(['a.ts']), [noticed, shown, missed])!]).toEqual([missed]);
});

test('its findings have ids of their own; a function whose tests were not kept gets no others', () => {
  const more = [found('first', 'c → d'), found('second', 'e → f'), found('third', 'g → h')];
  const after = mergeRepeatedSearch('a.ts', known, result(...more), groundsWith([FIRST]));
  expect(after.found.map(({ name, round }) => [name, round])).toEqual([
    ['first', undefined],
    ['second', undefined],
    ['first', 2],
    ['third', 2],
  ]);
  expect(new Set(after.found.map(idOf)).size).toBe(4);
  expect(after).toMatchObject({ round: 2, done: 1, seconds: null });
  // Without enough time, it is searched once more.
  const late = { foundFunctions: more, incomplete: new Set(['a.ts']) };
  expect(
    isWorthRepeating('a.ts', mergeRepeatedSearch('a.ts', known, late, groundsWith([FIRST])), groundsWith([FIRST])),
  ).toBe(true);
});

test('what a test has noticed is unknown once that test was rolled back', () => {
  const noticed = mergeRepeatedSearch('a.ts', { ...known, noticed: ['1'] }, result(), groundsWith([FIRST]));
  expect(noticed).toMatchObject({ noticed: ['1'], held: [idOf(FIRST)] });
  expect(removeDoubtfulMutants('a.ts', noticed, groundsWith([FIRST, SECOND])).noticed).toEqual(['1']);
  expect(removeDoubtfulMutants('a.ts', noticed, groundsWith([SECOND])).noticed).toEqual([]);
});

// A search for missing tests that ran out of time continues with what the one before has learned about mistakes.

import { expect, test } from 'vitest';
import { selectUnknownMutants } from '../../../server/src/core/session/analyse/unguarded/repeatedSearch.ts';
import type { KeptUnguarded } from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import { storeFileResults } from '../../../server/src/core/session/analyse/unguarded/storeFileResults.ts';
import { groupKeysByPath } from '../../../server/src/core/session/analyse/unguarded/mutantKeys.ts';
import type { Search } from '../../../server/src/core/session/analyse/unguarded/search.ts';
import {
  knowsMore,
  selectStatusesToStore,
  findEarlierSurvivors,
} from '../../../server/src/core/session/analyse/unguarded/unfinished.ts';
import type { Mutant } from '../../../server/src/core/verify/guard/planMutants.ts';
import { createPart } from '../../helpers/createPart.ts';

type State = Search['context']['state'];

const mutant = (start: number): Mutant => ({
  ...{ path: 'a.js', operator: 'conditional', line: 2, touched: false, start, end: start + 1, text: '' },
  ...{ shown: 'a → b', probe: 1 },
});
const [NOTICED, MISSED, UNTRIED] = [mutant(10), mutant(20), mutant(30)];
const FOUND = {
  foundFunctions: [],
  incomplete: new Set(['a.js']),
  noticed: groupKeysByPath([NOTICED]),
  missed: groupKeysByPath([MISSED]),
};
const stateWith = (hash: string) =>
  createPart<State>({
    imports: new Map([['a.test.js', ['a.js']]]),
    analyses: new Map([['a.test.js', { hash }]]),
  });
const searchWith = (known: Pick<KeptUnguarded, 'noticed' | 'survived'>, { hash = 'old', isSame = true } = {}) =>
  ({
    repeatedFiles: new Set(),
    keptByPath: new Map([['a.js', { ground: 'g', seconds: 0, found: [], ...known }]]),
    stored: { complete: new Map(), nearby: new Map() },
    grounds: { isSame: () => isSame, isStillNoticed: () => isSame },
    context: { state: stateWith(hash) },
  }) satisfies Partial<Record<keyof Search, unknown>> as unknown as Search;

test('mistakes whose status is known are not tried again, and those that survived only need a call', () => {
  const known = selectStatusesToStore(stateWith('old'), 'a.js', FOUND, undefined, false);
  expect([...selectUnknownMutants(searchWith(known), [NOTICED, MISSED, UNTRIED])!]).toEqual([MISSED, UNTRIED]);
  expect([...findEarlierSurvivors(searchWith(known), [NOTICED, MISSED, UNTRIED])]).toEqual([MISSED]);
});

test('a test that was added may notice what survived, and nothing is known of changed code', () => {
  const known = selectStatusesToStore(stateWith('old'), 'a.js', FOUND, undefined, false);
  const added = searchWith(known, { hash: 'new' });
  expect([...findEarlierSurvivors(added, [MISSED])]).toEqual([]);
  expect([...selectUnknownMutants(added, [NOTICED, MISSED])!]).toEqual([MISSED]);
  const changed = searchWith(known, { isSame: false });
  expect([...findEarlierSurvivors(changed, [MISSED])]).toEqual([]);
  expect(selectUnknownMutants(changed, [NOTICED, MISSED])).toBeUndefined();
});

test.each([
  [true, ['earlier', ...groupKeysByPath([NOTICED]).get('a.js')!]],
  [false, groupKeysByPath([NOTICED]).get('a.js')],
])('if a test of Python or Go was kept, its lines have moved; noticed mistakes stay known: %s', (isStill, noticed) => {
  const search = createPart<Search>({
    ...searchWith({ noticed: ['earlier'] }, { isSame: false }),
    ...{ request: { seconds: 120 }, totals: { undone: 1, hasLearned: false } },
    grounds: {
      ...{ isSame: () => false, isStillNoticed: () => isStill },
      ...{ of: () => 'new', noticedOn: () => 'n', heldIn: () => [] },
    },
  });
  storeFileResults(search, 'a.js', FOUND, true);
  expect(search.keptByPath.get('a.js')).toMatchObject({ ground: 'new', noticedOn: 'n', noticed });
});

test('statuses add up until the file is finished; only then, survivors are forgotten', () => {
  const state = stateWith('old');
  const first = selectStatusesToStore(state, 'a.js', FOUND, undefined, false);
  expect([knowsMore(first, undefined), knowsMore(first, first)]).toEqual([true, false]);
  const more = { ...FOUND, noticed: groupKeysByPath([UNTRIED]), missed: groupKeysByPath([]) };
  const second = selectStatusesToStore(state, 'a.js', more, first, false);
  expect([second.noticed?.length, second.survived?.keys.length]).toEqual([2, 1]);
  expect(knowsMore(second, first)).toBe(true);
  expect(selectStatusesToStore(state, 'a.js', more, first, true)).toEqual({ noticed: second.noticed });
});

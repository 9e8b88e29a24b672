// When a run searches further: what counts as new, when the search ends, and what is recorded.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createFurtherSearch, createTurnPolicy } from '../../../server/src/app/nights/searchFurther.ts';
import type { WorkScope } from '../../../server/src/core/model/workScope.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import type { Operation } from '../../../server/src/core/operation.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';

type Searched = Extract<NightEvent, { readonly type: 'nightSearched' }>['data'];
type Parameters = globalThis.Parameters<typeof createFurtherSearch>;

interface Request {
  readonly paths: readonly string[];
  readonly excluded: readonly string[];
  readonly stop: AbortSignal;
  readonly seconds: number;
  readonly secondsInAll: number;
  readonly except: ReadonlySet<string>;
  readonly untilFound?: boolean;
}

const signal = new AbortController().signal;
const operation: Operation = { signal };
const lines = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
const mistake = { line: 1, shown: 'a → b', place: 'p', call: 'f(1)', now: 'returns 1', then: 'returns 2' };
const lacking = (name: string, test: object = { path: 'a.test.ts', added: 'test' }) => ({
  ...{ path: 'a.ts', name, exportedAs: name, range: lines, nameRange: lines, mistakes: [mistake], calls: [] },
  ...{ runner: 'vitest', test },
});
const breaking = {
  ...{ path: 'a.ts', name: 'g', exportedAs: 'g', range: lines, nameRange: lines, call: 'g([])', kind: 'engineError' },
  ...{ observed: 'throws a TypeError.', expected: 'It has to return.', test: { path: 't.ts', text: '' }, calls: [] },
};

/** Answers of the searches, in order; the last one is repeated. */
function world(
  found: readonly (object | SelfwareError)[],
  {
    finds = [] as object[],
    wrong = [] as object[],
    isOn = true,
    proposer = null as string | null,
    isFull = false,
    left = 3_600,
    isStopped = false,
    scope = {} as WorkScope,
    waits = false,
  } = {},
  heads: readonly string[] = ['c'],
) {
  let looks = 0;
  const recorded: Pick<Searched, 'search' | 'undone' | 'found' | 'mistakes' | 'leftOut' | 'obstacle'>[] = [];
  const asked: string[] = [];
  const seconds: number[] = [];
  const inAll: number[] = [];
  const scopes: WorkScope[] = [];
  const exceptions: (readonly string[])[] = [];
  const session = {
    analysis: {
      async unguarded(request: Request) {
        // What is found is proven at once.
        expect(request.untilFound).toBe(true);
        seconds.push(request.seconds);
        inAll.push(request.secondsInAll);
        exceptions.push([...request.except]);
        const answer = found[Math.min(seconds.length, found.length) - 1]!;
        asked.push('tests');
        scopes.push({ places: request.paths, excluded: request.excluded });
        if (waits) await once(request.stop, 'abort');
        if (answer instanceof SelfwareError) throw answer;
        return { found: [], files: 3, undone: 0, mutants: 0, survivors: 0, tried: [], leftOut: [], ...answer };
      },
      async examples({ paths, excluded }: Request) {
        if (wrong.length > 0) {
          asked.push('examples');
          scopes.push({ places: paths, excluded });
        }
        return { wrong, unclear: [], documents: 1, checks: wrong.length };
      },
      async counterexamples({ signal: ended, ...request }: Request & Operation) {
        asked.push('calls');
        scopes.push({ places: request.paths, excluded: request.excluded });
        if (waits) {
          await once(ended, 'abort');
          throw new SelfwareError('cancelled', 'Cancelled.');
        }
        return { finds, files: 3, undone: 0 };
      },
    },
  };
  const context = {
    request: { onEvent: () => undefined },
    branch: { head: async () => heads[Math.min(looks++, heads.length - 1)] },
    repository: {
      ledger: {
        isStopped: async () => isStopped,
        query: async () => [],
        async record({ data }: { data: (typeof recorded)[number] }) {
          if (isFull) throw new SelfwareError('unavailable', 'No space left.', {});
          recorded.push(data);
        },
      },
    },
  };
  const begun = { branch: 'n', run: 'r', places: null, ...scope, proposer, until: Date.now() + left * 1_000 };
  const search = createFurtherSearch(
    ...([context, begun, session, { 'night.searchFurther': isOn }] as unknown as Parameters),
  );
  return { search, recorded, asked, seconds, inAll, exceptions, scopes };
}

test('a function that lacks tests is new once; one for which no test can be written is not', async () => {
  const found = [lacking('f'), lacking('h', { refused: 'No.' })];
  const { search, recorded, asked } = world([{ found, undone: 2 }, { found }]);
  expect(await search.next(operation)).toBe(true);
  expect(await search.next(operation)).toBe(false);
  expect(asked).toEqual(['tests', 'tests', 'calls']);
  expect(recorded.map(({ search: kind, undone, found: told }) => [kind, undone, told])).toEqual([
    ['tests', 2, ['f in a.ts']],
    ['tests', 0, []],
    ['calls', 0, []],
  ]);
  expect(await search.next(operation)).toBe(false);
  expect(asked).toHaveLength(3);
});

test('examples are run once, before anything else is looked for; a run without fixes runs none', async () => {
  const wrong = [{ path: 'README.md', line: 3, column: 0, call: 'f(1)', stated: '2', actual: '3' }];
  const { search, recorded, asked, scopes } = world([{}], { wrong, scope: { excluded: ['docs'] } });
  expect([await search.first(operation), asked]).toEqual([true, ['examples']]);
  expect([await search.first(operation), asked]).toEqual([false, ['examples', 'tests']]);
  expect(scopes[0]).toEqual({ places: [], excluded: ['docs'] });
  expect(recorded[0]).toMatchObject({ search: 'examples', found: ['`f(1)` (README.md:3) returns 3'] });
  const withoutFixes = world([{}], { wrong, scope: { kinds: ['tests'] } });
  expect([await withoutFixes.search.next(operation), withoutFixes.asked]).toEqual([false, ['tests']]);
});

test('what was tried is recorded, with the most frequent reasons why places were left out', async () => {
  const places = { A: 1, B: 3, C: 2, D: 1 };
  const leftOut = Object.entries(places).flatMap(([reason, count]) =>
    Array.from({ length: count }, () => ({ reason })),
  );
  const { search, recorded } = world([{ mutants: 40, survivors: 3, leftOut }]);
  await search.next(operation);
  expect(recorded[0]).toMatchObject({ mistakes: { tried: 40, missed: 3 } });
  expect(recorded[0]?.leftOut).toEqual([
    { reason: 'B', places: 3 },
    { reason: 'C', places: 2 },
    { reason: 'A', places: 1 },
  ]);
});

test('a search that gets nowhere for lack of time gets twice the time, and is given up for this turn in the end', async () => {
  const { search, asked, seconds } = world([{ undone: 9 }]);
  expect(await search.next(operation)).toBe(false);
  expect(asked).toEqual(['tests', 'tests', 'tests', 'calls']);
  expect(seconds).toEqual([120, 240, 480]);
  expect(await search.next(operation)).toBe(false);
  expect(asked.slice(4)).toEqual(['tests', 'tests', 'tests']);
});

test('a search may take half of a short run together with the tests that run before it, so that others get their turn', async () => {
  const { search, seconds, inAll } = world([{ undone: 9 }], { left: 180 });
  expect(await search.first(operation)).toBe(false);
  expect(seconds[0]).toBeGreaterThan(80);
  expect(inAll).toEqual(seconds);
  const long = world([{ undone: 9 }]);
  await long.search.first(operation);
  expect(long.seconds).toEqual([120]);
  expect(long.inAll[0]).toBeGreaterThan(1_700);
});

test('what an earlier run could not finish gets twice its time, once, and half an hour at most', async () => {
  const { search, asked, seconds, recorded } = world([{ undone: 1, spent: 480 }, { undone: 1 }]);
  expect(await search.next(operation)).toBe(false);
  expect([asked, seconds]).toEqual([
    ['tests', 'tests', 'calls'],
    [120, 960],
  ]);
  // The first one has searched nothing.
  expect(recorded.map(({ search: kind }) => kind)).toEqual(['tests', 'calls']);

  const hopeless = world([{ undone: 1, spent: 1_800 }]);
  expect(await hopeless.search.next(operation)).toBe(false);
  expect(hopeless.seconds).toEqual([120]);
  const short = world([{ undone: 1, spent: 200 }], { left: 100 });
  await short.search.next(operation);
  expect(short.seconds).toHaveLength(1);
});

test('a search continues with what it has learned, as often as it learns something', async () => {
  const learning = { undone: 1, hasLearned: true };
  const { search, seconds } = world([learning, learning, learning, learning, { undone: 1, found: [lacking('f')] }]);
  expect(await search.next(operation)).toBe(true);
  expect(seconds).toEqual([120, 120, 120, 120, 120]);
});

test('a search that has learned something leaves the turn to a new commit', async () => {
  const { search, seconds } = world([{ undone: 1, hasLearned: true }], {}, ['c', 'c', 'c', 'd']);
  expect(await search.next(operation)).toBe(true);
  expect(seconds).toEqual([120, 120, 120]);
});

test('after a search that learned nothing, the next one takes nearly all of the time that is left', async () => {
  const { search, seconds } = world([{ undone: 1 }], { left: 200 });
  await search.next(operation);
  expect(seconds[0]).toBeLessThanOrEqual(100);
  expect(seconds[1]).toBeGreaterThanOrEqual(170);
});

test.each([
  [null, false],
  ['ollama:x', true],
])('calls that break are reported, and are something to try for the proposer %s: %s', async (proposer, isWork) => {
  const { search, recorded } = world([{}], { finds: [breaking], proposer });
  expect(await search.next(operation)).toBe(isWork);
  expect(recorded.at(-1)?.found).toEqual(['`g([])` (a.ts): throws a TypeError.']);
});

test('nothing is searched if it is switched off, and a search that is not possible here is not tried again', async () => {
  const off = world([{ found: [lacking('f')] }], { isOn: false });
  expect([await off.search.next(operation), off.asked]).toEqual([false, []]);
  const { search, asked, recorded } = world([new SelfwareError('forbidden', 'Nothing isolates here.')]);
  expect(await search.next(operation)).toBe(false);
  expect(recorded[0]).toMatchObject({ search: 'tests', obstacle: expect.stringContaining('Nothing isolates here.') });
  expect(await search.next(operation)).toBe(false);
  expect(asked).toEqual(['tests', 'calls']);
});

test('a machine that lacks memory ends a search, and not the searches after it', async () => {
  const short = new SelfwareError('unavailable', 'No memory.', { retry: { afterMs: null } });
  const { search, asked } = world([short, short, { found: [lacking('f')] }]);
  expect([await search.first(operation), await search.next(operation)]).toEqual([false, false]);
  expect(await search.next(operation)).toBe(true);
  expect(asked).toEqual(['tests', 'tests', 'calls', 'tests']);
});

test('a ledger that takes nothing ends the search, and not the run', async () => {
  const { search, asked } = world([{}], { isFull: true });
  expect(await search.next(operation)).toBe(false);
  expect(asked).toEqual(['tests', 'calls']);
});

test('changes of tests are tried after one search, also after the branch has moved, and no search is repeated for them', async () => {
  const reached = { tests: false, faultsInTests: false, wantedUntil: 0 };
  let searches = 0;
  const search = async () => ((searches += 1), false);
  const first = createTurnPolicy(reached, search);
  expect([await first(true), reached.tests, searches]).toEqual([true, false, 0]);
  expect([await first(false), reached.tests, searches]).toEqual([true, true, 1]);
  expect([await first(false), searches]).toEqual([false, 1]);
  // After it has waited, it searches again.
  expect([await first(false), searches]).toEqual([false, 2]);
  const moved = createTurnPolicy(reached, search);
  expect([await moved(false), searches]).toEqual([false, 3]);
});

test('a run that is asked to end searches no further', async () => {
  const { search, asked } = world([{ undone: 9 }], { isStopped: true });
  expect(await search.next(operation)).toBe(true);
  expect(asked).toEqual(['tests']);
});

test('a search that finds something is followed by a turn without changes of tests', async () => {
  const reached = { tests: false, faultsInTests: false, wantedUntil: 0 };
  const isMore = createTurnPolicy(reached, async () => true);
  expect([await isMore(false), reached.tests]).toEqual([true, false]);
});

test('near the end of a run, a search takes half of the time that is left, so that it can keep what it finds', async () => {
  const short = world([{ found: [lacking('f')] }], { left: 100 });
  await short.search.next(operation);
  expect(short.seconds[0]).toBeGreaterThanOrEqual(40);
  expect(short.seconds[0]).toBeLessThanOrEqual(50);
  const over = world([{ found: [lacking('f')] }], { left: 1 });
  await over.search.next(operation);
  expect(over.seconds).toEqual([10]);
});

test('a file whose tests fail anyway is searched once, and its reason is recorded', async () => {
  const leftOut = [
    { path: 'b.ts', name: 'all of it', reason: 'None of the tests that reach it passes here.' },
    { path: 'c.ts', name: 'f', reason: 'It is deprecated.' },
  ];
  const { search, recorded, exceptions } = world([{ found: [lacking('f')], leftOut }, {}]);
  expect(await search.next(operation)).toBe(true);
  await search.next(operation);
  expect(exceptions).toEqual([[], ['b.ts']]);
  expect(recorded[0]!.leftOut).toContainEqual({ reason: leftOut[0]!.reason, places: 1 });
});

test('as long as a search finds something, only fixes and missing tests are tried; then faults in tests, then all else', async () => {
  const answers = [true, false];
  const asked: string[] = [];
  const limits = { tests: false, faultsInTests: false, wantedUntil: Date.now() + 60_000 };
  const isMore = createTurnPolicy(
    limits,
    async () => (asked.push('further'), false),
    async () => (asked.push('first'), answers.shift()!),
  );
  expect([await isMore(false), limits.wantedUntil > 0]).toEqual([true, true]);
  expect([await isMore(true), asked.length]).toEqual([true, 1]);
  expect([await isMore(false), limits.wantedUntil, limits.faultsInTests]).toEqual([true, 0, true]);
  // A fix was kept meanwhile.
  expect([await isMore(true), limits.faultsInTests]).toEqual([true, true]);
  expect([await isMore(false), limits.faultsInTests, asked.length]).toEqual([true, false, 2]);
  expect([await isMore(false), asked]).toEqual([true, ['first', 'first', 'further']]);
  const late = { tests: false, faultsInTests: false, wantedUntil: Date.now() - 1 };
  const isMoreLate = createTurnPolicy(
    late,
    async () => false,
    async () => (asked.push('late'), true),
  );
  expect([await isMoreLate(true), late.wantedUntil, asked.includes('late')]).toEqual([true, 0, false]);
});

test('the first search is made once, and asks for no calls', async () => {
  const { search, asked, seconds } = world([{ found: [lacking('f')] }, { undone: 9 }]);
  expect([await search.first(operation), await search.first(operation)]).toEqual([true, false]);
  expect([asked, seconds]).toEqual([
    ['tests', 'tests'],
    [120, 120],
  ]);
});

test('a first search that has learned goes on at the next turn, but not for ever', async () => {
  const { search, asked } = world([{ undone: 1, hasLearned: true }]);
  expect([await search.first(operation), await search.first(operation)]).toEqual([true, true]);
  expect(await search.first(operation)).toBe(false);
  expect(asked).toEqual(['tests', 'tests', 'tests']);
  const done = world([{ undone: 0, hasLearned: true }]);
  expect(await done.search.first(operation)).toBe(false);
});

test('only what is in scope is searched, and only for the kinds of work that are wanted', async () => {
  const paths = { places: ['src'], excluded: ['src/old'] };
  const { search, scopes } = world([{}], { scope: paths });
  await search.next(operation);
  expect(scopes).toEqual([paths, paths]);
  const fixes = world([{}], { scope: { kinds: ['fixes'] } });
  expect([await fixes.search.first(operation), await fixes.search.next(operation), fixes.asked]).toEqual([
    false,
    false,
    ['calls'],
  ]);
  const tests = world([{}], { scope: { kinds: ['tests', 'style'] } });
  await tests.search.next(operation);
  expect(tests.asked).toEqual(['tests']);
});

test('a run that is asked to end ends its search, and what it has found by then is recorded', async () => {
  const found = [lacking('f')];
  const { search, recorded } = world([{ found, undone: 4 }], { isStopped: true, waits: true });
  expect(await search.next(operation)).toBe(true);
  expect(recorded).toMatchObject([{ search: 'tests', undone: 4, found: ['f in a.ts'] }]);
  const calls = world([{}], { isStopped: true, waits: true, scope: { kinds: ['fixes'] } });
  expect([await calls.search.next(operation), calls.recorded]).toEqual([false, []]);
});

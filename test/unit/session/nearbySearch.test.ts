// A search that runs only the nearest tests leaves the results of complete searches as they are.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { storeFileResults } from '../../../server/src/core/session/analyse/unguarded/storeFileResults.ts';
import {
  selectCurrentFindings,
  storeUnguarded,
  readUnguarded,
  type KeptUnguarded,
} from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import type { Search } from '../../../server/src/core/session/analyse/unguarded/search.ts';
import type { UnguardedFunction } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createPart } from '../../helpers/createPart.ts';

const RANGE = { startLine: 1, startColumn: 1, endLine: 3, endColumn: 2 };
const found = (name: string): UnguardedFunction => ({
  ...{ path: 'a.ts', name, exportedAs: name, range: RANGE, nameRange: RANGE, runner: 'vitest' },
  mistakes: [{ line: 2, shown: '1 → 2', place: 'a.ts:2', call: 'a(1)', now: 'returns 1', then: 'returns 2' }],
  calls: [{ call: `${name}(1)`, given: ['1'], result: { value: '1', promised: false } }],
  test: { path: 'a.test.ts', added: 'test();\n' },
});
const EARLIER: KeptUnguarded = { ground: 'g', seconds: 0, noticed: ['n'], found: [found('a')] };
const grounds = {
  ...{ isSame: () => true, isStillNoticed: () => true, noticedOn: () => 'n', of: () => 'g', heldIn: () => [] },
  current: (_path: string, known: KeptUnguarded | undefined) => known?.found ?? [],
};
const searchWith = (stored: Search['stored'], isNearby: boolean) =>
  ({
    ...{ stored, isNearby, grounds, repeatedFiles: new Set(), request: { seconds: 60 } },
    keptByPath: isNearby ? new Map([...stored.complete, ...stored.nearby]) : stored.complete,
    totals: { undone: 1, hasLearned: false },
    context: { state: { imports: new Map(), analyses: new Map() } },
  }) satisfies Partial<Record<keyof Search, unknown>> as unknown as Search;

test('its results are stored beside those of complete searches, until such a search examines the file', async () => {
  const stored = { complete: new Map([['a.ts', EARLIER]]), nearby: new Map<string, KeptUnguarded>() };
  storeFileResults(searchWith(stored, true), 'a.ts', { foundFunctions: [found('b')], incomplete: new Set() }, true);
  expect(stored.complete.get('a.ts')).toBe(EARLIER);
  expect(selectCurrentFindings(stored, 'a.ts', grounds).map(({ name, nearby }) => [name, nearby])).toEqual([
    ['a', undefined],
    ['b', true],
  ]);
  const written = new Map<string, Uint8Array>();
  const blobs = {
    read: async (name: string) => written.get(name) ?? null,
    write: async (name: string, bytes: Uint8Array) => void written.set(name, bytes),
  };
  const context = createPart<SessionContext>({ ports: { blobs } });
  await storeUnguarded(context, stored);
  expect(await readUnguarded(context)).toEqual(stored);
  storeFileResults(searchWith(stored, false), 'a.ts', { foundFunctions: [], incomplete: new Set() }, true);
  expect(stored.nearby.size).toBe(0);
  expect(selectCurrentFindings(stored, 'a.ts', grounds)).toEqual([]);
});

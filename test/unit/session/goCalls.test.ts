// What the search for calls of Go functions counts.

import { expect, test } from 'vitest';
import { findGoCalls, type GoSearch } from '../../../server/src/core/session/analyse/unguarded/goCalls.ts';
import { createPart } from '../../helpers/createPart.ts';

test('functions that an obstacle kept from being called do not count as called', async () => {
  const search = createPart<GoSearch>({
    tests: { chosen: { command: { command: ['make', 'test'] } }, worktree: {} },
    harness: [],
    calls: { folder: '', subjects: [{ name: 'Price' }, { name: 'Words' }], leftOut: [], testFiles: [] },
    sources: [],
    plan: { mutants: [] },
    missed: [],
    budgetMs: 1000,
    maxCalls: 5,
  });
  const found = await findGoCalls(search, new AbortController().signal);
  expect(found).toMatchObject({
    obstacle: expect.stringContaining('plain `go test`'),
    functions: 0,
    unguardedFunctions: [],
  });
});

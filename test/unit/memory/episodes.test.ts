// Episodes as a fold over events and commits.

import { expect, test } from 'vitest';
import { collectEpisodes, collectSnapshots } from '../../../server/src/core/memory/episodes.ts';
import type { StoredEvent } from '../../../server/src/core/ports/ledger.ts';

function events(...all: readonly (readonly [type: string, data: unknown])[]): StoredEvent[] {
  return all.map(([type, data], index) => ({
    sequence: index + 1,
    id: `e${index + 1}`,
    at: (index + 1) * 1000,
    type,
    data,
    previous: '',
    hash: '',
  }));
}

const proposed = [
  'proposed',
  {
    proposal: {
      id: 'p1',
      title: 'Remove unused import',
      rationale: 'Nothing uses it.',
      opportunity: { path: 'a.ts', symbol: 'open' },
    },
  },
] as const;
const texts = (...all: readonly (readonly [type: string, data: unknown])[]) =>
  collectEpisodes(events(...all), []).map(({ tier, text }) => `${tier}: ${text}`);

test.each([
  ['proposed', [proposed], 'normal: Remove unused import (a.ts open): proposed. Nothing uses it.'],
  [
    'refused',
    [
      proposed,
      [
        'refused',
        {
          proposal: 'p1',
          verdicts: [
            { gate: 'types', outcome: 'passed', reason: 'fine' },
            { gate: 'tests', outcome: 'failed', reason: '2 tests fail.' },
          ],
          reason: null,
        },
      ],
    ],
    'normal: Remove unused import (a.ts open): refused by the gates. tests: 2 tests fail.',
  ],
  [
    'rejected',
    [proposed, ['rejected', { proposal: 'p1', by: 'person', reason: 'The import registers a plugin.' }]],
    'high: Remove unused import (a.ts open): rejected by person. The import registers a plugin.',
  ],
  [
    'kept',
    [proposed, ['applied', { proposal: 'p1', checkpoint: {} }], ['kept', { proposal: 'p1', points: null }]],
    'high: Remove unused import (a.ts open): kept.',
  ],
  [
    'rolled back',
    [proposed, ['rolledBack', { proposal: 'p1', checkpoint: 'c', by: 'charter', reason: 'The score fell.' }]],
    'high: Remove unused import (a.ts open): rolled back by charter. The score fell.',
  ],
  [
    'attempt',
    [['attempt', { opportunity: 'o1', recipe: 'removeUnused', outcome: 'refused', reason: 'It has effects.' }]],
    'low: Recipe removeUnused could not realise o1. It has effects.',
  ],
  ['dismissed', [['opportunityDismissed', { opportunity: 'o1', reason: null }]], 'high: Opportunity o1 was dismissed.'],
  ['stopped', [['stopped', { reason: 'It is late.' }]], 'high: Everything was stopped. It is late.'],
  [
    'remembered',
    [['remembered', { text: 'Never touch the till.', importance: 0.9, tier: 'critical' }]],
    'critical: Never touch the till.',
  ],
] as const)('%s', (_, list, expected) => {
  expect(texts(...list)).toEqual([expected]);
});

test('events that say nothing worth remembering, or are not as expected, leave nothing', () => {
  expect(
    texts(
      ['indexed', { files: 3 }],
      ['points', { points: null }],
      ['remembered', { text: 'x' }],
      ['remembered', null],
      ['something new', {}],
      ['attempt', { outcome: 'proposed' }],
    ),
  ).toEqual([]);
});

test('recent commits are episodes; the order is that of time', () => {
  const commits = [
    { hash: 'abcdef0123456789', atMs: 1500, subject: 'Open the shop', paths: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] },
  ];
  const all = collectEpisodes(
    events(
      ['remembered', { text: 'one', importance: 1, tier: 'low' }],
      ['remembered', { text: 'two', importance: 1, tier: 'low' }],
    ),
    commits,
  );
  expect(all.map(({ text, importance }) => [text, importance])).toEqual([
    ['one', 1],
    ['Commit abcdef0123: Open the shop (a.ts, b.ts, c.ts and 1 more)', 0.25],
    ['two', 1],
  ]);
});

test('each pack that recalled an episode counts as an access', () => {
  const layers = {
    working: { tokens: 1, budget: 10 },
    episodic: { tokens: 2, budget: 10 },
    semantic: { tokens: 3, budget: 70 },
    reserve: { tokens: 0, budget: 10 },
  };
  const list = events(
    ['remembered', { text: 'one', importance: 1, tier: 'low' }],
    ['packed', { taskType: 'Learning', budgetTokens: 100, layers, recalled: ['e1'] }],
    ['packed', { taskType: 'Learning', budgetTokens: 100, layers, recalled: ['e1', 'gone'] }],
    ['packed', { taskType: 'Unheard', budgetTokens: 100, layers, recalled: [] }],
  );
  expect(collectEpisodes(list, [])).toMatchObject([{ id: 'e1', accesses: 2 }]);
  expect(collectSnapshots(list)).toEqual([
    { taskType: 'Learning', budgetTokens: 100, layers },
    { taskType: 'Learning', budgetTokens: 100, layers },
  ]);
});

// What the server makes for the sidebar: pages of opportunities, the trend of the points, the ledger in words, and a
// state that stays small.

import { expect, test } from 'vitest';
import type { Opportunity, Points, Proposal } from '../../server/src/core/model.ts';
import type { CommittedChange, Night } from '../../server/src/core/run/nightTypes.ts';
import type { Status } from '../../server/src/core/session.ts';
import { listOpportunityFiles, createOpportunityPage } from '../../server/src/lsp/sidebar/opportunityPages.ts';
import { parseOpportunitiesParams } from '../../server/src/lsp/sidebar/params.ts';
import { computeTrend } from '../../server/src/lsp/sidebar/trend.ts';
import { createSidebarState } from '../../server/src/lsp/sidebarState.ts';
import type { StoredEvent } from '../../server/src/core/ports/ledger.ts';
import { createPossibleWork } from '../helpers/memoryFindings.ts';
import { createPart } from '../helpers/createPart.ts';

function opportunity(i: number, part: Partial<Opportunity> = {}): Opportunity {
  const range = { startLine: i + 1, startColumn: 1, endLine: i + 1, endColumn: 2 };
  return {
    id: `o${i}`,
    rule: i % 2 ? 'unused-import' : 'long-function',
    path: `src/${i % 3 ? 'core' : 'cli'}/file${i % 10}.ts`,
    range,
    nameRange: range,
    symbol: null,
    severity: i % 5 ? 'hint' : 'warning',
    impact: 90 - (i % 90),
    confidence: 1,
    message: `Message ${i}`,
    evidence: {},
    recipe: i % 2 ? 'a-recipe' : null,
    ...part,
  };
}

const hundred = Array.from({ length: 100 }, (_, i) => opportunity(i));

test('a page is a window of what matches, best first, at most 200 rows', () => {
  const page = createOpportunityPage(hundred, 7, { offset: 10, limit: 3 });
  expect(page).toMatchObject({ revision: 7, total: 100, matching: 100, offset: 10 });
  expect(
    createOpportunityPage(
      [opportunity(0, { nameRange: { startLine: 7, startColumn: 9, endLine: 7, endColumn: 12 } })],
      7,
      {},
    ).rows,
  ).toMatchObject([{ line: 7, column: 9 }]);
  expect(page.rows.map(({ id, line, fixable }) => ({ id, line, fixable }))).toEqual([
    { id: 'o10', line: 11, fixable: false },
    { id: 'o11', line: 12, fixable: true },
    { id: 'o12', line: 13, fixable: false },
  ]);
  const many = Array.from({ length: 10_000 }, (_, i) => opportunity(i));
  expect(createOpportunityPage(many, 1, { limit: 100_000 }).rows.length).toBe(200);
  expect(JSON.stringify(createOpportunityPage(many, 1, { limit: 100 })).length).toBeLessThan(40_000);
  expect(createOpportunityPage(many, 1, { offset: 99_999 }).rows).toEqual([]);
});

test.each([
  { what: 'words, in any order and case', filter: { text: 'UNUSED message 11' }, ids: ['o11'] },
  { what: 'a rule and a severity', filter: { rule: 'unused-import', severities: ['warning' as const] }, count: 10 },
  { what: 'a folder', filter: { path: 'src/cli' }, count: 34 },
  { what: 'a folder, not another that begins alike', filter: { path: 'src/cl' }, count: 0 },
  { what: 'one file', filter: { path: 'src/core/file1.ts' }, count: 7 },
  { what: 'a recipe', filter: { fixable: true }, count: 50 },
])('the filter: $what', ({ filter, ids, count }) => {
  const page = createOpportunityPage(hundred, 1, { filter, limit: 200 });
  if (ids) expect(page.rows.map(({ id }) => id)).toEqual(ids);
  if (count !== undefined) expect(page.matching).toBe(count);
});

test('a facet counts what another choice of its filter would give, the others as they are', () => {
  const { facets, matching } = createOpportunityPage(hundred, 1, {
    filter: { rule: 'unused-import', path: 'src/cli' },
  });
  expect(facets.rules.find(({ id }) => id === 'unused-import')?.count).toBe(matching);
  expect(facets.rules.reduce((sum, { count }) => sum + count, 0)).toBe(34);
  expect(facets.folders).toEqual(
    expect.arrayContaining([
      { path: 'src', count: 50 },
      { path: 'src/core', count: 33 },
    ]),
  );
  expect(facets.severities).toEqual({ hint: 14, information: 0, warning: 3 });
});

test('files come in the order of the best in them', () => {
  const { files, total } = listOpportunityFiles(
    [opportunity(1, { path: 'b.ts' }), opportunity(2, { path: 'a.ts' }), opportunity(3, { path: 'b.ts' })],
    1,
    {},
  );
  expect({ files, total }).toEqual({
    files: [
      { path: 'b.ts', count: 2 },
      { path: 'a.ts', count: 1 },
    ],
    total: 2,
  });
});

test.each([
  undefined,
  null,
  7,
  'x',
  [],
  { filter: 'x', offset: -1, limit: 'many' },
  { filter: { severities: ['loud'], text: 3, rule: '', fixable: 'yes' } },
])('what is not understood of a question (%j) is as if it were not said', (params) => {
  expect(createOpportunityPage(hundred, 1, parseOpportunitiesParams(params)).matching).toBe(100);
});

function points(total: number, part: { readonly hash?: string; readonly safety?: number | null } = {}): Points {
  const category = (name: string, value: number | null) => ({
    points: value,
    max: 20,
    unknown: [],
    inputs: [{ name, points: value, max: 20 }],
  });
  const safety = part.safety === undefined ? 10 : part.safety;
  return {
    ruler: { version: '3', hash: part.hash ?? 'now' },
    total: total - 10 + (safety ?? 0),
    max: 100,
    categories: {
      codeQuality: category('dead code', total - 10),
      testCoverage: category('test coverage', null),
      safety: category('hazards', safety),
      performance: category('wasted work', 0),
      maintainability: category('nesting', 0),
    },
  };
}

let sequence = 0;
const event = (type: string, data: unknown): StoredEvent => ({
  sequence: ++sequence,
  id: '',
  at: sequence * 1000,
  type,
  data,
  previous: '',
  hash: '',
});

test('the trend says what lies between two measurements, and compares only those on the ruler of today', () => {
  const events = [
    event('points', { points: points(90, { hash: 'older' }) }),
    event('points', { points: points(60) }),
    event('points', { points: points(60) }),
    event('applied', { proposal: 'p1', checkpoint: {} }),
    event('points', { points: points(61) }),
    event('kept', { proposal: 'p1' }),
    event('points', { points: points(60.5) }),
    event('points', { points: null }),
    event('rolledBack', { proposal: 'p1', checkpoint: 'c1' }),
    event('points', { points: points(60) }),
  ];
  const trend = computeTrend(events, 'now', (id) => (id === 'p1' ? 'Remove an import' : null));
  expect(trend.map(({ total, cause }) => ({ total, cause }))).toEqual([
    { total: 60, cause: null },
    { total: 61, cause: 'Remove an import' },
    { total: 60.5, cause: 'Edits of the files' },
    { total: 60, cause: 'Rolled back: Remove an import' },
  ]);
  expect(trend[1]?.moved).toEqual([{ label: 'Code quality', delta: 1 }]);
  expect(
    computeTrend(
      Array.from({ length: 900 }, (_, i) => event('points', { points: points(20 + (i % 7)) })),
      'now',
      () => null,
    ).length,
  ).toBe(120);
});

test('what is measured now, or no longer, is a step with a name: what is shown and the step beside it agree', () => {
  const [known, unknown] = [(total: number) => points(total), (total: number) => points(total, { safety: null })];
  const trend = computeTrend(
    [
      event('points', { points: known(60) }),
      event('applied', { proposal: 'p1', checkpoint: {} }),
      event('points', { points: unknown(61) }),
      event('points', { points: unknown(63) }),
      event('points', { points: known(63) }),
    ],
    'now',
    () => 'Remove an import',
  );
  expect(trend.map(({ total, cause }) => [total, cause])).toEqual([
    [60, null],
    [51, 'Remove an import; Hazards are no longer measured: −10.0'],
    [53, 'Edits of the files'],
    [63, 'Hazards are measured now: +10.0'],
  ]);
  expect(trend[1]?.moved).toEqual([
    { label: 'Code quality', delta: 1 },
    { label: 'Safety', delta: -10 },
  ]);
  for (const [index, { total, moved }] of trend.entries())
    if (index > 0)
      expect(moved.reduce((sum, { delta }) => sum + delta, 0)).toBeCloseTo(total - trend[index - 1]!.total, 9);
});

function proposal(i: number, part: Partial<Proposal>): Proposal {
  const edits = Array.from({ length: 30 }, (_, n) => ({
    path: `src/some/folder/file${i}-${n}.ts`,
    before: 'a',
    after: 'b',
  }));
  return {
    id: `p${i}`,
    title: `Proposal ${i}`,
    rationale: '',
    recipe: 'a-recipe',
    opportunity: { id: `o${i}`, rule: 'unused-import', path: 'a.ts', symbol: null },
    base: null,
    edits,
    safety: 'behaviorPreserving',
    createdAt: i,
    status: 'verified',
    verdicts: [],
    pointsBefore: points(60),
    pointsAfter: points(61),
    reason: null,
    checkpoint: null,
    ...part,
  };
}

const status: Status = {
  rootDir: '/repo',
  state: 'idle',
  trusted: true,
  git: null,
  index: null,
  layers: null,
  points: points(61),
  opportunities: {},
  doable: createPossibleWork([], 1),
  pending: [],
  checkpoints: [],
  charter: { approval: 'strict', changesUsed: 0, changesAllowed: 10, stopped: false },
  notices: [],
};
const parts = {
  undecidedRuleFiles: [],
  folder: 'file:///repo',
  status,
  progress: null,
  indexingPaused: false,
  opportunities: { count: 0, revision: 1 },
  proposals: [],
  ledger: {
    events: [],
    trend: [],
    committedIds: new Set<string>(),
    dismissedCount: 0,
    learned: { total: 0, lessons: [] },
    inbox: [],
    rules: [],
    night: null,
    requestLists: { requests: [], waitingTasks: [], further: { count: 0, needing: 0 } },
  },
  night: null,
  requestLists: { requests: [], waitingTasks: [], further: { count: 0, needing: 0 } },
  undoneChangeIds: new Set<string>(),
  ownPatternCount: 0,
  notices: [],
};

test('every proposal lies where its status belongs', () => {
  const statuses = [
    'proposed',
    'verifying',
    'verified',
    'approved',
    'deferred',
    'applied',
    'conflicted',
    'kept',
    'kept',
    'refused',
    'rejected',
    'rolledBack',
  ] as const;
  const proposals = statuses.map((now, i) =>
    proposal(i, {
      status: now,
      checkpoint: ['applied', 'conflicted', 'kept', 'rolledBack'].includes(now) ? `c${i}` : null,
    }),
  );
  const checkpoints = proposals.flatMap(({ checkpoint, status: now }) =>
    checkpoint
      ? [
          {
            id: checkpoint,
            proposal: null,
            title: 't',
            createdAt: 1,
            head: null,
            ref: null,
            files: [],
            rolledBackAt: now === 'rolledBack' ? 2 : null,
          },
        ]
      : [],
  );
  const state = createSidebarState({
    ...parts,
    status: { ...status, checkpoints },
    proposals,
    ledger: { ...parts.ledger, committedIds: new Set(['p8']) },
  });
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  expect({
    making: ids(state.making),
    pending: ids(state.pending),
    probation: ids(state.probation),
    conflicted: ids(state.conflicted),
  }).toEqual({ making: ['p1', 'p0'], pending: ['p4', 'p3', 'p2'], probation: ['p5'], conflicted: ['p6'] });
  expect({ waiting: state.waiting, uncommitted: state.uncommitted }).toEqual({ waiting: 4, uncommitted: 1 });
  expect(state.checkpoints.map(({ fate }) => fate)).toEqual([
    'probation',
    'conflicted',
    'kept',
    'committed',
    'rolledBack',
  ]);
});

test('a proposal that is being applied no longer waits, and one that a dead process left approved does', () => {
  const proposals = [proposal(1, { status: 'approved' }), proposal(2, {})];
  const [applying, idle] = (['applying', 'idle'] as const).map((now) =>
    createSidebarState({ ...parts, status: { ...status, state: now }, proposals }),
  );
  expect(applying).toMatchObject({ waiting: 1, pending: [{ id: 'p2' }, { id: 'p1' }] });
  expect(idle).toMatchObject({ waiting: 2 });
});

test('the state stays small, whatever there is', () => {
  const proposals = Array.from({ length: 2000 }, (_, i) => proposal(i, { status: i % 2 ? 'verified' : 'conflicted' }));
  const checkpoints = Array.from({ length: 2000 }, (_, i) => ({
    id: `c${i}`,
    proposal: null,
    title: `Change ${i}`,
    createdAt: i,
    head: null,
    ref: null,
    files: Array.from({ length: 40 }, (_, n) => ({ path: `src/file${n}.ts`, before: null, after: null, mode: 0 })),
    rolledBackAt: null,
  }));
  const state = createSidebarState({
    ...parts,
    status: { ...status, checkpoints },
    proposals,
    opportunities: { count: 10_000, revision: 1 },
  });
  expect(state.waiting).toBe(2000);
  expect(JSON.stringify(state).length).toBeLessThan(80_000);
});

test('the changes of the newest night wait in its order, among the others', () => {
  const proposals = [0, 1, 2, 3].map((at) => proposal(at, { status: 'verified' }));
  const change = (id: string) => ({ proposal: id }) as CommittedChange;
  const night = createPart<Night>({ changes: [change('p0'), change('p2'), change('gone'), change('p3')] });
  const state = createSidebarState({ ...parts, proposals, ledger: { ...parts.ledger, night } });
  // Without a night: p3, p2, p1, p0.
  expect(state.pending.map(({ id }) => id)).toEqual(['p0', 'p2', 'p1', 'p3']);
});

test('what a layer of memory has beyond its share is shown as borrowed, and where it came from as lent', () => {
  const layers = {
    working: { tokens: 10, budget: 100, lent: 90 },
    episodic: { tokens: 100, budget: 100, lent: 0 },
    semantic: { tokens: 790, budget: 700, borrowed: 90 },
    reserve: { tokens: 0, budget: 100 },
  };
  expect(createSidebarState({ ...parts, status: { ...status, layers } }).memory).toEqual([
    { layer: 'working', tokens: 10, budget: 100, lent: 90 },
    { layer: 'episodic', tokens: 100, budget: 100 },
    { layer: 'semantic', tokens: 790, budget: 700, borrowed: 90 },
    { layer: 'reserve', tokens: 0, budget: 100 },
  ]);
});

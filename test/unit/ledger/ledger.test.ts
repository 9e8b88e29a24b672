// Events in, proposals and checkpoints out: on the real store, in temporary files.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';
import type { LedgerEvent } from '../../../server/src/core/ledger/events.ts';
import { createLedger, type Ledger } from '../../../server/src/core/ledger/ledger.ts';
import type { Checkpoint, Points, Proposal, Verdict } from '../../../server/src/core/model.ts';
import { createMemoryClock, createMemoryIds, type MemoryClock } from '../../helpers/memoryClock.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import type { LedgerStore } from '../../../server/src/core/ports/ledger.ts';
import { createPart } from '../../helpers/createPart.ts';

let dir: string;
let clock: MemoryClock;
let open: { store: LedgerStore; close(): Promise<void> }[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-ledger-'));
  clock = createMemoryClock();
  open = [];
});
afterEach(async () => {
  for (const one of open) await one.close();
  await rm(dir, { recursive: true, force: true });
});

const ids = createMemoryIds();

/** A process of its own, as far as the ledger can tell. */
async function ledgerOn(): Promise<Ledger> {
  const store = await createLedgerStore(join(dir, 'ledger.db'));
  const contents = await createContentStore(join(dir, 'contents.db'));
  open.push({ store, close: async () => void (await Promise.all([store.close(), contents.close()])) });
  return createLedger(store, clock, ids, contents, determineStrength);
}

const passed: readonly Verdict[] = [{ gate: 'tests', outcome: 'passed', reason: 'All pass.', evidence: {}, millis: 1 }];
const failed: readonly Verdict[] = [
  { gate: 'types', outcome: 'failed', reason: 'One error.', evidence: { first: 'login --token=abc' }, millis: 1 },
];
const notApplying: readonly Verdict[] = [
  { gate: 'applies', outcome: 'failed', reason: 'Changed.', evidence: {}, millis: 1 },
];

function proposalOf(id: string, more: Partial<Proposal> = {}): Proposal {
  return {
    id,
    title: `Title of ${id}`,
    rationale: 'Because.',
    recipe: 'elseAfterReturn',
    opportunity: { id: `o-${id}`, rule: 'else-after-return', path: 'src/a.ts', symbol: 'a' },
    base: '1'.repeat(40),
    edits: [{ path: 'src/a.ts', before: '\uFEFFold\r\n', after: `new of ${id}` }],
    safety: 'behaviorPreserving',
    createdAt: 5,
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
    ...more,
  };
}

function checkpointOf(proposal: string): Checkpoint {
  return {
    id: `c-${proposal}`,
    proposal,
    title: 't',
    createdAt: 6,
    head: null,
    ref: null,
    files: [{ path: 'password=x/a.ts', before: 'a'.repeat(64), after: null, mode: 0o644 }],
    rolledBackAt: null,
  };
}

/** Events of one proposal by the names of the steps. */
function steps(id: string, names: string): LedgerEvent[] {
  const decision = { proposal: id, by: 'person' as const, reason: null };
  const measured = { proposal: id, pointsBefore: null, pointsAfter: null };
  const events: Record<string, LedgerEvent> = {
    proposed: { type: 'proposed', data: { proposal: proposalOf(id) } },
    verifying: { type: 'verifying', data: { proposal: id } },
    verified: { type: 'verified', data: { ...measured, verdicts: passed } },
    refused: { type: 'refused', data: { ...measured, verdicts: failed, reason: 'types failed' } },
    stale: { type: 'refused', data: { ...measured, verdicts: passed, reason: 'stale' } },
    notApplying: { type: 'refused', data: { ...measured, verdicts: notApplying, reason: 'stale' } },
    approved: { type: 'approved', data: decision },
    rejected: { type: 'rejected', data: decision },
    deferred: { type: 'deferred', data: decision },
    applied: { type: 'applied', data: { proposal: id, checkpoint: checkpointOf(id) } },
    kept: { type: 'kept', data: { proposal: id, points: null } },
    rolledBack: { type: 'rolledBack', data: { proposal: id, checkpoint: `c-${id}`, by: 'person', reason: 'no' } },
  };
  return names.split(' ').map((name) => events[name] ?? expect.fail(name));
}

async function recordAll(ledger: Ledger, events: readonly LedgerEvent[]): Promise<void> {
  for (const event of events) await ledger.record(event);
}

test('a proposal comes back whole, texts and all, in this process and in the next', async () => {
  const ledger = await ledgerOn();
  const proposal = proposalOf('p-1');
  await ledger.record({ type: 'proposed', data: { proposal } });
  expect(await ledger.proposal('p-1')).toEqual(proposal);
  expect(await (await ledgerOn()).proposals()).toEqual([proposal]);
  expect(await ledger.proposal('p-2')).toBeNull();
  expect(JSON.stringify(await ledger.query({}))).not.toContain('new of p-1');
});

test.each([
  ['proposed verifying verified approved applied kept', 'kept', true],
  ['proposed verifying verified approved applied kept rolledBack', 'rolledBack', true],
  ['proposed verifying verified approved applied rolledBack', 'rolledBack', true],
  ['proposed verifying refused', 'refused', true],
  ['proposed verifying verified rejected', 'rejected', true],
  ['proposed verifying verified deferred approved applied', 'applied', true],
  ['proposed verifying deferred verifying verified', 'verified', true],
  ['proposed verifying verifying verified', 'verified', true],
  ['proposed verifying verified approved stale', 'refused', true],
  ['proposed verifying verified approved deferred applied', 'applied', true],
  ['proposed proposed', 'proposed', false],
  ['proposed verified', 'proposed', false],
  ['proposed approved', 'proposed', false],
  ['proposed applied', 'proposed', false],
  ['proposed verifying approved', 'verifying', false],
  ['proposed verifying deferred approved', 'deferred', false],
  ['proposed verifying verified applied', 'verified', false],
  ['proposed verifying refused approved', 'refused', false],
  ['proposed verifying refused verifying', 'refused', false],
  ['proposed verifying verified rejected approved', 'rejected', false],
  ['proposed verifying verified approved applied applied', 'applied', false],
  ['proposed verifying verified approved applied rejected', 'applied', false],
  ['proposed verifying verified approved applied rolledBack kept', 'rolledBack', false],
])('life: %s → %s', async (names, status, legal) => {
  const ledger = await ledgerOn();
  const events = steps('p-1', names);
  const last = events.pop();
  await recordAll(ledger, events);
  const end = ledger.record(last!);
  if (legal) await end;
  else await expect(end).rejects.toMatchObject({ reason: 'illegalStep' });
  expect((await ledger.proposal('p-1'))?.status).toBe(status);
  expect((await ledger.query({})).length).toBe(legal ? events.length + 1 : events.length);
  expect(await ledger.verify()).toMatchObject({ intact: true });
});

test('a step of a proposal that nobody knows is not found', async () => {
  const ledger = await ledgerOn();
  await expect(ledger.record({ type: 'verifying', data: { proposal: 'p-9' } })).rejects.toMatchObject({
    reason: 'notFound',
  });
});

test('what a proposal says of itself does not make it verified', async () => {
  const ledger = await ledgerOn();
  await ledger.record({
    type: 'proposed',
    data: {
      proposal: proposalOf('p-1', { status: 'approved', verdicts: passed, strength: 'proven', checkpoint: 'c' }),
    },
  });
  expect(await ledger.proposal('p-1')).toEqual(proposalOf('p-1'));
});

test('the strength of a proposal is recorded with its verdicts, and computed where an older version did not', async () => {
  const ledger = await ledgerOn();
  const reaching: readonly Verdict[] = passed.map((verdict) => ({ ...verdict, evidence: { reachingFiles: 1 } }));
  const measured = { pointsBefore: null, pointsAfter: null };
  await recordAll(ledger, [
    ...steps('p-1', 'proposed verifying'),
    { type: 'verified', data: { proposal: 'p-1', verdicts: reaching, ...measured } },
  ]);
  await recordAll(ledger, steps('p-2', 'proposed verifying refused'));
  await recordAll(ledger, steps('p-3', 'proposed verifying'));
  await open[0]?.store.append({
    id: 'e-old',
    at: 1,
    type: 'verified',
    data: { proposal: 'p-3', verdicts: reaching, ...measured },
  });
  await recordAll(ledger, steps('p-4', 'proposed verifying'));
  expect((await ledger.proposals()).map(({ id, strength }) => [id, strength])).toEqual([
    ['p-1', 'tested'],
    ['p-2', 'unchecked'],
    ['p-3', 'tested'],
    ['p-4', undefined],
  ]);
  const recorded = await ledger.query({ types: ['verified', 'refused'] });
  expect(recorded.map(({ data }) => (data as { strength?: string }).strength)).toEqual([
    'tested',
    'unchecked',
    undefined,
  ]);
});

test('of two processes that decide at once, one is refused', async () => {
  const [one, other] = [await ledgerOn(), await ledgerOn()];
  await recordAll(one, steps('p-1', 'proposed verifying verified'));
  const answers = await Promise.allSettled([
    one.record(steps('p-1', 'rejected')[0]!),
    other.record(steps('p-1', 'approved')[0]!),
  ]);
  const status = (await other.proposal('p-1'))?.status;
  // Approving and then rejecting is a change of mind; the other way round is not allowed.
  expect([
    ['fulfilled', 'rejected'],
    ['fulfilled', 'fulfilled'],
  ]).toContainEqual(answers.map((answer) => answer.status));
  expect(status).toBe('rejected');
  expect((await one.proposal('p-1'))?.status).toBe('rejected');
  expect(await one.verify()).toMatchObject({ intact: true });
});

test('many events of two processes at once: each is recorded once', async () => {
  const [one, other] = [await ledgerOn(), await ledgerOn()];
  const notice = (message: string): LedgerEvent => ({
    type: 'notice',
    data: { severity: 'info', message, action: null },
  });
  await Promise.all(
    Array.from({ length: 25 }, (_, number) => [
      one.record(notice(`a${number}`)),
      other.record(notice(`b${number}`)),
    ]).flat(),
  );
  expect(new Set((await one.query({})).map(({ data }) => (data as { message: string }).message)).size).toBe(50);
  expect(await one.verify()).toMatchObject({ events: 50, intact: true });
});

test('an event that should not be there is passed over and told by verify', async () => {
  const ledger = await ledgerOn();
  await recordAll(ledger, steps('p-1', 'proposed'));
  await open[0]?.store.append({
    id: 'e-x',
    at: 1,
    type: 'applied',
    data: { proposal: 'p-1', checkpoint: checkpointOf('p-1') },
  });
  await open[0]?.store.append({ id: 'e-y', at: 1, type: 'verified', data: {} });
  await open[0]?.store.append({ id: 'e-z', at: 1, type: 'from the future', data: {} });
  expect((await ledger.proposal('p-1'))?.status).toBe('proposed');
  expect(await ledger.checkpoints()).toEqual([]);
  expect(await ledger.verify()).toMatchObject({ intact: false, brokenAt: 2 });
});

test('checkpoints: applied, rolled back, forgotten; paths stay exact', async () => {
  const ledger = await ledgerOn();
  await recordAll(ledger, [
    ...steps('p-1', 'proposed verifying verified approved applied'),
    ...steps('p-2', 'proposed verifying verified approved applied'),
  ]);
  expect(await ledger.checkpoints()).toEqual([checkpointOf('p-1'), checkpointOf('p-2')]);
  clock.advance(50);
  await recordAll(ledger, steps('p-1', 'rolledBack'));
  expect((await ledger.checkpoints()).map(({ rolledBackAt }) => rolledBackAt)).toEqual([clock.now(), null]);
  await ledger.record({ type: 'forgotten', data: { checkpoints: ['c-p-1'] } });
  expect((await (await ledgerOn()).checkpoints()).map(({ id }) => id)).toEqual(['c-p-2']);
});

test('changes of certain proposals are counted, also those that were rolled back', async () => {
  const ledger = await ledgerOn();
  await recordAll(ledger, steps('p-1', 'proposed verifying verified approved applied rolledBack'));
  await recordAll(ledger, steps('p-2', 'proposed verifying verified approved applied'));
  expect(await ledger.countChanges(new Set(['p-1', 'p-2']))).toBe(2);
  expect(await ledger.countChanges(new Set(['p-1', 'p-3']))).toBe(1);
  expect(await ledger.countChanges(new Set())).toBe(0);
});

test.each([
  ['proposed', false, true],
  ['proposed verifying verified', false, true],
  ['proposed verifying verified deferred', false, true],
  ['proposed verifying refused', true, false],
  ['proposed verifying notApplying', false, false],
  ['proposed verifying verified stale', false, false],
  ['proposed verifying verified rejected', true, false],
  ['proposed verifying verified approved applied kept', false, false],
  ['proposed verifying verified approved applied rolledBack', true, false],
])('remembered after %s: refused %s, open %s', async (names, refused, isOpen) => {
  const ledger = await ledgerOn();
  await recordAll(ledger, steps('p-1', names));
  expect(await ledger.refusedBefore('o-p-1')).toBe(refused);
  expect(await ledger.refusedContent(proposalOf('p-1').edits)).toBe(refused);
  expect(await ledger.refusedContent(proposalOf('p-2').edits)).toBe(false);
  expect((await ledger.openProposalFor('o-p-1'))?.id ?? null).toBe(isOpen ? 'p-1' : null);
  expect(await ledger.refusedBefore('o-p-2')).toBe(false);
});

test('attempts and dismissals are remembered too', async () => {
  const ledger = await ledgerOn();
  await ledger.record({
    type: 'attempt',
    data: { opportunity: 'o-1', recipe: 'r', outcome: 'refused', reason: 'not safe' },
  });
  await ledger.record({
    type: 'attempt',
    data: { opportunity: 'o-2', recipe: 'r', outcome: 'proposed', reason: null },
  });
  await ledger.record({ type: 'opportunityDismissed', data: { opportunity: 'o-3', reason: null } });
  expect(await Promise.all(['o-1', 'o-2', 'o-3'].map((id) => ledger.refusedBefore(id)))).toEqual([true, false, true]);
});

test('points are recorded when they change', async () => {
  const ledger = await ledgerOn();
  const points = (total: number) =>
    createPart<Points>({ ruler: { version: '1', hash: 'h' }, total, max: 100, categories: {} });
  for (const total of [1, 1, 2, 2, 1]) await ledger.record({ type: 'points', data: { points: points(total) } });
  expect((await ledger.pointsHistory()).map((entry) => entry.points.total)).toEqual([1, 2, 1]);
});

test('stop and resume survive a restart', async () => {
  const ledger = await ledgerOn();
  await ledger.record({ type: 'stopped', data: {} });
  expect(await (await ledgerOn()).isStopped()).toBe(true);
  await ledger.record({ type: 'resumed', data: {} });
  expect(await (await ledgerOn()).isStopped()).toBe(false);
});

test('no secret reaches the disk, but edits stay usable', async () => {
  const ledger = await ledgerOn();
  const secret = 'hunter2-very-own';
  const text = `const password = '${secret}';\n`;
  const proposal = proposalOf('p-1', {
    title: `Uses password=${secret}`,
    edits: [{ path: 'a.ts', before: text, after: '' }],
  });
  await ledger.record({ type: 'proposed', data: { proposal } });
  await recordAll(ledger, steps('p-1', 'verifying refused'));
  expect(await ledger.proposal('p-1')).toMatchObject({
    title: 'Uses password=[redacted:password]',
    edits: proposal.edits,
    verdicts: [{ evidence: { first: 'login --token=[redacted:password]' } }],
  });
  for (const one of open) await one.close();
  expect((await readFile(join(dir, 'ledger.db'))).includes(secret)).toBe(false);
});

test.each(['DELETE FROM contents', "UPDATE contents SET bytes = x'00'"])(
  'a proposal whose texts are lost cannot be used, and says so: %s',
  async (sql) => {
    const ledger = await ledgerOn();
    await recordAll(ledger, steps('p-1', 'proposed verifying verified'));
    await recordAll(ledger, steps('p-2', 'proposed verifying verified approved applied'));
    const database = new DatabaseSync(join(dir, 'contents.db'));
    database.exec(sql);
    database.close();
    const again = await ledgerOn();
    expect(await again.proposals()).toMatchObject([
      { id: 'p-1', status: 'refused', edits: [], reason: expect.stringContaining('src/a.ts') },
      { id: 'p-2', status: 'applied', edits: [], reason: expect.stringContaining('lost') },
    ]);
    expect(await again.verify()).toMatchObject({ intact: true });
    expect(await again.lostTexts()).toMatchObject({
      open: [{ id: 'p-1', lost: 'src/a.ts' }],
      decided: sql.startsWith('DELETE') ? 1 : 0,
    });

    // It is no obstacle to the same change, and told no more once that was made again.
    expect(await again.openProposalFor('o-p-1')).toBeNull();
    await again.record({
      type: 'proposed',
      data: { proposal: proposalOf('p-3', { opportunity: proposalOf('p-1').opportunity }) },
    });
    expect(await again.openProposalFor('o-p-1')).toMatchObject({ id: 'p-3', status: 'proposed' });
    expect((await again.lostTexts()).open).toEqual([]);

    // Turned down it counts as decided; what was cleared away on purpose was never lost.
    await again.record({ type: 'rejected', data: { proposal: 'p-1', by: 'person', reason: null } });
    await again.record({ type: 'forgotten', data: { checkpoints: [], proposals: ['p-1', 'p-2'] } });
    expect(await again.lostTexts()).toEqual({ open: [], decided: 0 });
  },
);

test('what a proposal was verified on is said where it is known, and only there', async () => {
  const ledger = await ledgerOn();
  await recordAll(ledger, steps('p-1', 'proposed verifying verified'));
  expect(await ledger.proposal('p-1')).not.toHaveProperty('verifiedOn');
  await recordAll(ledger, steps('p-2', 'proposed verifying'));
  const measured = { proposal: 'p-2', verdicts: passed, pointsBefore: null, pointsAfter: null };
  await ledger.record({ type: 'verified', data: { ...measured, tree: 'tree' } });
  expect(await ledger.proposal('p-2')).toMatchObject({ verifiedOn: 'tree' });
});

test('the kill switch stays off after it was lifted', async () => {
  const ledger = await ledgerOn();
  await ledger.record({ type: 'stopped', data: {} });
  expect(await (await ledgerOn()).isStopped()).toBe(true);
  await ledger.record({ type: 'resumed', data: {} });
  expect(await (await ledgerOn()).isStopped()).toBe(false);
});

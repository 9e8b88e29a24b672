// Dismissals, what decisions teach about a rule, and when a rule rests: on the real store, with a clock that is moved
// by hand.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';
import { createLedger, type Ledger } from '../../../server/src/core/ledger/ledger.ts';
import type { DismissalKind, Proposal, Verdict } from '../../../server/src/core/model.ts';
import { createMemoryClock, createMemoryIds, type MemoryClock } from '../../helpers/memoryClock.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';

const DAY = 86_400_000;
const verdicts: readonly Verdict[] = [
  { gate: 'tests', outcome: 'passed', reason: 'All pass.', evidence: {}, millis: 1 },
];
const ids = createMemoryIds();
let dir: string;
let clock: MemoryClock;
let closers: (() => Promise<void>)[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-decisions-'));
  clock = createMemoryClock();
  closers = [];
});
afterEach(async () => {
  for (const close of closers) await close();
  await rm(dir, { recursive: true, force: true });
});

async function ledgerOn(): Promise<Ledger> {
  const store = await createLedgerStore(join(dir, 'ledger.db'));
  const contents = await createContentStore(join(dir, 'contents.db'));
  closers.push(
    () => store.close(),
    () => contents.close(),
  );
  return createLedger(store, clock, ids, contents, determineStrength);
}

const dismiss = (ledger: Ledger, opportunity: string, kind: DismissalKind, until: number | null = null) =>
  ledger.record({
    type: 'opportunityDismissed',
    data: { opportunity, kind, reason: null, rule: 'long-function', path: 'src/a.ts', until },
  });

/** A proposal for an opportunity of its own, brought to an end. */
async function concluded(
  ledger: Ledger,
  id: string,
  as: 'kept' | 'rejected' | 'rolledBack' | 'refused',
  rule = 'long-function',
): Promise<void> {
  const proposal = id;
  const judged = { proposal, verdicts, pointsBefore: null, pointsAfter: null };
  const decided = { proposal, by: 'person', reason: null } as const;
  const checkpoint = {
    id: `c-${id}`,
    proposal,
    title: '',
    createdAt: 1,
    head: null,
    ref: null,
    files: [],
    rolledBackAt: null,
  };
  await ledger.record({
    type: 'proposed',
    data: {
      proposal: {
        id,
        title: id,
        rationale: '',
        recipe: 'r',
        opportunity: { id: `o-${id}`, rule, path: 'src/a.ts', symbol: null },
        base: null,
        edits: [{ path: 'src/a.ts', before: '', after: id }],
        safety: 'additive',
        createdAt: 1,
        status: 'proposed',
        verdicts: [],
        pointsBefore: null,
        pointsAfter: null,
        reason: null,
        checkpoint: null,
      } satisfies Proposal,
    },
  });
  await ledger.record({ type: 'verifying', data: { proposal } });
  if (as === 'refused') return void (await ledger.record({ type: 'refused', data: { ...judged, reason: 'no' } }));
  await ledger.record({ type: 'verified', data: judged });
  if (as === 'rejected') return void (await ledger.record({ type: 'rejected', data: decided }));
  await ledger.record({ type: 'approved', data: decided });
  await ledger.record({ type: 'applied', data: { proposal, checkpoint } });
  await ledger.record({ type: 'kept', data: { proposal, points: null } });
  if (as === 'rolledBack')
    await ledger.record({
      type: 'rolledBack',
      data: { proposal, checkpoint: checkpoint.id, by: 'person', reason: null },
    });
}

test('a dismissal holds after a restart, until it is taken back', async () => {
  const ledger = await ledgerOn();
  await dismiss(ledger, 'o-1', 'wrong');
  const again = await ledgerOn();
  expect(await again.dismissals()).toEqual([
    {
      opportunity: 'o-1',
      kind: 'wrong',
      reason: null,
      rule: 'long-function',
      path: 'src/a.ts',
      at: clock.now(),
      until: null,
    },
  ]);
  expect(await again.refusedBefore('o-1')).toBe(true);
  await again.record({ type: 'opportunityRestored', data: { opportunity: 'o-1' } });
  expect(await ledger.dismissals()).toEqual([]);
  expect(await ledger.refusedBefore('o-1')).toBe(false);
  expect((await ledger.decisions()).size).toBe(0);
});

test('"later" comes back by itself and teaches nothing', async () => {
  const ledger = await ledgerOn();
  await dismiss(ledger, 'o-1', 'later', clock.now() + 30 * DAY);
  clock.advance(30 * DAY - 1);
  expect(await ledger.refusedBefore('o-1')).toBe(true);
  clock.advance(1);
  expect(await ledger.dismissals()).toEqual([]);
  expect(await ledger.refusedBefore('o-1')).toBe(false);
  expect((await ledger.decisions()).size).toBe(0);
});

test('decisions add up by rule, each opportunity once', async () => {
  const ledger = await ledgerOn();
  await concluded(ledger, 'p-1', 'kept');
  await concluded(ledger, 'p-2', 'rejected');
  await concluded(ledger, 'p-3', 'rolledBack');
  await concluded(ledger, 'p-4', 'refused');
  await concluded(ledger, 'p-5', 'kept', 'nested-if');
  await dismiss(ledger, 'o-9', 'wrong');
  await dismiss(ledger, 'o-9', 'notAProblem');
  await dismiss(ledger, 'o-8', 'generated');
  await dismiss(ledger, 'o-p-2', 'other');
  expect(await ledger.decisions()).toEqual(
    new Map([
      ['long-function', { kept: 1, rolledBack: 1, rejected: 0, dismissed: 2, wrong: 0 }],
      ['nested-if', { kept: 1, rolledBack: 0, rejected: 0, dismissed: 0, wrong: 0 }],
    ]),
  );
});

test('a kept change that a commit has undone counts as rolled back; one that a person has rewritten does not count', async () => {
  const ledger = await ledgerOn();
  for (const id of ['p-1', 'p-2', 'p-3']) await concluded(ledger, id, 'kept');
  const rework = { commit: 'abc', subject: 'This one has to vary', diff: '' };
  await ledger.record({ type: 'reworked', data: { proposal: 'p-1', undone: true, ...rework } });
  await ledger.record({ type: 'reworked', data: { proposal: 'p-2', undone: false, ...rework } });
  expect(await ledger.decisions()).toEqual(
    new Map([['long-function', { kept: 1, rolledBack: 1, rejected: 0, dismissed: 0, wrong: 0 }]]),
  );
});

test('events of older versions say neither kind nor rule; they dismiss all the same', async () => {
  const ledger = await ledgerOn();
  await ledger.record({ type: 'opportunityDismissed', data: { opportunity: 'o-1', reason: 'because' } });
  expect(await ledger.dismissals()).toMatchObject([{ opportunity: 'o-1', kind: 'other', rule: null, until: null }]);
  expect((await ledger.decisions()).size).toBe(0);
});

test('five failures in a row cool a rule down for a day', async () => {
  const ledger = await ledgerOn();
  for (const [at, as] of (['refused', 'rejected', 'refused', 'rolledBack'] as const).entries())
    await concluded(ledger, `p-${at}`, as);
  expect([...(await ledger.pausedRules()).keys()]).toEqual([]);
  await concluded(ledger, 'p-4', 'refused');
  await concluded(ledger, 'p-5', 'refused', 'nested-if');
  expect([...(await ledger.pausedRules()).keys()]).toEqual(['long-function']);
  clock.advance(DAY - 1);
  expect([...(await ledger.pausedRules()).keys()]).toEqual(['long-function']);
  clock.advance(1);
  expect([...(await ledger.pausedRules()).keys()]).toEqual([]);
  await concluded(ledger, 'p-6', 'refused');
  expect([...(await ledger.pausedRules()).keys()]).toEqual(['long-function']);
});

test('one success keeps a rule warm, and what was kept and rolled back later is a failure', async () => {
  const ledger = await ledgerOn();
  for (const at of [0, 1, 2, 3]) await concluded(ledger, `p-${at}`, 'refused');
  await concluded(ledger, 'p-4', 'kept');
  expect([...(await ledger.pausedRules()).keys()]).toEqual([]);
  await ledger.record({
    type: 'rolledBack',
    data: { proposal: 'p-4', checkpoint: 'c-p-4', by: 'person', reason: null },
  });
  expect([...(await ledger.pausedRules()).keys()]).toEqual(['long-function']);
});

test('what is refused again for the same reason was refused when it first was', async () => {
  const ledger = await ledgerOn();
  const attempt = (reason: string) =>
    ledger.record({ type: 'attempt', data: { opportunity: 'o-1', recipe: 'r', outcome: 'refused', reason } });
  const first = clock.now();
  await attempt('too long');
  clock.advance(DAY);
  await attempt('too long');
  expect((await ledger.refusals()).get('o-1')).toEqual({ by: 'declined', at: first, reason: 'too long' });
  clock.advance(DAY);
  await attempt('too wide');
  expect((await ledger.refusals()).get('o-1')).toEqual({ by: 'declined', at: clock.now(), reason: 'too wide' });
});

test('a change that still teaches something else counts after one of its lessons was forgotten', async () => {
  const ledger = await ledgerOn();
  await concluded(ledger, 'p', 'refused');
  const forget = (finding: string, stillTeaching: readonly string[]) =>
    ledger.record({
      type: 'lessonForgotten',
      data: { lesson: `l-${finding}`, text: '', proposals: ['p'], opportunities: [], finding, stillTeaching },
    });
  await forget('no-var', ['p']);
  expect([...(await ledger.idsWithForgottenLessons())]).toEqual([]);
  expect([...(await ledger.refused()).keys()]).toContain('o-p');
  await forget('no-undef-init', []);
  expect([...(await ledger.idsWithForgottenLessons())]).toEqual(['p']);
  expect([...(await ledger.refused()).keys()]).not.toContain('o-p');
});

// Which stored texts are removed when space runs out: none that is still needed, and every removal is recorded.

import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';
import type { StoredProposal } from '../../../server/src/core/ledger/events.ts';
import { selectTexts } from '../../../server/src/core/ledger/retention.ts';
import { createLedger, type Ledger } from '../../../server/src/core/ledger/ledger.ts';
import type { Checkpoint, Proposal, Verdict } from '../../../server/src/core/model.ts';
import { createMemoryClock, createMemoryIds } from '../../helpers/memoryClock.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { createPart } from '../../helpers/createPart.ts';

const passed: readonly Verdict[] = [{ gate: 'tests', outcome: 'passed', reason: 'All pass.', evidence: {}, millis: 1 }];
/** Text that does not get smaller when it is packed. */
const kilobyte = (): string => randomBytes(512).toString('hex');

function proposal(id: string): Proposal {
  return {
    id,
    title: id,
    rationale: '',
    recipe: 'r',
    opportunity: { id: `o-${id}`, rule: 'r', path: 'a.ts', symbol: null },
    base: null,
    edits: [{ path: 'a.ts', before: kilobyte(), after: kilobyte() }],
    safety: 'additive',
    createdAt: 1,
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}

/** Brings a proposal to a status. */
async function bring(
  ledger: Ledger,
  id: string,
  status: 'verified' | 'rejected' | 'applied' | 'kept' | 'rolledBack',
  keepCheckpoint = true,
): Promise<void> {
  await ledger.record({ type: 'proposed', data: { proposal: proposal(id) } });
  await ledger.record({ type: 'verifying', data: { proposal: id } });
  await ledger.record({
    type: 'verified',
    data: { proposal: id, verdicts: passed, pointsBefore: null, pointsAfter: null },
  });
  if (status === 'verified') return;
  if (status === 'rejected')
    return void (await ledger.record({ type: 'rejected', data: { proposal: id, by: 'person', reason: null } }));
  await ledger.record({ type: 'approved', data: { proposal: id, by: 'person', reason: null } });
  const checkpoint: Checkpoint = {
    id: `c-${id}`,
    proposal: id,
    title: id,
    createdAt: 1,
    head: null,
    ref: null,
    files: [],
    rolledBackAt: null,
  };
  const content = await ledger.putText(kilobyte());
  const base = await ledger.putText(JSON.stringify({ head: 'h', files: [{ path: 'b.ts', content }] }));
  await ledger.record({ type: 'applied', data: { proposal: id, checkpoint, base } });
  if (status === 'kept')
    await ledger.record({
      type: 'kept',
      data: { proposal: id, points: null, receipt: await ledger.putText(`receipt of ${id} names ${content}`) },
    });
  if (status === 'rolledBack')
    await ledger.record({
      type: 'rolledBack',
      data: { proposal: id, checkpoint: checkpoint.id, by: 'person', reason: null },
    });
  if (!keepCheckpoint) await ledger.record({ type: 'forgotten', data: { checkpoints: [checkpoint.id] } });
}

test('what is needed stays beyond any bound; of the rest the newest kept changes stay longest', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-retention-'));
  const store = await createLedgerStore(join(dir, 'ledger.db'));
  let now = 0;
  const contents = await createContentStore(join(dir, 'contents.db'), () => now);
  const ledger = createLedger(store, createMemoryClock(), createMemoryIds(), contents, determineStrength);
  await bring(ledger, 'kept-old', 'kept', false);
  await bring(ledger, 'kept-new', 'kept', false);
  await bring(ledger, 'rejected', 'rejected');
  await bring(ledger, 'rolled-back', 'rolledBack');
  await bring(ledger, 'with-a-way-back', 'kept');
  await bring(ledger, 'in-probation', 'applied');
  await bring(ledger, 'waiting', 'verified');
  const orphan = await ledger.putText('put by a process that died before it named it');
  const whole = [...(await contents.sizes()).values()].reduce((sum, size) => sum + size, 0);

  expect(await ledger.tidyTexts(whole)).toEqual([]);
  now = 2 * 3_600_000;
  expect(await ledger.tidyTexts(Math.floor(whole * 0.78))).toEqual(expect.arrayContaining(['rejected']));
  expect(await ledger.text(orphan)).toBeNull();
  for (const id of ['kept-new', 'with-a-way-back', 'in-probation', 'waiting'])
    expect((await ledger.proposal(id))?.edits, id).toHaveLength(1);

  const gone = await ledger.tidyTexts(1);
  expect(gone).toEqual(expect.arrayContaining(['kept-old', 'kept-new']));
  for (const id of ['with-a-way-back', 'in-probation', 'waiting'])
    expect((await ledger.proposal(id))?.edits, id).toHaveLength(1);
  expect(await ledger.proposal('kept-old')).toMatchObject({
    status: 'kept',
    edits: [],
    reason: expect.stringContaining('no longer kept'),
  });
  const receipt = (await ledger.proposal('with-a-way-back'))?.receipt ?? '';
  expect(await ledger.text(receipt)).toContain('receipt of');
  expect(await ledger.text((await ledger.text(receipt))?.split(' ').at(-1) ?? '')).toHaveLength(1024);
  expect(await ledger.tidyTexts(1)).toEqual([]);
  expect(await ledger.verify()).toMatchObject({ intact: true });
  await Promise.all([store.close(), contents.close()]);
  await rm(dir, { recursive: true, force: true });
});

test('a store of texts that cannot be read holds none of those that were decided on', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-retention-'));
  const store = await createLedgerStore(join(dir, 'ledger.db'));
  const contents = await createContentStore(join(dir, 'contents.db'));
  const reading = (sizes: typeof contents.sizes) =>
    createLedger(store, createMemoryClock(), createMemoryIds(), { ...contents, sizes }, determineStrength);
  const ledger = reading(contents.sizes);
  await bring(ledger, 'kept', 'kept');
  await bring(ledger, 'rejected', 'rejected');
  expect(await ledger.lostTexts()).toEqual({ open: [], decided: 0 });
  const damaged = reading(() => Promise.reject(new SelfwareError('damaged', 'Damaged.')));
  expect(await damaged.lostTexts()).toEqual({ open: [], decided: 2 });
  await expect(reading(() => Promise.reject(new TypeError('A defect.'))).lostTexts()).rejects.toThrow('A defect.');
  await Promise.all([store.close(), contents.close()]);
  await rm(dir, { recursive: true, force: true });
});

/** Proposals that came to their end, oldest first, each with one text of so many bytes. */
async function tidied(texts: Readonly<Record<string, string>>, sizes: Readonly<Record<string, number>>, most: number) {
  const proposals = new Map(
    Object.entries(texts).map(([id, text]) => [
      id,
      createPart<StoredProposal>({
        ...proposal(id),
        status: id.startsWith('kept') ? ('kept' as const) : ('rejected' as const),
        edits: [{ path: 'a.ts', before: text, after: text }],
      }),
    ]),
  );
  const state = { proposals, checkpoints: new Map(), bases: new Map(), textless: new Set<string>() };
  const { keep, forget } = await selectTexts(state, new Map(Object.entries(sizes)), most, async () => null);
  return { keep: [...keep].sort().join(' '), forget: [...forget].sort().join(' ') };
}

test.each([
  [30, { keep: 'x y z', forget: '' }],
  [29, { keep: 'y z', forget: 'a' }],
  [20, { keep: 'y z', forget: 'a' }],
  [19, { keep: 'z', forget: 'a b' }],
  [9, { keep: '', forget: 'a b c' }],
])('with room for %i bytes the newest stay', async (most, expected) => {
  expect(await tidied({ a: 'x', b: 'y', c: 'z' }, { x: 10, y: 10, z: 10 }, most)).toEqual(expected);
});

test('a text that two share takes room once, kept changes go last, and a small one may stay where a large one goes', async () => {
  expect(await tidied({ a: 'x', b: 'x' }, { x: 10 }, 10)).toEqual({ keep: 'x', forget: '' });
  expect(await tidied({ 'kept-a': 'x', b: 'y' }, { x: 10, y: 10 }, 10)).toEqual({ keep: 'x', forget: 'b' });
  expect(await tidied({ a: 'x', b: 'y', c: 'z' }, { x: 5, y: 90, z: 10 }, 20)).toEqual({ keep: 'x z', forget: 'b' });
});

// What a person has made of a proposal in its review: verified by itself, applied as it stands, recorded as a
// correction.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';

const text = flawed['src/two.ts'] ?? '';
const without = text.replace(/import .*\n/g, '');
const files = { 'src/two.ts': text };
const edit: FileEdit = { path: 'src/two.ts', before: text, after: without };
const mine = `// by hand\n${without}`;

async function verified(world: SessionWorld): Promise<{ readonly session: Session; readonly waiting: Proposal }> {
  const session = await world.session({
    change: (ports) => ({
      jobs: {
        ...ports.jobs,
        run: async (name, input, signal) =>
          name === 'applyRecipe'
            ? ({ edits: [edit], title: 'Both', rationale: '' } as never)
            : name === 'alike'
              ? ({ refused: 'Alone.' } as never)
              : ports.jobs.run(name, input, signal),
      },
    }),
  });
  const { proposal } = await session.proposals.propose({ signal: never });
  return { session, waiting: await session.verification.verify(proposal?.id ?? '', { signal: never }) };
}

test('a corrected text is verified, applied as it stands, and says nothing against the rule', async () => {
  await using world = await createSessionWorld(files);
  const { session, waiting } = await verified(world);
  const runs = world.sandbox.ran.length;
  const { proposal } = await session.changes.apply({
    proposal: waiting.id,
    texts: [{ path: 'src/two.ts', after: mine }],
    by: 'person',
    signal: never,
  });
  expect(proposal).toMatchObject({
    status: 'kept',
    title: expect.stringMatching(/ \(corrected by hand\)$/),
    recipe: waiting.recipe,
    isCorrected: true,
  });
  expect(world.sandbox.ran.length).toBeGreaterThan(runs);
  expect(world.tree.text('src/two.ts')).toBe(mine);
  expect(await session.proposals.get(waiting.id)).toMatchObject({
    status: 'rejected',
    replacedBy: proposal.id,
    reason: expect.stringContaining('Corrected by a person'),
  });
  const [event] = await session.ledger.query({ types: ['rejected'], newestFirst: true, limit: 1 });
  expect(event?.data).toMatchObject({ proposal: waiting.id, replacedBy: proposal.id, correction: true, by: 'person' });
});

test('a corrected text that does not pass is not applied, and the proposal goes on waiting', async () => {
  await using world = await createSessionWorld(files, {
    commands: { 'run-tests': (texts) => (texts.get('src/two.ts')?.includes('by hand') ? failingRun : passingRun) },
  });
  const { session, waiting } = await verified(world);
  await expect(
    session.changes.apply({
      proposal: waiting.id,
      texts: [{ path: 'src/two.ts', after: mine }],
      by: 'person',
      signal: never,
    }),
  ).rejects.toMatchObject({ reason: 'forbidden', message: expect.stringContaining('With your edits') });
  expect(world.tree.text('src/two.ts')).toBe(text);
  expect(world.written).toEqual([]);
  expect((await session.proposals.get(waiting.id)).status).toBe('verified');
});

test('what was typed goes into a file that was edited elsewhere in the meantime', async () => {
  await using world = await createSessionWorld(files);
  const { session, waiting } = await verified(world);
  world.tree.set('src/two.ts', `${text}export const added = 1;\n`);
  const { proposal } = await session.changes.apply({
    proposal: waiting.id,
    texts: [{ path: 'src/two.ts', after: mine }],
    by: 'person',
    signal: never,
  });
  expect(proposal.status).toBe('kept');
  expect(world.tree.text('src/two.ts')).toBe(`${mine}export const added = 1;\n`);
});

test.each([
  ['a file that is not part of it', [{ path: 'src/other.ts', after: 'x' }], /not a file of the proposal/],
  ['no change at all', [{ path: 'src/two.ts', after: text }], /no longer change anything/],
])('refused: %s', async (_, texts, message) => {
  await using world = await createSessionWorld(files);
  const { session, waiting } = await verified(world);
  await expect(
    session.changes.apply({ proposal: waiting.id, texts, by: 'person', signal: never }),
  ).rejects.toMatchObject({
    reason: 'usage',
    message: expect.stringMatching(message),
  });
  expect(world.written).toEqual([]);
});

test('a file that is gone is called so', async () => {
  await using world = await createSessionWorld(files);
  const { session, waiting } = await verified(world);
  world.tree.set('src/two.ts', null);
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
    message: expect.stringContaining('src/two.ts was deleted or renamed'),
  });
  expect(world.written).toEqual([]);
});

// A process that dies while it verifies: the next one puts the proposal back, and does not run again what was shown.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';

const text = flawed['src/two.ts'] ?? '';
const without = text.replace(/import .*\n/g, '');
const edit: FileEdit = { path: 'src/two.ts', before: text, after: without };
const edited = `${text}export const mine = 1;\n`;

/** A process of its own, as far as locks and ledger can tell. */
async function sessionOn(world: SessionWorld): Promise<Session> {
  return world.session({
    settings: { 'verify.typesCommand': 'run-types' },
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run: async (name, input, signal) =>
          name === 'applyRecipe'
            ? ({ edits: [edit], title: 'Both', rationale: '' } as never)
            : name === 'alike'
              ? ({ refused: 'Alone.' } as never)
              : jobs.run(name, input, signal),
      },
    }),
  });
}

/** Resolves once the tests run that never end; `dies` frees the locks, as the system does. */
async function hangingWorld(): Promise<{
  readonly world: SessionWorld;
  readonly hang: { now: boolean; begun: Promise<void> };
  dies(): void;
}> {
  let begin: () => void = () => {};
  const hang = { now: false, begun: new Promise<void>((resolve) => (begin = resolve)) };
  const world = await createSessionWorld(
    { 'src/two.ts': text },
    {
      commands: {
        'run-types': () => ({ exitCode: 0, stdout: '' }),
        'run-tests': (texts, signal) => {
          if (!hang.now || !texts.get('src/two.ts')?.includes('mine') || texts.get('src/two.ts')?.includes('import'))
            return passingRun;
          begin();
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve({ outcome: 'cancelled' }), { once: true }),
          );
        },
      },
    },
  );
  return { world, hang, dies: () => world.held.clear() };
}

async function verified(session: Session): Promise<Proposal> {
  const { proposal } = await session.proposals.propose({ signal: never });
  return session.verification.verify(proposal?.id ?? '', { signal: never });
}

const openIds = async (session: Session) => (await session.status()).pending.map(({ id, status }) => [id, status]);

test('while applying verifies it again: the proposal waits as before, nothing else does, and what passed is remembered', async () => {
  const { world, hang, dies } = await hangingWorld();
  await using _ = world;
  const first = await sessionOn(world);
  const waiting = await verified(first);
  world.tree.set('src/two.ts', edited);
  hang.now = true;
  void first.changes.apply({ proposal: waiting.id, by: 'person', signal: never }).catch(() => undefined);
  await hang.begun;
  const second = await sessionOn(world);
  // The first one lives: what it does is left alone.
  expect((await second.proposals.all()).some(({ status }) => status === 'verifying')).toBe(true);
  dies();
  const third = await sessionOn(world);
  expect((await third.status()).notices.map(({ message }) => message)).toContain(
    'The verification of "Both" was interrupted. The proposal waits as before.',
  );
  expect(await openIds(third)).toEqual([[waiting.id, 'verified']]);
  expect((await third.proposals.all()).map(({ status }) => status)).not.toContain('verifying');
  hang.now = false;
  const runs = world.sandbox.ran.length;
  const { proposal } = await third.changes.apply({ proposal: waiting.id, by: 'person', signal: never });
  expect(proposal.status).toBe('kept');
  const again = world.sandbox.ran.slice(runs);
  expect(again.filter((line) => line.includes('types'))).toEqual([]);
  expect(again.filter((line) => line.includes('tests')).length).toBeGreaterThan(0);
  expect(world.tree.text('src/two.ts')).toBe(`${without}export const mine = 1;\n`);
});

test('a cancelled verification that applying asks for costs nothing either', async () => {
  const { world, hang } = await hangingWorld();
  await using _ = world;
  const session = await sessionOn(world);
  const waiting = await verified(session);
  world.tree.set('src/two.ts', edited);
  const cancel = new AbortController();
  hang.now = true;
  const applied = session.changes.apply({ proposal: waiting.id, by: 'person', signal: cancel.signal });
  await hang.begun;
  cancel.abort();
  await expect(applied).rejects.toMatchObject({ reason: 'cancelled' });
  await expect
    .poll(async () => (await session.proposals.all()).map(({ status }) => status))
    .toEqual(['verified', 'refused']);
  expect(await openIds(session)).toEqual([[waiting.id, 'verified']]);
});

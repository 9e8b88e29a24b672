// Proposed commands in an editor: the sidebar's state lists them, and a person applies or rejects them.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decideInboxCommand } from '../../server/src/lsp/commands/inbox.ts';
import { readLedgerView } from '../../server/src/lsp/sidebar/ledgerView.ts';
import type { ServerContext } from '../../server/src/lsp/serverContext.ts';
import type { Session } from '../../server/src/core/session.ts';
import { createSessionWorld } from '../helpers/memorySessionPorts.ts';
import { createPart } from '../helpers/createPart.ts';

const { signal } = new AbortController();

/** The part of the server that the command uses, with one folder. */
function contextOf(session: Session, trusted = true): ServerContext {
  const repository = { trusted, use: (work: (one: Session) => unknown) => work(session) };
  return createPart<ServerContext>({
    repositories: { owner: async () => repository },
    abilities: { canReview: true },
  });
}

test('what is proposed is listed with what it does, and leaves the list once it is decided about', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  await session.learned.record({ session: 'a', kind: 'pattern_observed', dimension: 'x', value: null, note: null });
  const base = { kind: 'command', description: 'It is run all the time.', events: [1] } as const;
  const { id } = await session.inbox.propose({ ...base, name: 'Log', command: 'git log' }, signal);
  world.clock.advance(3_600_000);
  const { id: second } = await session.inbox.propose({ ...base, name: 'Test', command: 'npm test' }, signal);
  const shown = async () => (await readLedgerView(session, null, [], { revision: 0, list: [] })).inbox;
  expect(await shown()).toEqual([
    expect.objectContaining({
      id,
      name: 'log',
      kind: 'command',
      mayWrite: false,
      details: expect.arrayContaining(['  $ git log']),
      evidence: ['Feedback, pattern observed: x'],
    }),
    expect.objectContaining({ id: second, mayWrite: true }),
  ]);
  // A person may edit the file.
  const file = join(world.stateDir, 'inbox', 'commands.toml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('git log', 'git status'));
  expect((await shown())[0]!.details).toContain('  $ git status');
  await writeFile(file, text);
  const decide = (argument: object) => decideInboxCommand(contextOf(session), { args: [argument], signal });
  for (const wrong of [{}, { item: id }, { item: id, verdict: 'maybe' }])
    await expect(decide(wrong)).rejects.toMatchObject({ reason: 'usage' });
  const untrusted = decideInboxCommand(contextOf(session, false), {
    args: [{ item: id, verdict: 'rejected', reason: 'No' }],
    signal,
  });
  await expect(untrusted).rejects.toMatchObject({ reason: 'untrusted' });
  await expect(decide({ item: second, verdict: 'applied' })).rejects.toMatchObject({ reason: 'usage' });
  expect(await decide({ item: second, verdict: 'applied', mayWrite: true })).toMatchObject({
    ok: true,
    message: 'Applied: test. Agents see it and may run it in the sandbox.',
  });
  expect(await decide({ item: id, verdict: 'rejected', reason: 'No' })).toMatchObject({ message: 'Rejected: log.' });
  expect(await shown()).toEqual([]);

  // A broken file hides neither the events nor the lessons.
  await writeFile(join(world.stateDir, 'inbox', 'skills.toml'), 'nonsense');
  await session.learned.record({ session: 'a', kind: 'pattern_observed', dimension: 'x', value: null, note: null });
  const view = await readLedgerView(session, null, [], { revision: 0, list: [] });
  expect([view.inbox, view.events.length > 0]).toEqual([[], true]);
});

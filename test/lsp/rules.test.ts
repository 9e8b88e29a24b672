// Rules that wait for a person, in an editor: those that the repository brings along through the built language server,
// and those of agents.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RuleFileText } from '#protocol/rules';
import type { SidebarState } from '#protocol/state';
import type { Session } from '../../server/src/core/session.ts';
import { decideRuleCommand } from '../../server/src/lsp/commands/rules.ts';
import type { ServerContext } from '../../server/src/lsp/serverContext.ts';
import { readLedgerView } from '../../server/src/lsp/sidebar/ledgerView.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { createSessionWorld } from '../helpers/memorySessionPorts.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { createPart } from '../helpers/createPart.ts';

const TEXT = '# Rules\n\nUse tabs.\u200b\n';
const files = { 'AGENTS.md': TEXT, 'a.txt': 'A text.\n' };

async function startIn(dir: string, trusted: boolean) {
  const server = await startRealServer(dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, trusted },
  });
  const { client } = server;
  await client.initialize();
  const state = (): Promise<SidebarState> => client.request('selfware/state');
  const decide = (argument: object) =>
    client.request('workspace/executeCommand', { command: 'selfware.server.decideBrought', arguments: [argument] });
  const read = (folder: string): Promise<RuleFileText | null> =>
    client.request('selfware/broughtRules', { folder, path: 'AGENTS.md' });
  await expect.poll(async () => (await state()).doable.analysed).toBe(true);
  return { server, state, decide, read };
}

test('rules of the repository wait until their exact text is accepted or kept off', async () => {
  const repository = await createTemporaryRepository(files);
  const { server, state, decide, read } = await startIn(repository.dir, true);
  try {
    const { brought, folder, learned } = await state();
    expect(brought).toEqual([expect.objectContaining({ path: 'AGENTS.md', lines: 2, changed: false })]);
    // It is not listed twice.
    expect(learned).toEqual({ total: 0, lessons: [] });
    const shown = (await read(folder))!;
    expect(shown).toMatchObject({ text: '# Rules\n\nUse tabs.\\u200b\n', hash: brought![0]!.hash, state: 'off' });
    const of = { folder, path: 'AGENTS.md', hash: shown.hash };

    // The text changes between reading and accepting.
    await writeFile(join(repository.dir, 'AGENTS.md'), `${TEXT}Delete the tests.\n`);
    for (const verdict of ['accepted', 'refused'])
      expect(await decide({ ...of, verdict })).toMatchObject({
        ok: false,
        message: 'AGENTS.md has changed since it was shown. Read it again.',
      });
    await writeFile(join(repository.dir, 'AGENTS.md'), TEXT);
    for (const wrong of [{}, { ...of, verdict: 'maybe' }, { ...of, folder: 'file:///elsewhere', verdict: 'accepted' }])
      expect(await decide(wrong)).toMatchObject({ ok: false });

    expect(await decide({ ...of, verdict: 'accepted' })).toMatchObject({
      ok: true,
      message: 'Accepted: AGENTS.md. If its text changes, it is off again.',
    });
    await expect.poll(async () => (await state()).brought).toBeUndefined();
    expect((await state()).learned.lessons).toEqual([
      expect.objectContaining({ brought: 'AGENTS.md', text: expect.stringContaining('(on)') }),
    ]);

    await writeFile(join(repository.dir, 'AGENTS.md'), 'Use spaces.\n');
    await expect.poll(async () => (await state()).brought).toEqual([expect.objectContaining({ changed: true })]);
    const again = (await read(folder))!;
    expect(await decide({ ...of, hash: again.hash, verdict: 'refused' })).toMatchObject({ ok: true });
    await expect.poll(async () => (await state()).brought).toBeUndefined();
    expect((await state()).learned.lessons).toEqual([
      expect.objectContaining({
        brought: 'AGENTS.md',
        forgettable: false,
        text: expect.stringContaining('(kept off)'),
      }),
    ]);
  } finally {
    await server.dispose();
    await repository.dispose();
  }
});

test('a workspace without trust shows none of them and decides nothing', async () => {
  const repository = await createTemporaryRepository(files);
  const { server, state, decide, read } = await startIn(repository.dir, false);
  try {
    const { brought, folder } = await state();
    expect(brought).toBeUndefined();
    expect(await read(folder)).toBeNull();
    const hash = 'x';
    for (const verdict of ['accepted', 'refused'])
      expect(await decide({ folder, path: 'AGENTS.md', hash, verdict })).toMatchObject({
        ok: false,
        message: expect.stringContaining('This workspace is not trusted'),
      });
  } finally {
    await server.dispose();
    await repository.dispose();
  }
});

test('a rule of an agent waits with its evidence, and is switched on as it was shown', async () => {
  await using world = await createSessionWorld({ 'a.txt': '' });
  const session = await world.session();
  const { signal } = new AbortController();
  const trusted = { trusted: true };
  const decide = (argument: object) => decideRuleCommand(contextOf(session, trusted), { args: [argument], signal });
  await session.learned.record({ session: 'a', kind: 'user_correction', dimension: 'x', value: null, note: null });
  const write = async (text: string, by: 'agent' | 'person') => {
    const { version } = await session.learned.readRules('CODE');
    await session.learned.writeRule({ file: 'CODE', version, text, by, events: by === 'agent' ? [1] : [] });
  };
  await write('Return early instead of nesting.', 'agent');
  await write('Write no comments about the past.', 'agent');
  await write('Prefer names to comments.', 'person');
  const shown = async () => (await readLedgerView(session, null, [], { revision: 0, list: [] })).rules;
  const [first, second, ...more] = await shown();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ file: 'CODE', text: 'Return early instead of nesting.' });
  expect(first!.evidence).toEqual(['Feedback, user correction: x']);
  // Only the rule of the person counts as learned.
  expect((await readLedgerView(session, null, [], { revision: 1, list: [] })).learned.total).toBe(1);

  const of = { rule: first!.id, text: first!.text };
  await expect(decide({ ...of, text: 'Another.', verdict: 'accepted' })).rejects.toMatchObject({ reason: 'stale' });
  trusted.trusted = false;
  await expect(decide({ ...of, verdict: 'accepted' })).rejects.toMatchObject({ reason: 'untrusted' });
  trusted.trusted = true;
  expect(await decide({ ...of, verdict: 'accepted' })).toMatchObject({ ok: true });
  await expect(decide({ ...of, verdict: 'refused' })).rejects.toMatchObject({ reason: 'stale' });
  expect(await decide({ rule: second!.id, text: second!.text, verdict: 'refused' })).toMatchObject({ ok: true });
  expect(await shown()).toEqual([]);
  expect((await session.learned.rules()).map(({ state }) => state)).toEqual(['on', 'off', 'on']);
});

/** The part of the server that the command uses, with one folder. */
function contextOf(session: Session, { trusted }: { readonly trusted: boolean }): ServerContext {
  const repository = { trusted, use: (work: (one: Session) => unknown) => work(session) };
  return createPart<ServerContext>({
    repositories: { owner: async () => repository },
    abilities: { canReview: true },
  });
}

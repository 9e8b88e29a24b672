// A kept change that somebody undoes in the editor is kept no more: the sidebar says so at once, and offers nothing
// that is not there.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Proposal } from '../../server/src/core/model.ts';
import { findUndone } from '../../server/src/core/session/apply/undoneChanges.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startInnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const before = 'one\npoor two\nthree\n';
let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository({ 'src/a.ts': before }, { git: false })));
afterEach(() => repository.dispose());

test('undone in an unsaved editor, and done again', async () => {
  const { client, sessions } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
  });
  await client.initialize();
  await client.until(() => sessions.at(-1)?.calls.includes('indexed') ?? false);
  await client.open('src/a.ts');
  const execute = (command: string, argument: object = {}) =>
    client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });
  const { review } = await execute('improve');
  expect(await execute('apply', { proposal: review.id })).toMatchObject({ ok: true });
  const state = () => client.request('selfware/state');
  const told = async () => ({
    fates: (await state()).checkpoints.map(({ fate }: { readonly fate: string }) => fate),
    uncommitted: (await state()).uncommitted,
  });
  expect(await told()).toEqual({ fates: ['kept'], uncommitted: 1 });
  const after = client.text('src/a.ts') ?? '';
  const length = client.received.length;
  await client.type('src/a.ts', before);
  await client.waitFor(({ method }) => method === 'selfware/stateChanged', length);
  await expect.poll(told).toEqual({ fates: ['undone'], uncommitted: 0 });
  await client.type('src/a.ts', after);
  await expect.poll(told).toEqual({ fates: ['kept'], uncommitted: 1 });
});

const edit = { path: 'a.ts', before: 'a\nb\nc\nd\ne\nf\ng\nh\n', after: 'a\nB\nc\nd\ne\nf\ng\nh\n' };
const change = (edits: Proposal['edits'], status: Proposal['status'] = 'kept') =>
  ({ id: 'p', status, edits }) as Proposal;
const isUndone = async (proposal: Proposal, texts: Readonly<Record<string, string>>) =>
  (await findUndone([proposal], async (path) => texts[path] ?? null)).has('p');

test.each<[string, Proposal, Readonly<Record<string, string>>, boolean]>([
  ['as it was left', change([edit]), { 'a.ts': edit.after }, false],
  ['as it was before', change([edit]), { 'a.ts': edit.before }, true],
  ['as it was before, with other edits elsewhere', change([edit]), { 'a.ts': edit.before.replace('h', 'other') }, true],
  ['its own lines written anew', change([edit]), { 'a.ts': edit.before.replace('b', 'mine') }, false],
  ['other line ends', change([edit]), { 'a.ts': edit.before.replaceAll('\n', '\r\n') }, true],
  ['the file is gone', change([edit]), {}, false],
  [
    'one of two files alone',
    change([edit, { ...edit, path: 'b.ts' }]),
    { 'a.ts': edit.before, 'b.ts': edit.after },
    false,
  ],
  ['a new file that is gone', change([{ path: 'n.ts', before: null, after: 'n\n' }]), {}, true],
  [
    'a change that was taken back is told of by its own status',
    change([edit], 'rolledBack'),
    { 'a.ts': edit.before },
    false,
  ],
])('%s', async (_what, proposal, texts, expected) => expect(await isUndone(proposal, texts)).toBe(expected));

// Online research on the command line: a person's program, only with their word in that run.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPeer } from '../adapters/models/peer.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('--research asks the program of the own settings and shows its answer; a repository names none', async () => {
  await using peer = await createPeer('openai', ['fine']);
  const repository = await createTemporaryRepository({
    'a.ts': "export const one = 'a';\n",
    '.selfware/settings.json': JSON.stringify({ 'models.research': { command: 'node -e 1' } }),
  });
  const programs = await mkdtemp(join(tmpdir(), 'selfware-research-'));
  const program = join(programs, 'search.mjs');
  await writeFile(program, "console.log('Found for ' + process.argv[2] + ' at https://example.com/b');");
  const selfware = await createCommandLine(repository.dir);
  const settings = (value: object) => writeFile(join(selfware.home, 'settings.json'), JSON.stringify(value));
  const ask = (...more: readonly string[]) => {
    const proposer = ['--proposer', `openai-compatible:m@${peer.url}`];
    const args = ['propose', '--request', '-', '--no-verify', '--json', ...proposer, ...more];
    return selfware.run(args, { input: '{"request": "Let one in a.ts be b"}' });
  };
  const research = { command: `node ${program}` };
  try {
    await settings({ 'approve.withoutTerminal': true });
    const unnamed = await ask('--research');
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('Name one in models.research')]);

    await settings({ 'models.research': research });
    const unasked = await ask('--research');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('needs a person')]);
    expect(peer.requests).toHaveLength(0);

    await settings({ 'approve.withoutTerminal': true, 'models.research': research });
    for (const task of [
      ['propose', 'some-opportunity'],
      ['propose', '--tests', 'a.ts'],
      ['improve', '--opportunity', 'x'],
    ]) {
      const never = await selfware.run([...task, '--proposer', `openai-compatible:m@${peer.url}`, '--research']);
      expect([never.code, never.stderr], task.join(' ')).toEqual([2, expect.stringContaining('Leave --research out')]);
    }
    expect(peer.requests).toHaveLength(0);

    const { code, stdout, stderr } = await ask('--research');
    expect(code, stderr).toBe(1);
    expect(peer.requests[0]?.body).toContain('Found for Let one in a.ts be b at https://example.com/b');
    const { id } = JSON.parse(stdout) as { readonly id: string };
    const shown = await selfware.run(['proposals', 'show', id]);
    expect(shown.stdout).toContain('It was shown what node answered to “Let one in a.ts be b”');
  } finally {
    await selfware.dispose();
    await repository.dispose();
    await rm(programs, { recursive: true, force: true });
  }
});

// Consent to send code is listed and withdrawn by the command line; then nothing more is sent.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPeer } from '../adapters/models/peer.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('nothing is sent to a host any longer once a person has withdrawn their consent', async () => {
  const repository = await createTemporaryRepository({ 'a.ts': "export const one = 'a';\n" });
  const selfware = await createCommandLine(repository.dir);
  // Ollama on this machine, which forwards this model to ollama.com.
  await using peer = await createPeer('ollama', ['fine'], { remote_host: 'https://ollama.com:443' });
  const questions = () => peer.requests.filter(({ path }) => path === '/api/chat').length;
  const ask = () =>
    selfware.run(['propose', '--request', '-', '--no-verify', '--proposer', `ollama:gpt-oss:120b-cloud@${peer.url}`], {
      input: '{"request": "Let one in a.ts be b"}',
    });
  try {
    expect((await selfware.run(['models', 'consents'])).stdout).toBe('Nobody has agreed to send anything anywhere.\n');
    await selfware.decide();
    await ask();
    expect(questions()).toBeGreaterThan(0);
    await writeFile(join(selfware.home, 'settings.json'), '{}');

    const agreed = [{ destination: 'ollama.com', sends: ['excerpts'], since: expect.any(Number) }];
    expect((await selfware.json(['models', 'consents'])).value).toEqual(agreed);
    expect((await selfware.run(['models'])).stdout).toMatch(
      /You agreed to send:\n {2}to ollama\.com: files in questions, since \d{4}-\d\d-\d\d\n/,
    );
    const unknown = await selfware.run(['models', 'withdraw', 'other.example']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Agreed: ollama.com.')]);
    expect((await selfware.run(['models', 'withdraw', 'ollama.com'])).stdout).toBe(
      'Withdrawn: nobody at ollama.com is asked until you agree again. ' +
        'A question in progress still ends. What was sent before stays there. ' +
        'An embeddings server and online research are switched off in the settings.\n',
    );
    const before = questions();
    const refused = await ask();
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('To send code of this repository to ollama.com'),
    ]);
    expect(questions()).toBe(before);
    expect((await selfware.json(['models', 'consents'])).value).toEqual([]);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});

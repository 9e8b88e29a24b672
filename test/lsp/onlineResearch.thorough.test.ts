// Online research from the editor: the person is asked once in a window, and finds the source with the proposal.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { startRealServer, type RealServer } from '../helpers/lspServers.ts';
import { answerMailbox, type MailboxAnswers } from '../helpers/mailboxAnswers.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const WORDS = 'Let one in src/one.ts be 2';
let repository: TemporaryRepository;
let folder: string;
let server: RealServer;
let answers: MailboxAnswers;

beforeEach(async () => {
  const source = 'export const one: number = 1;\n';
  repository = await createTemporaryRepository({ 'package.json': manifestOf('one'), 'src/one.ts': source });
  folder = await mkdtemp(join(tmpdir(), 'selfware-research-'));
  const program = join(folder, 'search.mjs');
  await writeFile(program, "console.log('Found for ' + process.argv[2] + ' at https://example.com/b');");
  let question = 0;
  // Each question about a task after the first one shows what was found.
  answers = await answerMailbox(join(folder, 'mail'), () =>
    question++ === 0 ? [] : [{ file: 'src/one.ts', search: source, replace: source.replace('1', '2') }],
  );
  server = await startRealServer(repository.dir, {
    capabilities: richCapabilities,
    settings: { 'models.research': { command: `node ${program}` } },
    initializationOptions: { canSave: true, canReview: true, canAskModels: true },
  });
  await server.client.initialize();
});
afterEach(async () => {
  await answers.stop();
  await server.dispose();
  await repository.dispose();
  await rm(folder, { recursive: true, force: true });
});

const ask = (argument: object) =>
  server.client.request<CommandOutcome>('workspace/executeCommand', {
    command: 'selfware.server.improveWithModel',
    arguments: [{ proposer: `mailbox:${join(folder, 'mail')}`, ...argument }],
  });

test('after a yes, a failed attempt is followed by a search, and the evidence names the source', async () => {
  const unasked = await ask({ words: WORDS });
  expect(unasked).toMatchObject({
    ok: false,
    research: {
      question: 'May Selfware search online with your program node?',
      detail: expect.stringMatching(
        /^If an attempt at a fix or a request fails, your search program node \(setting models\.research\) .* no host, because/,
      ),
    },
  });
  expect(answers.asked).toEqual([]);

  // A yes to another question, such as one about the program before, is none to this one.
  expect(await ask({ words: WORDS, research: true, asked: 'May another program search?' })).toHaveProperty('research');
  expect(answers.asked).toEqual([]);

  const outcome = await ask({ words: WORDS, research: true, asked: unasked.research?.detail });
  expect(answers.asked[0]?.text).not.toContain('Found online');
  expect(answers.asked[1]?.text).toContain(`Found for ${WORDS} at https://example.com/b`);
  const { markdown } = await server.client.request('selfware/evidence', { proposal: outcome.review?.id });
  // The address is a stranger's, so it is shown as text and not as a link.
  expect(markdown).toContain('It was shown what node answered to');
  expect(markdown).toContain('which named https\\://example.com/b');

  expect(await ask({ words: `${WORDS}, once more` })).not.toHaveProperty('research');
});

thoroughTest('a no holds as well', async () => {
  const { research } = await ask({ words: WORDS });
  await ask({ words: WORDS, research: false, asked: research?.detail });
  expect(answers.asked.length).toBeGreaterThan(1);
  expect(answers.asked.some(({ text }) => text.includes('Found online'))).toBe(false);
  expect(await ask({ words: `${WORDS}, once more` })).not.toHaveProperty('research');
});

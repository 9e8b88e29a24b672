// The command line of a run in the background names the same places as the one that started it.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runArguments } from '../../../server/src/app/nights/runArguments.ts';

test.each([
  ['later:mail', `later:${resolve('mail')}`],
  ['mailbox:../mail,ollama:a,b', `mailbox:${resolve('../mail')},ollama:a,b`],
  ['gguf:models/a.gguf', `gguf:${resolve('models/a.gguf')}`],
  ['replay:/tmp/mail', `replay:${resolve('/tmp/mail')}`],
  ['openai-compatible:M@http://127.0.0.1:8080/v1', 'openai-compatible:M@http://127.0.0.1:8080/v1'],
])('the proposer %s', (proposer, passed) => {
  const args = runArguments({ repo: '.', paths: [], until: 1, proposer, set: [], wait: true });
  expect(args[args.indexOf('--proposer') + 1]).toBe(passed);
});

test('what a person has agreed to holds after a crash, too', () => {
  const planned = { repo: '.', paths: [], until: 1, set: [], wait: true };
  expect(runArguments({ ...planned, research: true })).toContain('--research');
  expect(runArguments(planned)).not.toContain('--research');
});

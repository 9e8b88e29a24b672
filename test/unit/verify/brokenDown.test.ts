// Which file a judgement names if a check breaks down, and when it stops looking for one.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { ThreadEndedError } from '../../../server/src/core/ports/jobs.ts';
import { answerIfBrokenDown } from '../../../server/src/core/verify/judge/brokenChecks.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { contextOf, edit, mutantsOnly } from './verifying.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';

const nested = new SelfwareError('internal', 'Maximum call stack size exceeded');
const ended = new ThreadEndedError('The thread of the job planDifferential ended with code 134.');

/** What is said of these files, and which of them were read, if reading fails with the error of a file. */
async function saidOf(paths: readonly string[], errors: Readonly<Record<string, Error>>, error: Error, signal = never) {
  const reads: string[] = [];
  const planDifferential = async (edits: readonly FileEdit[]) => {
    reads.push(edits.map(({ path }) => path).join(' '));
    for (const { path } of edits) if (errors[path]) throw errors[path];
    return { files: [], targets: [], gaps: [] } as never;
  };
  const context = contextOf(
    { sandbox: createMemorySandbox(createMemoryFiles({}), {}) },
    { proof: { ...mutantsOnly, planDifferential } },
  );
  const edits = paths.map((path) => edit(path, 'a\n', 'b\n'));
  const answer = await answerIfBrokenDown('differential', error, context, edits, signal);
  return { reason: answer?.reason, reads };
}

test('the file that cannot be read alone is named, and files that can be read together are not read one by one', async () => {
  const { reason, reads } = await saidOf(['a.js', 'b.js', 'c.js', 'deep.js'], { 'deep.js': nested }, nested);
  expect(reason).toBe('Not known, because deep.js cannot be read: the code is nested too deeply.');
  expect(reads).toEqual(['a.js b.js c.js deep.js', 'a.js b.js', 'c.js deep.js', 'c.js', 'deep.js']);
});

test('no file is blamed for a thread that ended', async () => {
  const { reason } = await saidOf(['a.js'], { 'a.js': ended }, ended);
  expect(reason).toBe(
    'Not known, because this check broke down: The thread of the job planDifferential ended with code 134.',
  );
});

test('only files that the check compares are read', async () => {
  const { reads } = await saidOf(['a.js', 'a.test.js', 'b.md', 'c.py'], {}, nested);
  expect(reads).toEqual(['a.js']);
});

test('nothing is read when the time is up, and a reading that hangs is not waited for', async () => {
  const expected = 'Not known, because this check broke down: the code is nested too deeply.';
  expect(await saidOf(['deep.js'], { 'deep.js': nested }, nested, AbortSignal.abort())).toEqual({
    reason: expected,
    reads: [],
  });
  const stopping = new AbortController();
  const proof = { ...mutantsOnly, planDifferential: () => new Promise<never>(() => stopping.abort()) };
  const context = contextOf({ sandbox: createMemorySandbox(createMemoryFiles({}), {}) }, { proof });
  const answer = await answerIfBrokenDown('differential', nested, context, [edit('a.js', 'a', 'b')], stopping.signal);
  expect(answer?.reason).toBe(expected);
});

// Runs the tests once to record the arguments that they pass to the functions of some files, because real inputs say
// more than types do.

import { SCRIPT_WITH_CODE_PATTERN } from '../../../paths/scriptFiles.ts';
import { createCommandForFiles } from '../../../verify/guard/survivors.ts';
import { disableTypeCheck, writeTexts } from '../../../verify/guard/mutantRuns.ts';
import { readRecordedCalls, type RecordedCalls } from '../../../verify/guard/recordedCalls.ts';
import { readTextOrNull } from '../../search/packing.ts';
import type { Search } from './search.ts';
import { isInternal } from './subjects.ts';

/** Path of the file in the work tree to which the tests write the recorded calls. */
const RECORDED_CALLS_PATH = 'node_modules/.selfware/calls';
/**
 * Maximum share of the remaining time that the tests may take for the recording. If they would take longer, nothing is
 * recorded.
 */
const MAX_TIME_SHARE = 0.1;
/**
 * Maximum slowdown of the tests by the recording. After this multiple of their usual time, they are stopped, and the
 * calls recorded so far count.
 */
const MAX_SLOWDOWN = 2;

/** True for a script whose functions a maintainer would test separately. */
export function canBeRecorded(path: string): boolean {
  return SCRIPT_WITH_CODE_PATTERN.test(path) && !isInternal(path);
}

/**
 * Records the calls of functions of these files while the tests run. Skips internal files, because a maintainer would
 * hardly test them separately. Empty if the tests would take too long, or if no call can be recorded.
 */
export async function recordCallsOfTests(
  { context, gates, tests, request: { signal } }: Search,
  paths: readonly string[],
  seconds: number,
): Promise<RecordedCalls> {
  const { worktree, commands, chosen } = tests;
  if (chosen.base.answer.millis > MAX_TIME_SHARE * seconds * 1000) return {};
  const texts = new Map<string, string>();
  for (const path of paths.filter(canBeRecorded)) {
    const text = await readTextOrNull(context, path);
    if (text !== null) texts.set(path, text);
  }
  const file = `${worktree.dir}/${RECORDED_CALLS_PATH}`;
  if (texts.size === 0) return {};
  const files = [...texts].map(([path, text]) => ({ path, text }));
  const changedTexts = await context.ports.jobs.run('recordCalls', { files, file }, signal);
  const recordingTexts = new Map(
    files.flatMap(({ path }, index) => {
      const text = changedTexts[index] ?? null;
      return text === null ? [] : [[path, text] as const];
    }),
  );
  const changedPaths = [...recordingTexts.keys()];
  if (changedPaths.length === 0) return {};
  const testFiles = (await gates.reachingTests(changedPaths)) ?? [];
  const command = createCommandForFiles(chosen, testFiles).onFiles ?? chosen.commands.allTests;
  const textOf = (path: string) => texts.get(path) ?? '';
  await worktree.write([{ path: RECORDED_CALLS_PATH, before: null, after: '' }]);
  await writeTexts({ worktree }, textOf, changedPaths, (path) => recordingTexts.get(path)!);
  await commands
    .rerun(
      'mutant',
      { ...command, env: disableTypeCheck(command.env), timeoutMs: MAX_SLOWDOWN * MAX_TIME_SHARE * seconds * 1000 },
      chosen.commands.parse,
      signal,
    )
    .finally(() => writeTexts({ worktree }, textOf, changedPaths, (_path, text) => text));
  const bytes = await worktree.read(RECORDED_CALLS_PATH);
  return bytes ? readRecordedCalls(new TextDecoder().decode(bytes), context.ports.clock.now()) : {};
}

// Runs the tests once to record their arguments for functions of some JavaScript files, whose types are not precise
// enough.

import { commandOn } from '../../../verify/guard/survivors.ts';
import { writeTexts } from '../../../verify/guard/mutantRuns.ts';
import { recordedCalls, type RecordedCalls } from '../../../verify/guard/recordedCalls.ts';
import { readCurrentText } from '../../search/remembering.ts';
import type { Search } from './search.ts';
import { isInternal } from './subjects.ts';

const RECORDED = 'node_modules/.selfware/calls';
const UNTYPED = /\.[cm]?jsx?$/;
/** Share of the remaining time that the tests may take for this, or else nothing is recorded. */
const SHARE = 0.1;
/**
 * Recording makes tests slower. After this multiple of their usual time, they are ended, and the recorded calls count.
 */
const TIMES = 2;

/**
 * The calls that the tests make of functions of these files. Skips internal files, because a maintainer would hardly
 * test them separately. Empty if the tests take too long.
 */
export async function callsOfTests(
  { context, gates, tests, request: { signal } }: Search,
  paths: readonly string[],
  seconds: number,
): Promise<RecordedCalls> {
  const { worktree, commands, chosen } = tests;
  if (chosen.base.answer.millis > SHARE * seconds * 1000) return {};
  const texts = new Map<string, string>();
  for (const path of paths.filter((candidate) => UNTYPED.test(candidate) && !isInternal(candidate))) {
    const text = await readCurrentText(context, path);
    if (text !== null) texts.set(path, text);
  }
  const file = `${worktree.dir}/${RECORDED}`;
  if (texts.size === 0) return {};
  const files = [...texts].map(([path, text]) => ({ path, text }));
  const changedTexts = await context.ports.jobs.run('recordCalls', { files, file }, signal);
  const recording = new Map(
    files.flatMap(({ path }, at) => {
      const text = changedTexts[at] ?? null;
      return text === null ? [] : [[path, text] as const];
    }),
  );
  const changed = [...recording.keys()];
  if (changed.length === 0) return {};
  const testFiles = (await gates.reachingTests(changed)) ?? [];
  const command = commandOn(chosen, testFiles).onFiles ?? chosen.commands.whole;
  const textOf = (path: string) => texts.get(path) ?? '';
  await worktree.write([{ path: RECORDED, before: null, after: '' }]);
  await writeTexts({ worktree }, textOf, changed, (path) => recording.get(path)!);
  await commands
    .again('mutant', { ...command, timeoutMs: TIMES * SHARE * seconds * 1000 }, chosen.commands.read, signal)
    .finally(() => writeTexts({ worktree }, textOf, changed, (_path, text) => text));
  const bytes = await worktree.read(RECORDED);
  return bytes ? recordedCalls(new TextDecoder().decode(bytes)) : {};
}

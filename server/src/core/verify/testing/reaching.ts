// Runs the tests that can reach the change before all others, because only they can break by it.

import type { GateRun } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { compareTests, type Suspects, type TestCommands, type TestRun } from './testRun.ts';
import type { PlacesReached } from '../context.ts';

/**
 * Of the whole suite: tests that reach the change and take more are not run by themselves. The detour saves the whole
 * suite where they fail and costs this share where they pass, so it pays if a larger share of proposals breaks tests.
 */
export const LARGEST_SHARE = 0.25;

export interface Reaching {
  /** Test files that lead to the change by their imports; null = not known. */
  readonly files: number | null;
  /** Null when they were not run by themselves. */
  readonly first: TestRun | null;
  readonly suspects: Suspects | null;
  /** Null = not known. */
  readonly places: PlacesReached | null;
}

/**
 * `base`: the whole suite without the change, which says which files the runner takes for tests and how long each
 * takes.
 */
export async function runReaching(
  run: GateRun,
  commands: TestCommands,
  base: Pick<TestRun, 'value'> & { readonly answer: Pick<TestRun['answer'], 'millis'> },
  signal: AbortSignal,
): Promise<Reaching> {
  const places = await run.context.placesReached(run.edits);
  const reaching = await run.context.reachingTests(run.edits.map(({ path }) => path));
  const whole = base.value;
  if (!reaching || !whole?.cases) return { files: reaching?.length ?? null, first: null, suspects: null, places };
  const wanted = new Set(reaching);
  const cases = whole.cases.filter(({ file }) => file !== null && wanted.has(file));
  const files = [...new Set(cases.map(({ file }) => file!))];
  const command =
    files.length === 0 || share(cases, whole.cases, base.answer.millis) > LARGEST_SHARE
      ? null
      : commands.onFiles(files);
  if (!command) return { files: files.length, first: null, suspects: null, places };
  const first = await run.again('candidate', command, commands.read, signal);
  const compared = first.value && compareTests({ ...whole, cases }, first.value);
  // Files that did not run at all were not understood by the runner: the whole suite will tell.
  const ran = new Set(first.value?.cases?.map(({ file }) => file));
  return {
    files: files.length,
    first,
    places,
    suspects: compared && { failing: compared.failing, missing: compared.missing.filter(({ file }) => ran.has(file)) },
  };
}

/**
 * By time where the runner tells it, by number otherwise. What the whole run took beyond its tests (starting, building,
 * checking types) is spent again by a part: where that is most of it, nothing is saved.
 */
function share(part: readonly TestCase[], whole: readonly TestCase[], wholeMillis: number): number {
  const time = (cases: readonly TestCase[]) => cases.reduce((sum, { millis }) => sum + (millis ?? 0), 0);
  if (time(whole) === 0) return part.length / Math.max(1, whole.length);
  // Tests of several files run side by side, so theirs may be the longer time.
  const around = Math.max(0, wholeMillis - time(whole));
  return (around + time(part)) / (around + time(whole));
}

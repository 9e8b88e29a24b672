// Runs the tests with recording: twice without the change, once with it, and once more if something differs.

import type { GateInput } from '../gate.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { RunnerName } from '../detect/testRunner.ts';
import { parseResultLines, addPreload } from '../guard/inProcess.ts';
import type { InTestsOrder } from '../guard/inTests.ts';
import type { TestCommands } from '../testing/testRun.ts';
import {
  compareTraces,
  createTraceRun,
  selectSteadyDifferences,
  type TraceComparison,
  type TraceRun,
} from './compareTraces.ts';
import type { TracedSide, TracePlan } from './planTraces.ts';
import type { TracesLine } from './recording.ts';

/** The parts of a gate run that are needed. */
export type TracingRun = Pick<GateInput, 'context' | 'worktree' | 'rerun' | 'without' | 'edits'>;

/** The input of the runs with recording. */
export interface TracingParts {
  readonly command: DetectedCommand;
  readonly commands: TestCommands;
  /** Address of the module that is loaded into the runner. */
  readonly preload: string;
  /** Milliseconds since the Unix epoch. A run that would probably end later is not started. */
  readonly until: number;
}

/**
 * The outcome. `late`: the time has run out. `silent`: no test file has reported, so recording does not work with this
 * runner.
 */
export type TraceResult = { readonly outcome: 'late' | 'silent' } | ComparedTraces;

/** The result of a comparison. */
export interface ComparedTraces {
  readonly outcome: 'compared';
  readonly comparison: TraceComparison;
  /** True if every difference was found in two runs of the candidate. */
  readonly isReproducible: boolean;
  /** True if there was no time for a second run of the candidate. */
  readonly isOutOfTime: boolean;
}

/**
 * The share of the time that the first run may take. The other runs have fewer tests, but there are two or three of
 * them.
 */
export const FIRST_SHARE = 0.5;
/** Runners in which calls can be recorded test by test. */
export const TRACED_RUNNERS: ReadonlySet<RunnerName> = new Set(['ava', 'jest', 'mocha', 'node', 'vitest']);
const REQUEST_PATH = 'node_modules/.selfware/traces.json';
const RESULTS_PATH = 'node_modules/.selfware/traces.txt';

/** Records the calls of both sides, and compares them. Afterwards the work tree is unchanged. */
export async function traceBothSides(
  run: TracingRun,
  plan: TracePlan,
  parts: TracingParts,
  signal: AbortSignal,
): Promise<TraceResult> {
  const { clock } = run.context;
  const startedAt = clock.now();
  let narrowedParts = parts;
  /** Milliseconds that the last run of the selected tests has taken. The next run takes about as long. */
  let lastMillis = 1;
  const isOutOfTime = () => clock.now() + lastMillis > parts.until;
  const base: (TraceRun | null)[] = [];
  await run.without(run.edits, async () => {
    const until = startedAt + (parts.until - startedAt) * FIRST_SHARE;
    const traces = await traceOnce(run, plan.base, { ...parts, until }, signal);
    base.push(traces);
    if (traces === null || traces.recorded.size === 0 || isOutOfTime()) return;
    narrowedParts = { ...parts, command: limitToCallingTests(traces, run.worktree.dir, parts) };
    const secondStartedAt = clock.now();
    base.push(await traceOnce(run, plan.base, narrowedParts, signal));
    lastMillis = clock.now() - secondStartedAt;
  });
  const [first, second] = base;
  if (first === null || second === null) return { outcome: 'late' };
  if (first?.recorded.size === 0) return first.ends.length === 0 ? { outcome: 'silent' } : RESULT_WITHOUT_CALLS;
  if (!first || !second || isOutOfTime()) return { outcome: 'late' };
  const compare = async () => {
    // Because of `without`, the next run reads the files again, so that it does not use the wrapped texts as the
    // candidate's.
    const traces = isOutOfTime()
      ? null
      : await run.without([], () => traceOnce(run, plan.candidate, narrowedParts, signal));
    return traces && compareTraces(plan, [first, second], traces);
  };
  const comparison = await compare();
  if (comparison === null) return { outcome: 'late' };
  if (comparison.differences.length === 0)
    return { outcome: 'compared', comparison, isReproducible: true, isOutOfTime: false };
  const repeatedComparison = await compare();
  const differences = repeatedComparison === null ? [] : selectSteadyDifferences(comparison, repeatedComparison);
  return differences.length > 0
    ? { outcome: 'compared', comparison: { ...comparison, differences }, isReproducible: true, isOutOfTime: false }
    : { outcome: 'compared', comparison, isReproducible: false, isOutOfTime: repeatedComparison === null };
}

/** The result if no test calls a touched function. */
const RESULT_WITHOUT_CALLS: ComparedTraces = {
  outcome: 'compared',
  comparison: {
    differences: [],
    compared: new Map(),
    tests: new Set(),
    called: new Set(),
    calledOtherwise: new Set(),
    unreached: [],
    unrecorded: 0,
  },
  isReproducible: true,
  isOutOfTime: false,
};

/** The command for only the test files in which a call was recorded, if the runner allows it. */
function limitToCallingTests(
  { recorded }: TraceRun,
  folder: string,
  { command, commands }: TracingParts,
): DetectedCommand {
  const files = [...new Set([...recorded.values()].map(({ file }) => file))];
  if (!files.every((file) => file.startsWith(`${folder}/`))) return command;
  return commands.onFiles(files.map((file) => file.slice(folder.length + 1))) ?? command;
}

/** Runs one side once; null if the run did not end in time. */
export async function traceOnce(
  { worktree, rerun, context, edits }: TracingRun,
  { texts }: TracedSide,
  { command, commands, preload, until }: TracingParts,
  signal: AbortSignal,
): Promise<TraceRun | null> {
  const paths = new Set(texts.map(({ path }) => path));
  const originalFiles = await Promise.all([...paths].map(async (path) => ({ path, bytes: await worktree.read(path) })));
  const request: InTestsOrder = { mutants: [], until, results: `${worktree.dir}/${RESULTS_PATH}`, traces: true };
  const timeoutMs = Math.max(0, until - context.clock.now());
  try {
    await worktree.write([
      ...texts.map(({ path, text }) => ({ path, before: null, after: text })),
      { path: REQUEST_PATH, before: null, after: JSON.stringify(request) },
      { path: RESULTS_PATH, before: null, after: '' },
    ]);
    const env = addPreload(command.env, preload, `${worktree.dir}/${REQUEST_PATH}`);
    const { answer } = await rerun('traced', { ...command, env, timeoutMs }, commands.parse, signal);
    if (answer.outcome === 'timedOut') return null;
    const bytes = await worktree.read(RESULTS_PATH);
    return createTraceRun(parseResultLines(bytes ? new TextDecoder().decode(bytes) : '') as readonly TracesLine[]);
  } finally {
    await worktree.write([
      ...originalFiles.map(({ path, bytes }) => ({
        path,
        before: null,
        after: bytes ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : findText(edits, path),
      })),
      { path: REQUEST_PATH, before: null, after: null },
      { path: RESULTS_PATH, before: null, after: null },
    ]);
  }
}

function findText(edits: TracingRun['edits'], path: string): string | null {
  return edits.find((edit) => edit.path === path)?.after ?? null;
}

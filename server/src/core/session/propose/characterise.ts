// Proposes a test that records the current results of an untested function. Inputs follow from its types; results are
// measured in a sandbox.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { createCharacterizationTest } from '../../propose/characterization/testText.ts';
import { REPORT_MARK, type RecordOrder, type RecordReport } from '../../verify/differential/plan.ts';
import type { SessionContext } from '../context.ts';
import type { JobTable } from '../../jobs.ts';
import { formatCount } from '../../../util/counted.ts';

/**
 * Path of the harness's request in the sandbox. It is in `node_modules`, because tools of the repository do not search
 * there.
 */
const REQUEST_PATH = 'node_modules/.selfware/order.json';
/** Number of generated inputs with which the function is called. */
const INPUT_COUNT = 300;
/** Maximum number of results in the test. */
const MAX_ANSWERS = 8;
/** Minimum number of results in the test. With fewer, it would check too little. */
const MIN_ANSWERS = 3;
/** Milliseconds for the calls of the function. */
const BUDGET_MS = 30_000;
/** Additional milliseconds for starting the harness and loading the code. */
const START_MS = 60_000;
/** Maximum number of bytes that the harness may print. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Creates the edit that adds the test, or returns the reason why there is none. Only results on which two processes
 * agree are recorded. Throws the errors of a sandbox.
 */
export async function characterise(
  context: SessionContext,
  opportunity: Opportunity,
  signal: AbortSignal,
): Promise<JobTable['applyRecipe']['output']> {
  const { ports, trusted } = context;
  if (!trusted) return { refused: 'The workspace is not trusted, so nothing of it is run.' };
  if (!ports.harness) return { refused: 'This installation has no harness to run code in.' };
  const planned = await ports.jobs.run('planRecording', { rootDir: ports.files.rootDir, opportunity }, signal);
  if ('refused' in planned) return planned;
  const { place, name, exportedAs, plan } = planned;
  const request: RecordOrder = {
    ...plan,
    record: true,
    seed: Number.parseInt(opportunity.id.slice(0, 7), 16) || 1,
    runs: INPUT_COUNT,
    maxResults: MAX_ANSWERS,
    budgetMs: BUDGET_MS,
  };
  const report = await runRecording(context, ports.harness, request, signal);
  if (!report) return { refused: 'What it answers could not be recorded.' };
  if (report.obstacle !== null) return { refused: report.obstacle };
  if (report.recorded.length < MIN_ANSWERS)
    return {
      refused: `Only ${report.recorded.length} of its answers can be written down: it may have effects, or differ from time to time.`,
    };
  return {
    edits: [
      {
        path: place.path,
        before: null,
        after: createCharacterizationTest(place, { name, exportedAs }, report.recorded),
      },
    ],
    title: `Add a test for ${name}`,
    rationale:
      `No test reaches ${name}. The test records ${formatCount(report.recorded.length, 'result')} on which two ` +
      `processes agree, in the style of ${place.example}. It shows what the code does, not what it should do.`,
  };
}

/** Runs the harness in a sandbox; null if it printed no report. Throws `cancelled`, and the errors of a sandbox. */
async function runRecording(
  { ports }: SessionContext,
  harness: readonly string[],
  request: RecordOrder,
  signal: AbortSignal,
): Promise<RecordReport | null> {
  const worktree = await ports.sandbox.open(signal);
  try {
    await worktree.write([{ path: REQUEST_PATH, before: null, after: JSON.stringify(request) }]);
    const { stdout } = await worktree.run(
      { command: [...harness, REQUEST_PATH], timeoutMs: BUDGET_MS + START_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
      signal,
    );
    throwIfCancelled(signal);
    const line = stdout.split('\n').find((candidate) => candidate.startsWith(REPORT_MARK));
    return line === undefined ? null : (JSON.parse(line.slice(REPORT_MARK.length)) as RecordReport);
  } finally {
    await worktree.write([{ path: REQUEST_PATH, before: null, after: null }]);
    await worktree.dispose();
  }
}

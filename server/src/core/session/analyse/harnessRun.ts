// Runs the harness in a work tree, and reads its reports.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Isolation, Worktree } from '../../ports/sandbox.ts';
import { PROGRESS_MARK } from '../../verify/counterexamples/plan.ts';
import { REPORT_MARK } from '../../verify/differential/plan.ts';
import type { SessionContext } from '../context.ts';
import { NO_ISOLATION_ACTION } from '../verify/isolation.ts';

/** Path of the request in the work tree. It is in `node_modules`, because tools do not search there. */
const REQUEST_PATH = 'node_modules/.selfware/order.json';
/** Maximum number of bytes that the harness may print. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * The command that starts the harness. Throws `untrusted`, `unavailable` if the installation has no harness, and
 * `forbidden` if the machine cannot isolate it.
 */
export async function requireHarness({ ports, trusted }: SessionContext): Promise<readonly string[]> {
  if (!trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its functions is called.', {
      action: 'Trust the workspace first.',
    });
  if (!ports.harness)
    throw new SelfwareError('unavailable', 'This installation has no harness to run code in.', {
      action: 'Install Selfware again.',
    });
  const isolation: Isolation = await ports.sandbox.isolation();
  if (!isolation.confined)
    throw new SelfwareError('forbidden', 'No function is called here: this machine cannot isolate the calls.', {
      action: NO_ISOLATION_ACTION,
    });
  return ports.harness;
}

/** Options of a run of the harness. */
interface HarnessRun<Report> {
  readonly timeoutMs: number;
  /** Receives the reports before the last one. */
  soFar(report: Report): void;
  /**
   * Returns message and action of the error if there is no report. `isLate`: true if the time was over. If absent, the
   * error is about a search.
   */
  readonly failure?: (isLate: boolean) => { readonly message: string; readonly action: string };
}

/**
 * Runs the harness with `request`, and returns its last report. Throws `cancelled`, and `unavailable` if there is no
 * report.
 */
export async function runHarness<Report>(
  worktree: Worktree,
  harness: readonly string[],
  request: object,
  { timeoutMs, soFar, failure = searchFailure }: HarnessRun<Report>,
  signal: AbortSignal,
): Promise<Report> {
  await worktree.write([{ path: REQUEST_PATH, before: null, after: JSON.stringify(request) }]);
  try {
    const { stdout, outcome } = await worktree.run(
      {
        command: [...harness, REQUEST_PATH],
        timeoutMs,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        onProgress({ newOutput }) {
          const report = parseReport<Report>(newOutput, PROGRESS_MARK);
          if (report) soFar(report);
        },
      },
      signal,
    );
    throwIfCancelled(signal);
    const newestReport = parseReport<Report>(stdout, REPORT_MARK) ?? parseReport<Report>(stdout, PROGRESS_MARK);
    if (newestReport) return newestReport;
    const { message, action } = failure(outcome === 'timedOut');
    throw new SelfwareError('unavailable', message, { action });
  } finally {
    await worktree.write([{ path: REQUEST_PATH, before: null, after: null }]);
  }
}

/** The message about a search that failed, and the advice. `isLate`: it took too long. */
function searchFailure(isLate: boolean) {
  return {
    message: `The search ${isLate ? 'took too long' : 'broke down'}.`,
    action: 'Name fewer files, or give it more time with `--time`.',
  };
}

/** The last complete report in a line that begins with `mark`; null if there is none. */
function parseReport<Report>(output: string, mark: string): Report | null {
  for (const line of output.split('\n').reverse()) {
    if (!line.startsWith(mark)) continue;
    try {
      return JSON.parse(line.slice(mark.length)) as Report;
    } catch (error) {
      // The end of the line has not been read yet.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}

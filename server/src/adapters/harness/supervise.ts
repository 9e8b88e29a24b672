// Runs an order on a thread with a memory limit and a hard time limit. If a limit is reached, the report contains the
// results until then.

import { Worker } from 'node:worker_threads';
import type { DistinguishingOrder, DistinguishingReport } from '../../core/verify/guard/distinguishingCalls.ts';
import type { SearchOrder, SearchReport } from '../../core/verify/counterexamples/plan.ts';
import type { HarnessOrder, HarnessReport, RecordOrder, RecordReport } from '../../core/verify/differential/plan.ts';

/** Maximum megabytes of heap of the thread, which generates and stores inputs. */
const HEAP_MB = 768;
/**
 * Additional milliseconds for recording, because its time counts only from the first call, after the code was loaded.
 */
const LOAD_MS = 30_000;
/** Additional milliseconds for a search, which may still confirm its last counterexample when its time is over. */
const CONFIRMATION_MS = 45_000;
/** The results of a search that has found nothing. */
const NOTHING_FOUND = {
  callsByFunction: [],
  skipped: [],
  detected: [],
  detectedByTests: [],
  functions: 0,
  inputs: 0,
} as const;

/** An order that runs on the thread. */
export type AnyOrder = HarnessOrder | RecordOrder | SearchOrder | DistinguishingOrder;
/** The report of an order that runs on the thread. */
export type AnyReport = HarnessReport | RecordReport | SearchReport | DistinguishingReport;

/** A message of the thread. */
export interface WorkerMessage {
  /** The report so far; the last one is complete. */
  readonly report?: AnyReport;
  /** The id of a child process that was started. */
  readonly startedPid?: number;
  /** The id of a child process that has ended. */
  readonly endedPid?: number;
}

/**
 * Runs the order on a thread and returns its report. If the thread is stopped, the targets that were not compared yet
 * are reported as unknown. `onReport` receives the intermediate reports of a search.
 */
export async function supervise(
  request: AnyOrder,
  entry: URL,
  onReport: (report: SearchReport | DistinguishingReport) => void = () => undefined,
): Promise<AnyReport> {
  // The time of a comparison counts from the start of this process; the time of a search counts from the start of its
  // thread.
  const extraMs =
    'record' in request ? LOAD_MS : 'search' in request || 'telling' in request ? CONFIRMATION_MS : -performance.now();
  const millis = Math.max(1, request.budgetMs + extraMs);
  const runningPids = new Set<number>();
  let latestReport: AnyReport | null = null;
  const worker = new Worker(entry, { workerData: request, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  worker.on('message', ({ report, startedPid, endedPid }: WorkerMessage) => {
    if (report) latestReport = report;
    if (report && ('done' in report || 'callsByFunction' in report)) onReport(report);
    if (startedPid !== undefined) runningPids.add(startedPid);
    if (endedPid !== undefined) runningPids.delete(endedPid);
  });
  let timer: NodeJS.Timeout | undefined;
  const stopReason = await new Promise<{ readonly ended: string; readonly outOfTime: boolean } | null>((resolve) => {
    timer = setTimeout(
      () => resolve({ ended: `its time was over (${Math.round(request.budgetMs / 1000)} s)`, outOfTime: true }),
      millis,
    );
    worker.on('error', (error: NodeJS.ErrnoException) =>
      resolve({
        ended:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `making inputs took more than ${HEAP_MB} MB of memory`
            : `it broke down (${error.message})`,
        outOfTime: false,
      }),
    );
    worker.on('exit', () => resolve(null));
  });
  clearTimeout(timer);
  await worker.terminate();
  // The child processes may be in an endless loop, and would outlive their parent.
  for (const pid of runningPids) killProcess(pid);
  if (stopReason === null && latestReport) return latestReport;
  return createPartialReport(
    request,
    latestReport,
    stopReason ?? { ended: 'it ended without a word', outOfTime: false },
  );
}

/**
 * The report of a thread that was stopped: the results so far, and an unknown result with the reason for each target
 * that was not compared. `ended`: the reason as a clause.
 */
function createPartialReport(
  request: AnyOrder,
  latestReport: AnyReport | null,
  { ended, outOfTime }: { readonly ended: string; readonly outOfTime: boolean },
): AnyReport {
  if ('search' in request)
    return latestReport && 'counterexamples' in latestReport
      ? latestReport
      : {
          obstacle: `The search was ended: ${ended}.`,
          counterexamples: [],
          inputCounts: {},
          skipped: [],
          done: 0,
          cutShort: [],
          total: 0,
        };
  if ('telling' in request)
    return latestReport && 'callsByFunction' in latestReport
      ? latestReport
      : { obstacle: `The search was ended: ${ended}.`, ...NOTHING_FOUND, notCalledYet: request.subjects.length };
  if ('record' in request) return { obstacle: `Recording was ended: ${ended}.`, recorded: [] };
  const doneTargets = latestReport && 'targets' in latestReport ? latestReport.targets : [];
  const remainingTargets = request.targets.slice(doneTargets.length).map(({ path, name }, index) => ({
    path,
    name,
    outcome: 'unknown' as const,
    counterexample: null,
    inputs: 0,
    answered: 0,
    reason: index === 0 ? `The comparison was ended: ${ended}.` : 'The comparison was ended before it came to it.',
    ...(outOfTime ? { outOfTime: true as const } : {}),
  }));
  const unknownLines = { reason: `The comparison was ended before it was known which lines ran: ${ended}.` };
  return {
    obstacle: null,
    targets: [
      ...doneTargets.map((doneTarget) =>
        remainingTargets.length === 0 && doneTarget.outcome === 'same'
          ? {
              ...doneTarget,
              ...unknownLines,
              outcome: 'unknown' as const,
              ...(outOfTime ? { outOfTime: true as const } : {}),
            }
          : doneTarget,
      ),
      ...remainingTargets,
    ],
    unreached: [],
    unexercised: [],
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

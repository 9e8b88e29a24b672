// Entry point of the harness, a process in the sandbox that runs one order (compare, record, search for counterexamples
// or distinguishing calls, read coverage, run examples, try Go mutants, call Go functions) and prints its report.
//
// Usage: harness ORDER.json. Several programs begin here: the harness itself (`runHarness`), its worker thread
// (`runWorker`), a process of the old or the new code (argument `side`), and a process for examples of the
// documentation (argument `example`). Imports are dynamic, so that a process of a side loads neither the compiler nor
// the generators of inputs.

import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { PROGRESS_MARK } from '../../core/verify/counterexamples/plan.ts';
import { REPORT_MARK } from '../../core/verify/differential/plan.ts';
import type { LinesOrder, LinesReport } from '../../core/verify/coverage/lineReport.ts';
import type { ExamplesOrder, ExamplesReport } from '../../core/verify/examples/examplePlan.ts';
import type { GoCallsOrder, GoCallsReport } from '../../core/verify/guard/go/calls/goCallsOrder.ts';
import type { GoMutationRequest } from '../../core/verify/guard/go/goMutationOrder.ts';
import { supervise, type AnyOrder, type AnyReport } from './supervise.ts';

if (!isMainThread) await runWorker(workerData as AnyOrder);
else if (process.argv[2] === 'side') (await import('./side.ts')).serveSide();
else if (process.argv[2] === 'example') (await import('./examples/runProgram.ts')).serveExample();
else await runHarness(process.argv[2] ?? '');

/** Runs the order in a file and prints its report. */
async function runHarness(orderFile: string): Promise<void> {
  const request = JSON.parse(readFileSync(orderFile, 'utf8')) as
    | AnyOrder
    | LinesOrder
    | GoMutationRequest
    | GoCallsOrder
    | ExamplesOrder;
  if ('coverage' in request) {
    const { readLineReports: readLines } = await import('./lines/readLines.ts');
    print(REPORT_MARK, readLines(request.coverage, process.cwd()));
    return;
  }
  if ('go' in request) {
    await (await import('./go/tryMutants.ts')).tryMutants(request);
    return;
  }
  if ('goCalls' in request) {
    print(REPORT_MARK, await (await import('./go/makeCalls.ts')).makeCalls(request));
    return;
  }
  // Node 22.15 introduced hooks for both kinds of modules. In older versions, a named import of them fails, which would
  // end the program.
  const obstacle =
    typeof nodeModule.registerHooks === 'function'
      ? null
      : `Node ${process.versions.node} cannot load code the way it is needed here (22.15 can).`;
  if ('examples' in request) {
    if (obstacle !== null) return print(REPORT_MARK, { obstacle, outcomes: [] });
    const { runExamples } = await import('./examples/runExamples.ts');
    const entry = pathToFileURL(process.argv[1] ?? '');
    print(REPORT_MARK, await runExamples(request, process.cwd(), entry, (report) => print(PROGRESS_MARK, report)));
    return;
  }
  const report: AnyReport =
    obstacle === null
      ? await supervise(request, pathToFileURL(process.argv[1] ?? ''), createProgressPrinter())
      : {
          obstacle,
          targets: [],
          unreached: [],
          unexercised: [],
          recorded: [],
          counterexamples: [],
          inputCounts: {},
          skipped: [],
          done: 0,
          total: 0,
          callsByFunction: [],
          functions: 0,
          inputs: 0,
          notCalledYet: 0,
        };
  print(REPORT_MARK, report);
}

/** Returns a function that prints a report of the results so far, at most twice a second. */
function createProgressPrinter(): (report: AnyReport) => void {
  let lastPrintAt = -Infinity;
  return (report) => {
    if (performance.now() - lastPrintAt < 500) return;
    lastPrintAt = performance.now();
    print(PROGRESS_MARK, report);
  };
}

function print(mark: string, report: AnyReport | LinesReport | GoCallsReport | ExamplesReport): void {
  process.stdout.write(`${mark}${JSON.stringify(report)}\n`);
}

/** Runs an order in the worker thread and posts its report to the harness. */
async function runWorker(request: AnyOrder): Promise<void> {
  const entry = pathToFileURL(process.argv[1] ?? '');
  const postReport = (report: AnyReport) => parentPort?.postMessage({ report });
  if ('record' in request)
    postReport(await (await import('./recordResults.ts')).recordAgreedResults(request, process.cwd(), entry));
  else if ('telling' in request)
    postReport(
      await (await import('./distinguishing/findDistinguishingCalls.ts')).findDistinguishingCalls(
        request,
        process.cwd(),
        entry,
        postReport,
      ),
    );
  else if ('search' in request)
    postReport(await (await import('./search.ts')).searchCounterexamples(request, process.cwd(), entry, postReport));
  else postReport(await (await import('./compare.ts')).compareSides(request, process.cwd(), entry, postReport));
}

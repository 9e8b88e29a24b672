// Entry of the harness: compares old and new code in a sandbox, or records a function's results, and prints a report.
//
// Usage: harness ORDER.json. Three programs begin here: the harness itself (`run`), its worker thread (`work`), and,
// with the argument `side`, a process that holds the old or the new code. Imports are dynamic, so that a side loads
// neither the compiler nor the generators.

import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import {
  REPORT_MARK,
  type HarnessOrder,
  type HarnessReport,
  type RecordOrder,
  type RecordReport,
} from '../../core/verify/differential/plan.ts';
import { supervise } from './supervise.ts';

if (!isMainThread) await work(workerData as HarnessOrder | RecordOrder);
else if (process.argv[2] === 'side') (await import('./side.ts')).serveSide();
else await run(process.argv[2] ?? '');

async function run(file: string): Promise<void> {
  const order = JSON.parse(readFileSync(file, 'utf8')) as HarnessOrder | RecordOrder;
  // Node 22.15 introduced hooks for both kinds of modules; in older versions, importing them by name would end the
  // program.
  const obstacle =
    typeof nodeModule.registerHooks === 'function'
      ? null
      : `Node ${process.versions.node} cannot load code the way it is needed here (22.15 can).`;
  const report: HarnessReport | RecordReport =
    obstacle === null
      ? await supervise(order, pathToFileURL(process.argv[1] ?? ''))
      : { obstacle, targets: [], unreached: [], recorded: [] };
  process.stdout.write(`${REPORT_MARK}${JSON.stringify(report)}\n`);
}

async function work(order: HarnessOrder | RecordOrder): Promise<void> {
  const entry = pathToFileURL(process.argv[1] ?? '');
  const tell = (report: HarnessReport | RecordReport) => parentPort?.postMessage({ report });
  if ('record' in order) tell(await (await import('./record.ts')).record(order, process.cwd(), entry));
  else tell(await (await import('./compare.ts')).compare(order, process.cwd(), entry, tell));
}

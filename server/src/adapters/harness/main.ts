// Entry of the harness: compares the old and the new code in a sandbox as an order says, and prints a report. Usage:
// harness ORDER.json

import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  REPORT_MARK,
  type HarnessOrder,
  type HarnessReport,
  type RecordOrder,
  type RecordReport,
} from '../../core/verify/differential/plan.ts';

// The sides start often, and need neither the compiler nor the generators.
if (process.argv[2] === 'side') (await import('./side.ts')).serveSide();
else await run(process.argv[2] ?? '');

async function run(file: string): Promise<void> {
  const order = JSON.parse(readFileSync(file, 'utf8')) as HarnessOrder | RecordOrder;
  // Hooks that work for both kinds of modules came with Node 22.15; before that, importing them by name would end the
  // program.
  const obstacle =
    typeof nodeModule.registerHooks === 'function'
      ? null
      : `Node ${process.versions.node} cannot load code the way it is needed here (22.15 can).`;
  const report: HarnessReport | RecordReport =
    obstacle === null
      ? await answer(order, pathToFileURL(process.argv[1] ?? ''))
      : { obstacle, targets: [], unreached: [], recorded: [] };
  process.stdout.write(`${REPORT_MARK}${JSON.stringify(report)}\n`);
}

async function answer(order: HarnessOrder | RecordOrder, entry: URL): Promise<HarnessReport | RecordReport> {
  if ('record' in order) return (await import('./record.ts')).record(order, process.cwd(), entry);
  return (await import('./compare.ts')).compare(order, process.cwd(), entry);
}

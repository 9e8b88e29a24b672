// Runs the harness (the process that compares code in the sandbox) from its bundle. From the sources, each of its many
// processes would take almost three times as long to start.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_MARK } from '../../server/src/core/verify/differential/plan.ts';
import { sharedCode } from './compiledCode.ts';

/** The entry of the built harness. */
export const harnessEntry = join(import.meta.dirname, '..', '..', 'dist', 'harness.js');

/** Runs the harness in the folder `root` with this order, and returns its report. */
export function runHarness<Report>(root: string, order: object): Report {
  writeFileSync(join(root, 'order.json'), JSON.stringify(order));
  const output = execFileSync(process.execPath, ['--no-warnings', harnessEntry, 'order.json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...sharedCode },
    // On a busy machine, the output contains many reports of the progress.
    maxBuffer: 64 * 1024 * 1024,
  });
  const line = output.split('\n').find((text) => text.startsWith(REPORT_MARK)) ?? '';
  return JSON.parse(line.slice(REPORT_MARK.length)) as Report;
}

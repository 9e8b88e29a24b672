// Compares texts with the real harness in a folder of its own.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sharedCode } from '../../helpers/compiledCode.ts';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import {
  REPORT_MARK,
  type DifferentialPlan,
  type HarnessOrder,
  type HarnessReport,
} from '../../../server/src/core/verify/differential/plan.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';

const harness = join(import.meta.dirname, '../../../dist/harness.js');

export interface Compared {
  readonly plan: DifferentialPlan;
  readonly report: HarnessReport;
}

/** What would be compared, without a process. `others`: files that are the same on both sides. */
export function planTexts(
  edits: readonly FileEdit[],
  others: Readonly<Record<string, string>> = {},
): Promise<DifferentialPlan> {
  return inFolder(edits, others, async (_, plan) => plan);
}

/** `others`: files that are the same on both sides. */
export function compareTexts(
  edits: readonly FileEdit[],
  others: Readonly<Record<string, string>> = {},
  settings: Partial<Pick<HarnessOrder, 'runs' | 'budgetMs' | 'seed' | 'mends' | 'untilDifferent' | 'named'>> = {},
): Promise<Compared> {
  return inFolder(edits, others, async (dir, plan) => {
    const order: HarnessOrder = { ...plan, seed: 1, budgetMs: 120_000, runs: 500, ...settings };
    await writeFile(join(dir, '.order.json'), JSON.stringify(order));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [harness, join(dir, '.order.json')], {
      cwd: dir,
      maxBuffer: 1 << 24,
      env: { ...process.env, ...sharedCode },
    });
    const line = stdout.split('\n').find((one) => one.startsWith(REPORT_MARK));
    if (line === undefined) throw new Error(`No report: ${stdout}\n${stderr}`);
    return { plan, report: JSON.parse(line.slice(REPORT_MARK.length)) as HarnessReport };
  });
}

/** Calls `work` in a folder with the new texts. */
async function inFolder<T>(
  edits: readonly FileEdit[],
  others: Readonly<Record<string, string>>,
  work: (dir: string, plan: DifferentialPlan) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-differential-'));
  try {
    const write = async (path: string, text: string | null) => {
      if (text === null) return rm(join(dir, path), { force: true });
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    };
    for (const [path, text] of Object.entries({ 'package.json': '{"type": "module"}', ...others }))
      await write(path, text);
    for (const { path, before } of edits) await write(path, before);
    const plan = planDifferential(edits, createSourceTree(dir), openProject);
    for (const { path, after } of edits) await write(path, after);
    return await work(dir, plan);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

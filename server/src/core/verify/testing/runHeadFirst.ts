// Runs all tests with the change before any run without it. Most changes break no test, and a run of all tests that
// passes includes those that reach the change, so they need no separate run.

import type { GateInput } from '../gate.ts';
import { hasFewerFailures, readKnownTests, findUntriedBuild } from './chosenTests.ts';
import { passesAllTests, type TestCommands, type TestRun } from './testRun.ts';

/** The run of all tests with the change, and its commands. */
export interface HeadRun {
  readonly commands: TestCommands;
  readonly runWithChange: TestRun;
}

/** The run with the change; null if the run without it comes first or is known already, or if no tests are known. */
export async function runHeadFirst(run: GateInput, signal: AbortSignal): Promise<HeadRun | null> {
  if (!run.runsCandidateFirst) return null;
  const commands = await readKnownTests(run);
  if (!commands || (await run.isStored(commands.allTests, signal))) return null;
  const head = run.candidate(commands.allTests, commands.parse, signal);
  if (!run.canRunSideBySide)
    return (await runAfterBuild(run, await head, signal)) ?? { commands, runWithChange: await head };
  // The answer of the base is stored, so the next caller need not run it again.
  const [settledHead, settledBase] = await Promise.allSettled([
    head,
    run.base(commands.allTests, commands.parse, signal),
  ]);
  // Both have ended, so no command still runs in a sandbox that will be removed next.
  if (settledHead.status === 'rejected') throw settledHead.reason;
  if (settledBase.status === 'rejected') throw settledBase.reason;
  return { commands: commands, runWithChange: settledHead.value };
}

/**
 * The run after a build, if more tests pass then, and all pass without the change after a build. This saves a run
 * without the change and without a build. `runBeforeBuild`: the run with the change and without a build.
 */
async function runAfterBuild(run: GateInput, runBeforeBuild: TestRun, signal: AbortSignal): Promise<HeadRun | null> {
  const build = await findUntriedBuild(run, runBeforeBuild);
  if (!build) return null;
  const { allTests, parse } = build.commands;
  const head = await run.candidate(allTests, parse, signal);
  if (!hasFewerFailures(head, runBeforeBuild)) return null;
  const base = await run.base(allTests, parse, signal);
  if (!passesAllTests(base) || !base.value?.passed) return null;
  await build.keep();
  return { commands: build.commands, runWithChange: head };
}

/** The run of these commands with the change, if `runHeadFirst` has made it; otherwise null. */
export function matchHeadRun(headRun: HeadRun | null, commands: TestCommands): TestRun | null {
  return headRun && JSON.stringify(headRun.commands.allTests) === JSON.stringify(commands.allTests)
    ? headRun.runWithChange
    : null;
}

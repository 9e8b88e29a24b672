// Opens a sandbox of a repository in which the gate differential judges edits, as in a session.

import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import type { FileEdit, Proposal, Verdict } from '../../../server/src/core/model.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import type { GateAnswer } from '../../../server/src/core/verify/answer.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import { readProject } from '../../../server/src/core/verify/detect/project.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate } from '../../../server/src/core/verify/gates/differential/gate.ts';
import { compareTests, passesAllTests } from '../../../server/src/core/verify/testing/testRun.ts';
import { chooseTests } from '../../../server/src/core/verify/testing/chosenTests.ts';
import { traceOnce } from '../../../server/src/core/verify/traces/traceRuns.ts';
import { planTraces } from '../../../server/src/core/verify/traces/planTraces.ts';
import { createPart } from '../../helpers/createPart.ts';

/** The sandbox. */
export interface Ground {
  /** The functions in these edits that a test calls, as `PATH NAME`. */
  findCalledFunctions(edits: readonly FileEdit[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /**
   * The answer of the gate. Null if `tested` is true and the tests notice the edit, so that the gate is not reached.
   */
  judge(edit: FileEdit, tested: boolean, signal: AbortSignal): Promise<GateAnswer | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Milliseconds after which a command is ended. */
const LIMIT_MS = 600_000;
const DIFFERENTIAL_SECONDS = 10;
const TRACE_SECONDS = 300;
const TESTS_PASSED: Verdict = { gate: 'tests', outcome: 'passed', reason: '', evidence: {}, millis: 0 };

/** Opens the sandbox of `dir`, a clone with its packages installed. */
export async function openGround(dir: string, stateDir: string, signal: AbortSignal): Promise<Ground> {
  const { command, folders, inTests } = locateHarness(true);
  const sandbox = createSandbox(dir, stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: { write: () => undefined },
    shownFolders: [...folders],
  });
  const worktree = await sandbox.open(signal);
  const baseline = createBaselineCache();
  const runOf = (edits: readonly FileEdit[]) => {
    const commands = createCommands(worktree, {
      sandbox,
      baseline,
      treeKey: (keyEdits) => JSON.stringify(keyEdits),
      isJudge: () => false,
      edits,
      timeoutMs: LIMIT_MS,
    });
    const proof: GateInput['context']['proof'] = {
      settings: {
        guardSeconds: 0,
        guardMutants: 1,
        guardStrength: 80,
        differentialSeconds: DIFFERENTIAL_SECONDS,
        traceSeconds: TRACE_SECONDS,
      },
      harness: command,
      inTests,
      planDifferential: async (edits) => planDifferential(edits, createSourceTree(dir), openProject),
      planTraces: async (all) => planTraces(all, isTestEdit),
      planMutants: () => Promise.reject(new Error('not asked for')),
      changesBehavior: () => false,
      checksImporters: () => false,
    };
    const context = {
      clock: systemClock,
      trusted: true,
      settings: { testCommand: '' },
      baseline,
      proof,
      reachingTests: async () => null,
    };
    const proposal = createPart<Proposal>({ recipe: 'bench', edits });
    return createPart<GateInput & { dispose(): Promise<void> }>({
      ...commands,
      worktree,
      edits,
      proposal,
      context,
      verdicts: [TESTS_PASSED],
      project: () => readProject(worktree),
    });
  };
  return {
    async findCalledFunctions(edits, within) {
      const run = runOf(edits);
      try {
        const chosenTests = await chooseTests(run, within);
        if (!chosenTests) throw new Error(`No tests were found in ${dir}.`);
        const plan = planTraces(edits, isTestEdit);
        const until = systemClock.now() + LIMIT_MS;
        const parts = {
          command: chosenTests.commands.allTests,
          commands: chosenTests.commands,
          preload: inTests,
          until,
        };
        const traces = await traceOnce(run, plan.base, parts, within);
        const lines = [...(traces?.recorded.values() ?? [])];
        return new Set(
          lines
            .flatMap(({ traced }) => plan.functions[traced] ?? [])
            .map((tracedFunction) => `${tracedFunction.path} ${tracedFunction.name}`),
        );
      } finally {
        await run.dispose();
      }
    },
    async judge(edit, tested, within) {
      const run = runOf([edit]);
      try {
        await worktree.write([edit]);
        return tested && (await isNoticed(run, within)) ? null : await gate(run, within);
      } finally {
        await worktree.write([edit], { reverse: true });
        await run.dispose();
      }
    },
    async [Symbol.asyncDispose]() {
      await worktree.dispose();
      await sandbox.close();
    },
  };
}

/** True if the tests notice the edit. */
async function isNoticed(run: GateInput, signal: AbortSignal): Promise<boolean> {
  const { commands, base } = (await chooseTests(run, signal))!;
  const testRun = await run.rerun('candidate', commands.allTests, commands.parse, signal);
  const suspects = base.value && testRun.value && compareTests(base.value, testRun.value);
  return suspects ? suspects.failing.length + suspects.missing.length > 0 : !passesAllTests(testRun);
}

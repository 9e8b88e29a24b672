// Runs the gates on a change by any author, on the tree from which the change starts.

import ignore from 'ignore';
import { SelfwareError } from '../../../util/typedError.ts';
import type { JudgementBeforePolicy } from '../../model/judgement.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isTestData } from '../../paths/tests.ts';
import { createBaselineCache } from '../../verify/baseline.ts';
import { judgeChange } from '../../verify/judge/judgeChange.ts';
import type { JudgeRequest } from '../../verify/judge/judgementRequest.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import type { SessionContext } from '../context.ts';
import { notifyIfNotIsolated } from './isolation.ts';
import { createVerifyContext } from './verifying.ts';

/**
 * Judges a change by any author. The session's own tree is the tree before the change. Throws `untrusted`, `cancelled`,
 * and the errors of a sandbox.
 */
export async function judgeInSession(
  context: SessionContext,
  { change, trees, budget, thorough, quick = false, wantsMutants, names, ...operation }: JudgeRequest,
): Promise<JudgementBeforePolicy> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  const [verifyContext, { kind }] = await Promise.all([
    createVerifyContext(context, operation),
    context.ports.sandbox.isolation(),
    notifyIfNotIsolated(context),
  ]);
  const { jobs } = context.ports;
  const touchedTestPaths = new Set(
    change.edits.filter((edit) => isTestEdit(edit) || isTestData(edit.path)).map(({ path }) => path),
  );
  // A cache may be filled on one kind of machine and read on another.
  const createPlatformKey = (tree: string | null) => tree && `${tree} ${context.tools['platform'] ?? ''}`;
  return judgeChange(
    {
      ...verifyContext,
      // Nothing is known of the author, so behaviour may change, and importers may lack what was removed.
      ...(verifyContext.proof
        ? { proof: { ...verifyContext.proof, changesBehavior: () => true, checksImporters: () => false } }
        : {}),
      treeKey: (edits, side) =>
        createPlatformKey(side === 'base' ? trees.base : edits === change.edits ? trees.head : null),
      // Commands that are not isolated could write the stored results themselves.
      ...(kind === 'none' ? { baseline: createBaselineCache() } : {}),
      isBuiltInRecipe: () => false,
      atOnce: true,
      // The comparison of test cases judges tests in changed files. The file is null if the runner does not name it.
      mayDisappear: (file) => (file === null ? touchedTestPaths.size > 0 : touchedTestPaths.has(file)),
      budget,
      thorough,
      quick,
      wantsMutants,
      names,
      async checkFittingPackages(changed) {
        const { packages } = context.ports;
        const hasFittingPackages = async (files: ChangedFiles) =>
          packages !== undefined && (await packages.findFitting(files, operation.signal)) !== null;
        return { base: await hasFittingPackages(new Map()), head: await hasFittingPackages(changed) };
      },
      testCases: (files) => jobs.run('testCases', files, operation.signal),
      findHiddenFaults: ({ edits, renamed }) => jobs.run('hiddenFaults', { edits, renamed }, operation.signal),
      async protectedPaths(paths, inert) {
        const settingsPatterns = ignore({ ignorecase: true }).add([...context.settings['charter.protectedPaths']]);
        // Paths in `inert` count only if the settings name them.
        const mayCount = (path: string) => !inert.has(path) || settingsPatterns.ignores(path);
        const files: string[] = [];
        for (const path of paths.filter(mayCount))
          if (!(await context.charter.check([{ path }])).allowed) files.push(path);
        return files;
      },
    },
    change,
    operation.signal,
  );
}

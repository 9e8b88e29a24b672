// Runs the gates on a change by any author, on the tree from which the change starts.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Judged } from '../../model/judgement.ts';
import { isTestData, isTestFile } from '../../paths/tests.ts';
import { judgeChange } from '../../verify/judge/judgeChange.ts';
import type { JudgeRequest } from '../../verify/judge/request.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import type { SessionContext } from '../context.ts';
import { mentionIsolation } from './isolation.ts';
import { gatesContext } from './verifying.ts';

/** Judges a change. The session's own tree is the state before it. Throws `untrusted`, `cancelled`. */
export async function judge(
  context: SessionContext,
  { change, budget, names, ...operation }: JudgeRequest,
): Promise<Judged> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  await mentionIsolation(context);
  const gates = await gatesContext(context, operation);
  const { jobs } = context.ports;
  const touched = new Set(change.edits.map(({ path }) => path).filter((path) => isTestFile(path) || isTestData(path)));
  return judgeChange(
    {
      ...gates,
      ...(gates.proof
        ? { proof: { ...gates.proof, changesBehavior: () => true, looksForImporters: () => false } }
        : {}),
      isOurs: () => false,
      atOnce: true,
      mayGo: (file) => (file === null ? touched.size > 0 : touched.has(file)),
      budget,
      names,
      async keptPackages(changed) {
        const { packages } = context.ports;
        const fits = async (files: ChangedFiles) =>
          packages !== undefined && (await packages.fitting(files, operation.signal)) !== null;
        return { base: await fits(new Map()), head: await fits(changed) };
      },
      testCases: (files) => jobs.run('testCases', files, operation.signal),
      async protectedPaths(paths) {
        const found: string[] = [];
        for (const path of paths) if (!(await context.charter.check([{ path }])).allowed) found.push(path);
        return found;
      },
    },
    change,
    operation.signal,
  );
}

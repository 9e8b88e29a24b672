// Tests that fail in the repository as it is.

import { createCommands } from '../commands.ts';
import type { VerifyContext } from '../context.ts';
import { readProject } from '../detect/project.ts';
import { waitingWords } from '../waiting.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { chosenTests } from './chosenTests.ts';

/**
 * Runs the tests, or takes their last result for the same tree. Refused with a sentence where they do not run or do not
 * name their cases. Throws `cancelled` and what the ports throw.
 */
export async function failingTests(
  context: VerifyContext,
  signal: AbortSignal,
): Promise<readonly TestCase[] | { readonly refused: string }> {
  const message = 'Running the tests';
  const worktree = await context.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...context,
    edits: [],
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) =>
      context.report?.({ stage: 'realising', done: 0, total: null, message: `${message}: ${waitingWords(underWay)}` }),
  });
  try {
    const project = readProject(worktree);
    const chosen = await chosenTests({ context, project: () => project, base: commands.base }, signal);
    if (!chosen) return { refused: 'No tests were found, so none can fail.' };
    const { value } = chosen.base;
    if (!value) return { refused: 'The tests of this repository do not run here, so nobody can say which fail.' };
    if (!value.cases) return { refused: 'The test runner does not name its tests, so nobody can say which fail.' };
    return value.cases.filter(({ outcome }) => outcome === 'failed');
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
}

// Which report ends the wait for silent tests: one that a runner writes when its tests are over.

import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createCommands, REPORT_PATH_MARK } from '../../../server/src/core/verify/commands.ts';
import { createCommandFromSetting } from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectRunner } from '../../../server/src/core/verify/detect/testRunner.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;

/** The last files that the runs of this command name: of all tests, and of one test file. */
async function lastFilesOf(line: string) {
  const sandbox = createMemorySandbox(createMemoryFiles({ 'a.ts': '' }), {});
  const worktree = await sandbox.open(never);
  const named: (string | undefined)[] = [];
  const noting = {
    ...worktree,
    run: (...[request, signal]: Parameters<typeof worktree.run>) => {
      if (request.shell) named.push(request.lastFile);
      return worktree.run(request, signal);
    },
  };
  const commands = createCommands(noting, {
    sandbox,
    baseline: createBaselineCache(),
    treeKey: () => null,
    isJudge: () => false,
    edits: [],
    timeoutMs: 1_000,
  });
  const runner = detectRunner(createCommandFromSetting(line)!, describeProject({}, []))!;
  for (const command of [runner.withReport(REPORT_PATH_MARK), runner.onFiles(['a.test.js'], REPORT_PATH_MARK)!])
    await commands.candidate(command, () => null, never);
  await commands.dispose();
  return named;
}

test("a report that is written at the end is a command's last file", async () => {
  const files = await lastFilesOf('vitest run');
  expect(files).toEqual(['node_modules/.selfware/report-1', 'node_modules/.selfware/report-2']);
});

test("Node's runner begins its report before the first test, so a slow test that prints nothing is waited for", async () => {
  expect(await lastFilesOf('node --test')).toEqual([undefined, undefined]);
});

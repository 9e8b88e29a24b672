// A machine with few cores: what runs on the base waits until the other checks have ended.

import { expect, test } from 'vitest';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { deferBaseRuns } from '../../../server/src/core/verify/judge/judgeSandbox.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { createPart } from '../../helpers/createPart.ts';
import { contextOf, edit } from './verifying.ts';

const never = new AbortController().signal;

test('what a command did to judge files is compared with a run on the base only after the other checks', async () => {
  const events: string[] = [];
  const files = { 'a.js': '1\n', 'a.test.js': 'test' };
  const sandbox = createMemorySandbox(createMemoryFiles(files), {
    'run-tests': (texts) => {
      const isBase = texts.get('a.js') === '1\n';
      events.push(isBase ? 'base' : 'change');
      if (!isBase) (texts as Map<string, string>).set('a.test.js', 'rewritten');
      return { exitCode: 0, stdout: 'ok' };
    },
  });
  const edits = [edit('a.js', '1\n', '2\n')];
  const worktree = await sandbox.open(never);
  const commands = createCommands(worktree, { ...contextOf({ sandbox }, {}), edits, timeoutMs: 1_000, isStill: true });
  await worktree.write(edits);
  const run = createPart<GateInput>({ worktree, ...commands });
  let end = () => {};
  const others = new Promise<void>((resolve) => {
    end = () => {
      events.push('others ended');
      resolve();
    };
  });
  const lane = deferBaseRuns({ run, commands, dispose: async () => {} }, others);
  await lane.run.candidate({ command: ['run-tests'], source: 'test', shell: false }, () => null, never);
  const disturbed = lane.commands.disturbance(never);
  await new Promise((resolve) => setTimeout(resolve, 50));
  end();
  expect(await disturbed).toMatchObject({ outcome: 'failed' });
  expect(events).toEqual(['change', 'others ended', 'base']);
  await commands.dispose();
});

// The state folder on a disk that is full: the answer is one sentence that says so, and what was there is there.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createSmallDisk } from '../helpers/smallDisk.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const request = (value: number) =>
  JSON.stringify({ description: `Step ${value}`, edits: [{ file: 'count.ts', search: '= 0', replace: `= ${value}` }] });

/** Exit code: there is something to act on. */
const FILED = 1;

test('a full disk is told in one sentence, nothing is lost, and with room it goes on', async () => {
  const disk = await createSmallDisk(6);
  // Where nothing may be mounted, test/adapters/state/fullDisk.test.ts holds it with faults of its own.
  if (!disk) return expect(process.getuid?.()).not.toBe(0);
  const repository = await createTemporaryRepository({ ...sampleProject, 'count.ts': 'export const count = 0;\n' });
  const selfware = await createCommandLine(repository.dir);
  const env = { SELFWARE_HOME: disk.dir, NODE_DISABLE_COMPILE_CACHE: '1' };
  const filing = ['propose', '--no-verify', '--request', '-'];
  const propose = (value: number) => selfware.run(filing, { input: request(value), env });
  try {
    expect((await propose(1)).code).toBe(FILED);
    let refused = 0;
    for (const left of [0, 8, 24, 32, 48, 64]) {
      await disk.fill(left);
      const { code, stderr } = await propose(left + 2);
      if (code === FILED) continue;
      refused++;
      const told = /^selfware: .*disk is full.*Nothing that was confirmed is lost.*Free some space/m;
      expect.soft(stderr, `with ${left} KiB left`).toMatch(told);
      expect.soft(stderr).not.toMatch(/^ {4}at |the database reports an error/m);
    }
    expect(refused).toBeGreaterThan(2);
    await disk.empty();
    expect((await selfware.run(['proposals', 'list'], { env })).stdout).toContain('Step 1');
    expect((await selfware.run(['ledger', 'verify'], { env })).stdout).toContain('chain intact');
    expect((await propose(1_000)).code).toBe(FILED);
  } finally {
    await selfware.dispose();
    await repository.dispose();
    await disk.dispose();
  }
});

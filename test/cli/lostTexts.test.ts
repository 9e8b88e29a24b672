// The store of texts cut off by bad luck: a proposal that waited is named, and it can be made again.

import { readdir, truncate, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { sample } from '../helpers/thorough.ts';

const edit = { file: 'count.ts', search: 'count = 0', replace: 'count = 1' };
const request = JSON.stringify({ description: 'Count from one', edits: [edit] });

/** Exit code: there is something to act on. */
const FILED = 1;

interface Finding {
  readonly name: string;
  readonly outcome: string;
  readonly detail: string;
}

test.each(sample([null, 100, 0, 4_096], 1))('cut off to %s bytes (null: the file is gone)', async (bytes) => {
  const repository = await createTemporaryRepository({ 'count.ts': 'export const count = 0;\n' });
  const selfware = await createCommandLine(repository.dir);
  const propose = () => selfware.run(['propose', '--no-verify', '--request', '-'], { input: request });
  try {
    expect((await propose()).code).toBe(FILED);
    const [{ id }] = (await selfware.json(['proposals', 'list'])).value;
    const file = await contentsIn(selfware.home);
    if (bytes === null) await rm(file);
    else await truncate(file, bytes);

    const list = await selfware.run(['proposals', 'list']);
    expect(list.code).toBe(1);
    expect(list.stdout).toMatch(new RegExp(`^${id} +texts lost .*Count from one`, 'm'));
    expect(list.stderr).toMatch(
      new RegExp(`The texts of a proposal that waits are lost: ${id} ".*Count from one.*" \\(count\\.ts\\)\\.`),
    );
    const findings: readonly Finding[] = (await selfware.json(['doctor'])).value;
    const finding = findings.find(({ name }) => name === 'proposals');
    expect(finding).toMatchObject({ outcome: 'bad', detail: expect.stringContaining(id) });

    // A file that is no database any more is left for its owner to look at; it says itself how to go on.
    const again = await propose();
    if (again.code !== FILED) {
      expect(again.stderr).toContain(`Move ${file} away`);
      await rm(file);
      expect((await propose()).code).toBe(FILED);
    }
    const after = await selfware.run(['proposals', 'list']);
    expect(after.stdout).toMatch(/proposed .*Count from one/);
    expect(after.stderr).not.toContain('lost');
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});

async function contentsIn(home: string): Promise<string> {
  const found = (await readdir(home, { recursive: true })).find((name) => name.endsWith('contents.db'));
  if (found === undefined) throw new Error('No store of texts was made.');
  return join(home, found);
}

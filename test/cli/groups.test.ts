// Common options stand before or after the name of a subcommand, in every group of commands.

import { expect, test } from 'vitest';
import { createCommandLine, cliEntry } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

test('--repo, --json and --set are taken before the subcommand, too', async () => {
  const repository = await createTemporaryRepository({
    'src/a.ts': "import { b } from './b.ts';\nb();\n",
    'src/b.ts': 'export function b() {}\n',
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    const from = async (...args: string[]) =>
      JSON.parse(
        (
          await execute(process.execPath, [cliEntry, ...args], {
            cwd: selfware.home,
            env: { PATH: process.env['PATH'], HOME: selfware.home, SELFWARE_HOME: selfware.home },
          })
        ).stdout,
      );
    const before = await from('graph', '--repo', repository.dir, '--json', 'dependents', 'src/b.ts');
    expect(before.items.map(({ path }: { path: string }) => path)).toContain('src/a.ts');
    expect(await from('graph', 'dependents', 'src/b.ts', '--repo', repository.dir, '--json')).toEqual(before);
    // The first subcommand is left out, and an option of it is given.
    expect(await from('ledger', '--limit', '3', '--json', '--repo', repository.dir)).toEqual(
      await from('ledger', 'tail', '--repo', repository.dir, '--limit', '3', '--json'),
    );
    await expect(
      from('learn', '--repo', repository.dir, '--set', 'no.such=1', 'recipes', '--set', 'another.one=2'),
    ).rejects.toThrow(/no\.such[^]*another\.one/);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});

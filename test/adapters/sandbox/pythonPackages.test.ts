// A kept result depends on the packages of Python's virtual environment, which no tree holds.

import { execFileSync } from 'node:child_process';
import { mkdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeEnvironment } from '../../../server/src/core/verify/environment.ts';
import { never, sandboxOf } from './sandboxOf.ts';

test('another version of a package in the virtual environment is another environment', async () => {
  await using given = await sandboxOf({ 'pyproject.toml': '[project]\nname = "a"\n', '.gitignore': '.venv\n' });
  const folder = join(given.repository.dir, '.venv');
  execFileSync('python3', ['-m', 'venv', '--without-pip', folder]);
  const packages = execFileSync(
    join(folder, 'bin', 'python'),
    ['-c', 'import site; print(site.getsitepackages()[0])'],
    {
      encoding: 'utf8',
    },
  ).trim();
  const [old, next] = ['1.0', '2.0'].map((version) => join(packages, `words-${version}.dist-info`)) as [string, string];
  await mkdir(old);
  await utimes(old, 1, 1);
  const described = async () => describeEnvironment(await given.open(), { sandbox: given.sandbox }, never);
  const before = await described();
  expect(await described()).toBe(before);
  await rename(old, next);
  const after = await described();
  expect(after).not.toBe(before);
  await utimes(next, 2, 2);
  expect(await described()).not.toBe(after);
});

// The version file of a Python package: git ignores it, and the package cannot be imported without it.

import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import type { Sandbox } from '../../../server/src/core/ports/sandbox.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { never, silentLog } from './sandboxOf.ts';

const PATH = 'src/a/_version.py';
const FILES = { 'src/a/__init__.py': '', '.gitignore': '_version.py\nlinked\n' };
const MANIFESTS: readonly (readonly [string, string])[] = [
  ['pyproject.toml', `[tool.hatch.build.hooks.vcs]\nversion-file = "${PATH}"\n`],
  ['pyproject.toml', `[tool.setuptools_scm]\nwrite_to = '${PATH}'\n`],
  ['setup.cfg', `[tool:setuptools_scm]\nversion_file = ${PATH}\n`],
  ['setup.py', `setup(use_scm_version={"write_to": "${PATH}"})\n`],
  ['src/pyproject.toml', 'tool.pdm.version = { source = "scm", write_to = "a/_version.py" }\n'],
];

async function repositoryOf(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { dir: string }> {
  const { dir, dispose } = await createTemporaryRepository(files);
  return { dir, [Symbol.asyncDispose]: dispose };
}

/** Gives `work` a sandbox of the repository that reuses its work trees. */
async function withSandbox(
  { dir, packagesOf }: { readonly dir: string; readonly packagesOf?: string },
  work: (read: (path: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const stateDir = await realpath(await mkdtemp(join(tmpdir(), 'selfware-state-')));
  const sandbox: Sandbox & { close(): Promise<void> } = createSandbox(dir, stateDir, {
    ...{ clock: systemClock, ids: createIds(systemClock), log: silentLog, limits: computeMachineLimits(), maxIdle: 1 },
    ...(packagesOf === undefined ? {} : { packagesOf }),
  });
  try {
    await work(async (path) => {
      const worktree = await sandbox.open(never);
      const { stdout } = await worktree.run({ command: ['cat', path], timeoutMs: 10_000 }, never);
      await worktree.dispose();
      return stdout;
    });
  } finally {
    await sandbox.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}

test.each(MANIFESTS)('the file that %s names is lent: %s', async (manifest, text) => {
  await using repository = await repositoryOf({ ...FILES, [manifest]: text });
  await writeFile(join(repository.dir, PATH), 'version = "1"\n');
  await withSandbox(repository, async (read) => expect(await read(PATH)).toBe('version = "1"\n'));
});

test('an ignored file that is no version file is not lent', async () => {
  const path = 'src/a/secrets.py';
  const manifest = MANIFESTS[0]![1].replace(PATH, path);
  await using repository = await repositoryOf({
    ...FILES,
    '.gitignore': 'secrets.py\n',
    'pyproject.toml': manifest,
  });
  await writeFile(join(repository.dir, path), 'key = "1"\n');
  await withSandbox(repository, async (read) => expect(await read(path)).toBe(''));
});

test('a reused sandbox has the current file, and none once the user has none', async () => {
  await using repository = await repositoryOf({ ...FILES, 'pyproject.toml': MANIFESTS[0]![1] });
  await withSandbox(repository, async (read) => {
    for (const text of ['version = "1"\n', 'version = "2"\n']) {
      await writeFile(join(repository.dir, PATH), text);
      expect(await read(PATH)).toBe(text);
    }
    await rm(join(repository.dir, PATH));
    expect(await read(PATH)).toBe('');
  });
});

test('a copy of the repository is lent the file of the repository itself', async () => {
  const files = { ...FILES, 'pyproject.toml': MANIFESTS[0]![1] };
  await using repository = await repositoryOf(files);
  await using copy = await repositoryOf(files);
  await writeFile(join(repository.dir, PATH), 'version = "1"\n');
  await withSandbox({ dir: copy.dir, packagesOf: repository.dir }, async (read) =>
    expect(await read(PATH)).toBe('version = "1"\n'),
  );
});

test('nothing outside of the repository is lent, and nothing is written through a link', async () => {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'selfware-outside-')));
  const named = ['../secret.py', 'linked/secret.py', `${outside}/secret.py`, 'src/a/secret.py'];
  const manifest = named.map((path) => `version-file = "${path}"\n`).join('');
  await using repository = await repositoryOf({ ...FILES, 'pyproject.toml': manifest });
  const { dir } = repository;
  try {
    await writeFile(join(outside, 'secret.py'), 'of the user\n');
    await symlink(outside, join(dir, 'linked'));
    await symlink(join(outside, 'secret.py'), join(dir, 'src/a/secret.py'));
    await writeFile(join(dir, '.git/info/exclude'), 'secret.py\n');
    await withSandbox(repository, async (read) => {
      for (const path of named) expect(await read(path)).toBe('');
    });
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});

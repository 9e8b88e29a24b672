// What of the machine shapes an installation, asked without starting anything of the repository.

import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { collectMachineFacts } from '../../../server/src/adapters/packages/facts.ts';

test('programs of the repository are neither started nor named, wherever the path leads', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'selfware-facts-')));
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'selfware-programs-')));
  try {
    const bin = join(root, '.venv/bin');
    await mkdir(bin, { recursive: true });
    for (const name of ['python3', 'go', 'cargo', 'npm']) {
      await writeFile(join(bin, name), `#!/bin/sh\ntouch "${root}/ran-${name}"\n`);
      await chmod(join(bin, name), 0o755);
    }
    await writeFile(join(elsewhere, 'cargo'), '#!/bin/sh\n');
    await chmod(join(elsewhere, 'cargo'), 0o755);
    const { programs } = await collectMachineFacts(root, { PATH: [bin, elsewhere].join(delimiter) });
    expect(Object.values(programs).filter((program) => program.startsWith(root))).toEqual([]);
    expect(programs['cargo']).toBe(join(elsewhere, 'cargo'));
    expect(await readdir(root)).toEqual(['.venv']);
  } finally {
    await rm(root, { recursive: true, force: true });
    await rm(elsewhere, { recursive: true, force: true });
  }
});

test('the pytest of a virtual environment is looked up and not started', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'selfware-facts-')));
  try {
    const bin = join(root, '.venv/bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(root, '.venv/pyvenv.cfg'), 'home = /usr/bin\n');
    const env = { PATH: '/usr/bin:/bin' };
    for (const name of ['python', 'pytest']) {
      expect((await collectMachineFacts(root, env)).programs['pytest of the virtual environment']).toBeUndefined();
      await writeFile(join(bin, name), `#!/bin/sh\ntouch "${root}/ran-${name}"\n`);
      await chmod(join(bin, name), 0o755);
    }
    const { programs } = await collectMachineFacts(root, env);
    expect(programs['pytest of the virtual environment']).toBe(join(bin, 'pytest'));
    expect(await readdir(root)).toEqual(['.venv']);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

// The files of the inbox in the state folder: a missing one is null, and no name leads out of the folder.

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInboxFiles } from '../../server/src/adapters/files/inboxFiles.ts';

test('what is written is read, other names are refused, and what cannot be read is not taken for missing', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'selfware-inbox-'));
  try {
    const files = createInboxFiles(stateDir);
    expect(await files.read('tools.toml')).toBeNull();
    await files.write('tools.toml', 'a = 1\n');
    await files.write('applied/2026-01-01.toml', 'b = 2\n');
    expect([await files.read('tools.toml'), await files.read('applied/2026-01-01.toml')]).toEqual([
      'a = 1\n',
      'b = 2\n',
    ]);
    expect((await readdir(join(stateDir, 'inbox'))).sort()).toEqual(['applied', 'tools.toml']);
    for (const name of ['../ledger.toml', 'a/b/c.toml', '/etc/a.toml', 'tools.json', 'applied/../x.toml'])
      await expect(files.read(name)).rejects.toMatchObject({ reason: 'internal' });
    await mkdir(join(stateDir, 'inbox', 'skills.toml'));
    await expect(files.read('skills.toml')).rejects.toMatchObject({ reason: 'unreadable' });
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});

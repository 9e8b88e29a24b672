// Folders that commands have written into are removed, in whatever state they are.

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../../server/src/adapters/sandbox/removeTree.ts';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';

test('a folder that nobody may open, as an overlay leaves one, among many that are being removed', async () => {
  const top = await mkdtemp(join(tmpdir(), 'selfware-remove-'));
  try {
    for (let time = 0; time < 10; time += 1) {
      const folder = join(top, String(time));
      for (let at = 0; at < 40; at += 1) {
        const deep = join(folder, `part-${at}`, 'a', 'b', 'c');
        await mkdir(deep, { recursive: true });
        await writeFile(join(deep, 'file'), '');
      }
      // In the middle of the list, so that others are removed before and after it.
      const work = join(folder, 'part-20', 'work');
      await mkdir(join(work, 'inside'), { recursive: true });
      await asOrdinaryUser(top, async () => {
        await chmod(work, 0);
        await removeTree(folder);
      });
      expect(existsSync(folder)).toBe(false);
    }
  } finally {
    await rm(top, { recursive: true, force: true });
  }
});

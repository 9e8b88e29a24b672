// A user that the system does not know by name, as many containers run one.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const source = (path: string) => join(import.meta.dirname, '../../../server/src/adapters', path);

const program = `
import { userInfo } from 'node:os';
import { collectVisiblePaths } from ${JSON.stringify(source('sandbox/isolation/visiblePaths.ts'))};
import { resolveSandboxFolders } from ${JSON.stringify(source('sandbox/environment.ts'))};
let known = true;
try { userInfo(); } catch { known = false; }
const [folder] = process.argv.slice(1);
const given = { folders: resolveSandboxFolders(folder + '/sandbox'), env: {}, repository: folder, stateDir: folder, sharedFolders: [] };
console.log(JSON.stringify({ known, places: typeof (await collectVisiblePaths(given)) }));
`;

test.each(process.platform === 'linux' ? [54321] : [])(
  'user %d has places for what runs in a sandbox',
  async (user) => {
    const folder = await mkdtemp(join(tmpdir(), 'unnamed-'));
    try {
      const inside = ['--user', `--map-user=${user}`, process.execPath, '--input-type=module', '-e', program, folder];
      const { stdout } = await run('unshare', inside);
      expect(JSON.parse(stdout)).toEqual({ known: false, places: 'object' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

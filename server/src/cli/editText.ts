// Lets a person change a text in the editor of their terminal.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ownPath } from '../adapters/system/ownPrograms.ts';
import { windowsProgram } from '../adapters/system/systemPrograms.ts';
import { SelfwareError } from '../util/typedError.ts';

/**
 * Writes the text to a file with the name of `path` in a temporary folder, opens it with `$VISUAL`, `$EDITOR` or the
 * usual editor of the system, and waits until the editor ends. Returns the text of the file then. Throws `unavailable`
 * if the editor ends with another code than 0.
 */
export async function editText(path: string, text: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const editor = process.env.VISUAL || process.env.EDITOR || (isWindows ? 'notepad' : 'vi');
  const folder = await mkdtemp(join(tmpdir(), 'selfware-edit-'));
  const file = join(folder, basename(path));
  try {
    await writeFile(file, text, { mode: 0o600 });
    const child = isWindows
      ? spawn(windowsProgram('cmd.exe'), ['/d', '/s', '/c', `"${editor} "${file}""`], {
          stdio: 'inherit',
          cwd: folder,
          // Without this variable, `cmd.exe` looks for programs in the current folder first.
          env: { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' },
          windowsVerbatimArguments: true,
        })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
          stdio: 'inherit',
          cwd: folder,
          env: { ...process.env, PATH: ownPath(process.env.PATH ?? '') },
        });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new SelfwareError('unavailable', `The editor \`${editor}\` ended with the code ${code ?? 'unknown'}.`, {
        action: 'Name one in the environment variable EDITOR.',
      });
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

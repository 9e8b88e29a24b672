// Lets a person edit a text in the editor of their terminal.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeUntrustedFolders } from '../adapters/system/ownPrograms.ts';
import { resolveWindowsProgram } from '../adapters/system/systemPrograms.ts';
import { describeError, SelfwareError } from '../util/typedError.ts';

/**
 * Writes the text to a file with the name of `path` in a temporary folder, opens the file with `$VISUAL`, `$EDITOR` or
 * the usual editor of the system, and waits for the end of the editor. Returns the edited text. Throws `unavailable` if
 * the editor cannot be started, or if its exit code is not 0.
 */
export async function editText(path: string, text: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const editor = process.env.VISUAL || process.env.EDITOR || (isWindows ? 'notepad' : 'vi');
  const folder = await mkdtemp(join(tmpdir(), 'selfware-edit-'));
  const file = join(folder, basename(path));
  try {
    await writeFile(file, text, { mode: 0o600 });
    const start = () =>
      isWindows
        ? spawn(resolveWindowsProgram('cmd.exe'), ['/d', '/s', '/c', `"${editor} "${file}""`], {
            stdio: 'inherit',
            cwd: folder,
            // Without this variable, `cmd.exe` looks for programs in the current folder first.
            env: { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' },
            windowsVerbatimArguments: true,
          })
        : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
            stdio: 'inherit',
            cwd: folder,
            env: { ...process.env, PATH: removeUntrustedFolders(process.env.PATH ?? '') },
          });
    const createFailure = (reason: string) =>
      new SelfwareError('unavailable', `The editor \`${editor}\` ${reason}.`, {
        action: 'Name one in the environment variable EDITOR.',
      });
    const code = await waitForExitCode(start).catch((error: unknown) => {
      throw createFailure(`cannot be started: ${describeError(error)}`);
    });
    if (code !== 0) throw createFailure(`ended with the code ${code ?? 'unknown'}`);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Starts a process and waits for its end. Returns its exit code, or null if a signal ended it. Rejects if the process
 * cannot be started.
 */
async function waitForExitCode(start: () => ChildProcess): Promise<number | null> {
  const [code] = (await once(start(), 'close')) as [number | null];
  return code;
}

// Recognises that this process was started by `nohup`. Node resets ignored signals when it starts, so SIGHUP would end
// the process although `nohup` made it ignored.

import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { findTrustedProgram } from './ownPrograms.ts';

/**
 * `WRITE_ONLY`: the access mode "write only" in the flags of an open file (open(2)). `ACCESS_MODE`: the bits of the
 * access mode.
 */
const [WRITE_ONLY, ACCESS_MODE] = [0o1, 0o3];

/**
 * True if `nohup` has started this process, or a process that it descends from. There are two marks: shells such as
 * bash and zsh pass the program that they start in the variable `_`, and GNU's nohup replaces a terminal as standard
 * input by `/dev/null`, opened for writing only (visible on Linux). Without either mark, `nohup` is not recognised.
 */
export function isStartedByNohup(env: Readonly<Record<string, string | undefined>>): boolean {
  return basename(env._ ?? '') === 'nohup' || hasUnreadableInput();
}

/**
 * The command line prefix that starts a program. A closed terminal hangs up all processes in it. If `nohup` protects
 * this process, it also has to protect the processes that it starts, because Node resets ignored signals. `path`: the
 * search path for `nohup`. `folder`: a folder whose programs are not trusted.
 */
export function addHangupProtection(program: string, path: string, folder: string): [string] | [string, string] {
  const nohup = isStartedByNohup(process.env) ? findTrustedProgram('nohup', path, [folder]) : null;
  return nohup === null ? [program] : [nohup, program];
}

function hasUnreadableInput(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    if (readlinkSync('/proc/self/fd/0') !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & ACCESS_MODE) === WRITE_ONLY;
  } catch {
    // Standard input is closed, or /proc is not mounted.
    return false;
  }
}

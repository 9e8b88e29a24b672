// Reads commits, trees and blobs of a repository with git, from a work tree or a bare git directory.

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_BYTES = 512 * 1024 * 1024;

/** Standard output of a git command as text. Throws if git fails. */
export async function runGit(dir: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await run('git', ['-c', 'core.quotePath=false', '-C', dir, ...args], {
    maxBuffer: MAX_BYTES,
    signal,
  });
  return stdout;
}

/** The contents of blobs, by id. Unknown ids are left out. */
export async function readGitBlobs(
  dir: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  if (ids.length === 0) return blobs;
  const child = spawn('git', ['-C', dir, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'], signal });
  child.stdin.end(`${ids.join('\n')}\n`);
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  const output = Buffer.concat(parts);
  for (let offset = 0; offset < output.length; ) {
    const end = output.indexOf(0x0a, offset);
    const [id = '', kind, size] = output.toString('latin1', offset, end).split(' ');
    offset = end + 1;
    if (kind === 'missing') continue;
    blobs.set(id, new Uint8Array(output.subarray(offset, offset + Number(size))));
    offset += Number(size) + 1;
  }
  return blobs;
}

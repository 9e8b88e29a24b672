// Measures the memory that a command needs at most: the marks of all its processes, read many times a second.

import { readFileSync } from 'node:fs';

/** A mark never falls, so only what a process takes in its last moments is missed. */
const LOOK_EVERY_MS = 20;

/**
 * Follows `leader` and its descendants. The answer is the largest sum of what living processes had held at most, in
 * bytes; undefined where the system does not tell, or the command was too short to be seen.
 */
export function watchPeak(leader: number): () => number | undefined {
  if (process.platform !== 'linux') return () => undefined;
  let most = 0;
  const look = () => {
    most = Math.max(
      most,
      descendants(leader).reduce((sum, pid) => sum + markOf(pid), 0),
    );
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return () => {
    clearInterval(timer);
    return most === 0 ? undefined : most;
  };
}

function descendants(leader: number): readonly number[] {
  const found = [leader];
  for (const pid of found) found.push(...childrenOf(pid));
  return found;
}

/** Of all its threads; the file exists on kernels with CONFIG_PROC_CHILDREN, as those of all distributions are. */
function childrenOf(pid: number): readonly number[] {
  return textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function markOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Empty once the process is gone, or where it belongs to somebody else. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

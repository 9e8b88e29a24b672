// Finds the descendants of a process, and kills them, even those that have left its process group.

import { readdirSync, readFileSync } from 'node:fs';

interface TreeProcess {
  readonly pid: number;
  readonly parent: number;
  /** Start time in clock ticks since boot, which distinguishes processes with the same id. */
  readonly started: string;
}

/** All descendants of the process `pid`; none without /proc, which only Linux has. */
export function findDescendants(pid: number): readonly TreeProcess[] {
  const running = listRunningProcesses();
  const descendants: TreeProcess[] = [];
  const ancestors = new Set([pid]);
  // Each round finds the children of the processes that the previous round found.
  for (let previousSize = 0; ancestors.size > previousSize; ) {
    previousSize = ancestors.size;
    for (const candidate of running)
      if (ancestors.has(candidate.parent) && !ancestors.has(candidate.pid)) {
        ancestors.add(candidate.pid);
        descendants.push(candidate);
      }
  }
  return descendants;
}

/**
 * Kills those of the processes that still run. If another process now has the id of one of them, its start time shows
 * that.
 */
export function killStillRunning(processes: readonly TreeProcess[]): void {
  for (const { pid, started } of processes) {
    if (readProcess(pid)?.started !== started) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process has ended meanwhile, or belongs to another user.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function listRunningProcesses(): readonly TreeProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** A process; null if it has ended, or may not be read. */
function readProcess(pid: number): TreeProcess | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  // State, parent and start are fields 3, 4 and 22. Field 2, in parentheses, may contain spaces (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : { pid, parent: Number(fields[1]), started: fields[19] ?? '' };
}

// The processes below a process, so that they can be ended with it even if they left its process group.

import { readdirSync, readFileSync } from 'node:fs';

interface TreeProcess {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks since boot; distinguishes processes that had the same id. */
  readonly started: string;
}

/** All processes below this one. Empty without /proc, that is on other systems than Linux. */
export function descendantsOf(pid: number): readonly TreeProcess[] {
  const all = runningProcesses();
  const found: TreeProcess[] = [];
  const above = new Set([pid]);
  // Each round finds the children of the round before.
  for (let before = 0; above.size > before; ) {
    before = above.size;
    for (const one of all)
      if (above.has(one.parent) && !above.has(one.pid)) {
        above.add(one.pid);
        found.push(one);
      }
  }
  return found;
}

/** Kills those of the processes that still run; never one that reuses an id. */
export function killStillRunning(processes: readonly TreeProcess[]): void {
  for (const { pid, started } of processes) {
    if (readProcess(pid)?.started !== started) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It has ended meanwhile, or belongs to another user.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function runningProcesses(): readonly TreeProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Null if it has ended. */
function readProcess(pid: number): TreeProcess | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  // State, parent and start are fields 3, 4 and 22. The second, in parentheses, may contain blanks (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : { pid, parent: Number(fields[1]), started: fields[19] ?? '' };
}

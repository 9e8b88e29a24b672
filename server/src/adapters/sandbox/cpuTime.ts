// Reads the work of the processes of a command: the time that they have used the processor, and when the last one
// began.

import { findMarkedProcesses } from './processes.ts';
import { readProcFile } from './procFile.ts';

/** Milliseconds in one tick of proc(5), which is 1/100 s on all common systems. */
const TICK_MS = 10;

/** The work of the processes of a command. */
export interface Work {
  /** Milliseconds for which the processes, and those that they have waited for, have used the processor. */
  readonly cpuMs: number;
  /** The time at which the newest of the processes was started, in milliseconds since the epoch. */
  readonly lastStartAt: number;
}

/** The work of the processes with this mark. Null if there are none, or if the system has no /proc. */
export async function measureWork(mark: string): Promise<Work | null> {
  const pids = await findMarkedProcesses(mark);
  const uptimeMs = Number.parseFloat(readProcFile('/proc/uptime')) * 1000;
  const tickCounts = pids.map(parseTicks).filter((ticks) => ticks !== null);
  if (tickCounts.length === 0 || Number.isNaN(uptimeMs)) return null;
  const bootedAt = Date.now() - uptimeMs;
  return {
    cpuMs: tickCounts.reduce((sum, { used }) => sum + used, 0) * TICK_MS,
    lastStartAt: bootedAt + Math.max(...tickCounts.map(({ start }) => start)) * TICK_MS,
  };
}

/**
 * The sum of the fields utime, stime, cutime and cstime of proc(5) stat, and the field starttime; null if the process
 * has ended. The name before them may contain spaces and parentheses.
 */
function parseTicks(pid: number): { readonly used: number; readonly start: number } | null {
  const stat = readProcFile(`/proc/${pid}/stat`);
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { used: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0), start: Number(fields[19]) };
}

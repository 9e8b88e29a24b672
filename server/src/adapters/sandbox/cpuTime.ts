// Reads how long the processes of a command have used the processor.

import { markedProcesses } from './processes.ts';
import { procText } from './procFile.ts';

/** Milliseconds in one tick of proc(5), which is 1/100 s on all common systems. */
const TICK_MS = 10;

/**
 * Milliseconds for which the processes with this mark, and those that they have waited for, have used the processor. 0
 * without /proc, and for processes of a container, which belong to its daemon.
 */
export async function cpuTimeOf(mark: string): Promise<number> {
  const ticks = (await markedProcesses(mark)).map(ticksOf);
  return ticks.reduce((sum, own) => sum + own, 0) * TICK_MS;
}

/** The fields utime, stime, cutime and cstime of proc(5) stat; the name before them may contain blanks and brackets. */
function ticksOf(pid: number): number {
  const stat = procText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
}

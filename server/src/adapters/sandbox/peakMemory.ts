// Measures the peak memory of a command: the high-water marks of all its processes, read many times a second.

import { readProcFile } from './procFile.ts';

/**
 * Milliseconds between two readings. The high-water mark of a process does not fall, so the readings miss only the last
 * moments of a process, and processes that live for a shorter time than this.
 */
const READ_EVERY_MS = 20;

/**
 * Watches the process `leader` and its descendants. The returned function ends the watch, and returns the largest sum
 * of the high-water marks of the processes alive at one moment, in bytes. It returns undefined if the system does not
 * report them, or if the command was too short.
 */
export function watchPeakMemory(leader: number): () => number | undefined {
  if (process.platform !== 'linux') return () => undefined;
  let peakBytes = 0;
  const readCurrentBytes = () => {
    peakBytes = Math.max(
      peakBytes,
      findDescendants(leader).reduce((sum, pid) => sum + readPeak(pid), 0),
    );
  };
  const timer = setInterval(readCurrentBytes, READ_EVERY_MS);
  timer.unref();
  readCurrentBytes();
  return () => {
    clearInterval(timer);
    return peakBytes === 0 ? undefined : peakBytes;
  };
}

function findDescendants(leader: number): readonly number[] {
  const pids = [leader];
  for (const pid of pids) pids.push(...collectChildren(pid));
  return pids;
}

/**
 * The children that the main thread of a process has started. The file exists on kernels with CONFIG_PROC_CHILDREN,
 * which the common distributions enable.
 */
function collectChildren(pid: number): readonly number[] {
  return readProcFile(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** The high-water mark of a process in bytes; 0 if it has ended. */
function readPeak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProcFile(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

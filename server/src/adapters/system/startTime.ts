// Reads when a process was started. Its id alone does not identify a process, because ids are reused; the id and the
// start time together do.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PS_PATH, resolveWindowsProgram } from './systemPrograms.ts';

/**
 * Maximum difference in milliseconds between two texts about the same start. On Windows, the start of this process is
 * measured by another clock than the start of other processes.
 */
const TOLERANCE_MS = 2_000;
/** Maximum time in milliseconds that PowerShell may take to answer. */
const MAX_ANSWER_MS = 20_000;

/**
 * The start time of the process, as an opaque text; null if there is none, or if the system does not report it. Compare
 * it with `isSameStart`.
 */
export async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (!stat) return null;
    // The start is field 22. Fields are counted after the name in parentheses, because the name may contain spaces and
    // parentheses (proc(5)). A zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  }
  if (process.platform === 'win32') return readStartOnWindows(pid);
  const answer = await promisify(execFile)(PS_PATH, ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return answer?.stdout.trim() || null;
}

/** True if both are the start of one process. */
export function isSameStart(time: string, otherTime: string): boolean {
  const [first, second] = [Date.parse(time), Date.parse(otherTime)];
  const areTimes = [time, otherTime].every((text) => /^\d{4}-.*Z$/.test(text)) && !Number.isNaN(first - second);
  return areTimes ? Math.abs(first - second) <= TOLERANCE_MS : time === otherTime;
}

/** The time in the answer of PowerShell, which has more digits than other times; null if there is none. */
export function parsePowerShellTime(output: string): string | null {
  const text = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/m.exec(output.replaceAll('\r', ''))?.[0];
  const millis = Date.parse(text ?? '');
  return Number.isNaN(millis) ? null : new Date(millis).toISOString();
}

/**
 * The start time of a process on Windows. Starting PowerShell takes some tenths of a second, so it is started only for
 * other processes that run.
 */
async function readStartOnWindows(pid: number): Promise<string | null> {
  if (pid === process.pid) return new Date(Date.now() - process.uptime() * 1000).toISOString();
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  const question = `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToUniversalTime().ToString('o')`;
  const answer = await promisify(execFile)(
    resolveWindowsProgram('WindowsPowerShell\\v1.0\\powershell.exe'),
    ['-NoProfile', '-NonInteractive', '-Command', question],
    { timeout: MAX_ANSWER_MS, windowsHide: true },
  ).catch(() => null);
  return parsePowerShellTime(answer?.stdout ?? '');
}

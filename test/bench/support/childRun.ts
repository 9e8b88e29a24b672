// Runs a program and measures it: wall time, processor time, and peak memory.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ChildRun {
  readonly stdout: string;
  readonly wallMs: number;
  /** User and system time of the process, all threads, with its own children; null where the system does not tell. */
  readonly cpuMs: number | null;
  /**
   * High-water mark of resident memory (VmHWM), with those of the children that it had at the same time; null where the
   * system does not tell.
   */
  readonly peakMb: number | null;
}

/** The figures are read while the process lives; this often, so the last of them misses no more than that. */
const SAMPLE_MS = 20;
/** Linux counts processor time for /proc in hundredths of a second (USER_HZ). */
const TICK_MS = 10;

/**
 * Rejects when the program ends with another code than those, with the end of what it said. `env` is the whole
 * environment.
 */
export function runChild(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  signal: AbortSignal,
  codes: readonly number[] = [0],
): Promise<ChildRun> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
    let [stdout, stderr] = ['', ''];
    let last: { cpuMs: number; peakMb: number } | null = null;
    const timer = setInterval(() => (last = larger(last, sample(child.pid))), SAMPLE_MS);
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === null || !codes.includes(code))
        return reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`));
      resolve({
        stdout,
        wallMs: performance.now() - startedAt,
        cpuMs: last?.cpuMs ?? null,
        peakMb: last?.peakMb ?? null,
      });
    });
  });
}

interface Sample {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Memory of children goes with them. */
function larger(before: Sample | null, now: Sample | null): Sample | null {
  return before && now
    ? { cpuMs: Math.max(before.cpuMs, now.cpuMs), peakMb: Math.max(before.peakMb, now.peakMb) }
    : (now ?? before);
}

/** What a process has taken so far, with its children; null when it is gone or the system does not tell. */
export function sample(pid: number | string | undefined): Sample | null {
  try {
    // The second field is the program's name in brackets and may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const alive = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .flatMap((child) => (child === '' ? [] : (sample(child) ?? [])));
    // Fields of its own and of children that have ended: user time, system time.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    // What has ended and was not asked for yet has no memory any more.
    return {
      peakMb: Number(peak?.[1] ?? 0) / 1024 + alive.reduce((sum, { peakMb }) => sum + peakMb, 0),
      cpuMs: ticks * TICK_MS + alive.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

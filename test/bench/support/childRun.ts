// Runs a program and says what it took: time by the wall and by the processor, and the most memory it ever held.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ChildRun {
  readonly stdout: string;
  readonly wallMs: number;
  /** User and system time of the process, all threads, without its children; null where the system does not tell. */
  readonly cpuMs: number | null;
  /** High-water mark of resident memory (VmHWM); null where the system does not tell. */
  readonly peakMb: number | null;
}

/** The figures are read while the process lives; this often, so the last of them misses no more than that. */
const SAMPLE_MS = 20;
/** Linux counts processor time for /proc in hundredths of a second (USER_HZ). */
const TICK_MS = 10;

/** Rejects when the program ends with another code than those, with the end of what it said. `env` is the whole environment. */
export function runChild(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string, signal: AbortSignal, codes: readonly number[] = [0]): Promise<ChildRun> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
    let [stdout, stderr] = ['', ''];
    let last: { cpuMs: number; peakMb: number } | null = null;
    const timer = setInterval(() => (last = sample(child.pid) ?? last), SAMPLE_MS);
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === null || !codes.includes(code)) return reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`));
      resolve({ stdout, wallMs: performance.now() - startedAt, cpuMs: last?.cpuMs ?? null, peakMb: last?.peakMb ?? null });
    });
  });
}

/** What a process has taken so far; null when it is gone or the system does not tell. */
export function sample(pid: number | undefined): { cpuMs: number; peakMb: number } | null {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    // The second field is the program's name in brackets and may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
    if (!peak) return null;
    return { peakMb: Number(peak[1]) / 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

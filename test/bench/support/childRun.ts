// Runs a program and measures it: wall time, processor time, and peak memory.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The output and the measurements of a program. */
export interface ChildRun {
  readonly stdout: string;
  readonly wallMs: number;
  /**
   * User and system time of the process with its children, over all threads; null if the system does not provide it.
   */
  readonly cpuMs: number | null;
  /**
   * Peak of resident memory (VmHWM), with that of children at the same time; null if the system does not provide it.
   */
  readonly peakMb: number | null;
}

/** Interval in which the figures of the running process are read. Its last milliseconds may be missed. */
const SAMPLE_MS = 20;
/** The unit of processor time in /proc is a hundredth of a second (USER_HZ). */
const TICK_MS = 10;

/**
 * Runs the program. `env`: its whole environment. Rejects with the end of its standard error if its exit code is not
 * one of `codes`.
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
    const timer = setInterval(() => (last = maxOfSamples(last, sampleProcess(child.pid))), SAMPLE_MS);
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

/** The figures of a process at one moment. */
interface Sample {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** The larger of both figures, because the memory of ended children is no longer counted. */
function maxOfSamples(before: Sample | null, latest: Sample | null): Sample | null {
  return before && latest
    ? { cpuMs: Math.max(before.cpuMs, latest.cpuMs), peakMb: Math.max(before.peakMb, latest.peakMb) }
    : (latest ?? before);
}

/** The figures of a process with its children; null if the process has ended or the system does not provide them. */
export function sampleProcess(pid: number | string | undefined): Sample | null {
  try {
    // The second field is the name of the program in brackets, which may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const childSamples = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .flatMap((child) => (child === '' ? [] : (sampleProcess(child) ?? [])));
    // These fields are user and system time of the process, and of its ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    // A process that has ended and was not waited for yet no longer has memory.
    return {
      peakMb: Number(peak?.[1] ?? 0) / 1024 + childSamples.reduce((sum, { peakMb }) => sum + peakMb, 0),
      cpuMs: ticks * TICK_MS + childSamples.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

// A short run ends before the engine's better compilers have paid for themselves: they are kept back until the process
// has run for a while.

import * as modules from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * What a compiler waits for: processor time of all threads after which a process is no short one. What the one before
 * it makes counts on, or it would stay as it is for ever.
 */
interface Wait {
  readonly ms: number;
  readonly off: readonly string[];
  readonly on: readonly string[];
}

/**
 * Maglev, the compiler below TurboFan, takes a tenth of its time and gives most of its speed; the one below it takes
 * next to none.
 */
const MAGLEV: Wait = { ms: 1_000, off: ['--no-maglev'], on: ['--maglev'] };
const TURBOFAN: Wait = {
  ms: 20_000,
  off: ['--force-emit-interrupt-budget-checks', '--no-turbofan'],
  on: ['--turbofan', '--no-force-emit-interrupt-budget-checks'],
};
const LOOK_MS = 500;

/**
 * Of the whole process, threads that start later included. First of all: the engine refuses kept code that was compiled
 * under other
 * flags. `brief`: most likely over within a second, so that not even Maglev pays. Where there is more to do, that one
 * is missed.
 */
export function optimiseLate(brief: boolean, shortMs = TURBOFAN.ms, lookMs = LOOK_MS): void {
  if (!canWait()) return;
  const waiting = [...(brief ? [{ ...MAGLEV, ms: Math.min(MAGLEV.ms, shortMs) }] : []), { ...TURBOFAN, ms: shortMs }];
  for (const { off } of waiting) off.forEach((flag) => setFlagsFromString(flag));
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    while (waiting.length > 0 && (user + system) / 1000 >= waiting[0]!.ms) {
      // Or what is kept at the end would be refused by the next one.
      modules.flushCompileCache?.();
      waiting.shift()!.on.forEach((flag) => setFlagsFromString(flag));
    }
    if (waiting.length === 0) clearInterval(timer);
  }, lookMs);
  timer.unref();
}

/**
 * Node 22 is built without Maglev: nothing would be left but the baseline compiler. An engine that does not know a flag
 * says so on the terminal, so it is done in the one where it was tried.
 */
export function canWait(): boolean {
  return (
    process.versions.v8.startsWith('13.6.') &&
    Number((process.config.variables as unknown as Readonly<Record<string, unknown>>)['v8_enable_maglev'] ?? 0) === 1
  );
}

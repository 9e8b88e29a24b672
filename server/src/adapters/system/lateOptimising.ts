// A short run ends before the engine's best compiler has paid for itself: it is kept back until the process has run for a while.

import { setFlagsFromString } from 'node:v8';

/** Maglev, the compiler below TurboFan, takes a tenth of its time and gives most of its speed. What it makes counts on, or it would stay as it is for ever. */
const WITHOUT_TURBOFAN = ['--force-emit-interrupt-budget-checks', '--no-turbofan'];
const AS_EVER = ['--turbofan', '--no-force-emit-interrupt-budget-checks'];
/** Processor time of all threads after which a process is no short one. */
const SHORT_MS = 20_000;
const LOOK_MS = 500;

/** Of the whole process, threads that start later included. First of all: the engine refuses kept code that was compiled under other flags. */
export function optimiseLate(shortMs = SHORT_MS, lookMs = LOOK_MS): void {
  if (!canWait()) return;
  for (const flag of WITHOUT_TURBOFAN) setFlagsFromString(flag);
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1000 < shortMs) return;
    clearInterval(timer);
    for (const flag of AS_EVER) setFlagsFromString(flag);
  }, lookMs);
  timer.unref();
}

/** Node 22 is built without Maglev: nothing would be left but the baseline compiler. An engine that does not know a flag says so on the terminal, so it is done in the one where it was tried. */
export function canWait(): boolean {
  return process.versions.v8.startsWith('13.6.') && Number((process.config.variables as unknown as Readonly<Record<string, unknown>>)['v8_enable_maglev'] ?? 0) === 1;
}

// Provides the machine's clock, fresh ids and the developer's log.

import { randomBytes } from 'node:crypto';
import { cpus, loadavg, platform } from 'node:os';
import { writeError } from './terminal.ts';
import { describeError } from '../../util/typedError.ts';
import type { Clock, Ids, Log, Machine } from '../../core/ports/system.ts';
import { DAY_MS } from '../../util/timing/durations.ts';

type Level = Parameters<Log['write']>[0];

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };
/** Levels of the log, the least important first. */
const LOG_LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];
/** Digits that sort like their values and cannot be confused with each other (no i, l, o, u). */
const SORTABLE_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Number of digits of the millisecond of the day: 32^6 is more than the milliseconds of a day. */
const TIME_DIGITS = 6;
/**
 * Number of random digits. They have 20 bits: for equal ids, two processes would have to draw the same of a million
 * numbers in the same millisecond.
 */
const RANDOM_DIGITS = 4;

/**
 * The load of the whole machine; null if the system does not report it (Windows), or if `SELFWARE_IGNORE_LOAD` in `env`
 * is set and not empty: in a container, it would be the load of the machine around it.
 */
export function createMachine(env: Readonly<Record<string, string | undefined>>): Machine {
  const isReported = platform() !== 'win32' && !env['SELFWARE_IGNORE_LOAD'];
  return { load: () => (isReported ? { running: loadavg()[0] ?? 0, cores: Math.max(1, cpus().length) } : null) };
}

/**
 * Ids such as `p-20261121-0q5x3k-7c2m`: kind, UTC day, millisecond of the day in base 32, random digits. The ids of one
 * generator strictly increase, even if the clock stops or jumps back.
 */
export function createIds(clock: Clock): Ids {
  let lastMillis = -1;
  return {
    next(kind) {
      lastMillis = Math.max(Math.floor(clock.now()), lastMillis + 1);
      const day = new Date(lastMillis).toISOString().slice(0, 10).replaceAll('-', '');
      return `${kind[0]}-${day}-${formatDigits(lastMillis % DAY_MS)}-${drawRandomDigits()}`;
    },
  };
}

/** Writes lines of at least this level to standard error, because standard output is for answers. */
export function createStderrLog(level: Level): Log {
  const minLevel = LOG_LEVELS.indexOf(level);
  return {
    write(entryLevel, message, cause) {
      if (LOG_LEVELS.indexOf(entryLevel) < minLevel) return;
      writeError(`${new Date().toISOString()} ${entryLevel} ${message}${describeCause(cause)}`);
    },
  };
}

/** The number in base 32, with `TIME_DIGITS` digits. */
function formatDigits(value: number): string {
  let text = '';
  for (let remaining = value; text.length < TIME_DIGITS; remaining = Math.floor(remaining / 32))
    text = SORTABLE_DIGITS.charAt(remaining % 32) + text;
  return text;
}

/** `RANDOM_DIGITS` random digits. */
function drawRandomDigits(): string {
  return [...randomBytes(RANDOM_DIGITS)].map((byte) => SORTABLE_DIGITS.charAt(byte % 32)).join('');
}

/**
 * The chain of causes as lines, the innermost cause last, and then the stack of that cause, because it shows where the
 * error began.
 */
function describeCause(cause: unknown): string {
  if (cause === undefined) return '';
  const lines: string[] = [];
  let current: unknown = cause;
  let stack: string | undefined;
  for (let depth = 0; current !== undefined && depth < 5; depth += 1) {
    lines.push(`\n  because: ${describeError(current)}`);
    stack = current instanceof Error ? current.stack : undefined;
    current = current instanceof Error ? current.cause : undefined;
  }
  const frames =
    stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 6) ?? [];
  return [...lines, ...frames.map((frame) => `\n${frame}`)].join('');
}

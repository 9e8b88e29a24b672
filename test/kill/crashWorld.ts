// A repository for the crash runs: changes that each touch two files, lines of the user's, and what must hold after
// every kill.

import type { FileEdit } from '../../server/src/core/model.ts';

export const PATHS = ['src/one.txt', 'lib/deep/two.txt', 'three.txt'] as const;
/** Lines that a change may take; far enough apart that changes can be told from each other. */
export const SLOTS = 40;
const EVERY = 4;

/**
 * Each file has all slots, with other lines between them. Windows line ends in one, no newline at the end of another.
 */
export function startText(path: string): string {
  const lines = Array.from({ length: SLOTS * EVERY }, (_, at) =>
    at % EVERY === 0 ? slot(at / EVERY, 'old') : `line ${at} of ${path}`,
  );
  const end = path === PATHS[1] ? '\r\n' : '\n';
  return lines.join(end) + (path === PATHS[2] ? '' : end);
}

/** Change `number` takes its slot in two of the files. */
export function editsFor(number: number, text: (path: string) => string): readonly FileEdit[] {
  const paths = [PATHS[number % 3]!, PATHS[(number + 1) % 3]!];
  return paths.map((path) => ({
    path,
    before: text(path),
    after: text(path).replace(slot(number % SLOTS, 'old'), slot(number % SLOTS, 'new')),
  }));
}

export function slot(number: number, side: 'old' | 'new'): string {
  return `slot ${number}: ${side}`;
}

/** In which of its two files a change is. */
export function placesOf(number: number, text: (path: string) => string): readonly boolean[] {
  return [PATHS[number % 3]!, PATHS[(number + 1) % 3]!].map((path) =>
    new RegExp(`^${slot(number % SLOTS, 'new')}\\r?$`, 'm').test(text(path)),
  );
}

/** A small generator of numbers from 0 to 1: the same seed, the same run. (mulberry32, public domain) */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

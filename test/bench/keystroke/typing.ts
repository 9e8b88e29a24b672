// Simulates a typist: makes a large text from real sources, and the keystrokes that are typed into it.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shuffle, hashToUnit } from '../support/random.ts';

const core = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'core');
/** The texts that are typed. While a text is incomplete, the code is broken, as it is in real work. */
const phrases = [
  '\n  const total = first + (second ?? 0);',
  '\n  if (value !== null) {\n    return value;\n  }',
  '\n  for (const item of items) names.push(`${item.name}: ${item.size}`);',
  '\n  // A remark about what follows.',
];

/** One typed letter. */
export interface Keystroke {
  /** UTF-16 offset in the text with all earlier keystrokes. */
  readonly at: number;
  readonly text: string;
  /** True if a pause precedes this keystroke. */
  readonly afterPause: boolean;
}

/** Complete source files of Selfware, one after the other, until there are at least `lines` lines. */
export function createLargeText(lines: number, seed: number): string {
  const paths = shuffle(
    readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort(),
    seed,
    (path) => path,
  );
  const takenTexts: string[] = [];
  for (let count = 0, next = paths.shift(); next !== undefined && count < lines; next = paths.shift()) {
    const text = readFileSync(join(core, next), 'utf8');
    takenTexts.push(text);
    count += text.split('\n').length;
  }
  return takenTexts.join('\n');
}

/** Makes `count` keystrokes in bursts, each at the start of the body of a function that the seed draws. */
export function createKeystrokes(text: string, count: number, seed: number): Keystroke[] {
  const blockStarts = [...text.matchAll(/\) ?(?:: [^={}\n]+)?\{$/gm)].map(
    ({ index, 0: match }) => index + match.length,
  );
  const keystrokes: Keystroke[] = [];
  /** The earlier insertions, by offset in the original text. */
  const inserted: { at: number; length: number }[] = [];
  for (let burst = 0; keystrokes.length < count; burst++) {
    const blockStart = blockStarts[Math.floor(hashToUnit(`${seed}/${burst}`) * blockStarts.length)] ?? 0;
    const phrase = phrases[burst % phrases.length] ?? '';
    const start =
      blockStart + inserted.filter(({ at }) => at <= blockStart).reduce((sum, { length }) => sum + length, 0);
    const letters = [...phrase].slice(0, count - keystrokes.length);
    for (const [index, letter] of letters.entries())
      keystrokes.push({ at: start + letters.slice(0, index).join('').length, text: letter, afterPause: index === 0 });
    inserted.push({ at: blockStart, length: letters.join('').length });
  }
  return keystrokes;
}

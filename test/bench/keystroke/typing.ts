// A simulated typist: about 2,000 lines of real source, and the text that is typed into it, letter by letter.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shuffled, unitOf } from '../support/random.ts';

const core = join(import.meta.dirname, '..', '..', '..', 'server', 'src', 'core');
/** What is typed at a place: half the time the text is broken code, as it is in life. */
const phrases = [
  '\n  const total = first + (second ?? 0);',
  '\n  if (value !== null) {\n    return value;\n  }',
  '\n  for (const item of items) names.push(`${item.name}: ${item.size}`);',
  '\n  // A remark about what follows.',
];

export interface Keystroke {
  /** UTF-16 offset in the text as it is by then. */
  readonly at: number;
  readonly text: string;
  /** The person stops to think before this one. */
  readonly afterPause: boolean;
}

/** Whole files of Selfware's own source, one after the other. */
export function grownText(lines: number, seed: number): string {
  const paths = shuffled(
    readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort(),
    seed,
    (path) => path,
  );
  const taken: string[] = [];
  for (let count = 0, next = paths.shift(); next !== undefined && count < lines; next = paths.shift()) {
    const text = readFileSync(join(core, next), 'utf8');
    taken.push(text);
    count += text.split('\n').length;
  }
  return taken.join('\n');
}

/** Bursts of typing at the starts of function bodies, spread over the text. */
export function typing(text: string, count: number, seed: number): Keystroke[] {
  const places = [...text.matchAll(/\) ?(?:: [^={}\n]+)?\{$/gm)].map(({ index, 0: match }) => index + match.length);
  const keystrokes: Keystroke[] = [];
  /** Where something was inserted before, and how much. */
  const inserted: { at: number; length: number }[] = [];
  for (let burst = 0; keystrokes.length < count; burst++) {
    const place = places[Math.floor(unitOf(`${seed}/${burst}`) * places.length)] ?? 0;
    const phrase = phrases[burst % phrases.length] ?? '';
    const start = place + inserted.filter(({ at }) => at <= place).reduce((sum, { length }) => sum + length, 0);
    const letters = [...phrase].slice(0, count - keystrokes.length);
    for (const [index, letter] of letters.entries())
      keystrokes.push({ at: start + letters.slice(0, index).join('').length, text: letter, afterPause: index === 0 });
    inserted.push({ at: place, length: letters.join('').length });
  }
  return keystrokes;
}

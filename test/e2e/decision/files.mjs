// What there is to decide on: a hunk far below the top of its file, several hunks, several safe fixes in one file, and
// tests that take as long as a file says.

const filler = (from, to) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `/** Limit ${from + i}. */\nexport const limit${from + i} = ${from + i};\n`,
  ).join('\n');

export const decisionFiles = {
  'src/deep.ts': `${filler(1, 50)}
/** Whether a score lies above the limit. */
export function isHigh(score: number): boolean {
  const unread = score * 2;
  return score > limit50;
}
`,
  'src/parts.ts': `import { clamp, round } from './clamp.ts';

/** The lower half. */
export function lower(score: number): number {
  const value = clamp(score, 0, 100);
  return value / 2;
}

${filler(101, 106)}
/** The upper half. */
export function upper(score: number): number {
  const value = clamp(score, 0, 100);
  const twice = value * 2;
  return 50 + value / 2;
}

${filler(107, 112)}
/** All of it. */
export function whole(score: number): number {
  return clamp(score, 0, 100);
}
`,
  'src/safe.ts': `import { clamp, round } from './clamp.ts';

/** Whether somebody has done well. */
export function doneWell(score: number): boolean {
  let limit = 60;
  if (clamp(score, 0, 100) >= limit) {
    return true;
  } else {
    return false;
  }
}

/** The first of the good ones. */
export function firstGood(scores: readonly number[]): number | undefined {
  const unread = scores.length;
  return scores.filter((score) => doneWell(score))[0];
}
`,
  'src/evident.ts': `/** Whether a score is evident. */
export function isEvident(score: number): boolean {
  const idle = score * 2;
  return score > 90;
}
`,
  'src/plain.ts': `/** Whether a score is plain. */
export function isPlain(score: number): boolean {
  const leftOver = score * 2;
  return score < 60;
}
`,
  'src/held.ts': `${filler(201, 230)}
/** Whether a score is held. */
export function isHeld(score: number): boolean {
  const spare = score * 2;
  return score > limit230;
}
`,
  'test/pace.test.js': `import { ok } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isHeld } from '../src/held.ts';

test('holds, as slowly as it is told', async () => {
  await setTimeout(JSON.parse(readFileSync('pace.json', 'utf8')).seconds * 1000);
  ok(isHeld(231));
});
`,
  'pace.json': paceOf(0),
};

/** How long the tests of the repository take. */
export function paceOf(seconds) {
  return `${JSON.stringify({ seconds })}\n`;
}

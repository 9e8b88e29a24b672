// Code that depends on its environment: equal answers in one environment prove nothing about the next.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { isLikelySame, provesEquivalence } from '../../../server/src/core/model/proofs.ts';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { compareTexts, planTexts } from './comparing.ts';

const edit = (before: string, after: string, path = 'src/a.ts'): FileEdit => ({ path, before, after });

async function judge(before: string, after: string, others: Readonly<Record<string, string>> = {}) {
  const { plan, report } = await compareTexts([edit(before, after)], others);
  return {
    gate: 'differential' as const,
    ...judgeReport(plan, report, { seed: 1, isMeantToDiffer: false, tests: 'node' }),
  };
}

test.each([
  ['the hour', 'date.getHours()', 'date.getUTCHours()'],
  ['a number', 'date.getTime().toLocaleString()', "date.getTime().toLocaleString('en-US')"],
  ['the offset', 'Math.abs(date.getTimezoneOffset()) % 60', '0 * date.getTime() + 0'],
  ['the year', 'new Date().getFullYear() - date.getFullYear()', '2024 - date.getFullYear()'],
])('another environment shows that %s depends on it', async (_, before, after) => {
  const code = (value: string) => `export function read(date: Date): string | number {\n  return ${value};\n}\n`;
  const answer = await judge(code(before), code(after));
  expect(answer).toMatchObject({ outcome: 'failed', evidence: { test: null } });
  expect(answer.reason).toContain('where TZ is Pacific/Chatham');
});

test('code that follows the environment alike on both sides is proven', async () => {
  const code = (hour: string) => `export function hour(date: Date): string {\n  ${hour}\n}\n`;
  const answer = await judge(
    code('return date.getHours().toLocaleString();'),
    code('const hour = date.getHours();\n  return hour.toLocaleString();'),
  );
  expect(answer.outcome).toBe('passed');
  expect(provesEquivalence(answer)).toBe(true);
});

const path = "import { join, sep } from 'node:path';\n";

test('code that takes something from its platform is not proven by equal answers', async () => {
  const split = (by: string) => `${path}export function parts(of: string): string[] {\n  return of.split(${by});\n}\n`;
  const answer = await judge(split('sep'), split("'/'"));
  expect(answer.outcome).toBe('passed');
  expect(answer.reason).toContain('the code uses `path.sep`, and was compared on one platform only');
  expect([provesEquivalence(answer), isLikelySame(answer)]).toEqual([false, true]);
});

test.each<[name: string, before: string, after: string, found: readonly string[]]>([
  ['a constant that the code uses', 'line(of).trim()', 'line(of).trimEnd().trimStart()', ['os.EOL']],
  ['one from another module', 'by.of(of)', 'by.of(`${of}`)', ['process.platform']],
  ['a function that one side calls', "join('a', of)", '`a/${of}`', ['path.join']],
  ['a function that both sides call', "join('a', of).trim()", "join('a', of).trimEnd().trimStart()", []],
  [
    'a variable of the environment',
    'process.env.HOME ?? of',
    'process.env.USER ?? of',
    ['process.env.HOME', 'process.env.USER'],
  ],
  ['a variable that is gone', "process.env['HOME'] ?? of", 'of', ['process.env.HOME']],
  ['the language of the process', 'of.toLowerCase()', 'of.toLocaleLowerCase()', ['toLocaleLowerCase']],
  ['nothing', 'of.trim()', 'of.trimEnd().trimStart()', []],
])('%s', async (_, before, after, found) => {
  const code = (value: string) =>
    [
      "import { EOL } from 'node:os';\nimport { join } from 'node:path';\nimport * as by from './by.js';",
      'const line = (of: string) => of + EOL;\nexport const other = process.platform;',
      `export function read(of: string): string {\n  return ${value};\n}\n`,
    ].join('\n');
  const others = {
    'src/by.ts': "const win = process.platform === 'win32';\nexport const of = (a: string) => (win ? '' : a);\n",
  };
  expect((await planTexts([edit(code(before), code(after))], others)).platform).toEqual(found);
});

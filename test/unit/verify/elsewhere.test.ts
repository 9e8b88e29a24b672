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

const slug = "export const slug = (of: string) => join('a', of).trim();\n";
const own = `${path}const slug = (of: string) => join('a', of).trim();\n`;
const user = 'export const use = (of: string): string => slug(of) + 1;\n';
const importing = "import { slug } from './b.js';\n";

test.each<[name: string, before: string, after: string, others: Readonly<Record<string, string>>, found: string[]]>([
  ['a copy is replaced by that of another file', own + user, importing + user, { 'src/b.ts': path + slug }, []],
  [
    'one that stays the same behind another module',
    own + user,
    importing + user,
    { 'src/b.ts': "export * from './c.js';\n", 'src/c.ts': path + slug },
    [],
  ],
  [
    'two copies become one',
    `${own}const slag = (of: string) => join('a', of).trim();\n${user}export const also = (of: string) => slag(of);\n`,
    `${own}${user}export const also = (of: string) => slug(of);\n`,
    {},
    [],
  ],
  [
    'a copy that joins is replaced by one that does not, while its user joins, too',
    `${own}export const use = (of: string): string => slug(of) + join(of, 'c');\n`,
    `${path}${importing}export const use = (of: string): string => slug(of) + join(of, 'c');\n`,
    { 'src/b.ts': 'export const slug = (of: string) => `a/${of}`.trim();\n' },
    ['path.join'],
  ],
  [
    'code is replaced by a helper of another file',
    'export const use = (of: string): string => `a/${of}`;\n',
    `${importing}export const use = (of: string): string => slug(of);\n`,
    { 'src/b.ts': path + slug },
    ['path.join'],
  ],
  [
    'code is replaced by a helper of the same file',
    `${own}export const use = (of: string): string => \`a/\${of}\`;\n`,
    `${own}export const use = (of: string): string => slug(of);\n`,
    {},
    ['path.join'],
  ],
  [
    'a copy is replaced by one of several members of a module',
    own + user,
    "import * as b from './b.js';\nexport const use = (of: string): string => b.slug(of) + 1;\n",
    { 'src/b.ts': `import { tmpdir } from 'node:os';\n${path}${slug}export const other = () => tmpdir();\n` },
    [],
  ],
  [
    'an object of a module that is named like that of the environment',
    'export const use = (of: string): string => `a/${of}`;\n',
    "import * as b from './b.js';\nexport const use = (of: string): string => b.env.slug(of);\n",
    { 'src/b.ts': `${path}export const env = { slug: (of: string) => join('a', of) };\n` },
    ['path.join'],
  ],
  [
    'a helper that is loaded by require',
    'exports.use = (of) => `a/${of}`;\n',
    "const { slug } = require('./b');\nexports.use = (of) => slug(of);\n",
    {
      'src/b.js':
        "const os = require('os');\nconst slug = (of) => os.tmpdir() + of;\nconst other = () => os.EOL;\nmodule.exports = { slug, other };\n",
    },
    ['os.tmpdir'],
  ],
])('%s', async (_, before, after, others, found) => {
  const name = before.startsWith('exports') ? 'src/a.js' : 'src/a.ts';
  expect((await planTexts([edit(before, after, name)], others)).platform).toEqual(found);
});

test('a copy that moves to another edited file takes the same from its platform', async () => {
  const edits = [
    edit(own + user, importing + user),
    edit('export const n = 1;\n', `${path}${slug}export const n = 1;\n`, 'src/b.ts'),
  ];
  expect((await planTexts(edits)).platform).toEqual([]);
  const plain = 'export const slug = (of: string) => `a/${of}`.trim();\nexport const n = 1;\n';
  expect((await planTexts([edits[0]!, { ...edits[1]!, after: plain }])).platform).toEqual(['path.join']);
});

test.each([
  ["require('path').sep", ['path.sep']],
  ['globalThis.process.platform', ['process.platform']],
  ["globalThis['process'].platform", ['process.platform']],
  ["(await import('node:os')).EOL", ['os.EOL']],
  ["require('path').join('a', of)", ['path.join']],
  ["require('./path').sep", []],
  ['shown.process.platform', []],
])('%s', async (value, found) => {
  const code = (text: string) =>
    `declare const shown: any; declare const require: any;\nexport async function read(of: string) {\n  return ${text};\n}\n`;
  expect((await planTexts([edit(code('of'), code(value))])).platform).toEqual(found);
});

test.each([
  ["const os = await import('node:os');", 'os.EOL', ['os.EOL']],
  ["const { EOL: end } = require('os');", 'end', ['os.EOL']],
  ["const os = await import('node:os');", 'os.constants.signals', []],
])('a module that the function loads: %s %s', async (load, value, found) => {
  const code = (text: string) =>
    `declare const require: any;\nexport async function read(of: string) {\n  ${load}\n  return ${text};\n}\n`;
  expect((await planTexts([edit(code(`of + ${value}`), code(`\`\${of}\` + ${value}`))])).platform).toEqual(found);
});

// A change is shown to keep behaviour only if the inputs have put what it adds and removes to the test: conditions went
// both ways, and calls and operations had an effect. Otherwise a limit that no input reaches would look like no change.

import { expect, test } from 'vitest';
import type { DifferentialPlan, HarnessReport } from '../../../server/src/core/verify/differential/plan.ts';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { compareTexts } from './comparing.ts';
import { isThorough, sample } from '../../helpers/thorough.ts';

const MINUTES = 60_000;

/** Files of several cases share two processes. */
interface Case {
  readonly before: string;
  readonly after: string;
}

const TOTAL = 'export function total(values: number[]): number {\n';
const GRADE = 'export function grade(points: number): string {\n';
const LOW = '  let result = "low";\n';
const LOAD = 'const load = async (text: string) => text;\n';
const READ = `${LOAD}export async function read(text: string): Promise<string> {\n`;
const CUT = `const cut = (text: string) => (text.length > 3e8 ? text.slice(0, 3e8) : text);\nexport { cut };\n`;
const CAPPED = 'function capped(value: number): number {\n  return value > 100 ? 100 : Math.round(value);\n}\n';

/** A function of a text in TypeScript; in JavaScript, its types are comments. */
const ofText = (result: string, other = '') =>
  `export function clean(text: string): string {\n  const short = text.trim();\n${other}  return ${result};\n}\n`;
const ofList = (loop: string) =>
  `${TOTAL}  let sum = 0;\n  for (const value of ${loop}) sum += value;\n  return sum;\n}\n`;
const ofNumber = (result: string, first = '') =>
  `export function fee(amount: number): number {\n  const twice = amount * 2;\n${first}  return ${result};\n}\n`;

/** Edits that change what the code does for some values. */
const CHANGES: Readonly<Record<string, Case>> = {
  'a pattern of markup': text('short.toLowerCase()', 'short.replace(/<script>/g, "").toLowerCase()'),
  'a pattern at the start': text('short.toLowerCase()', 'short.replace(/^https?:\\/\\//, "").toLowerCase()'),
  'a pattern that goes': text('short.replace(/<!--[^>]*-->/, "").toLowerCase()', 'short.toLowerCase()'),
  'a pattern of a constant': {
    before: ofText('short'),
    after: `const MARK = /\\{\\{ (?<=x)secret \\}\\}/;\n${ofText('short.replace(MARK, "")')}`,
  },
  'a split': text('short', 'short.split(/[#]{9}zz/)[0]!'),
  'a long limit': text('short.toLowerCase()', 'short.slice(0, 65536).toLowerCase()'),
  'a computed limit': text('short.toLowerCase()', 'short.slice(0, 8 * 1024).toLowerCase()'),
  'a limit beyond memory': text('short.toLowerCase()', 'short.substring(0, 1 << 28).toLowerCase()'),
  'a limit that another replaces': text('short.slice(0, 4e8)', 'short.slice(0, 5e8)'),
  'a limit of a constant': {
    before: `const MAX = 400_000_000;\n${ofText('short.slice(0, MAX)')}`,
    after: `const MAX = 500_000_000;\n${ofText('short.slice(0, MAX)')}`,
  },
  'a default': {
    before: 'export function cut(text: string, most = 400_000_000): string {\n  return text.slice(0, most);\n}\n',
    after: 'export function cut(text: string, most = 500_000_000): string {\n  return text.slice(0, most);\n}\n',
  },
  'a limit in a chain': text('short', 'text?.trim().slice(0, 3e8) ?? ""'),
  'a long list': { before: ofList('values'), after: ofList('values.slice(0, 1000)') },
  'a longer list': { before: ofList('values'), after: ofList('values.slice(0, 1e7)') },
  'a filter': { before: ofList('values'), after: ofList('values.filter((value) => value !== 7919.25)') },
  'a remainder': number('Math.round(twice)', 'Math.round(twice) - Number(twice % 40009 === 40008)'),
  'a rare remainder': number(
    'Math.round(twice)',
    'Math.round(twice) - Number(Math.abs(twice * 7919) % 4000037 === 3141)',
  ),
  'a cap': number('twice', 'Math.min(twice, 1.7e308)'),
  'an added constant': number('twice', 'twice + Number(Math.sqrt(twice) === 1234.5678)'),
  'a condition in a line': number('twice', 'twice * 7919 === 31415926535 && twice > 0 ? 0 : twice'),
  'a guard': {
    before: ofNumber('twice'),
    after: ofNumber('twice', '  if (twice.toFixed(3) === "98765.432") return 0;\n'),
  },
  'an addition to a sum': {
    before: ofNumber('twice'),
    after: ofNumber('sum', '  let sum = twice;\n  sum += Number(`${twice}`.endsWith("77713"));\n'),
  },
  'an operand': {
    before: 'export function isOpen(a: number, b: number): boolean {\n  return a > b;\n}\n',
    after: 'export function isOpen(a: number, b: number): boolean {\n  return a > b && a * 7919 !== 31415926535;\n}\n',
  },
  'in an async function': {
    before: `${READ}  return await load(text);\n}\n`,
    after: `${READ}  return (await load(text)).slice(0, 3e8);\n}\n`,
  },
  'an own function': {
    before: `${CUT}${ofText('short')}`,
    after: `${CUT}${ofText('cut(short)')}`,
  },
  'a keyword without a space': {
    before: ofNumber('twice', '  if (twice > 1) return-twice+1;\n'),
    after: ofNumber('twice', '  if (twice > 1) return-twice+2;\n'),
  },
  'a comma in a condition': {
    before: ofNumber('twice', '  if (twice > 1) return 0;\n'),
    after: ofNumber('twice', '  if (twice > 1, twice > 3) return 0;\n'),
  },
};

/** Edits that keep what the code does. */
const REFACTORINGS: Readonly<Record<string, Case>> = {
  'another name': {
    before: ofText('short.toLowerCase()'),
    after: ofText('short.toLowerCase()').replaceAll('short', 'trimmed'),
  },
  'a named result': text('short.toLowerCase()', 'lower', '  const lower = short.toLowerCase();\n'),
  'an inlined name': {
    before: ofText('short.slice(0, 65536)'),
    after: 'export function clean(text: string): string {\n  return text.trim().slice(0, 65536);\n}\n',
  },
  'a named limit': {
    before: ofText('short.slice(0, 400_000_000)'),
    after: `const MAX = 400_000_000;\n${ofText('short.slice(0, MAX)')}`,
  },
  'another method': text('short.slice(0, 8)', 'short.substring(0, 8)'),
  'another pattern': text('short.replace(/[a-z]+-[0-9]+/g, "")', 'short.replace(/[a-z]+-\\d+/g, "")'),
  'a loop for reduce': {
    before: ofList('values'),
    after:
      'export function total(values: number[]): number {\n  return values.reduce((sum, value) => sum + value, 0);\n}\n',
  },
  'a function of its own': {
    before: ofNumber('twice > 100 ? 100 : Math.round(twice)'),
    after: `${ofNumber('capped(twice)')}${CAPPED}`,
  },
  'early returns': {
    before: `${GRADE}${LOW}  if (points >= 90) result = "high";\n  else if (points >= 50) result = "middle";\n  return result;\n}\n`,
    after: `${GRADE}  if (points >= 90) return "high";\n  return points >= 50 ? "middle" : "low";\n}\n`,
  },
  'a template': {
    before: 'export function greet(name: string): string {\n  return "Hello, " + name + "!";\n}\n',
    after: 'export function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n',
  },
  'another order': {
    before: 'export function isIn(list: string[], name: string): boolean {\n  return list.indexOf(name) !== -1;\n}\n',
    after: 'export function isIn(list: string[], name: string): boolean {\n  return list.includes(name);\n}\n',
  },
};

function text(before: string, after: string, other = ''): Case {
  return { before: ofText(before), after: ofText(after, other) };
}

function number(before: string, after: string): Case {
  return { before: ofNumber(before), after: ofNumber(after) };
}

/** The TypeScript as JavaScript with its types in comments. */
function asJavaScript(code: string): string {
  return code
    .replaceAll(
      /^export (async )?function (\w+)\(([^)]*)\): ([\w<>[\]]+) \{/gm,
      (_, isAsync: string | undefined, name: string, parameters: string, result: string) => {
        const parts = parameters.split(', ').map((part) => /^(\w+)(?:: ([^=]+?))?( = .*)?$/.exec(part)!);
        const docs = parts.map(
          ([, param, type = 'number', initial]) => `@param {${type}} ${initial ? `[${param}]` : param}`,
        );
        const plain = parts.map(([, param, , initial = '']) => `${param}${initial}`);
        const declared = `export ${isAsync ?? ''}function ${name}(${plain.join(', ')}) {`;
        return `/** ${docs.join(' ')} @returns {${result}} */\n${declared}`;
      },
    )
    .replaceAll(/\((\w+): \w+\)(: \w+)?/g, '($1)')
    .replaceAll('[0]!', '[0]');
}

/** The outcome of the gate for each case. */
async function judgeAll(
  cases: Readonly<Record<string, Case>>,
  extension: 'ts' | 'js',
): Promise<readonly (readonly [name: string, outcome: string, reason: string])[]> {
  const write = (code: string) => (extension === 'ts' ? code : asJavaScript(code));
  const paths = new Map(Object.keys(cases).map((name, index) => [name, `src/case${index}.${extension}`]));
  const edits = Object.entries(cases).map(([name, { before, after }]) => ({
    path: paths.get(name)!,
    before: write(before),
    after: write(after),
  }));
  const outcomes: [string, string, string][] = [];
  for (const [index, name] of Object.keys(cases).entries()) {
    const { plan, report } = await compareTexts([edits[index]!], {}, { budgetMs: 30_000, seed: 7 });
    outcomes.push([name, ...judged(plan, report)]);
  }
  return outcomes;
}

function judged(plan: DifferentialPlan, report: HarnessReport): [string, string] {
  if (plan.targets.length === 0 && plan.gaps.length === 0) return ['passed', 'The same code.'];
  const { outcome, reason } = judgeReport(plan, report, { seed: 7, isMeantToDiffer: false, tests: 'node' });
  return [outcome, reason];
}

/**
 * The cases in turns: each starts a process, and the judgement hardly depends on the language. Only the lane `thorough`
 * tries them all.
 */
const every = (cases: Readonly<Record<string, Case>>, remainder: number) =>
  Object.fromEntries(Object.entries(cases).filter((_, index) => index % (isThorough ? 2 : 6) === remainder));

for (const [remainder, extension] of sample(['ts', 'js'] as const, 1).entries()) {
  test(`no edit of .${extension} is shown to keep behaviour if it changes what some value gives`, {
    timeout: 10 * MINUTES,
  }, async () => {
    const outcomes = await judgeAll(every(CHANGES, remainder), extension);
    expect(outcomes.filter(([, outcome]) => outcome === 'passed')).toEqual([]);
  });

  test(`honest refactorings of .${extension} are shown to keep behaviour`, { timeout: 10 * MINUTES }, async () => {
    const outcomes = await judgeAll(every(REFACTORINGS, remainder), extension);
    expect(outcomes.filter(([, outcome]) => outcome !== 'passed')).toEqual([]);
  });
}

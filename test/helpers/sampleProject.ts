// Contains the files of a small real project with flaws, tests that guard it, and a type check. The compiler takes half
// of the processor time of each verification, so only `typedProject` and `npmProject` run it.

import { join } from 'node:path';
import { NODE_TESTS, WITHOUT_MANAGER } from './manifest.ts';

const typescript = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

const createManifest = (typecheck: string, test: string, otherFields: object = {}) =>
  JSON.stringify({ name: 'sample', type: 'module', scripts: { typecheck, test }, ...otherFields }, null, 2);
const compiler = `node ${JSON.stringify(typescript)} --noEmit -p .`;

/**
 * The files of the project, by path: code with some flaws that recipes can fix, and tests that really run. Its type
 * check accepts everything.
 */
export const sampleProject: Readonly<Record<string, string>> = {
  'package.json': createManifest('true', NODE_TESTS, WITHOUT_MANAGER),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      types: [],
      // Otherwise, the compiler also checks the library of browsers, which takes six times the processor time.
      lib: ['es2022'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    include: ['src'],
  }),
  '.gitignore': 'node_modules\n',
  // Switches on a rule that is off by default; `grade` has its flaw.
  '.selfware/settings.json': JSON.stringify({ 'analysis.rules': { 'else-after-return': 'hint' } }),
  'src/grade.ts': `import { clamp, unusedHelper } from './clamp.ts';

// Turns a score into a grade.
export function grade(score: number): string {
  const value = clamp(score, 0, 100);
  if (value >= 90) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = value >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}

/** What a score is told as. */
export type Grade = string;
`,
  'src/clamp.ts': `/** Keeps a value within bounds. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Does nothing of use to anybody. */
export function unusedHelper(): void {}
`,
  'test/grade.test.js': `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { grade } from '../src/grade.ts';

test('grades', () => {
  strictEqual(grade(95), 'A');
  strictEqual(grade(60), 'B');
  strictEqual(grade(-5), 'C');
});
`,
};

/** The same project with a type check by the compiler. */
export const typedProject: Readonly<Record<string, string>> = {
  ...sampleProject,
  'package.json': createManifest(compiler, NODE_TESTS, WITHOUT_MANAGER),
};

/** The same project with the compiler, npm and a process for each test file, for end-to-end tests. */
export const npmProject: Readonly<Record<string, string>> = {
  ...sampleProject,
  'package.json': createManifest(compiler, 'node --test'),
};

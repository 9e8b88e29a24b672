// A small real repository: TypeScript with something to improve, a type check, tests that run, one commit.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './harness.mjs';

export const files = {
  'package.json': `${JSON.stringify({ name: 'grades', private: true, type: 'module', scripts: { typecheck: 'tsc --noEmit -p .', test: 'node --test' } }, null, 2)}\n`,
  'tsconfig.json': `${JSON.stringify({ compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, types: [], lib: ['es2022'], skipLibCheck: true, allowImportingTsExtensions: true, erasableSyntaxOnly: true, noEmit: true }, include: ['src'] }, null, 2)}\n`,
  '.gitignore': 'node_modules\n',
  // Off by default, and a flaw that can be seen in the editor.
  '.selfware/settings.json': JSON.stringify({ 'analysis.rules': { 'else-after-return': 'hint' } }),
  'README.md': '# Grades\n\nTurns scores into grades.\n',
  'src/grade.ts': `import { clamp, round } from './clamp.ts';

/** Turns a score of 0–100 into a grade. */
export function gradeOf(score: number): string {
  const value = clamp(score, 0, 100);
  if (value >= 90) {
    return 'A';
  } else {
    const comment = \`B: good work,
and a little more
practice makes
it an A.\`;
    return value >= 50 ? comment.charAt(0) : 'C';
  }
}
`,
  'src/clamp.ts': `/** Keeps a value within bounds. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The nearest half. */
export function round(value: number): number {
  return Math.round(value * 2) / 2;
}
`,
  'src/report.ts': `import { gradeOf } from './grade.ts';

/** Whether somebody has passed. */
export function passed(score: number): boolean {
  if (score < 50) {
    return false;
  } else {
    const grades = ['A', 'B'];
    const greeting = \`Well done:
whoever passes
is told so
here.\`;
    if (!grades.includes(gradeOf(score))) {
      return false;
    }
    return greeting.length > 0;
  }
}

/** One line for each pupil. */
export function report(scores: Readonly<Record<string, number>>): string[] {
  const lines: string[] = [];
  for (const [name, score] of Object.entries(scores)) {
    lines.push(\`\${name}: \${gradeOf(score)}\`);
  }
  return lines;
}
`,
  'test/grade.test.js': `import { strictEqual, deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { gradeOf } from '../src/grade.ts';
import { passed, report } from '../src/report.ts';

test('grades', () => {
  strictEqual(gradeOf(95), 'A');
  strictEqual(gradeOf(60), 'B');
  strictEqual(gradeOf(-5), 'C');
});

test('reports', () => {
  deepStrictEqual(report({ Ada: 99 }), ['Ada: A']);
  strictEqual(passed(49), false);
  strictEqual(passed(50), true);
});
`,
};

/** More to improve, each in a file of its own: what reviews are tried on. */
export const reviewFiles = {
  'src/level.ts': `import { clamp, round } from './clamp.ts';

/** The level of a score, from 0 to 2. */
export function levelOf(score: number): number {
  const value = clamp(score, 0, 100);
  return [50, 90].filter((step) => value >= step).length;
}
`,
  'src/gone.ts': unusedImport('halved'),
  'src/moved.ts': unusedImport('doubled'),
  'src/kept.ts': unusedImport('quartered'),
  'src/undone.ts': unusedImport('tripled'),
  'src/agents.ts': unusedImport('squared'),
};

function unusedImport(name) {
  return `import { clamp, round } from './clamp.ts';

/** A score of its own. */
export function ${name}(score: number): number {
  return clamp(score * 2, 0, 100);
}
`;
}

/** Files with nothing to improve, enough of them for an index that takes a moment. */
export function plainFiles(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `src/tables/table${i}.ts`,
      `/** Limits of grade ${i}. */\nexport const limits${i}: readonly number[] = [${i}, ${i + 1}, ${i + 2}];\n`,
    ]),
  );
}

/** Makes the repository in a temporary folder and returns its path. */
export function makeProject(extra = {}) {
  return makeRepository('grades', { ...files, ...extra });
}

/** Makes a repository of these files with one commit. */
export function makeRepository(name, texts) {
  const folder = join(mkdtempSync(join(tmpdir(), 'sw-project-')), name);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const git = (...args) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false', ...args],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 2],
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      },
    );
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
  // Who commits from here on: a machine need not know.
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  return folder;
}

// What an attack on a claim is: edits that state it, and where they have to end. The gates are the real ones; tests,
// benchmark and linter run in this process, so that an attack takes milliseconds.

import type { ClaimKind } from '../../../server/src/core/model/claims.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';
import { manifestOf } from '../../helpers/manifest.ts';

export interface ClaimAttack {
  readonly claim: ClaimKind;
  readonly name: string;
  readonly edits: readonly FileEdit[];
  /** How it has to end: a pattern for `refused: GATE` or `asks`. Nothing may end `accepted`. */
  readonly expected: RegExp;
  /** What the verdict or the question says. */
  readonly says?: RegExp;
  /** Files beside the common ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** Milliseconds or bytes of a run of the benchmark: by the texts that it runs on, and how often it ran before. */
  readonly bench?: (texts: ReadonlyMap<string, string>, run: number) => Partial<RunResult>;
  readonly isolation?: 'none';
  /** True if old and new code are compared by generated calls, too. */
  readonly isCompared?: true;
  /** What the score says: points that the change costs. */
  readonly costs?: number;
}

export const CODE = `export function mean(values) {
  let sum = 0;
  for (const value of values) {
    sum += value;
  }
  return sum / values.length;
}

export function spread(values) {
  return Math.max(...values) - Math.min(...values);
}
`;
export const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, spread } from './mean.js';

test('mean of three', () => {
  assert.equal(mean([1, 2, 3]), 2);
});
test('spread', () => {
  assert.equal(typeof spread([1, 5]), 'number');
});
`;
export const TYPED = `export function first(values: any[]): any {
  const head = values[0] as any;
  return head!;
}
`;
export const LINTED = 'var one = 1;\nvar two = 2;\nexport const three = one + two;\n';
export const BENCH = "import { mean } from './mean.js';\nfor (let at = 0; at < 1000; at += 1) mean([1, 2, 3]);\n";

export const FILES: Readonly<Record<string, string>> = {
  // As people run their tests, with a process for each file.
  'package.json': manifestOf('means', { scripts: { test: 'node --test' } }),
  'mean.js': CODE,
  'mean.test.js': TESTS,
  'first.ts': TYPED,
  'linted.js': LINTED,
  'run.js': BENCH,
};

export const FIXED = CODE.replace('  let sum', '  if (values.length === 0) return 0;\n  let sum');
export const code = (after: string): FileEdit => ({ path: 'mean.js', before: CODE, after });
export const tests = (after: string): FileEdit => ({ path: 'mean.test.js', before: TESTS, after });
/** One more test case. */
export const withCase = (body: string, name = 'more', options = ''): FileEdit =>
  tests(`${TESTS}test('${name}', ${options}() => {\n  ${body}\n});\n`);

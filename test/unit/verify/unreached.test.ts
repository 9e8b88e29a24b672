// Lines of new code that no input reached, in files that are compared and in those that are new.

import { expect, test } from 'vitest';
import { findUnreachedLines } from '../../../server/src/adapters/harness/unreached.ts';

const code = 'export function one(a) {\n  if (a > 1)\n    return never(a);\n  return a;\n}\n';
const start = code.indexOf('return never');
const unreached = [[start, start + 'return never(a);'.length]] as const;

test('a line of a new file that never ran was never compared', () => {
  const ran = [[{ path: 'new.js', code, unreached }]];
  expect(findUnreachedLines([[]], ran, new Set(['new.js']), new Set(['new.js']))).toEqual([
    { path: 'new.js', text: 'return never(a);' },
  ]);
  expect(findUnreachedLines([[]], ran, new Set(['new.js']), new Set())).toEqual([]);
});

test('a line that stood there before need not run', () => {
  const ran = [[{ path: 'old.js', code, unreached }]];
  expect(findUnreachedLines(ran, ran, new Set(['old.js']), new Set())).toEqual([]);
});

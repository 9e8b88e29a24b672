// What newly lets code tell that it is being tested: not the runner that every test imports.

import { expect, test } from 'vitest';
import { findSuspiciousUses } from '../../../server/src/core/verify/integrity/suspiciousAccess.ts';

const RUNNER = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";

test.each(['test/a.test.js', 'src/a.test.ts', 'spec/helpers/a.js', 'test.js'])(
  'a new test may import its runner, and nothing else of the platform: %s',
  (path) => {
    expect(findSuspiciousUses([{ path, before: null, after: RUNNER }])).toEqual([]);
    const after = `${RUNNER}import cluster from 'node:cluster';\n`;
    expect(findSuspiciousUses([{ path, before: null, after }])).toEqual([
      expect.stringMatching(/a module of the platform/),
    ]);
  },
);

test('code that imports a runner is asked about', () => {
  expect(findSuspiciousUses([{ path: 'src/a.js', before: '', after: RUNNER }])).toHaveLength(1);
});

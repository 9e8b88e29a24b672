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

/** True if code with this text is asked about because of a module. */
const asks = (after: string, before = '', more: { before: string; after: string }[] = []) =>
  findSuspiciousUses([{ before, after }, ...more].map((edit, index) => ({ path: `src/${index}.js`, ...edit }))).some(
    (sentence) => sentence.includes('a module of the platform'),
  );

test.each([
  "const scheme = secure ? 'https' : 'http';",
  "const kinds = ['test', 'process', 'fs', 'net'];",
  "if (kind === 'module') download('http');",
  "const half = require('./half.js');\nconst kind = 'os';",
])('a name without its prefix may be data: %s', (text) => {
  expect(asks(text)).toBe(false);
});

test.each([
  "import fs from 'fs';",
  "import'fs';",
  "export * from 'child_process';",
  "const { spawn } = require( 'child_process' );",
  "const fs = require?.('fs');",
  "const fs = await import('fs/promises');",
  "const fs = getBuiltinModule('fs');",
  "vi.mock('fs', () => ({}));",
  "const fs = await loadModule('fs');",
  "const name = 'node:fs';",
  "const name = 'fs';\nconst fs = require(name);",
  "const load = require;\nconst fs = load('fs');",
  "const fs = (0, require)('fs');",
  "const fs = createRequire(here)('fs');",
  'const fs = await import(`${kind}`), kind = `fs`;',
])('a module is loaded, or may be: %s', (text) => {
  expect(asks(text)).toBe(true);
});

test('a name may be data until the code computes what it loads', () => {
  const data = "export const kinds = ['fs', 'http'];\n";
  const loads = 'export const load = (name) => require(name);\n';
  expect(asks(`${data}export const count = 2;\n`, data)).toBe(false);
  expect(asks(`${data}const load = require(kinds[0]);\n`, data)).toBe(true);
  expect(asks(data, '', [{ before: '', after: loads }])).toBe(true);
  expect(asks(`${data}${loads}`, loads)).toBe(true);
});

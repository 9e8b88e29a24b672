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
  "const kinds = ['test', 'timers', 'dns', 'net'];",
  "if (kind === 1) download('http');",
  "const half = require('./half.js');\nconst kind = 'assert';",
])('an everyday word may be data: %s', (text) => {
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
  "const name = 'node:http';",
  "import http from 'http';",
  'const http = require(`http`);',
  "const o = require('' + 'https');",
  "const dns = await import('dns/promises');",
  "const o = pick('child_process');",
  "const kind = 'os';",
  "const o = r\\u0065quire('child_process');",
  "const o = r\\u0065quire('http');",
  "const o = require('child\\x5fprocess');",
  "const o = module['req' + 'uire']('child_process');",
  "const o = module['req' + 'uire']('http');",
  "const o = arguments[1]('child_process');",
  "const o = arguments[1]('https');",
  "const o = Object.values(module).at(-1)('https');",
  "const name = 'http';\nconst fs = require(name);",
  "const load = require;\nconst net = load('net');",
  "const fs = (0, require)('net');",
  "const fs = createRequire(here)('net');",
  'const fs = await import(`${kind}`), kind = `net`;',
])('a module is loaded, or may be: %s', (text) => {
  expect(asks(text)).toBe(true);
});

test('a name may be data until the code computes what it loads', () => {
  const data = "export const kinds = ['net', 'http'];\n";
  const loads = 'export const load = (name) => require(name);\n';
  expect(asks(`${data}export const count = 2;\n`, data)).toBe(false);
  expect(asks(`${data}const load = require('net');\n`, data)).toBe(true);
  // The same words count on both sides.
  expect(asks(`${data}const load = require(kinds[0]);\n`, data)).toBe(false);
  expect(asks(data, '', [{ before: '', after: loads }])).toBe(true);
  expect(asks(`${data}${loads}`, loads)).toBe(true);
  expect(asks(data, loads)).toBe(true);
});

test('code that no longer computes what it loads pays for no new module', () => {
  const before = "const kinds = ['http', 'https', 'net'];\nconst other = require(name);\n";
  expect(asks("import os from 'os';\nconst kinds = ['http', 'https', 'net'];\n", before)).toBe(true);
  const removed = { before: 'export const other = require(name);\n', after: '' };
  expect(asks("import os from 'os';\nconst kind = 'http';\n", "const kind = 'http';\n", [removed])).toBe(true);
});

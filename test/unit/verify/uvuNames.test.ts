// The lines that name the tests of uvu, in a process whose program writes the marks that uvu writes.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { UVU_NAMES_OPTION } from '../../../server/src/core/verify/detect/uvuNames.ts';
import { parseUvu } from '../../../server/src/core/verify/parse/tests/uvu.ts';

/** What uvu does with its states and marks; its own package is not among those of this repository. */
const INDEX = `exports.suite = (name, state = {}) => ({ name, state });\n`;
const PROGRAM = `const state = {};
require('uvu').suite('sum', state);
const { stdout } = process;
const run = (name, mark) => {
  state.__suite__ = 'sum';
  state.__test__ = name;
  if (name === 'prints') stdout.write('• one of a list\\n');
  stdout.write(mark);
  state.__test__ = '';
};
run('adds', '\\u001b[90m• \\u001b[39m');
run('', '\\u001b[90m• \\u001b[39m');
run('prints', '✘ ');
stdout.write('  (2 / 3)\\n\\n  Total:     3\\n  Passed:    2\\n  Skipped:   0\\n  Duration:  1ms\\n');
`;

test('a test without a name has a line, and what a test prints has none', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'uvu-'));
  try {
    const folder = join(dir, 'node_modules', 'uvu');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.js'), INDEX);
    await writeFile(join(folder, 'bin.js'), PROGRAM);
    const env = { ...process.env, NODE_OPTIONS: UVU_NAMES_OPTION };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'bin.js')], { env });
    const cases = parseUvu(stdout.replaceAll(/\u001b\[\d+m/g, ''))?.cases ?? [];
    expect(cases.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['sum › adds', 'passed'],
      ['', 'passed'],
      ['sum › prints', 'failed'],
    ]);
  } finally {
    await rm(dir, { recursive: true });
  }
});

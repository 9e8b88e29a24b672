// The words of package managers about themselves are told from the words of what they run.

import { expect, test } from 'vitest';
import { splitManagerNoise } from '../../../server/src/core/verify/parse/managerNoise.ts';

test.each([
  'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.',
  'npm WARN deprecated inflight@1.0.6: This module is not supported',
  '\u001b[1mnpm\u001b[22m \u001b[33mwarn\u001b[39m config production Use `--omit=dev` instead.',
  'npm notice New minor version of npm available! 11.0.0 -> 11.1.0',
  '12 packages are looking for funding',
  '  run `npm fund` for details',
  'yarn run v1.22.22',
  'warning package.json: No license field',
  'warning ../package.json: No license field',
  'info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.',
  '➤ YN0000: · Yarn 4.1.0',
  ' WARN  Unsupported engine: wanted: {"node":">=22"} (current: {"node":"v20.0.0"})',
  ' WARN  Issues with peer dependencies found',
  '│   Update available! 9.0.0 → 10.1.0.   │',
])('%j is noise', (line) => {
  expect(splitManagerNoise(`before\n${line}\nafter`)).toEqual({ text: 'before\nafter', noise: line });
});

test.each([
  'npm error Missing script: "test"',
  'npm ERR! code ELIFECYCLE',
  ' ELIFECYCLE  Command failed with exit code 1.',
  'src/a.ts(1,1): warning TS1: odd',
  'warning: unused variable: `x`',
  'warning Unexpected console statement no-console',
  ' WARN  in ./src/index.js',
  'error Command failed with exit code 1.',
  '│ a table of a test │',
])('%j is what the command says', (line) => {
  expect(splitManagerNoise(line)).toEqual({ text: line, noise: '' });
});

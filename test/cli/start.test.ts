// The README's first command reaches the program.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInstalled } from '../../scripts/prepare.mjs';

const root = join(import.meta.dirname, '..', '..');

test('npm start runs the preview, and passes its arguments on', () => {
  // It would take them from under all other tests.
  expect(isInstalled(), 'The packages are older than package.json: `npm test` installs them.').toBe(true);
  const help = execFileSync(process.execPath, [join(root, 'scripts', 'start.mjs'), '--help'], { encoding: 'utf8' });
  expect(help).toContain('selfware preview');
  expect(help).toContain('--repo <dir>');
});

// An extension that does nothing, activated by the same event as ours: what of an activation is the machine's and VS
// Code's own.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './harness.mjs';

/** Packs it and returns the path of the package. */
export function makeEmptyExtension(name) {
  const folder = join(root, 'dist', 'test', 'empty');
  mkdirSync(folder, { recursive: true });
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'empty',
      displayName: name,
      publisher: 'peer',
      version: '0.0.1',
      engines: { vscode: engines.vscode },
      main: './main.js',
      activationEvents: ['onStartupFinished'],
    }),
  );
  writeFileSync(
    join(folder, 'main.js'),
    "const vscode = require('vscode');\nexports.activate = () => void vscode.version;\n",
  );
  writeFileSync(join(folder, 'README.md'), `# ${name}\n`);
  const vsix = join(folder, '..', 'empty.vsix');
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      '--skip-license',
      '--allow-missing-repository',
      '--out',
      vsix,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 2] },
  );
  return vsix;
}

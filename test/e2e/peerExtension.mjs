// Packs a small extension that stands beside ours in a real VS Code.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './harness.mjs';

/** Returns the path of the package. `manifest` is what its package.json has beside the usual. */
export function packPeer(id, manifest, main) {
  const folder = join(root, 'dist', 'test', id);
  mkdirSync(folder, { recursive: true });
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: id,
      publisher: 'peer',
      version: '0.0.1',
      engines: { vscode: engines.vscode },
      main: './main.js',
      activationEvents: ['onStartupFinished'],
      ...manifest,
    }),
  );
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'README.md'), `# ${manifest.displayName}\n`);
  const vsix = join(folder, '..', `${id}.vsix`);
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

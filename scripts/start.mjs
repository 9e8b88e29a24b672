// `npm start [-- --repo DIR]`: in a fresh clone, installs packages and builds; then runs `selfware preview`, which
// shows what Selfware would do for a repository and changes nothing in it.
import { spawn } from 'node:child_process';
import { buildIfChanged, createChildEnvironment, installPackages, findNodePath, root } from './prepare.mjs';
import { join } from 'node:path';

installPackages();
buildIfChanged();
const args = process.argv.slice(2);
const repository = args.some((argument) => argument.startsWith('--repo')) ? [] : ['--repo', root];
const child = spawn(findNodePath(), [join(root, 'dist', 'cli.js'), 'preview', ...repository, ...args], {
  cwd: process.env.INIT_CWD ?? root,
  env: createChildEnvironment(),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 2));

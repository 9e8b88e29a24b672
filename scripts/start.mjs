// `npm start [-- --repo DIR]`: on a fresh clone, installs, builds and shows what Selfware would do for a repository.
// Changes nothing in it.
import { spawn } from 'node:child_process';
import { bundle, environment, install, nodePath, root } from './prepare.mjs';
import { join } from 'node:path';

install();
bundle();
const args = process.argv.slice(2);
const repository = args.some((argument) => argument.startsWith('--repo')) ? [] : ['--repo', root];
const child = spawn(nodePath(), [join(root, 'dist', 'cli.js'), 'preview', ...repository, ...args], {
  cwd: process.env.INIT_CWD ?? root,
  env: environment(),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 2));

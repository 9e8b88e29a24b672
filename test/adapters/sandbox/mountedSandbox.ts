// Child process of mounts.test.ts, in a mount namespace of its own: makes places mounts, opens a sandbox there by each
// mechanism, and tells.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFirstWorking, MECHANISMS } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';

const [top = '', layout = '[]'] = process.argv.slice(2);
const [home, state, repository] = ['home', 'home/state', 'home/work/repository'].map((path) => join(top, path)) as [
  string,
  string,
  string,
];
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repository });

for (const [kind, path, options] of JSON.parse(layout) as [kind: 'tmpfs' | 'bind', path: string, options: string][]) {
  const place = join(top, path);
  mkdirSync(place, { recursive: true });
  if (kind === 'bind') execFileSync('mount', ['--bind', place, place]);
  else execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
}
for (const folder of [state, repository]) mkdirSync(folder, { recursive: true });
git('init', '--quiet');
execFileSync(
  'sh',
  [
    '-c',
    'echo a > a.txt; mkdir -p node_modules/x; echo "module.exports = 1;" > node_modules/x/index.js; echo node_modules > .gitignore; echo {} > package.json',
  ],
  { cwd: repository },
);
git('add', '.');
git('commit', '--quiet', '--message', 'One');
process.env['HOME'] = home;

const told: Record<string, unknown> = {};
for (const mechanism of MECHANISMS) {
  const choice = await findFirstWorking([mechanism], { stateDir: state, repository });
  const { trouble } = choice.isolation.tried[0]!;
  told[mechanism.kind] = trouble;
  if (trouble !== null) continue;
  const sandbox = createSandbox(repository, state, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: { write: () => undefined },
    chooseMechanism: async () => choice,
  });
  const worktree = await sandbox.open(new AbortController().signal);
  const line = `cat a.txt && node -p "require('x')" && echo ok > new && ls -A '${repository}' '${home}/state' | grep -c a.txt`;
  const { stdout, stderr } = await worktree.run(
    { command: [line], shell: true, timeoutMs: 60_000 },
    new AbortController().signal,
  );
  told[mechanism.kind] = stdout === 'a\n1\n0\n' ? 'works' : `${stdout}\n${stderr}`;
  await worktree.dispose();
  await sandbox.close();
}
process.stdout.write(JSON.stringify(told));

// What the tests need of the system: Debian's packages, and whether a clock can be faked.

import { spawnSync } from 'node:child_process';

/**
 * Chromium for the real VS Code, Neovim as a second editor, strace to see what is started, pytest and Go for the gates
 * on these languages, Black for the layout of Python: Debian's packages, only where missing.
 */
export function installSystemPackages(wantedLanes) {
  const missing = Object.entries({
    chromium: ['chromium'],
    neovim: ['nvim'],
    git: ['git'],
    strace: ['strace'],
    'python3-pytest': ['pytest'],
    'golang-go': ['go'],
    black: ['black'],
    ...(wantedLanes.includes('prometheus') ? { prometheus: ['prometheus'] } : {}),
    ...(wantedLanes.includes('faketime') ? { faketime: ['faketime'] } : {}),
  })
    .filter(([, [program]]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
    .map(([name]) => name);
  if (missing.length === 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  console.error(`Installing ${missing.join(', ')} …`);
  const apt = (...args) =>
    spawnSync([...sudo, 'apt-get'][0], [...sudo.slice(1), ...(sudo.length ? ['apt-get'] : []), ...args], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-qq');
  const result = apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
  if (result.status !== 0) {
    console.error(
      `The tests need ${missing.join(', ')}, and apt-get could not install them. ` +
        'Install them by hand (Debian packages of these names) and run the command again.',
    );
    process.exit(2);
  }
}

/**
 * Why no process can live by a fake clock; null if it can. Programs that do not load shared libraries, or a machine
 * without shared memory, cannot.
 */
export function fakeTimeObstacle() {
  const script = 'const t = Date.now(); setTimeout(() => process.stdout.write(String(Date.now() - t)), 6_000)';
  const startedAt = Date.now();
  const { error, status, stdout, stderr } = spawnSync('faketime', ['-f', '+0 x60', process.execPath, '-e', script], {
    encoding: 'utf8',
  });
  if (error || status !== 0) return error?.message ?? stderr.trim();
  const took = Date.now() - startedAt;
  // It waits for a tenth of a second, and believes that six have passed.
  return Number(stdout) >= 5_900 && took < 5_900 ? null : `${stdout} ms by its clock took ${took} ms`;
}

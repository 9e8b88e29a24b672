// Installs the Debian packages that the tests need, and checks whether a clock can be faked.

import { spawnSync } from 'node:child_process';

/**
 * Installs the Debian packages that the tests need and that are missing: Chromium for the real VS Code, Neovim as a
 * second editor, Git, strace to see which programs are started, pytest and Go for the gates on these languages, and
 * Black for the layout of Python, and Prometheus and faketime if their lanes are to run. Ends this process with a
 * message if that fails.
 */
export function installSystemPackages(wantedLanes) {
  const missingPackages = Object.entries({
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
  if (missingPackages.length === 0) return;
  const sudoArgs = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  console.error(`Installing ${missingPackages.join(', ')} …`);
  const runAptGet = (...args) =>
    spawnSync([...sudoArgs, 'apt-get'][0], [...sudoArgs.slice(1), ...(sudoArgs.length ? ['apt-get'] : []), ...args], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  runAptGet('update', '-qq');
  const result = runAptGet('install', '-y', '-qq', '--no-install-recommends', ...missingPackages);
  if (result.status !== 0) {
    console.error(
      `The tests need ${missingPackages.join(', ')}, and apt-get could not install them. ` +
        'Install them by hand (Debian packages of these names) and run the command again.',
    );
    process.exit(2);
  }
}

/**
 * The reason why no process can run with a fake clock; null if one can. It cannot if programs do not load shared
 * libraries, or on a machine without shared memory.
 */
export function findFakeTimeObstacle() {
  const script = 'const t = Date.now(); setTimeout(() => process.stdout.write(String(Date.now() - t)), 6_000)';
  const startedAt = Date.now();
  const { error, status, stdout, stderr } = spawnSync('faketime', ['-f', '+0 x60', process.execPath, '-e', script], {
    encoding: 'utf8',
  });
  if (error || status !== 0) return error?.message ?? stderr.trim();
  const elapsedMs = Date.now() - startedAt;
  // With a fake clock that is 60 times as fast, six seconds pass in a tenth of a second.
  return Number(stdout) >= 5_900 && elapsedMs < 5_900 ? null : `${stdout} ms by its clock took ${elapsedMs} ms`;
}

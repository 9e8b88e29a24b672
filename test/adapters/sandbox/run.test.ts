// Commands in a sandbox: what they are told, what comes back, and that nobody is left behind.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { livingIn, never, sandboxOf, until } from './sandboxOf.ts';
import type { RunRequest, Worktree } from '../../../server/src/core/ports/sandbox.ts';

const node = (script: string, more: Partial<RunRequest> = {}): RunRequest => ({
  command: ['node', '-e', script],
  timeoutMs: 30_000,
  ...more,
});

/** Waits until the file is there that a process writes when it is up. */
async function isUp(worktree: Worktree): Promise<void> {
  await until(async () => ((await worktree.read('pid'))?.byteLength ?? 0) > 0);
  expect(await living(worktree)).not.toBe(0);
}

const living = async (worktree: Worktree) => (await livingIn(join(worktree.dir, '..'))).length;

/** Starts a grandchild that ignores SIGTERM and holds the output open; its number lands in `pid`. */
const stubborn = (detached: boolean) =>
  `const c = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); require('node:fs').writeFileSync('pid', process.pid + '\\\\n')"], {stdio: 'inherit', detached: ${detached}}); c.unref();`;

test('exit code, both outputs and time come back; there is no input', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  const result = await worktree.run(
    node("process.stdin.on('end', () => { console.log('out ä'); console.error('err'); process.exit(3); }).resume()"),
    never,
  );
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'out ä\n', stderr: 'err\n' });
  expect(result.millis).toBeGreaterThan(0);
});

test('a command that is not there, and a folder that is not there, are said so', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  expect(await worktree.run({ command: ['no-such-program-here'], timeoutMs: 5_000 }, never)).toMatchObject({
    outcome: 'notFound',
    exitCode: null,
  });
  expect(await worktree.run({ command: ['node', '-v'], cwd: 'missing', timeoutMs: 5_000 }, never)).toMatchObject({
    outcome: 'notFound',
    exitCode: null,
  });
  await expect(worktree.run({ command: ['node', '-v'], cwd: '..', timeoutMs: 5_000 }, never)).rejects.toMatchObject({
    reason: 'forbidden',
  });
});

test('a shell is used only when asked for', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  expect((await worktree.run({ command: ['echo', '$((1+1));', 'x'], timeoutMs: 5_000 }, never)).stdout).toBe(
    '$((1+1)); x\n',
  );
  expect(
    (await worktree.run({ command: ['echo $((1+1)) && cat a.txt'], shell: true, timeoutMs: 5_000 }, never)).stdout,
  ).toBe('2\na\n');
});

test('commands see no secret of ours, a home and a temporary folder of their own, and our node', async () => {
  process.env['SELFWARE_TEST_TOKEN'] = 'secret';
  process.env['GIT_DIR'] = '/nowhere';
  try {
    await using given = await sandboxOf({ 'a.txt': 'a\n' });
    const worktree = await given.open();
    const result = await worktree.run(
      node(
        'console.log(JSON.stringify({...process.env, version: process.version, home: os.homedir(), tmp: os.tmpdir()}))',
      ),
      never,
    );
    const seen = JSON.parse(result.stdout) as Record<string, string>;
    expect(
      Object.keys(seen).filter((name) =>
        /TOKEN|SECRET|PASS|AUTH|KEY|GIT_DIR|SSH|INIT_CWD|npm_package|VITEST/.test(name),
      ),
    ).toEqual([]);
    expect(seen).toMatchObject({
      CI: '1',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      npm_config_offline: 'true',
      pnpm_config_offline: 'true',
      pnpm_config_verify_deps_before_run: 'false',
      version: process.version,
    });
    const sandbox = join(worktree.dir, '..');
    // Shown under a short name where folders can be mounted.
    const { kind } = await given.sandbox.isolation();
    expect([seen['home'], seen['tmp'], seen['HOME']]).toEqual([
      join(sandbox, 'home'),
      kind === 'bubblewrap' || kind === 'unshare' ? '/var/tmp' : join(sandbox, 'tmp'),
      join(sandbox, 'home'),
    ]);
    const path = seen['PATH']?.split(':') ?? [];
    expect(path[0]).toBe(join(worktree.dir, 'node_modules/.bin'));
    expect(path.slice(1).filter((dir) => dir.endsWith('node_modules/.bin'))).toEqual([]);
  } finally {
    delete process.env['SELFWARE_TEST_TOKEN'];
    delete process.env['GIT_DIR'];
  }
});

test('a socket fits into the temporary folder, which commands of one sandbox share', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  // As far as the folder's own name leaves room for it, where it cannot be shown under another.
  const listen =
    "const path = os.tmpdir() + '/0123456789abcdef0123456789abcdef.socket'; const server = require('net').createServer().listen(path, () => { fs.writeFileSync(os.tmpdir() + '/left', 'x'); server.close(); console.log('listened'); }); server.on('error', ({ code }) => console.log(code))";
  const { kind } = await given.sandbox.isolation();
  const isMounted = kind === 'bubblewrap' || kind === 'unshare';
  expect((await worktree.run(node(listen), never)).stdout).toMatch(isMounted ? /^listened$/m : /^(listened|EINVAL)$/m);
  if (isMounted)
    expect(
      (await worktree.run(node("console.log(fs.readdirSync(os.tmpdir()).join(), fs.existsSync('/tmp/left'))"), never))
        .stdout,
    ).toMatch(/\bleft\b.* false/);
});

test('output beyond the cap is cut from the middle', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  const result = await worktree.run(
    node("console.log('first'); for (let i = 0; i < 50000; i++) console.log('line ' + i); console.log('last')", {
      maxOutputBytes: 1000,
    }),
    never,
  );
  expect(result.stdout).toMatch(/^first\nline 0\n[^]*… \d+ bytes left out …[^]*line 49999\nlast\n$/);
  expect(result.stdout.length).toBeLessThan(1100);
});

test('a timeout ends the whole group, also those who ignore the request', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  const running = worktree.run(
    node(`${stubborn(false)} process.on('SIGTERM', () => {}); setInterval(() => console.log('busy'), 50)`, {
      timeoutMs: 5_000,
    }),
    never,
  );
  await isUp(worktree);
  const result = await running;
  expect(result).toMatchObject({ outcome: 'timedOut', exitCode: null });
  expect(result.stdout).toContain('busy');
  expect(await living(worktree)).toBe(0);
});

test('a command that ends leaves nobody of its group behind, nor a daemon with a session of its own', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  for (const detached of [false, true]) {
    const waitForIt =
      "const t = setInterval(() => { if (require('node:fs').existsSync('pid') && require('node:fs').statSync('pid').size) { clearInterval(t); process.exit(0); } }, 10);";
    const result = await worktree.run(node(stubborn(detached) + waitForIt), never);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(await living(worktree)).toBe(0);
    await worktree.run({ command: ['rm', 'pid'], timeoutMs: 5_000 }, never);
  }
});

test('cancelling ends the group and says so', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  const cancel = new AbortController();
  const running = worktree.run(node(`${stubborn(false)} setInterval(() => {}, 1000)`), cancel.signal);
  await isUp(worktree);
  cancel.abort();
  expect(await running).toMatchObject({ outcome: 'cancelled', exitCode: null });
  expect(await living(worktree)).toBe(0);
  expect(await worktree.run(node('1'), cancel.signal)).toMatchObject({ outcome: 'cancelled' });
});

test('disposing in the middle of a command ends it and removes everything', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await given.open();
  const running = worktree.run(
    node(
      `${stubborn(true)} require('node:fs').mkdirSync('locked/in', {recursive: true}); require('node:fs').chmodSync('locked', 0o500); setInterval(() => {}, 1000)`,
    ),
    never,
  );
  await isUp(worktree);
  await Promise.all([worktree.dispose(), worktree.dispose()]);
  expect(await running).toMatchObject({ outcome: 'cancelled' });
  expect(await living(worktree)).toBe(0);
  expect(await worktree.exists('.')).toBe(false);
});

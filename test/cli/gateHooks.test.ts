// The hooks of docs/gate.md as they stand there, with the built command line, on a repository with a remote.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sharedCode } from '../helpers/compiledCode.ts';
import { cliEntry } from '../helpers/commandLine.ts';
import {
  createGitEnvironment,
  createTemporaryRepository,
  type TemporaryRepository,
} from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const docs = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8');
const scripts = [...docs.matchAll(/^```sh\n(#!\/bin\/sh\n[^]*?)^```/gm)].map(([, text]) => text!);
const hookWith = (words: string) => scripts.find((script) => script.includes(words))!;

const clamp = (low: string) =>
  `export function clamp(x, low, high) {\n  if (x < low) return ${low};\n  return x > high ? high : x;\n}\n`;
const spec = `import test from 'node:test';
import assert from 'node:assert';
import { clamp } from '../src/clamp.js';

test('clamp', () => {
  assert.strictEqual(clamp(1, 2, 3), 2);
  assert.strictEqual(clamp(9, 2, 3), 3);
});
`;

let repository: TemporaryRepository;
/** Holds the hooks, the program `selfware`, its state and the remote. */
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'selfware-hooks-'));
  repository = await createTemporaryRepository({
    'package.json': '{"name": "clamp", "type": "module", "scripts": {"test": "node --test"}}\n',
    'src/clamp.js': clamp('low'),
    'test/clamp.test.js': spec,
  });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${cliEntry}' "$@"\n`;
  writeFileSync(join(folder, 'selfware'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'stop.sh'), hookWith('stop_hook_active'), { mode: 0o755 });
  await repository.git('init', '--quiet', '--bare', join(folder, 'remote.git'));
  await repository.git('remote', 'add', 'origin', join(folder, 'remote.git'));
  await repository.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  writeFileSync(join(repository.dir, '.git/hooks/pre-push'), hookWith('remote_ref'), { mode: 0o755 });
});
afterAll(async () => {
  await repository.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  ...createGitEnvironment(),
  ...{ PATH: `${folder}:${process.env['PATH']}`, HOME: folder, SELFWARE_HOME: join(folder, 'home') },
  ...{ CLAUDE_PROJECT_DIR: repository.dir, ...sharedCode },
});

function runStopHook(input = '{}') {
  const { status, stderr } = spawnSync(join(folder, 'stop.sh'), {
    cwd: repository.dir,
    encoding: 'utf8',
    input,
    env: environment(),
  });
  return { status, stderr };
}

function push() {
  const { status, stderr } = spawnSync('git', ['push', 'origin', 'main'], {
    cwd: repository.dir,
    encoding: 'utf8',
    env: environment(),
  });
  return { status, stderr };
}

test('an agent that broke the code hears why, whether it has committed or not, and only once', async () => {
  expect(runStopHook()).toEqual({ status: 0, stderr: '' });
  await repository.write('src/clamp.js', clamp('high'));
  const uncommitted = runStopHook();
  expect(uncommitted).toMatchObject({ status: 2, stderr: expect.stringContaining('This change is not accepted yet') });
  expect(uncommitted.stderr).toMatch(/\| Tests \| failed \|/);
  await repository.git('commit', '--quiet', '--all', '--message', 'broken');
  expect(runStopHook()).toMatchObject({ status: 2, stderr: expect.stringMatching(/\| Tests \| failed \|/) });
  expect(runStopHook('{"stop_hook_active": true}')).toEqual({ status: 0, stderr: '' });
});

test('broken code is not pushed, and the same code repaired is', async () => {
  expect(push()).toMatchObject({ status: 1, stderr: expect.stringContaining('Not pushed: see above.') });
  await repository.write('src/clamp.js', clamp('Math.max(x, low)'));
  await repository.git('commit', '--quiet', '--all', '--message', 'repaired');
  expect(push()).toMatchObject({ status: 0 });
  expect(await repository.git('rev-parse', 'origin/main')).toBe(await repository.git('rev-parse', 'main'));
});

/** Runs the step of the workflow that judges, for a change since `base`. Returns its exit code and its page. */
function runJudgeStep(event: 'pull_request' | 'push', base: string) {
  const workflows = [...docs.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text]) => parse(text!));
  const { steps } = workflows.find(({ name }) => name === 'Selfware').jobs.gate;
  const { run } = steps.find(({ name }: { name?: string }) => name === 'Judge the change');
  const { status } = spawnSync('bash', ['-e', '-c', run], {
    cwd: repository.dir,
    encoding: 'utf8',
    env: {
      ...environment(),
      ...{ BASE: base, EVENT: event, RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
    },
  });
  const page = readFileSync(join(repository.dir, 'selfware.md'), 'utf8');
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(page);
  rmSync(join(repository.dir, 'selfware.md'));
  return { status, page };
}

thoroughTest(
  'the workflow refuses a weakened test in a pull request, and lets the push of what was merged through',
  async () => {
    const weaker = spec.replace('assert.strictEqual(clamp(9, 2, 3), 3)', 'assert.ok(clamp(9, 2, 3))');
    await repository.write('test/clamp.test.js', weaker);
    await repository.git('commit', '--quiet', '--all', '--message', 'weaker');
    const base = (await repository.git('rev-parse', 'HEAD^')).trim();
    const judged = runJudgeStep('pull_request', base);
    expect(judged.status).toBe(1);
    expect(judged.page).toMatch(/clamp\.test\.js/);
    const pushed = runJudgeStep('push', base);
    expect(pushed.status).toBe(0);
    expect(pushed.page).toContain('## Selfware: this change weakens tests');
  },
);

thoroughTest('a quick judgement says what it left out, and still refuses a weakened test', async () => {
  const quick = (...options: string[]) =>
    spawnSync(join(folder, 'selfware'), ['verify', '--quick', ...options], {
      cwd: repository.dir,
      encoding: 'utf8',
      env: environment(),
    });
  expect(quick('--base', 'HEAD^').status).toBe(1);
  await repository.write('src/clamp.js', clamp('Math.max(low, x)'));
  const { status, stdout } = quick('--base', 'HEAD');
  expect(status).toBe(0);
  expect(stdout).toContain(
    'Not shown: that the behaviour is the same (left out by `--quick`), and that tests would notice a mistake in the touched lines (left out by `--quick`).',
  );
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Left out by `--quick`: the comparison of calls/);
  writeFileSync(join(folder, 'policy.json'), '{"require": {"strength": "proven"}}');
  const demanding = quick('--base', 'HEAD', '--policy', join(folder, 'policy.json'), '--json');
  expect(demanding.status).toBe(2);
  expect(JSON.parse(demanding.stdout)).toMatchObject({
    ...{ quick: true, strength: 'checked', conclusion: 'notJudged', policy: { met: false } },
  });
  expect(quick('--base', 'HEAD', '--thorough')).toMatchObject({ status: 2 });
});

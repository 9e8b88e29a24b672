// What a user may point the command line at by mistake or bad luck: a sentence each, and the rest goes on.

import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tolerateClosedPipes, writesLog } from '../../server/src/cli/closedPipes.ts';
import { cliEntry, createCommandLine } from '../helpers/commandLine.ts';
import { sampleProject, typedProject } from '../helpers/sampleProject.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function open(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: Parameters<typeof createTemporaryRepository>[1],
) {
  const repository = await createTemporaryRepository(files, options);
  const selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  disposals.push(
    () => selfware.dispose(),
    () => repository.dispose(),
  );
  return { repository, selfware };
}

test('a folder without git is indexed and analysed; proposals say why not', async () => {
  const { selfware } = await open(sampleProject, { git: false });
  expect((await selfware.json(['index'])).value.files).toBe(Object.keys(sampleProject).length);
  expect((await selfware.json(['analyse'])).code).toBe(1);
  const improve = await selfware.run(['improve']);
  expect(improve.code).toBe(2);
  expect(improve.stderr).toContain('not a git repository');
  const preview = await selfware.run(['preview']);
  expect(preview.code).toBe(1);
  expect(preview.stdout + preview.stderr).toContain('opportunities');
  expect((preview.stdout + preview.stderr).split('not a git repository')).toHaveLength(2);
});

test('a night without commits says so before it introduces itself', async () => {
  const withoutGit = await open(sampleProject, { git: false });
  expect(await withoutGit.selfware.run(['night', '--for', '1m'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('not a git repository'),
  });
  execFileSync('git', ['init', '--quiet'], { cwd: withoutGit.repository.dir });
  expect(await withoutGit.selfware.run(['night', '--for', '1m'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('This repository has no commit yet. Commit once.'),
  });
});

test('wrong usage has one exit code, a group of commands lists by itself, and a name from elsewhere is answered', async () => {
  const { selfware } = await open(sampleProject);
  expect(await selfware.run(['proposals', 'show'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('`selfware proposals` lists them with their ids.'),
  });
  expect(await selfware.run(['--limit', '5', 'analyse'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Options stand after the command: `selfware analyse --limit`.'),
  });
  expect((await selfware.run(['proposals', 'list', '--no-such-option'])).code).toBe(2);
  expect(await selfware.run(['proposals'])).toMatchObject({ code: 0, stdout: 'No proposal waits for a decision.\n' });
  expect(await selfware.run(['checkpoints'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No checkpoint'),
  });
  expect((await selfware.run(['ledger'])).code).toBe(0);
  const unknown = await selfware.run(['apply', 'p-1']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Perhaps you mean `selfware proposals approve ID`.');
  // Some subcommands have an option of that name, so it is not the program's there.
  for (const option of ['--version', '-V'])
    expect(await selfware.run(['proposals', 'list', option])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: unknown option '${option}'\nPerhaps you mean \`selfware --version\`.\n`,
    });
});

test('a repository without a commit', async () => {
  const { selfware } = await open(sampleProject, { commit: false });
  expect((await selfware.json(['index'])).value.files).toBe(Object.keys(sampleProject).length);
  expect((await selfware.run(['improve'])).stderr).toContain('no commit yet');
});

test.each([['metrics', '--json'], ['search', 'grade'], ['score']])(
  '%s whose reader has gone ends as if it were there',
  async (...args) => {
    const { repository, selfware } = await open(sampleProject);
    const { code } = await selfware.run(args);
    const child = spawn(process.execPath, [cliEntry, ...args, '--repo', repository.dir], {
      env: { PATH: process.env['PATH'], HOME: selfware.home, SELFWARE_HOME: selfware.home, ...sharedCode },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = await new Promise((resolve) => child.on('close', resolve));
    expect(said).not.toContain('EPIPE');
    expect(ended).toBe(code);
  },
);

test.each([
  ['a pipe', { isTTY: false, isLog: false }, ['EPIPE']],
  ['a terminal', { isTTY: true, isLog: false }, ['EPIPE', 'EIO']],
  ['the log of a run', { isTTY: false, isLog: true }, ['EPIPE', 'ENOSPC', 'EDQUOT']],
])('%s that takes no output interrupts nothing; another error does', (_, { isTTY, isLog }, tolerated) => {
  const stream = Object.assign(new EventEmitter(), { isTTY });
  tolerateClosedPipes(isLog, [stream]);
  for (const code of ['EPIPE', 'EIO', 'ENOSPC', 'EDQUOT', 'EBADF']) {
    const emit = () => stream.emit('error', Object.assign(new Error('broken'), { code }));
    if (tolerated.includes(code)) expect(emit).not.toThrow();
    else expect(emit).toThrow('broken');
  }
});

test('only the supervisor of a run and its worker write a log', () => {
  expect(
    [
      ['supervise', 'night', 'run'],
      ['night', 'run', '--supervised'],
    ].map(writesLog),
  ).toEqual([true, true]);
  expect(
    [
      ['night', 'run'],
      ['search', 'supervise'],
    ].map(writesLog),
  ).toEqual([false, false]);
});

test('an empty folder', async () => {
  const { selfware } = await open({}, { git: false });
  expect((await selfware.json(['index'])).value).toMatchObject({ files: 0, chunks: 0 });
  expect((await selfware.json(['search', 'anything'])).value).toEqual([]);
  expect((await selfware.json(['analyse'])).value).toEqual([]);
});

test.each(['analyse', 'metrics'])(
  '%s of a file that is not there fails instead of finding nothing',
  async (command) => {
    const { selfware } = await open(sampleProject, { git: false });
    for (const [place, said] of [
      ['src/grad.ts', 'There is no src/grad.ts'],
      ['../elsewhere.ts', 'is outside'],
    ] as const) {
      const done = await selfware.run([command, 'src/grade.ts', place]);
      expect([done.code, done.stdout]).toEqual([2, '']);
      expect(done.stderr).toContain(said);
    }
  },
);

test('a file that is named through a link to the repository is looked at', async () => {
  const { repository, selfware } = await open(sampleProject, { git: false });
  const link = `${repository.dir}-link`;
  await symlink(repository.dir, link);
  disposals.push(() => rm(link));
  expect((await selfware.json(['analyse', join(link, 'src/grade.ts')])).code).toBe(1);
});

test.each(['analyse', 'metrics'])('%s says which files it has not looked at, and why', async (command) => {
  const { selfware } = await open(
    { 'src/big.ts': 'export const a = 1;\n'.repeat(200_000), 'src/fine.ts': 'export const b = 1;\n' },
    { git: false },
  );
  expect((await selfware.run([command])).stderr).toContain('Not looked at: src/big.ts (too large).');
  expect((await selfware.run([command, 'src/fine.ts'])).stderr).not.toContain('Not looked at');
});

thoroughTest('where nothing is found in a language that few rules read, that is said', async () => {
  const { repository, selfware } = await open(
    { 'app.py': 'import os\n\ndef start():\n    return 1\n' },
    { git: false },
  );
  expect((await selfware.run(['analyse'])).stdout).toContain(
    'Most rules read TypeScript and JavaScript alone, and the code here is in Python.',
  );
  await writeFile(join(repository.dir, 'app.ts'), 'export const one = 1;\n');
  expect((await selfware.run(['analyse', 'app.ts'])).stdout).not.toContain('Most rules');
});

test('a folder that does not exist', async () => {
  const { repository } = await open({}, { git: false });
  const selfware = await createCommandLine(join(repository.dir, 'missing'));
  disposals.push(() => selfware.dispose());
  const done = await selfware.run(['index']);
  expect(done.code).toBe(2);
  expect(done.stderr.trim().split('\n')).toHaveLength(1);
  expect(done.stderr).toContain('missing');
});

// One repository with all of them: verifying a proposal for each would show nothing more, at several times the price.
test('big, binary, undecodable, broken and linked files and a nested repository are listed, and the rest goes on, on a detached HEAD with a type check that fails before the change', async () => {
  const { repository, selfware } = await open({
    ...typedProject,
    'big.ts': `// ${'x'.repeat(10 * 1024 * 1024)}\n`,
    'picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]),
    'latin.ts': new Uint8Array([0x2f, 0x2f, 0x20, 0xe9, 0xe8, 0x0a]),
    'broken.ts': 'export function ( { if (\n',
    'src/red.ts': 'export const red: number = "not a number";\n',
  });
  await repository.git('checkout', '-q', '--detach');
  const nested = join(repository.dir, 'nested');
  await mkdir(nested);
  execFileSync('git', ['init', '-q', nested]);
  await writeFile(join(nested, 'inner.ts'), 'export const inner = 1;\n');
  await symlink('/etc/hostname', join(repository.dir, 'outside.ts'));
  const { value, code } = await selfware.json(['index']);
  expect(code).toBe(0);
  const reasons = Object.fromEntries(
    value.skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
  );
  expect(reasons).toMatchObject({
    'big.ts': 'too large',
    'picture.png': 'binary',
    'latin.ts': 'not utf-8',
    'outside.ts': 'symlink out of the repository',
  });
  expect(Object.values(reasons)).toContain('nested repository');
  expect((await selfware.json(['search', 'clamp'])).value[0].path).toBe('src/clamp.ts');
  const { proposal } = (await selfware.json(['preview', '--time', '0'])).value;
  expect(proposal.status).toBe('verified');
  expect(proposal.verdicts).toContainEqual(expect.objectContaining({ gate: 'types', outcome: 'passed' }));
  expect((await selfware.json(['status'])).value.git.branch).toBeNull();
});

test('files with uncommitted work are passed over unless asked for', async () => {
  const { repository, selfware } = await open(sampleProject);
  await repository.write('src/grade.ts', `${await repository.read('src/grade.ts')}\nexport const mine = 1;\n`);
  const unasked = await selfware.run(['improve', '--dry-run', '--json']);
  expect(unasked.stdout).toContain('uncommitted changes');
  const opportunity = (await selfware.json(['analyse', 'src/grade.ts'])).value.find(
    (found: { rule: string }) => found.rule === 'else-after-return',
  );
  const asked = await selfware.run(['improve', '--opportunity', opportunity.id, '--json']);
  const [proposal] = (await selfware.json(['proposals', 'list'])).value;
  expect(proposal, asked.stderr).toMatchObject({ status: 'deferred' });
  expect(proposal.edits[0].after).toContain('export const mine = 1;');
});

test('what is written to a file while a proposal waits stays: elsewhere the change goes around it, in its own lines it is stale', async () => {
  const { repository, selfware } = await open(sampleProject);
  await selfware.run(['propose', '--no-verify']);
  const [proposal] = (await selfware.json(['proposals', 'list'])).value;
  const { path, before } = proposal.edits[0];
  const lines: string[] = (await repository.read(path))!.split('\n');
  const touched = lines.findIndex((line, at) => line !== proposal.edits[0].after.split('\n')[at]);
  const inside = lines.with(touched, `${lines[touched]} // mine`).join('\n');
  await repository.write(path, inside);
  const refused = await selfware.run(['proposals', 'approve', proposal.id]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(path)]);
  expect(await repository.read(path)).toBe(inside);

  await repository.write(path, before);
  await selfware.run(['improve']);
  const [again] = (await selfware.json(['proposals', 'list'])).value;
  await repository.write(again.edits[0].path, `${again.edits[0].before}// mine\n`);
  const around = await selfware.run(['proposals', 'approve', again.id]);
  expect([around.code, await repository.read(again.edits[0].path)]).toEqual([0, `${again.edits[0].after}// mine\n`]);
});

thoroughTest('tests that hang end at the time limit with an unknown verdict', async () => {
  const { selfware } = await open({
    ...sampleProject,
    'test/grade.test.js':
      "import { test } from 'node:test';\ntest('hangs', () => new Promise(() => setInterval(() => {}, 1000)));\n",
  });
  const done = await selfware.run(['improve', '--dry-run', '--set', 'verify.timeoutSeconds=5', '--json']);
  const verified = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find((event) => event.type === 'verified' || event.type === 'refused');
  expect(verified.proposal.verdicts.find((verdict: { gate: string }) => verdict.gate === 'tests')).toMatchObject({
    outcome: 'unknown',
  });
});

test('without the LanceDB binary the lexical store serves and says so', async () => {
  const { selfware } = await open(sampleProject);
  const done = await selfware.run(['index', '--json'], {
    env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/nonexistent/lancedb.node' },
  });
  expect(JSON.parse(done.stdout)).toMatchObject({ store: 'lexical' });
  expect(done.stderr).toContain('LanceDB');
});

test('an untrusted repository is indexed and analysed, and nothing of it runs', async () => {
  const marker = 'ran.txt';
  const { repository, selfware } = await open({
    ...sampleProject,
    'package.json': JSON.stringify({ scripts: { test: `touch ${marker}`, typecheck: `touch ${marker}` } }),
  });
  expect((await selfware.run(['analyse', '--untrusted'])).code).toBe(1);
  const improve = await selfware.run(['improve', '--untrusted']);
  expect(improve.code).toBe(2);
  expect(improve.stderr).toContain('not trusted');
  expect(await repository.read(marker)).toBeNull();
});

test('wrong usage is one line with what to do', async () => {
  const { selfware } = await open({}, { git: false });
  for (const [args, words] of [
    [['improve', '--cycles', 'many'], '--cycles'],
    [['search'], '--stdin'],
    [['index', '--set', 'no.such=1'], 'no.such'],
    [['analyse', '--format', 'xml'], 'sarif'],
  ] as const) {
    const done = await selfware.run(args);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(words);
    expect(done.stderr).not.toContain('    at ');
  }
});

test('a damaged ledger is reported and kept as it is; index and analysis go on, nothing is applied', async () => {
  const { selfware } = await open(sampleProject);
  await selfware.run(['propose', '--no-verify']);
  const [state] = (await readdir(selfware.home)).filter((name) => name.startsWith('selfware-test-'));
  const file = join(selfware.home, state ?? '', 'ledger.db');
  const damaged = await readFile(file);
  damaged.fill(0x58, 0, 200);
  await writeFile(file, damaged);
  expect((await selfware.json(['index'])).value.files).toBe(Object.keys(sampleProject).length);
  const analysed = await selfware.run(['analyse']);
  expect(analysed.code).toBe(1);
  expect(analysed.stderr).toContain('ledger');
  const improve = await selfware.run(['improve']);
  expect(improve.code).toBe(2);
  expect(improve.stderr).toContain('damaged');
  expect((await selfware.run(['ledger', 'verify'])).code).not.toBe(0);
  const { value: findings } = await selfware.json(['doctor']);
  expect(findings).toContainEqual(expect.objectContaining({ name: 'ledger', outcome: 'bad' }));
  expect(Buffer.compare(await readFile(file), damaged)).toBe(0);
});

test('a file in the place of a folder, an id that nothing has, a type that no event has: one line each with what to do', async () => {
  const { repository, selfware } = await open(sampleProject);
  const given = await createCommandLine(join(repository.dir, 'package.json'));
  disposals.push(() => given.dispose());
  const file = await given.run(['status']);
  expect([file.code, file.stderr.trim()]).toEqual([
    2,
    `selfware: ${join(repository.dir, 'package.json')} is not a folder. Name the folder of a repository.`,
  ]);
  const unknown = await selfware.run(['propose', 'nosuch']);
  expect([unknown.code, unknown.stdout, unknown.stderr.trim().split('\n').at(-1)]).toEqual([
    2,
    '',
    expect.stringContaining('There is no opportunity nosuch, or it no longer exists'),
  ]);
  const events = await selfware.run(['ledger', 'query', '--type', 'nosuch']);
  expect([events.code, events.stdout, events.stderr.trim()]).toEqual([
    2,
    '',
    expect.stringMatching(/no events of the type nosuch\. Types are .*passedOver/),
  ]);
});

thoroughTest('a repository whose path holds line breaks and quotes is one like any other', async () => {
  const within = await mkdtemp(join(tmpdir(), 'selfware-line\n"break-'));
  const files = { 'count.ts': 'export const count = 0;\n', 'odd\nname.ts': 'export {};\n' };
  const repository = await createTemporaryRepository(files, { within });
  const selfware = await createCommandLine(repository.dir);
  disposals.push(
    () => selfware.dispose(),
    () => rm(within, { recursive: true, force: true }),
  );
  const edit = { file: 'count.ts', search: 'count = 0', replace: 'count = 1' };
  const input = JSON.stringify({ description: 'Count', edits: [edit] });
  const { code, stdout, stderr } = await selfware.run(['propose', '--request', '-'], { input });
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect([code, stdout]).toEqual([expect.any(Number), expect.stringMatching(/passed +Fits the files, Still parses/)]);
  expect((await selfware.run(['doctor'])).stdout).toMatch(/good +git/);
});

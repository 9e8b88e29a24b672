// Whatever a command is doing, SIGINT and SIGTERM end it; pipes and what else would keep a reader waiting are never
// read. What hangs here hangs for longer than a test may take, so a command that waited for it would fail. That 3 s are
// the bound is tested in `adapters/system/ending`, without a clock of the wall.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENDED_BY_SIGNAL } from '../../server/src/app/nights/night.ts';
import { readNights } from '../../server/src/app/nights/readNights.ts';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { sample } from '../helpers/thorough.ts';

const source = 'export const one = 1;\n';

let repository: TemporaryRepository;
let selfware: CommandLine;
let scratch: string;
beforeEach(async () => {
  repository = await createTemporaryRepository({
    'src/a.ts': source,
    'src/b.ts': source,
    'package.json': '{"name": "sample", "scripts": {"test": "sh hang.sh"}}',
  });
  selfware = await createCommandLine(repository.dir);
  scratch = await mkdtemp(join(tmpdir(), 'selfware-ending-'));
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
  await rm(scratch, { recursive: true, force: true });
});

async function pipeAt(path: string): Promise<string> {
  const place = join(repository.dir, path);
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { force: true });
  execFileSync('mkfifo', [place]);
  return place;
}

/** A program that says that it runs, and hangs for as long as anybody would wait. */
async function hangingProgram(
  folder: string,
  name: string,
): Promise<{ readonly dir: string; runs(): Promise<number> }> {
  const dir = join(scratch, folder);
  await mkdir(dir);
  await writeFile(join(dir, name), `#!/bin/sh\necho $$ > ${JSON.stringify(join(dir, 'runs'))}\nexec sleep 900\n`);
  await chmod(join(dir, name), 0o755);
  return { dir, runs: () => numberIn(join(dir, 'runs')) };
}

async function numberIn(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8').catch(() => '0'));
}

function start(args: readonly string[], path = process.env.PATH ?? ''): ChildProcess {
  const env = { PATH: path, HOME: selfware.home, SELFWARE_HOME: selfware.home, NO_COLOR: '1', ...sharedCode };
  return spawn(process.execPath, [cliEntry, ...args, '--repo', repository.dir], {
    env,
    cwd: selfware.home,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** What it has said so far. */
function tellingOf({ stdout, stderr }: ChildProcess): () => string {
  let said = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (data) => (said += String(data)));
  return () => said;
}

/** What a shell would call its end. */
async function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  child.kill(signal);
  const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (by === 'SIGINT' ? 2 : by === 'SIGTERM' ? 15 : 0);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 240_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('pipes in the places of files are left out, with a reason where that matters', async () => {
  const places = [
    'src/a.ts',
    'package.json',
    '.gitignore',
    'src/.gitignore',
    '.selfwareignore',
    '.selfware/settings.json',
    '.selfware/charter.json',
  ];
  for (const path of places) await pipeAt(path);
  const { code, stdout, stderr } = await selfware.run(['analyse']);
  expect(code).toBe(0);
  expect(stdout).toContain('0 opportunities');
  expect(stderr).toContain('.selfware/settings.json cannot be read: .selfware/settings.json is not a file.');
  expect(stderr).toContain(
    '.selfware/charter.json: .selfware/charter.json is not a file. Nothing is applied until it is fixed.',
  );
  expect(stderr).toMatch(/Not looked at: .*unreadable/);
});

test('a pipe that is named is refused with a sentence', async () => {
  await pipeAt('src/pipe.ts');
  const { code, stderr } = await selfware.run(['analyse', 'src/pipe.ts']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('src/pipe.ts is a pipe: only files and folders are looked at.'),
  ]);
});

test('a request is read from a pipe, and a pipe that nobody writes to does not keep the command', async () => {
  const pipe = await pipeAt('request');
  const child = start(['propose', '--request', pipe]);
  await until(() => isRegistered(child));
  const code = await endBy(child, 'SIGTERM');
  expect(code).toBe(143);
});

/** The session is open: the process has written down that it works on the repository. */
async function isRegistered(child: ChildProcess): Promise<boolean> {
  const file = join(selfware.home, 'running', `${child.pid}.json`);
  return (await readFile(file, 'utf8').catch(() => '')) !== '';
}

const kinds: readonly (readonly [readonly string[], NodeJS.Signals])[] = [
  [['index'], 'SIGINT'],
  [['analyse'], 'SIGTERM'],
  [['score'], 'SIGINT'],
  [['search', 'one'], 'SIGTERM'],
  [['graph', 'cycles'], 'SIGINT'],
  [['improve', '--auto'], 'SIGTERM'],
  [['propose'], 'SIGINT'],
  [['status'], 'SIGTERM'],
  [['doctor'], 'SIGINT'],
];

test.each(sample([kinds.slice(0, 3), kinds.slice(3, 6), kinds.slice(6)], 1))(
  'commands end while git hangs: %s, %s, %s',
  async (...some) => {
    await Promise.all(
      some.map(async ([args, signal], at) => {
        const git = await hangingProgram(`git-${at}`, 'git');
        const child = start(args, `${git.dir}${delimiter}${process.env.PATH}`);
        const told = tellingOf(child);
        await until(async () => {
          if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}: ${told()}`);
          return (await git.runs()) > 0;
        });
        const code = await endBy(child, signal);
        expect([...args, code]).toEqual([...args, signal === 'SIGINT' ? 130 : 143]);
        await until(async () => !isAlive(await git.runs()));
      }),
    );
  },
);

test.each([['--stdio'], ['--mcp']])('selfware serve %s ends', async (how) => {
  const child = start(['serve', how]);
  if (how === '--mcp') await until(() => isRegistered(child));
  else await until(async () => (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')) !== '');
  const code = await endBy(child, 'SIGTERM');
  expect(code).toBe(143);
});

test('tests of the repository that hang, deaf to signals, are ended along with the command', async () => {
  await repository.write(
    'hang.sh',
    `trap '' TERM INT\necho $$ > ${JSON.stringify(join(scratch, 'runs'))}\nwhile :; do sleep 1; done\n`,
  );
  await repository.write(
    'src/a.ts',
    `/** One. */\nexport function one(): number {\n  const unused = 1;\n  return 1;\n}\n`,
  );
  await repository.git('add', '.');
  await repository.git('commit', '--quiet', '--message', 'Tests');
  const child = start(['propose', '--set', `verify.testCommand=sh ${join(repository.dir, 'hang.sh')}`]);
  let said = '';
  child.stderr!.on('data', (data) => (said += String(data)));
  await until(async () => said.includes('verifying … Tests') || (await numberIn(join(scratch, 'runs'))) > 0);
  const code = await endBy(child, 'SIGTERM');
  expect(code).toBe(143);
});

test('an unattended run whose terminal is closed ends in order', async () => {
  const code = join(scratch, 'code');
  const words = [process.execPath, cliEntry, 'night', '--for', '1h', '--set', 'night.searchFurther=false'];
  const command = [...words, '--repo', repository.dir].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env.PATH, HOME: selfware.home, SELFWARE_HOME: selfware.home, ...sharedCode };
  // The shell passes the signal on, as shells do, and survives it to write down how the run has ended.
  const shell = `trap 'kill -HUP $!' HUP; ${command} & wait $!; wait $!; echo $? > '${code}'`;
  const terminal = spawn('script', ['-qfec', shell, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const told = tellingOf(terminal);
  await until(async () => told().includes('It continues after a commit'));
  terminal.kill('SIGKILL');
  await until(async () => (await numberIn(code)) > 0);
  expect(await numberIn(code)).toBe(129);
  const [night] = await readNights(repository.dir, env, { write: () => undefined });
  expect(night).toMatchObject({ state: 'stopped', runs: [{ reason: ENDED_BY_SIGNAL }] });
  expect(told()).toMatch(/Ctrl\+C ends it within seconds.*closing the terminal/);
});

test.each(sample(['ledger.db', 'catalogue.db', 'contents.db'], 1))(
  'commands end while another process keeps %s busy',
  async (name) => {
    await repository.write('src/a.ts', `${source}const unused = 1;\n`);
    await repository.git('commit', '--quiet', '--all', '--message', 'Unused');
    expect((await selfware.run(['propose', '--no-verify'])).code).toBe(1);
    await repository.write('src/b.ts', `${source}const unused = 1;\n`);
    await repository.git('commit', '--quiet', '--all', '--message', 'Unused, too');
    const [folder] = (await readdir(selfware.home)).filter((entry) => entry.startsWith(basename(repository.dir)));
    const writer = await busyWriter(join(selfware.home, folder!, name));
    try {
      let child = start(['propose', '--no-verify']);
      await until(async () => {
        // On a busy machine it may have waited, and ended with an error, before this test has looked.
        if (child.exitCode !== null) child = start(['propose', '--no-verify']);
        return (await opens(child.pid!, name)) && (await standsStill(child.pid!));
      });
      const code = await endBy(child, 'SIGTERM');
      expect(code).toBe(143);
    } finally {
      writer.kill('SIGKILL');
    }
  },
);

/** Another process that has begun to write there, and does not go on. */
async function busyWriter(file: string): Promise<ChildProcess> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    globalThis.database = new DatabaseSync(${JSON.stringify(file)});
    database.exec('BEGIN IMMEDIATE');
    console.log('begun');
    setInterval(() => undefined, 1_000_000);`;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout!, 'data');
  return child;
}

async function opens(pid: number, name: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return targets.some((target) => basename(target) === name);
}

/** Its main thread has done next to nothing for longer than it would wait for the analysis of two lines. */
async function standsStill(pid: number): Promise<boolean> {
  // Infinity: it has ended.
  const work = async (): Promise<number> =>
    Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => 'Infinity')).split(' ')[0]);
  const before = await work();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return (await work()) - before < 50_000_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

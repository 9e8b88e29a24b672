// What opening a repository that nobody trusts starts: git, node and what shuts commands in, each from the system.

import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry } from '../helpers/commandLine.ts';
import { serverEntry } from '../helpers/lspServers.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { sample } from '../helpers/thorough.ts';

/** git runs parts of itself. */
const OURS = /^(?:git(?:-[\w-]+)?|node(?:js)?|bwrap|unshare|setpriv|mount|pivot_root|docker)$/;

let repository: TemporaryRepository;
let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'selfware-started-'));
  repository = await createTemporaryRepository(sampleProject);
  for (const folder of ['.', 'node_modules/.bin']) {
    await mkdir(join(repository.dir, folder), { recursive: true });
    for (const name of ['git', 'node', 'ps', 'sh', 'bwrap', 'eslint', 'tsc', 'prettier']) {
      await writeFile(join(repository.dir, folder, name), '#!/bin/sh\nexit 0\n');
      await chmod(join(repository.dir, folder, name), 0o755);
    }
  }
});
afterAll(async () => {
  await repository?.dispose();
  await rm(home, { recursive: true, force: true });
});

function initialize(): string {
  const params = {
    processId: null,
    rootUri: `file://${repository.dir}`,
    capabilities: {},
    initializationOptions: { trusted: false },
  };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'initialized', params: {} },
    { jsonrpc: '2.0', id: 2, method: 'workspace/symbol', params: { query: 'grade' } },
    { jsonrpc: '2.0', id: 3, method: 'shutdown' },
    { jsonrpc: '2.0', method: 'exit' },
  ].map((message) => JSON.stringify(message));
  return messages.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join('');
}

const openings = ['index', 'analyse', 'doctor', 'the language server'] as const;

test.each(sample(openings, 2))('%s starts nothing of the repository, and nothing but ours', async (what) => {
  const isServer = what === 'the language server';
  const started = isServer
    ? await startedBy([serverEntry, '--stdio'], initialize())
    : await startedBy([cliEntry, what, '--untrusted', '--repo', repository.dir], '');
  expect(started).toContain(process.execPath);
  expect(started.filter((program) => program.startsWith(repository.dir))).toEqual([]);
  expect(started.filter((program) => !OURS.test(basename(program)) && !isSetUp(what, program))).toEqual([]);
});

/**
 * The doctor tries whether commands can be shut in. The shell of the system sets their limits, and without bubblewrap
 * it also lays out what they see. What an overlay does with a folder and a file that are removed is tried, too.
 */
function isSetUp(what: string, program: string): boolean {
  return what === 'doctor' && /^\/(?:usr\/)?s?bin\/(?:sh|ip|mkdir|rmdir|mknod|ls|ln|touch|rm|umount)$/.test(program);
}

/** Programs that were really started, by their places. */
async function startedBy(args: readonly string[], input: string): Promise<readonly string[]> {
  const record = join(home, 'record');
  const strace = ['-f', '-qq', '-e', 'trace=execve', '-s', '400', '-o', record, process.execPath, ...args];
  const { PATH = '' } = process.env;
  const env = { PATH: `${repository.dir}:${PATH}`, HOME: home, SELFWARE_HOME: join(home, 'state'), NO_COLOR: '1' };
  const { error, status, stderr } = spawnSync('strace', strace, { env, input, cwd: home, encoding: 'utf8' });
  if (error) throw new Error('This test needs strace (the Debian package of that name).', { cause: error });
  expect([0, 1], stderr).toContain(status);
  return [...startedIn(await readFile(record, 'utf8'))];
}

/** A call that strace saw interrupted by another process ends on a line of its own, which names the process only. */
function startedIn(record: string): Set<string> {
  const asked = new Map<string, string>();
  const started = new Set<string>();
  for (const line of record.split('\n')) {
    const [, pid = '', program] = /^(\d+) +(?:execve\("([^"]+)")?/.exec(line) ?? [];
    if (program) asked.set(pid, program);
    if (/ = 0$/.test(line)) started.add(asked.get(pid) ?? line);
  }
  return started;
}

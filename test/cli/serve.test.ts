// `selfware serve --stdio` ends with the exit code that the language server gives, and says so if it breaks off.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;
beforeAll(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'a\n' });
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

/** The command, and what it has written to standard error. */
function serve() {
  const child = spawn(process.execPath, [cliEntry, 'serve', '--stdio'], {
    env: { PATH: process.env.PATH, HOME: selfware.home, SELFWARE_HOME: selfware.home, ...sharedCode },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => (errors += String(data)));
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const closed = once(child, 'close');
  return { child, send, end: async () => ({ code: (await closed)[0] as number, errors }) };
}

/** Starts the server and waits for its first answer. */
async function initialized() {
  const served = serve();
  served.send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
  await once(served.child.stdout, 'data');
  return served;
}

test('a clean end gives 0', async () => {
  const { child, send, end } = await initialized();
  send({ id: 2, method: 'shutdown' });
  await once(child.stdout, 'data');
  send({ method: 'exit' });
  expect(await end()).toEqual({ code: 0, errors: '' });
});

test('`exit` without `shutdown` gives 1', async () => {
  const { send, end } = await initialized();
  send({ method: 'exit' });
  expect((await end()).code).toBe(1);
});

test('a server that is killed is reported', async () => {
  const { child, end } = await initialized();
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL');
  const { code, errors } = await end();
  expect(code).toBe(2);
  expect(errors).toContain('The language server crashed (SIGKILL).');
});

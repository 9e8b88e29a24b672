// A person's command and address, with real processes and a real server.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendNoticeByAddress, sendNoticeByCommand } from '../../../server/src/adapters/run/sendNotice.ts';

const notice = { version: 1, text: 'It\'s "quoted"; $(touch x)' };
const { signal } = new AbortController();

let folder: string;
let server: Server;
let answers: number[] = [];
let requests: { readonly type: string | undefined; readonly body: string }[] = [];
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=hunter2`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-tell-'));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      requests.push({ type: request.headers['content-type'], body });
      const status = answers.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end('no');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test('a command reads the JSON on its input, in the home folder', async () => {
  const env = { ...process.env, TOLD: join(folder, 'told') };
  expect(await sendNoticeByCommand('cat > "$TOLD"; pwd >> "$TOLD"', notice, { env, signal })).toBeNull();
  const [line, where] = (await readFile(join(folder, 'told'), 'utf8')).trim().split('\n');
  expect(JSON.parse(line!)).toEqual(notice);
  expect(where).toBe(homedir());
});

test('a command that fails, does not exist or reads nothing is a sentence, and never an exception', async () => {
  const { env } = process;
  expect(await sendNoticeByCommand('exit 3', notice, { env, signal })).toBe('It ended with the code 3.');
  expect(await sendNoticeByCommand('/no/such/program', notice, { env, signal })).toMatch(
    /^It ended with the code 12\d\.$/,
  );
  expect(await sendNoticeByCommand('true', { text: 'x'.repeat(1_000_000) }, { env, signal })).toBeNull();
});

test('a command that does not end is ended with its children when the run ends', async () => {
  const ending = new AbortController();
  const pidFile = join(folder, 'pid');
  const telling = sendNoticeByCommand(`sleep 1000 & echo $! > ${pidFile}; wait`, notice, {
    env: process.env,
    signal: ending.signal,
  });
  let pid = '';
  while (pid === '')
    pid = await readFile(pidFile, 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
  ending.abort();
  expect(await telling).toBe('The run was ended.');
  await expect.poll(() => isRunning(Number(pid))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([
  { what: 'one that answers', statuses: [204], failure: null, tries: 1 },
  { what: 'one that is busy, then answers', statuses: [503, 429, 200], failure: null, tries: 3 },
  { what: 'one that stays broken', statuses: [500, 500, 500], failure: 'It answered with the status 500.', tries: 3 },
  { what: 'one that refuses', statuses: [404], failure: 'It answered with the status 404.', tries: 1 },
  { what: 'one that leads elsewhere', statuses: [302, 302, 302], failure: 'It could not be reached.', tries: 3 },
])('an address is told: $what', async ({ statuses, failure, tries }) => {
  answers = [...statuses];
  requests = [];
  expect(await sendNoticeByAddress(address(), notice, signal, [1, 1])).toBe(failure);
  expect(requests).toHaveLength(tries);
  expect(requests[0]).toEqual({ type: 'application/json', body: JSON.stringify(notice) });
});

test('an address that nobody listens on is a sentence without the address; one in clear text is not tried', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const failure = await sendNoticeByAddress(`http://127.0.0.1:${port}/hunter2`, notice, signal, [1]);
  expect(failure).toBe('It could not be reached (ECONNREFUSED).');
  expect(await sendNoticeByAddress('http://chat.example/hunter2', notice, signal)).toMatch(
    /^It must begin with https:/,
  );
});

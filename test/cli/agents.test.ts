// A coding agent by the real command line: from a failing test to a verified proposal.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const FILES = {
  'package.json': manifestOf('rate'),
  'src/rate.mjs': 'export function rate(value) {\n  return value / 10;\n}\n',
  'test/rate.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rate } from '../src/rate.mjs';
test('a rate is per cent', () => assert.equal(rate(100), 1));
`,
};
const AGENT = `import fs from 'node:fs';
if (!fs.readFileSync(0, 'utf8').includes('a rate is per cent')) process.exit(1);
fs.writeFileSync('src/rate.mjs', fs.readFileSync('src/rate.mjs', 'utf8').replace('/ 10;', '/ 100;'));
console.log('A rate is per cent.');
`;

/** The same by the Agent Client Protocol: it edits by request. */
const ACP_AGENT = `import readline from 'node:readline';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
let task;
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
  if (method === 'session/new') send({ id, result: { sessionId: 's' } });
  if (method === 'session/prompt' && params.prompt[0].text.includes('a rate is per cent')) {
    task = id;
    const content = 'export function rate(value) {\\n  return value / 100;\\n}\\n';
    send({ id: 1, method: 'fs/write_text_file', params: { sessionId: 's', path: process.cwd() + '/src/rate.mjs', content } });
  }
  if (method === undefined && id === 1) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'A rate is per cent.' } };
    send({ method: 'session/update', params: { sessionId: 's', update } });
    send({ id: task, result: { stopReason: 'end_turn' } });
  }
});
`;

let repository: TemporaryRepository;
let line: CommandLine;
let programs: string;
beforeEach(async () => {
  repository = await createTemporaryRepository(FILES);
  line = await createCommandLine(repository.dir);
  programs = await mkdtemp(join(tmpdir(), 'selfware-programs-'));
  await writeFile(join(programs, 'agent.mjs'), AGENT);
  await writeFile(join(programs, 'acp.mjs'), ACP_AGENT);
});
afterEach(async () => {
  for (const one of [repository, line]) await one.dispose();
  await rm(programs, { recursive: true, force: true });
});
const settings = (commands: unknown, others: object = {}) =>
  writeFile(join(line.home, 'settings.json'), JSON.stringify({ 'models.commands': commands, ...others }));

thoroughTest('an agent of the person fixes a failing test, and the proposal is verified', async () => {
  await settings({ own: `node ${join(programs, 'agent.mjs')}` });
  const { value: models } = await line.json<{ id: string; local: boolean; available: boolean }[]>(['models']);
  expect(models).toContainEqual(expect.objectContaining({ id: 'command:own', local: true, available: true }));
  const { value } = await line.json(['propose', '--fix', '--proposer', 'command:own']);
  expect(value).toMatchObject({
    author: 'agent',
    status: 'verified',
    claimed: 'fix',
    title: 'The agent says: “A rate is per cent.”',
    edits: [{ path: 'src/rate.mjs' }],
  });
  expect(await repository.read('src/rate.mjs')).toBe(FILES['src/rate.mjs']);
});

thoroughTest('an agent that speaks the protocol does, too, asked by the role of the task', async () => {
  const command = `node ${join(programs, 'acp.mjs')}`;
  await settings({ spoken: { command, protocol: 'acp' } }, { 'models.roles.reasoning': 'command:spoken' });
  const { value } = await line.json<{ id: string }>(['propose', '--fix', '--proposer', 'role:auto']);
  expect(value).toMatchObject({
    author: 'agent',
    status: 'verified',
    title: 'The agent says: “A rate is per cent.”',
    edits: [{ path: 'src/rate.mjs' }],
  });
  const again = await line.run(['propose', '--fix', '--proposer', 'role:auto']);
  expect(again.stdout).toContain(value.id);
  expect(again.stderr).toContain('was already waiting, so nobody was asked');
  const { value: events } = await line.json<{ type: string; data: unknown }[]>(['ledger', 'query', '--type', 'asked']);
  expect(events.map(({ data }) => data)).toEqual([expect.objectContaining({ proposer: 'command:spoken' })]);
});

test('code goes to the hosts of an agent only after a person has agreed, and these are named', async () => {
  const hosts = ['api.agent.example', 'login.agent.example'];
  await settings({ far: { command: `node ${join(programs, 'agent.mjs')}`, hosts } });
  const { code, stderr } = await line.run(['propose', '--fix', '--proposer', 'command:far']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('To send all files of this repository to api.agent.example, login.agent.example');
});

test('a repository names no agent', async () => {
  await mkdir(join(repository.dir, '.selfware'));
  await repository.write(
    '.selfware/settings.json',
    JSON.stringify({ 'models.commands': { theirs: `node ${join(programs, 'agent.mjs')}` } }),
  );
  const { code, stderr } = await line.run(['propose', '--fix', '--proposer', 'command:theirs']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('There is no command theirs.');
});

test('what cannot be a command line is left out and told', async () => {
  await settings({ bad: { command: 'agent', hosts: ['http://127.0.0.1:80'] } });
  const { stdout, stderr } = await line.run(['doctor']);
  expect(stdout + stderr).toContain('selfware.models.commands');
  expect((await line.run(['propose', '--fix', '--proposer', 'command:bad'])).stderr).toContain(
    'There is no command bad.',
  );
});

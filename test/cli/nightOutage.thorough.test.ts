// A run whose model cannot be reached for a while, or whose budget is used up: its wishes wait, and are done later.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const WISHES = ['Round up in half: 49.5 counts as 50.', 'Round up in double: 49.5 counts as 50.'];
const NIGHT = ['night', '--for', '1h', '--set', 'night.searchFurther=false'];
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository(gradesProject(['double', 'half']));
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  for (const wish of WISHES) await selfware.run(['tonight', 'add', wish]);
});
afterEach(async () => {
  await selfware.dispose();
  await repository.dispose();
});

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The edits that do the wish about this function. */
function editsFor(name: string): readonly object[] {
  const test = [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    `import { ${name} } from '../src/${name}.js';`,
    `test('49.5 counts as 50 in ${name}', () => assert.strictEqual(${name}(49.5), 'B'));`,
    '',
  ].join('\n');
  return [
    { file: `src/${name}.js`, search: 'value >= half', replace: 'Math.ceil(value) >= half' },
    { file: `test/${name}Rounding.test.js`, content: test },
  ];
}

/** Listens as Ollama on this port, and answers each question with the edits for the function that it is about. */
async function serveModel(port: number) {
  const server = createServer(async (request, response) => {
    if (request.url === '/api/show') return response.end('{}');
    let body = '';
    for await (const part of request) body += part;
    const name = body.includes(WISHES[0]!) ? 'half' : 'double';
    const content = JSON.stringify({ description: `Round up in ${name}`, edits: editsFor(name) });
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ model: 'small', message: { content }, done: false })}\n`);
    const end = { model: 'small', message: { content: '' }, done: true, done_reason: 'stop' };
    response.end(`${JSON.stringify({ ...end, prompt_eval_count: 1000, eval_count: 100 })}\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const queue = async () => (await selfware.json(['tonight'])).value;
const newest = async () => (await selfware.json(['report', '--all'])).value.at(-1);

test('wishes wait while the model cannot be reached, and are done once it can be', async () => {
  const port = await freePort();
  const proposer = ['--proposer', `ollama:small@http://127.0.0.1:${port}`];
  await selfware.start([...NIGHT, ...proposer], 'It looks again at');
  // The second wish waits for the same reason, without a question of its own.
  const waiting = await queue();
  expect(waiting).toMatchObject([{ tries: [{ retryAt: expect.any(Number) }] }, { tries: [{}] }]);
  expect(waiting.map(({ tries }: { tries: object[] }) => tries.length)).toEqual([1, 1]);
  const server = await serveModel(port);
  await expect.poll(queue, { timeout: 240_000, interval: 1_000 }).toEqual([]);
  // The one that was not asked yet may come first.
  const wishes = (await newest()).wishes.toSorted(
    (a: { text: string }, b: { text: string }) => WISHES.indexOf(a.text) - WISHES.indexOf(b.text),
  );
  expect(wishes).toMatchObject(WISHES.map((text) => ({ text, done: true, postponed: {} })));
  const report = (await selfware.run(['report'])).stdout;
  expect(report).toContain('done. It has waited, because nobody could be asked');
  expect(report).toMatch(/questions to models cost .*tokens to ask/);
  const { value } = await selfware.json(['ledger', 'query', '--type', 'answered']);
  const outcomes = value.map(({ data }: { data: { outcome: string; outage?: object } }) => [
    data.outcome,
    data.outage !== undefined,
  ]);
  expect(outcomes[0]).toEqual(['failed', true]);
  expect(outcomes.slice(-2)).toEqual([
    ['proposed', false],
    ['proposed', false],
  ]);
  server.close();
});

test('wishes for which the budget is not enough wait for another run, and do not count as tried', async () => {
  // Its question alone has more tokens than the day.
  await selfware.run(['tonight', 'add', `Round up. ${'This is what it is about. '.repeat(140)}`]);
  await selfware.run(['tonight', 'first', '3']);
  const budget = ['--set', 'models.tokensPerDay=1000', '--no-wait'];
  const { code } = await selfware.run([...NIGHT, '--proposer', 'ollama:small@http://127.0.0.1:9', ...budget]);
  expect(code).toBe(0);
  expect((await selfware.run(['tonight'])).stdout).toContain('waits, because nobody could be asked: 0 of 1,000 tokens');
  expect((await newest()).wishes[0]).toMatchObject({ done: false, retryAt: null });
  expect((await selfware.run(['report'])).stdout).toContain('waits, because nobody could be asked. The next run');
});

test('a run asks nobody once a person has withdrawn their consent, and its wishes wait', async () => {
  const port = await freePort();
  // Ollama on this machine would forward it to ollama.com.
  await selfware.start([...NIGHT, '--proposer', `ollama:small-cloud@http://127.0.0.1:${port}`], 'It looks again at');
  expect((await selfware.run(['models', 'withdraw', 'ollama.com'])).code).toBe(0);
  const server = await serveModel(port);
  const asked: string[] = [];
  server.on('request', ({ url }) => asked.push(url ?? ''));
  const unagreed = { retryAt: null, reason: 'Code would go to ollama.com, and nobody has agreed to that.' };
  await expect
    .poll(async () => (await queue()).map(({ tries }: { tries: object[] }) => tries.at(-1)), {
      timeout: 240_000,
      interval: 1_000,
    })
    .toMatchObject([unagreed, unagreed]);
  expect(asked.filter((url) => url === '/api/chat')).toEqual([]);
  server.close();
});

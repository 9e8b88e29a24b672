// Agents with Selfware's MCP server, in the enclosure: what its tools tell, how a change is proposed, what is refused,
// and how those are bounded that call without end.

import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOOL_LIMITS, type ToolLimits } from '../../../server/src/adapters/agents/tools/toolBroker.ts';
import type { AgentWork } from '../../../server/src/core/ports/agentTools.ts';
import { fingerprint, never } from '../sandbox/sandboxOf.ts';
import { askByAcp } from './acpAgent.ts';
import { FILES, put, type Asking } from './agentWorld.ts';
import { createToolWorld, type ToolWorld } from './toolWorld.ts';

const KEY = `AKIA${'IOSFODNN7EXAMPLE'}`;
const REPOSITORY = {
  ...FILES,
  '.gitignore': 'dist/\n.env\n',
  'src/price.mjs':
    `import { rate } from './rate.mjs';\n\n/** The price with its rate. */\nexport const priceOf = (value) ` +
    `=> value + rate(value);\n// ${KEY}\n`,
};

/** A client without a library, for the server that the agent was told of. */
const CLIENT = `
const { spawn } = await import('node:child_process');
const started = (program) => {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const open = new Map();
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    open.get(id)?.(result ?? { error });
  });
  const request = (method, params) => new Promise((resolve) => {
    open.set(open.size + 1, resolve);
    child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: open.size, method, params }) + '\\n');
  });
  const call = async (name, given) => {
    const { content, isError, error } = await request('tools/call', { name, arguments: given });
    return error ? { failed: true, text: error.message } : { failed: isError === true, text: content[0].text };
  };
  const initialize = () => request('initialize', {
    protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' },
  });
  return { child, request, call, initialize };
};
const keep = (name, value) => fs.writeFileSync(name, JSON.stringify(value));
`;
const CONNECT = `const { child, request, call, initialize } = started(mcpServers[0].command);
const { instructions, capabilities } = await initialize();`;
const EDIT = { file: 'src/rate.mjs', search: '/ 10', replace: '/ 100' };
const PROPOSED = {
  path: 'src/rate.mjs',
  before: FILES['src/rate.mjs'],
  after: FILES['src/rate.mjs'].replace('/ 10', '/ 100'),
};

/** Has an agent work with the tools. */
const work = ({ tools, ...world }: ToolWorld, body: string, limits: ToolLimits = TOOL_LIMITS, more: Asking = {}) =>
  askByAcp(world, `${CONNECT}\n${body}`, { tools: { ...tools, limits }, seconds: 120, ...more }, CLIENT);

/** The copy of an agent that reads and proposes nothing. */
const noWork: AgentWork = { read: async () => null, readOriginal: async () => null, propose: async () => null };

/** The number of events, without the records of calls. */
const eventsOf = async ({ session }: ToolWorld) =>
  (await session.ledger.query({})).filter(({ type }) => type !== 'feedbackRecorded').length;

test('it lists the tools, asks them, and proposes; nothing but the proposal is its answer', async () => {
  await using world = await createToolWorld(REPOSITORY);
  const before = await fingerprint(world.repository.dir);
  const events = await eventsOf(world);
  const body = `
const { tools } = await request('tools/list', {});
fs.writeFileSync('scratch.txt', 'mine\\nyours\\n');
const told = {
  offered: tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
  search: await call('search', { query: 'price with its rate' }),
  context: await call('context', { task: 'make the price exact' }),
  graph: await call('graph', { question: 'dependents', target: 'src/rate.mjs' }),
  opportunities: await call('opportunities', {}),
  metrics: await call('metrics', {}),
  own: await call('read_file', { path: 'scratch.txt', line: 2, limit: 1 }),
  missing: await call('read_file', { path: 'gone.txt' }),
};
const first = await call('propose', { title: 'Break the rate.', edits: [{ file: 'new.txt', content: 'x' }] });
const second = await call('propose', { title: 'Make the rate exact.', edits: [${JSON.stringify(EDIT)}] });
console.error(JSON.stringify({ ...told, first, second }));
await new Promise((resolve) => process.stderr.write('', resolve));`;
  const { edits, text } = await work(world, `${body} say('Done.');`);
  expect([edits, text]).toEqual([[PROPOSED], 'Make the rate exact.']);
  expect(await fingerprint(world.repository.dir)).toEqual(before);
  expect(await eventsOf(world)).toBe(events);
  // What was called and whether it worked is feedback, without what was asked.
  const { tools: calls, failures } = await world.session.learned.analyseFeedback(never);
  expect(calls).toContainEqual({ dimension: 'tool:search', calls: 1, failures: 0 });
  expect(calls).toContainEqual({ dimension: 'tool:read_file', calls: 2, failures: 1 });
  expect(failures).toMatchObject([{ dimension: 'tool:read_file', note: null }]);
  // Without a proposal, the tree is the answer, and in it what the tools have said.
  const { edits: told } = await work(
    world,
    body.replace(/const first[\s\S]*/, "fs.rmSync('scratch.txt'); keep('told.json', told);"),
  );
  const answers = JSON.parse(told![0]!.after!);
  expect(answers.offered).toEqual([
    ...['search', 'context', 'graph', 'opportunities', 'metrics', 'read_file'].map((name) => [name, true]),
    ['propose', false],
  ]);
  for (const name of ['search', 'context']) {
    expect(answers[name]).toMatchObject({ failed: false, text: expect.stringContaining('src/price.mjs') });
    expect(answers[name].text).not.toContain(KEY);
  }
  expect(answers.search.text).toContain('[redacted:');
  expect(answers.graph.text).toContain('src/price.mjs');
  expect(answers.opportunities.failed || answers.metrics.failed).toBe(false);
  expect(answers.own).toEqual({ failed: false, text: 'Lines 2 to 2 of 3:\n```\nyours\n```' });
  expect(answers.missing.failed).toBe(true);
});

test('what is not offered is refused: other tools, other places, files that it did not get', async () => {
  await using world = await createToolWorld(REPOSITORY);
  const canary = await put(world.outside, 'canary.txt', 'sings');
  await put(world.repository.dir, '.env', 'PASSWORD=tulip\n');
  const before = await fingerprint(world.repository.dir);
  const events = await eventsOf(world);
  const { edits } = await work(
    world,
    `
const answers = [];
for (const name of ['apply', 'roll_back', 'propose_patch', 'propose_improvement', 'verify', 'status', 'inbox',
  'self_improve', 'feedback_record', 'no such', '__proto__', 'constructor'])
  answers.push(await call(name, { action: 'run', name: 'x', proposal: 'p', title: 't', edits: [${JSON.stringify(EDIT)}] }));
for (const path of [${JSON.stringify(canary)}, '../../canary.txt', '/etc/passwd', '.git/../../../x', '.env'])
  answers.push(await call('read_file', { path }));
fs.symlinkSync(${JSON.stringify(canary)}, 'link');
answers.push(await call('read_file', { path: 'link' }));
fs.rmSync('link');
const edits = [
  { file: ${JSON.stringify(canary)}, content: 'broken' }, { file: '../canary.txt', content: 'broken' },
  { file: '.git/config', content: 'broken' }, { file: 'dist/made.js', content: 'made' },
  { file: 'node_modules/a/index.js', content: 'made' }, { file: 'src/rate.mjs', search: 'not there', replace: '' },
  { file: 'src/large.mjs', content: 'x'.repeat(1024 * 1024 - 1) + '€' }, { file: 'src/rate.mjs' },
];
for (const edit of edits) answers.push(await call('propose', { title: 'Break it.', edits: [edit] }));
answers.push(await call('propose', { title: 'Break it.', edits: [] }), await call('propose', 7), await call('search', {}));
// Whether a text stands in a file that it did not get makes no difference.
const probed = [];
for (const search of ['tulip', 'rose'])
  probed.push((await call('propose', { title: 'Probe.', edits: [{ file: '.env', search, replace: 'x' }] })).text);
keep('answers.json', { allowed: answers.filter(({ failed }) => !failed), same: probed[0] === probed[1], probed });`,
  );
  const { allowed, same, probed } = JSON.parse(edits![0]!.after!);
  expect([edits!.length, allowed, same]).toEqual([1, [], true]);
  expect(probed[0]).toContain('does not exist or cannot be read');
  expect(await readFile(canary, 'utf8')).toBe('sings');
  expect(await fingerprint(world.repository.dir)).toEqual(before);
  expect(await eventsOf(world)).toBe(events);
});

test('a context shows no file that is not indexed, whatever it is asked for', async () => {
  await using world = await createToolWorld({ ...REPOSITORY, 'notes.txt': 'canary of the open file\n' });
  const { repository, session, tools } = world;
  session.tasks.lookAt('notes.txt');
  const active_files = ['src/rate.mjs', '.env', '.git/config', 'certs/dev.key', 'notes.txt'];
  const context = await session.tasks.context({ task: 'x', taskType: 'Debugging', activeFiles: active_files }, never);
  // From now on git ignores a file that is still open in the editor.
  await put(repository.dir, '.gitignore', 'dist/\n.env\ncerts/\nnotes.txt\n');
  await put(repository.dir, '.env', 'SESSION_SECRET=canary\n');
  await put(repository.dir, 'certs/dev.key', 'canary\n');
  await repository.git('rm', '--cached', '-q', 'notes.txt');
  await repository.git('config', 'remote.origin.url', 'https://canary@example.com/x');
  await session.memory.index({ signal: never });
  const { call } = await tools.open();
  const { text, failed } = await call('context', { task: 'the rate', active_files }, noWork, never);
  expect([failed, text.includes('value / 10')]).toEqual([false, true]);
  expect(text).not.toMatch(/canary|dev\.key/);
  // Nor is it read for a pack that was made before.
  expect(await session.tasks.render(context, never)).toContain('canary');
  expect(await session.tasks.render(context, never, { onlyIndexed: true })).not.toContain('canary');
});

test('calls without end are bounded in number, size and time, and the work is taken all the same', async () => {
  await using world = await createToolWorld(REPOSITORY);
  await put(world.repository.dir, 'src/large.mjs', `export const all = [\n${"  'word',\n".repeat(100_000)}];\n`);
  const limits = { ...TOOL_LIMITS, calls: 60, requestBytes: 100_000, idleMs: 2_000 };
  const { edits } = await work(
    world,
    `
const net = await import('node:net');
// The broker's own socket, without the server of the protocol.
const socket = fs.readFileSync(mcpServers[0].command, 'utf8').match(/'([^']*selfware-tools)'/)[1];
process.chdir(socket.slice(0, socket.lastIndexOf('/')));
const spoken = (text) => new Promise((resolve) => {
  let answer = '';
  const connection = net.connect('./selfware-tools', () => text === null || connection.end(text));
  connection.on('error', () => {}).on('data', (part) => (answer += part)).on('close', () => resolve(answer));
});
const large = await call('read_file', { path: 'src/large.mjs' });
const odd = await Promise.all([spoken('{'), spoken('7'), spoken('{"tool":7}'), spoken('x'.repeat(200_000)), spoken(null)]);
const rest = await Promise.all(Array.from({ length: 300 }, () => spoken('{"tool":"read_file","input":{"path":"src/rate.mjs"}}')));
const late = await call('read_file', { path: 'src/rate.mjs' });
process.chdir(${JSON.stringify('TREE')});
keep('seen.json', {
  large: large.text.length, odd: odd.map((text) => text && JSON.parse(text).failed),
  answered: rest.filter((text) => text !== '').length, late,
});`
      .replace('const net', 'const tree = process.cwd(); const net')
      .replace('process.chdir("TREE")', 'process.chdir(tree)'),
    limits,
  );
  const { large, odd, answered, late } = JSON.parse(edits!.find(({ path }) => path === 'seen.json')!.after!);
  expect(large).toBeLessThan(80_000);
  expect(odd).toEqual([true, true, true, '', '']);
  expect(answered).toBeLessThan(limits.calls);
  expect(late).toMatchObject({ failed: true, text: expect.stringContaining('too many calls') });
});

test('a change that no longer fits the user’s file is refused, by name', async () => {
  await using world = await createToolWorld(REPOSITORY);
  // Output is reported regularly, also before there is any. The tool refuses the same edit once the user has edited.
  const { edits, refused } = await work(
    world,
    `const propose = () => call('propose', { title: 'Exact.', edits: [${JSON.stringify(EDIT)}] });
const { failed, text } = await propose();
say(failed ? text : 'Proposed.');
while (!(await propose()).failed) await new Promise((resolve) => setTimeout(resolve, 200));`,
    TOOL_LIMITS,
    {
      onText: (characters) => {
        if (characters > 0) writeFileSync(join(world.repository.dir, 'src/rate.mjs'), 'mine\n');
      },
    },
  );
  expect([edits, refused]).toEqual([undefined, 'src/rate.mjs has been edited here meanwhile.']);
});

test('an agent on its command line is given the server as a program, and in a file', async () => {
  await using world = await createToolWorld(REPOSITORY);
  const { edits, text } = await world.ask(
    `import fs from 'node:fs'; import readline from 'node:readline';${CLIENT}
const [server, config] = process.argv.slice(2);
const { command, args } = JSON.parse(fs.readFileSync(config, 'utf8')).mcpServers.selfware;
if (command !== server || args.length !== 0) throw new Error('Two servers.');
const { call, initialize, child } = started(server);
await initialize();
await call('propose', { title: 'Make the rate exact.', edits: [${JSON.stringify(EDIT)}] });
child.stdin.end();`,
    { tools: world.tools, words: '{mcpServer} {mcpConfig}', seconds: 120 },
  );
  expect([edits, text]).toEqual([[PROPOSED], 'Make the rate exact.']);
});

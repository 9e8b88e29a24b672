// Agents that speak the Agent Client Protocol, in the enclosure: what they write by request or themselves, what they
// are refused, and how those are ended that flood, loop, break the protocol or never answer.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agent, methods, PROTOCOL_VERSION, type AnyMessage } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { runConversation, DEFAULT_LIMITS } from '../../../server/src/adapters/agents/acp/conversation.ts';
import { decidePermission } from '../../../server/src/adapters/agents/acp/permission.ts';
import { fingerprint, livingIn } from '../sandbox/sandboxOf.ts';
import { askByAcp as ask } from './acpAgent.ts';
import { createAgentWorld, FILES, put } from './agentWorld.ts';

const FIXED = { path: 'src/rate.mjs', before: FILES['src/rate.mjs'], after: 'fixed\n' };
const FIX = "await write(process.cwd() + '/src/rate.mjs', 'fixed\\n');";

test('what it asks to write and what it writes itself are one change, and each sees the other', async () => {
  await using world = await createAgentWorld();
  const reply = await ask(
    world,
    `say('Looking.'); call();
${FIX}
fs.writeFileSync('own.txt', fs.readFileSync('src/rate.mjs', 'utf8'));
const { content } = await read(process.cwd() + '/own.txt');
const { content: second } = await read('src/rate.mjs', { line: 1, limit: 1 });
await write('new/deep/told.txt', JSON.stringify([prompt, content, second, Object.keys(process.env).includes('SECRET')]));
say('The rate '); say('is exact.\\n\\nMore.');`,
    { prompt: 'Make it exact.', env: { PATH: process.env['PATH'], SECRET: 'x' } },
  );
  expect(reply).toMatchObject({
    edits: [
      {
        path: 'new/deep/told.txt',
        before: null,
        after: JSON.stringify(['Make it exact.', 'fixed\n', 'fixed\n', false]),
      },
      { path: 'own.txt', before: null, after: 'fixed\n' },
      FIXED,
    ],
    text: 'The rate is exact.',
    finished: true,
  });
  expect(await world.repository.read('src/rate.mjs')).toBe(FIXED.before);
});

test('the calls of tools that it reports are read, however it ends, and never their arguments', async () => {
  await using world = await createAgentWorld();
  const calls: unknown[] = [];
  const onToolCalls = async (reported: readonly unknown[]) => void calls.push(...reported);
  const body = `
const begin = (toolCallId, title, kind) => update({ sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'pending' });
const end = (toolCallId, status) => update({ sessionUpdate: 'tool_call_update', toolCallId, status });
begin('1', 'grep', 'search'); end('1', 'in_progress'); end('1', 'completed'); end('1', 'completed');
begin('2', 'cat /home/me/secret.txt', 'execute'); end('2', 'failed');
begin('3', 'rm -rf .', 'execute'); end('3', 'failed');
begin('4', 'grep', 'search');
update({ sessionUpdate: 'tool_call', toolCallId: '5', title: 'Thinks a while', status: 'completed' });
process.exit(7);`;
  await expect(ask(world, body, { onToolCalls })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(calls).toEqual([
    { tool: 'grep', failed: false, count: 1 },
    { tool: 'execute', failed: true, count: 2 },
    { tool: 'other', failed: false, count: 1 },
  ]);
});

test('places outside of the tree, links, terminals and unknown requests are refused; nothing outside changes', async () => {
  await using world = await createAgentWorld();
  const canary = await put(world.outside, 'canary.txt', 'sings');
  const before = await fingerprint(world.repository.dir);
  const { edits } = await ask(
    world,
    `fs.symlinkSync('/etc/passwd', 'link');
fs.symlinkSync('/etc', 'folder');
const options = ['reject_once', 'allow_always', 'allow_once'].map((kind) => ({ optionId: kind, name: kind, kind }));
const may = (toolCall) => ask('session/request_permission', { toolCall: { toolCallId: 't', ...toolCall }, options });
const answers = [
  await write(${JSON.stringify(canary)}, 'broken'), await write('../escaped.txt', 'broken'),
  await write('link', 'broken'), await write('folder/new.txt', 'broken'), await write('large', 'x'.repeat(2 << 20)),
  await write('src/rate.mjs/x', 'broken'),
  await read(${JSON.stringify(canary)}), await read('/etc/passwd'), await read('link'), await read('gone'),
  await ask('terminal/create', { command: 'touch', args: ['terminal.txt'] }), await ask('no/such', {}),
];
const told = await Promise.all([
  may({ kind: 'edit', locations: [{ path: process.cwd() + '/a.txt' }] }), may({ kind: 'fetch' }),
  may({ kind: 'edit', locations: [{ path: ${JSON.stringify(canary)} }] }),
]);
fs.rmSync('link'); fs.rmSync('folder');
fs.writeFileSync('seen.json', JSON.stringify([new Set(answers).size, answers[0], ...told.map(({ outcome }) => outcome.optionId)]));`,
  );
  expect(edits).toEqual([
    { path: 'seen.json', before: null, after: '[1,"refused","allow_once","reject_once","reject_once"]' },
  ]);
  expect(await readFile(canary, 'utf8')).toBe('sings');
  expect(await fingerprint(world.repository.dir)).toEqual(before);
});

test('a link that it has written itself refuses the answer', async () => {
  await using world = await createAgentWorld();
  const { edits, refused } = await ask(world, `${FIX} fs.symlinkSync('/etc/passwd', 'link');`);
  expect([edits, refused]).toEqual([undefined, expect.stringContaining('link is a link')]);
});

const LOOP = `for (let at = 0; at <= ${DEFAULT_LIMITS.calls}; at += 1) call();
await new Promise((resolve) => { cancelled = resolve; }); fs.writeFileSync('cancelled.txt', '');`;

test.each([
  ['sends a message without end', "for (;;) fs.writeSync(1, 'x'.repeat(1 << 20));", 'changed no file'],
  ['says nothing that it understands', "fs.writeSync(1, 'hello\\n{}\\n[]\\n'); process.exit(7);", 'changed no file'],
  ['ends early', 'process.exit(7);', 'changed no file'],
  ['refuses', "stopReason = 'refusal';", 'It stopped: refusal.'],
])('an agent that %s is ended, and told why', async (_what, body, why) => {
  await using world = await createAgentWorld();
  await expect(ask(world, body, { seconds: 120 })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(why),
  });
  expect(await livingIn(world.stateDir)).toEqual([]);
});

test.each([
  ['calls tools without end', LOOP, 'It was stopped after more than 500 calls of tools.'],
  ['refuses in the midst', "stopReason = 'refusal';", 'It stopped: refusal.'],
  ['has no more tokens', "stopReason = 'max_tokens';", 'It stopped: max_tokens.'],
  ['ends without an answer', 'process.exit(7);', 'It ended with 7 before it had answered.'],
])('of an agent that %s, nothing is taken, and the person is told why', async (_what, body, why) => {
  await using world = await createAgentWorld();
  const { edits, refused } = await ask(world, `${FIX} ${body}`);
  expect([edits, refused]).toEqual([undefined, expect.stringContaining('did not finish its change')]);
  expect(refused).toContain(why);
});

test('an agent that answers and ends at once has finished, even if it leaves a process that holds its pipe', async () => {
  await using world = await createAgentWorld();
  const body = `const { spawn } = await import('node:child_process');
spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: ['ignore', 1, 'ignore'], detached: true });
fs.writeFileSync('src/rate.mjs', 'fixed\\n');
process.nextTick(() => process.exit(0));`;
  expect((await ask(world, body)).edits).toEqual([FIXED]);
});

test('an answer counts even if the connection is closed right behind it', async () => {
  const [toAgent, toClient] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  const results: Record<string, object> = {
    [methods.agent.initialize]: { protocolVersion: PROTOCOL_VERSION },
    [methods.agent.session.new]: { sessionId: 's' },
    [methods.agent.session.prompt]: { stopReason: 'end_turn' },
  };
  const writer = toClient.writable.getWriter();
  const played = (async () => {
    for await (const message of toAgent.readable) {
      if (!('method' in message) || !('id' in message)) continue;
      void writer.write({ jsonrpc: '2.0', id: message.id, result: results[message.method]! } as AnyMessage);
      if (message.method === methods.agent.session.prompt) return writer.close();
    }
  })();
  const stream = { readable: toClient.readable, writable: toAgent.writable };
  const { signal } = new AbortController();
  expect(await runConversation(stream, { root: '/tree', prompt: 'Fix.', signal, onText: () => {} })).toEqual({
    text: '',
    stopReason: 'end_turn',
  });
  await played;
});

test('a file that is not UTF-8 is not read, because it would be written back with other bytes', async () => {
  await using world = await createAgentWorld();
  const { edits } = await ask(
    world,
    "fs.writeFileSync('latin1.txt', Buffer.from([0x67, 0xfc])); const seen = await read('latin1.txt');\nfs.rmSync('latin1.txt'); fs.writeFileSync('seen.txt', seen);",
  );
  expect(edits).toEqual([{ path: 'seen.txt', before: null, after: 'refused' }]);
});

test.each([
  ['messages', { messages: 3, calls: 9 }, 'more than 3 messages'],
  ['calls', { messages: 9, calls: 2 }, 'more than 2 calls of tools'],
])('with an agent of the official library: too many %s end the conversation', async (_what, limits, exceeded) => {
  const [toAgent, toClient] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  const cancelled = new AbortController();
  const connection = agent({ name: 'looping' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
    .onNotification(methods.agent.session.cancel, () => cancelled.abort())
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      for (let at = 0; at < 5; at += 1)
        await client.notify(methods.client.session.update, {
          sessionId: 's',
          update: { sessionUpdate: 'tool_call', toolCallId: `${at}`, title: 'Looks' },
        });
      if (!cancelled.signal.aborted) await once(cancelled.signal, 'abort');
      return { stopReason: 'cancelled' };
    })
    .connect({ readable: toAgent.readable, writable: toClient.writable });
  const stream = { readable: toClient.readable, writable: toAgent.writable };
  const { signal } = new AbortController();
  expect(await runConversation(stream, { root: '/tree', prompt: 'Loop.', signal, onText: () => {}, limits })).toEqual({
    text: '',
    stopReason: null,
    exceeded,
  });
  expect(cancelled.signal.aborted).toBe(true);
  connection.close();
});

test('an agent that never answers is ended at the deadline, or when the person cancels', async () => {
  await using world = await createAgentWorld();
  await expect(ask(world, 'await new Promise(() => {});', { seconds: 4 })).rejects.toMatchObject({
    reason: 'timedOut',
  });
  const cancelled = new AbortController();
  const answer = ask(world, "say('x'.repeat(100)); await new Promise(() => {});", {
    signal: cancelled.signal,
    onText: () => cancelled.abort(),
  });
  await expect(answer).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await livingIn(world.stateDir)).toEqual([]);
});

test('asked for a login, it is told to use its key if it offers that; else the person is told', async () => {
  await using world = await createAgentWorld();
  const locked = (id: string) => `let known = false;
broken = {
  'initialize': () => ({ result: { protocolVersion: 1, authMethods: [{ id: '${id}', name: 'Login' }] } }),
  'session/new': () => known ? { result: { sessionId: 's' } } : { error: { code: -32000, message: 'Log in.' } },
  'authenticate': ({ methodId }) => { known = methodId === 'gemini-api-key'; return { result: {} }; },
};`;
  expect((await ask(world, FIX, {}, locked('gemini-api-key'))).edits).toEqual([FIXED]);
  const several = locked('other-key').replace(
    "[{ id: 'other-key'",
    "[{ id: 'other-key', name: 'Other' }, { id: 'gemini-api-key'",
  );
  expect((await ask(world, FIX, {}, several)).edits).toEqual([FIXED]);
  await expect(ask(world, FIX, {}, locked('other-key'))).rejects.toMatchObject({
    message: expect.stringContaining('Log in.'),
  });
  await expect(ask(world, FIX, {}, locked('oauth-personal'))).rejects.toMatchObject({
    message: expect.stringContaining('log in with it once by hand, or set its key'),
  });
});

test('it is put into the mode in which it asks nobody, if it offers one', async () => {
  await using world = await createAgentWorld();
  const offering = (id: string) => `let mode = 'auto';
broken = {
  'session/new': () => ({ result: { sessionId: 's', modes: { currentModeId: 'auto', availableModes: [{ id: '${id}', name: 'Mode' }] } } }),
  'session/set_mode': ({ modeId }) => { mode = modeId; return { result: {} }; },
};`;
  for (const [offered, mode] of [
    ['bypassPermissions', 'bypassPermissions'],
    ['plan', 'auto'],
  ] as const) {
    const { edits } = await ask(world, "fs.writeFileSync('mode.txt', mode);", {}, offering(offered));
    expect(edits).toEqual([{ path: 'mode.txt', before: null, after: mode }]);
  }
});

test('a program that does not exist in the enclosure is told', async () => {
  await using world = await createAgentWorld();
  const words = join(world.outside, 'gone.mjs');
  await expect(world.ask('process.exit(9);', { protocol: 'acp', words })).rejects.toMatchObject({
    message: expect.stringMatching(/It ended with 9 before it had answered|closed/),
  });
});

test.each([
  ['allow_once', { kind: 'execute' }, ['allow_always', 'allow_once']],
  ['allow_always', {}, ['allow_always', 'reject_once']],
  ['reject_always', { kind: 'switch_mode' }, ['allow_once', 'reject_always']],
  ['reject_once', { locations: [{ path: '/tree/../other' }] }, ['allow_once', 'reject_once']],
  ['allow_once', { locations: [{ path: '/tree/..a/b' }, { path: 'c' }] }, ['allow_once', 'reject_once']],
  [undefined, { kind: 'fetch' }, ['allow_once']],
] as const)('permission: %s for %o', (chosen, call, kinds) => {
  const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = decidePermission({ toolCall: { toolCallId: 't', ...call } as never, options }, '/tree');
  expect(outcome).toEqual(chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen });
});

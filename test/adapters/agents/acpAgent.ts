// An agent that speaks the Agent Client Protocol, as the text of a program.

import type { AgentWorld, Asking } from './agentWorld.ts';

/** An agent without a library. It calls `work` with the task; `broken` answers a method in another way. */
const AGENT = `import fs from 'node:fs';
import readline from 'node:readline';
const waiting = new Map();
const send = (message) => fs.writeSync(1, JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const ask = (method, params) => new Promise((resolve) => {
  waiting.set(waiting.size, resolve);
  send({ id: waiting.size - 1, method, params: { sessionId: 's', ...params } });
});
const update = (given) => send({ method: 'session/update', params: { sessionId: 's', update: given } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const call = () => update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Looks' });
const write = (path, content) => ask('fs/write_text_file', { path, content });
const read = (path, more) => ask('fs/read_text_file', { path, ...more });
let broken = {};
let cancelled = () => {};
let stopReason = 'end_turn';
let mcpServers = [];
readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(error ? 'refused' : result);
  if (method === 'session/cancel') return cancelled();
  if (broken[method]) return send({ id, ...broken[method](params) });
  if (method === 'initialize') return send({ id, result: { protocolVersion: 1, authMethods: [{ id: 'api-key', name: 'Key' }] } });
  if (method === 'session/new') mcpServers = params.mcpServers;
  if (method === 'session/new') return send({ id, result: { sessionId: 's' } });
  if (method !== 'session/prompt') return send({ id, error: { code: -32601, message: 'No such method.' } });
  await work(params.prompt[0].text);
  send({ id, result: { stopReason } });
});
`;

/** Has an agent work whose work is `body`; `more` is put in front of it. */
export function askByAcp(world: AgentWorld, body: string, options: Asking = {}, more = '') {
  return world.ask(`${AGENT}${more}\nconst work = async (prompt) => { ${body} };`, { protocol: 'acp', ...options });
}

// Starts an agent with a model that this process plays: a server with OpenAI's Responses protocol on the loopback of
// the enclosure. It has the agent run one command by the agent's own tool, and then say what it has done. Usage: node
// peer.mjs COMMAND PROGRAM exec ARGUMENTS…

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [command, program, subcommand, ...args] = process.argv.slice(2);
/** How the agent names the tool that runs a command, by version. */
const CALLS = {
  exec_command: { cmd: command },
  shell_command: { command },
  shell: { command: ['bash', '-lc', command] },
};
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 12,
};

const server = createServer((question, answer) => {
  let body = '';
  question
    .on('data', (part) => (body += part))
    .on('end', () => {
      if (question.method === 'POST') return tell(answer, itemFor(JSON.parse(body)));
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}');
    });
});

function itemFor({ input = [], tools = [] }) {
  if (input.some(({ type }) => type.endsWith('output'))) {
    const content = [{ type: 'output_text', text: 'A rate is per cent.', annotations: [] }];
    return { type: 'message', id: 'm', role: 'assistant', content };
  }
  const tool = tools.find(({ name }) => name in CALLS)?.name ?? 'shell';
  return { type: 'function_call', id: 'f', call_id: 'c', name: tool, arguments: JSON.stringify(CALLS[tool]) };
}

function tell(answer, item) {
  const response = { id: 'r', object: 'response', status: 'completed', output: [item], usage: USAGE };
  const added = item.type === 'message' ? { ...item, content: [] } : item;
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: added },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ])
    answer.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  answer.end();
}

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const provider = [
    ...['-c', `model_providers.peer={name="peer",base_url="${url}",wire_api="responses"}`],
    ...['-c', 'model_provider="peer"', '-m', 'gpt-5'],
  ];
  const agent = spawn(program, [subcommand, ...provider, ...args], { stdio: 'inherit' });
  agent.on('exit', (code) => process.exit(code ?? 1));
});

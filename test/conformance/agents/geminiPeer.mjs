// Starts an agent with a model that this process plays: a server with Gemini's protocol on the loopback of the
// enclosure. The model has the agent replace a text in a file by the agent's own tool, or calls a tool again and again.
// Usage: node geminiPeer.mjs OLD NEW PROGRAM ARGUMENTS… (OLD = `loop`: without end)

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [before, after, program, ...args] = process.argv.slice(2);
const file = join(process.cwd(), 'src/rate.mjs');

const server = createServer((question, answer) => {
  let body = '';
  question
    .on('data', (part) => (body += part))
    .on('end', () => {
      if (question.url.includes('countTokens')) return tell(answer, { totalTokens: 10 });
      const reply = {
        candidates: [
          { content: { role: 'model', parts: [partFor(JSON.parse(body || '{}'))] }, finishReason: 'STOP', index: 0 },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
      };
      if (!question.url.includes('stream')) return tell(answer, reply);
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(reply)}\n\n`);
    });
});

let calls = 0;
function partFor({ contents = [], tools = [], generationConfig = {} }) {
  // The agent asks a smaller model which model should answer, and wants JSON.
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema;
  if (schema) return { text: JSON.stringify(filled(schema)) };
  const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
  const answered = contents.some(({ parts = [] }) => parts.some(({ functionResponse }) => functionResponse));
  if (before === 'loop')
    return {
      functionCall: { name: 'read_file', args: { file_path: file, start_line: (calls += 1), end_line: calls } },
    };
  if (answered || !names.includes('replace')) return { text: 'A rate is per cent.' };
  const call = { file_path: file, instruction: 'Make it exact.', old_string: before, new_string: after };
  return { functionCall: { name: 'replace', args: call } };
}

/** The least value that fits a schema. */
function filled(schema) {
  const type = String(schema?.type ?? '').toLowerCase();
  if (schema?.enum) return schema.enum[0];
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, filled(one)]));
  return { array: [], number: 1, integer: 1, boolean: false }[type] ?? 'x';
}

function tell(answer, value) {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

server.listen(0, '127.0.0.1', () => {
  const env = {
    ...process.env,
    GEMINI_API_KEY: 'peer',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${server.address().port}`,
  };
  const agent = spawn(program, args, { stdio: 'inherit', env });
  agent.on('exit', (code) => process.exit(code ?? 1));
});

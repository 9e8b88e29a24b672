// A small server with the protocols of Ollama and OpenAI, for the scenarios: it answers as a test says, and keeps what
// it was asked.

import { createServer } from 'node:http';

/**
 * `answer(text)`: the text of the answer to a question. Resolves with the server: its port, the questions with their
 * headers, and `close()`.
 */
export async function startModelServer(answer, port = 0) {
  const asked = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/api/tags') return response.end(JSON.stringify({ models: [{ name: 'steady' }] }));
    if (request.url === '/api/show') return response.end('{}');
    let body = '';
    for await (const piece of request) body += piece;
    // Something else on this machine looks for Ollama here.
    if (body === '') return response.writeHead(404).end();
    const question = JSON.parse(body)
      .messages.map(({ content }) => content)
      .join('\n');
    asked.push({ question, headers: request.headers });
    const content = answer(question);
    if (request.url === '/api/chat') {
      response.write(`${JSON.stringify({ model: 'steady', message: { content } })}\n`);
      return response.end(`${JSON.stringify({ model: 'steady', done: true, done_reason: 'stop' })}\n`);
    }
    const send = (choice) =>
      response.write(`data: ${JSON.stringify({ id: 'c', model: 'steady', choices: [{ index: 0, ...choice }] })}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send({ delta: { content } });
    send({ delta: {}, finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  });
  await new Promise((done, failed) =>
    server
      .once('error', (cause) =>
        failed(
          cause.code === 'EADDRINUSE'
            ? new Error(`Port ${port} is taken, for instance by Ollama: stop what listens there, and run again.`, {
                cause,
              })
            : cause,
        ),
      )
      .listen(port, '127.0.0.1', done),
  );
  return { asked, port: server.address().port, close: () => new Promise((done) => server.close(done)) };
}

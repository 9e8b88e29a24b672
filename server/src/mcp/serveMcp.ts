// Serves the Model Context Protocol over standard input and output, for one repository. The server answers immediately,
// while the repository is still being opened.

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { describeError } from '../util/typedError.ts';
import { createMcpServer } from './mcpServer.ts';
import { createHeldSession, type OpenSession } from './lastingSession.ts';
import { createJudgements, type ChangeJudge } from '../tools/judgements.ts';
import type { ToolCall } from '../tools/tool.ts';
import type { Log } from '../core/ports/system.ts';

/**
 * Maximum number of bytes of a message. A request may contain a whole patch, but no valid request is larger than this.
 */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** What the server needs from the process in which it runs. */
export interface McpOptions {
  readonly version: string;
  /** The folder of the rules. It contains the page of each rule as `ID/rule.md`. */
  readonly rulesDir: string;
  readonly log: Log;
  /** Opens the session, and closes it when its callback ends. */
  readonly openSession: OpenSession;
  /** Judges changes of the repository. */
  readonly judge: ChangeJudge;
  /** The server ends when this signal is aborted. */
  readonly signal: AbortSignal;
}

/** Runs the server. Resolves when the client has disconnected or the signal is aborted, and the session is closed. */
export async function serveMcp({ version, rulesDir, log, openSession, judge, signal }: McpOptions): Promise<void> {
  // Standard output is reserved for the protocol.
  console.log = console.info = console.debug = console.error;
  const heldSession = createHeldSession(openSession, log);
  const judgements = createJudgements();
  const judgeChange: ToolCall['judgeChange'] = (request, options) => judgements.ask(request, judge, options);
  const whenEnded = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, resolve);
    process.stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(() => createMcpServer({ version, rulesDir, log, held: heldSession, judgeChange }), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
    onerror: (error) => log.write('info', `A message of the client could not be used: ${describeError(error)}`),
  });
  heldSession.warmUp();
  await whenEnded;
  await handle.close();
  await judgements.close();
  await heldSession.close();
}

// Answers an agent's calls of tools, on a socket in the temporary folder of its enclosure. A connection carries one
// call and one answer, as JSON. The protocol that agents speak (MCP) is spoken inside the enclosure, by `main.ts`.

import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../../../util/typedError.ts';
import type { AgentAnswer, AgentTools, AgentWork } from '../../../core/ports/agentTools.ts';
import type { Log } from '../../../core/ports/system.ts';
import { listenInFolder } from '../../packages/networkGate.ts';

/** Name of the socket in the folder of the broker. */
export const TOOLS_SOCKET = 'selfware-tools';

/** Limits on the calls of one agent. */
export interface ToolLimits {
  /** Maximum number of calls. After the last one, no further connection is accepted. */
  readonly calls: number;
  /** Maximum number of bytes of one call, which may contain a whole change. */
  readonly requestBytes: number;
  /** Maximum number of connections that are open at the same time. Their calls are answered one after the other. */
  readonly openCalls: number;
  /** Milliseconds of silence after which a connection is closed while its call arrives or its answer is read. */
  readonly idleMs: number;
  /** Maximum number of milliseconds for one answer. */
  readonly answerMs: number;
}

/** The limits unless the caller sets others. */
export const TOOL_LIMITS: ToolLimits = {
  calls: 500,
  requestBytes: 8 * 1024 * 1024,
  openCalls: 8,
  idleMs: 10_000,
  answerMs: 60_000,
};

/** The tools of an agent, and the limits on their use. */
export interface BrokerOptions {
  readonly tools: AgentTools;
  readonly work: AgentWork;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Default: `TOOL_LIMITS`. */
  readonly limits?: ToolLimits;
}

/**
 * Opens the broker, which listens on the socket `TOOLS_SOCKET` in `folder`. When it is disposed of, it ends all calls
 * and closes the socket.
 */
export async function openToolBroker(folder: string, options: BrokerOptions): Promise<AsyncDisposable> {
  const { limits = TOOL_LIMITS, log, signal } = options;
  const closeController = new AbortController();
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  let lastCall: Promise<unknown> = Promise.resolve();
  // The client ends its half when the call is complete.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.setTimeout(limits.idleMs, () => socket.destroy());
    countConnection();
    collectText(socket, limits.requestBytes, (request) => {
      // A call that waits for its turn is not idle.
      socket.setTimeout(0);
      lastCall = lastCall.then(async () => {
        if (socket.destroyed) return;
        const answer = await computeAnswer(request, AbortSignal.any([signal, closeController.signal]));
        socket.setTimeout(limits.idleMs, () => socket.destroy());
        socket.end(JSON.stringify(answer));
      });
    });
  });
  server.maxConnections = limits.openCalls;
  server.on('drop', countConnection);
  server.on('error', (error) => log.write('debug', `The tools of an agent failed: ${describeError(error)}`));
  const folderHandle = await listenInFolder(folder, TOOLS_SOCKET, server);
  return {
    async [Symbol.asyncDispose]() {
      closeController.abort();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
      await lastCall;
      await folderHandle?.close();
    },
  };

  /**
   * Counts a connection, and stops listening after the last permitted one, because even a refused connection costs
   * time.
   */
  function countConnection(): void {
    connectionCount += 1;
    if (connectionCount === limits.calls) server.close();
  }

  /**
   * The answer to a call; never rejects. If it takes longer than `answerMs`, the call is cancelled and the answer says
   * so.
   */
  async function computeAnswer(request: string, ended: AbortSignal): Promise<AgentAnswer> {
    const timeout = AbortSignal.timeout(limits.answerMs);
    const callSignal = AbortSignal.any([ended, timeout]);
    try {
      const { tool, input } = parseCall(request);
      return await Promise.race([
        options.tools.call(tool, input, options.work, callSignal),
        pause(limits.answerMs, { text: 'No answer in time.', failed: true }, { ref: false, signal: ended }),
      ]);
    } catch (error) {
      return { text: timeout.aborted ? 'No answer in time.' : describeError(error), failed: true };
    }
  }
}

/**
 * Calls `onText` with the text of a connection when it has arrived completely. Destroys a connection that sends more
 * than `maxBytes`.
 */
function collectText(socket: Socket, maxBytes: number, onText: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  socket.on('data', (chunk: Buffer) => {
    byteCount += chunk.byteLength;
    if (byteCount > maxBytes) socket.destroy();
    else chunks.push(chunk);
  });
  socket.once('end', () => onText(Buffer.concat(chunks).toString('utf8')));
}

function parseCall(request: string): { readonly tool: string; readonly input: unknown } {
  const call: unknown = JSON.parse(request);
  if (typeof call !== 'object' || call === null || !('tool' in call) || typeof call.tool !== 'string')
    throw new Error('This is no call of a tool.');
  return { tool: call.tool, input: 'input' in call ? call.input : undefined };
}

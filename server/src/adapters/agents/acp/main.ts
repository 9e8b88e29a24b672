// Runs in the enclosure: starts an agent that speaks the Agent Client Protocol, gives it the task, and prints its
// messages; the last line is its description of the change. The calls of tools that the agent reports are written to a
// file in the home folder.
//
// Usage: node acpClient.js TASK_FILE MCP_SERVER PROGRAM ARGUMENTS…
// (MCP_SERVER: the program of an MCP server for the agent, or an empty word)

import { ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { runConversation } from './conversation.ts';
import { CALLS_FILE, ToolCallCollector } from './toolCalls.ts';

/**
 * Maximum number of characters of the agent's messages that are printed. Output is limited, and its last line must
 * always fit.
 */
const MAX_PRINTED_CHARACTERS = 100_000;
/**
 * Maximum number of bytes of a message of the agent. A file may have a megabyte, and JSON may make it several times as
 * long.
 */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Milliseconds that an agent has to answer after it was told to stop. */
const STOP_MS = 300;
/**
 * Milliseconds for reading the answer of an agent that has ended. The time is limited because a process that the agent
 * has left behind may keep the pipe open.
 */
const DRAIN_MS = 2000;

const [taskFile = '', mcpServer = '', program = '', ...programArguments] = process.argv.slice(2);
const cancellation = new AbortController();
process.once('SIGTERM', () => {
  cancellation.abort();
  setTimeout(() => endAgent(1), STOP_MS);
});

const child = spawn(program, programArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
child.once('error', (error) => failWith(error.message));
child.stdin.on('error', () => undefined);
const whenExited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
/** Rejects `DRAIN_MS` after the agent has ended, because its answer may still be in the pipe. */
const whenEndedSilently = whenExited.then(async () => {
  await pause(DRAIN_MS);
  throw new Error('It has ended.');
});
whenEndedSilently.catch(() => undefined);

const toolCalls = new ToolCallCollector();
let printedLength = 0;
try {
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>, {
    maxMessageBytes: MAX_MESSAGE_BYTES,
  });
  const conversation = runConversation(stream, {
    root: process.cwd(),
    prompt: readFileSync(taskFile, 'utf8'),
    mcpServer: mcpServer === '' ? null : mcpServer,
    signal: cancellation.signal,
    toolCalls,
    onText(text) {
      const printedText = text.slice(0, MAX_PRINTED_CHARACTERS - printedLength);
      printedLength += printedText.length;
      process.stdout.write(printedText);
    },
  });
  conversation.catch(() => undefined);
  const { text, stopReason, exceeded } = await Promise.race([conversation, whenEndedSilently]);
  const [firstLine = ''] = text.split('\n').filter((candidate) => candidate.trim() !== '');
  process.stdout.write(`\n${firstLine.trim()}\n`);
  if (exceeded !== undefined) failWith(`It was stopped after ${exceeded}.`);
  else if (stopReason === 'end_turn') endAgent(0);
  else failWith(`It stopped: ${stopReason}.`);
} catch (error) {
  // The agent has answered with an error, or it ended, which closes the pipe first.
  if (!(error instanceof RequestError)) await Promise.race([whenExited, pause(STOP_MS)]);
  const exit = child.exitCode ?? child.signalCode;
  if (exit !== null && !(error instanceof RequestError)) failWith(`It ended with ${exit} before it had answered.`);
  else failWith(error instanceof Error ? error.message : String(error));
}

function failWith(reason: string): void {
  endAgent(1, `\n${reason}\n`);
}

/**
 * Writes the file with the calls, ends the agent, and then ends this process with `code`. The reason is printed last,
 * after all messages of the agent.
 */
function endAgent(code: number, reason = ''): void {
  // The agent may have replaced this file by a folder. Then its calls stay unknown.
  try {
    writeFileSync(join(homedir(), CALLS_FILE), JSON.stringify(toolCalls.list()), { mode: 0o600 });
  } catch {}
  const flushAndExit = () =>
    void process.stdout.write('', () => process.stderr.write(reason, () => process.exit(code)));
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return flushAndExit();
  child.once('exit', flushAndExit);
  child.kill('SIGKILL');
}

// Connects the official client of the Model Context Protocol (MCP) to the built command line, for tests of the server
// for agents.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type CallToolResult,
  type ClientOptions,
  type ElicitResult,
  type Progress,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cliEntry } from './commandLine.ts';
import { sharedCode } from './compiledCode.ts';

/** Options of the server and of the client. */
export interface McpOptions {
  /** A state folder that is shared with another process; if absent, a new one is used. */
  readonly home?: string;
  readonly args?: readonly string[];
  /** Additional variables in the environment of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Returns the answer of the person to a message; if absent, the client cannot ask a person. */
  readonly onElicit?: (message: string) => ElicitResult;
  readonly options?: ClientOptions;
}

/** A client that is connected to a server. */
export interface McpConnection {
  readonly client: Client;
  readonly home: string;
  stderr(): string;
  call(
    name: string,
    input?: object,
    callOptions?: {
      readonly signal?: AbortSignal;
      readonly onprogress?: (progress: Progress) => void;
      readonly timeout?: number;
    },
  ): Promise<CallToolResult & { readonly structuredContent: any }>;
  /** Calls a tool, and returns the text of the first block of its answer. */
  text(name: string, input?: object): Promise<string>;
  /**
   * Waits until the repository has been indexed and analysed. Until then, answers have a note that they are incomplete.
   */
  waitUntilComplete(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts `selfware serve --mcp` for a repository and connects to it. */
export async function connectMcp(
  rootDir: string,
  { home, args = [], env = {}, onElicit, options = {} }: McpOptions = {},
): Promise<McpConnection> {
  const stateHome = home ?? (await mkdtemp(join(tmpdir(), 'selfware-home-')));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliEntry, 'serve', '--mcp', '--repo', rootDir, ...args],
    env: { PATH: process.env['PATH'] ?? '', HOME: stateHome, SELFWARE_HOME: stateHome, ...sharedCode, ...env },
    cwd: stateHome,
    stderr: 'pipe',
  });
  const errors: string[] = [];
  transport.stderr?.on('data', (data: Buffer) => errors.push(String(data)));
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    { ...options, capabilities: { ...options.capabilities, ...(onElicit ? { elicitation: { form: {} } } : {}) } },
  );
  if (onElicit) client.setRequestHandler('elicitation/create', (request) => onElicit(request.params.message));
  await client.connect(transport);
  const call: McpConnection['call'] = async (name, input = {}, callOptions = {}) =>
    (await client.callTool(
      { name, arguments: { ...input } },
      { timeout: 240_000, ...callOptions },
    )) as CallToolResult & {
      structuredContent: any;
    };
  return {
    client,
    home: stateHome,
    stderr: () => errors.join(''),
    call,
    async text(name, input) {
      const [block] = (await call(name, input)).content;
      if (block?.type !== 'text') throw new Error(`${name} answered with no text.`);
      return block.text;
    },
    async waitUntilComplete() {
      for (const [name, input] of [
        ['search', { query: 'a', limit: 1 }],
        ['opportunities', { limit: 1 }],
      ] as const) {
        for (let note: unknown = ''; note !== null; ) {
          const { isError, content, structuredContent } = await call(name, input);
          if (isError) throw new Error(JSON.stringify(content));
          note = structuredContent.note;
        }
      }
    },
    async dispose() {
      await client.close();
      if (home === undefined) await rm(stateHome, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

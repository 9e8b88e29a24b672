// Starts language servers for tests: the built server in a separate process, or only its features in this process, on
// the small session of `memorySession.ts`.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  createConnection,
} from 'vscode-languageserver/node';
import { createDiskWriter } from '../../server/src/adapters/files/diskWriter.ts';
import { createStderrLog } from '../../server/src/adapters/system/system.ts';
import { startServer } from '../../server/src/lsp/server.ts';
import { sharedCode } from './compiledCode.ts';
import { createLspClient, type LspClient, type LspClientOptions } from './lspClient.ts';
import { createMemorySession, type MemorySession, type MemorySessionOptions } from './memorySession.ts';
import type { Nights } from '../../server/src/app/nights/windowNights.ts';
import type { Judging, OpenOptions } from '../../server/src/lsp/serverContext.ts';
import type { Log } from '../../server/src/core/ports/system.ts';

/** The entry of the built language server. */
export const serverEntry = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** The behaviour of the editor. Its connection is created here. */
export type ClientOptions = Omit<LspClientOptions, 'reader' | 'writer' | 'rootDir'>;

/** A server in a separate process, with an editor that is connected to it. */
export interface RealServer {
  readonly client: LspClient;
  readonly process: ChildProcess;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** The standard error of the server so far. */
  stderr(): string;
  /** Ends the server by closing its input, and removes its state folder unless it is shared. */
  dispose(): Promise<void>;
}

/**
 * Starts `node dist/main.js --stdio`. `shared`: a state folder, which the caller removes; if absent, a new one is used.
 * `env`: additional environment variables.
 */
export async function startRealServer(
  rootDir: string | null,
  options: ClientOptions,
  shared?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RealServer> {
  const home = shared ?? (await mkdtemp(join(tmpdir(), 'selfware-home-')));
  const child = spawn(process.execPath, [serverEntry, '--stdio'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      SELFWARE_HOME: home,
      SELFWARE_IGNORE_LOAD: '1',
      ...sharedCode,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  child.stdin.on('error', () => {});
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const client = createLspClient({
    ...options,
    rootDir,
    reader: new StreamMessageReader(child.stdout),
    writer: new StreamMessageWriter(child.stdin),
  });
  return {
    client,
    process: child,
    exited,
    stderr: () => errors.join(''),
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) {
        child.stdin.end();
        await exited;
      }
      client.connection.dispose();
      if (!shared) await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** A server in this process, with an editor that is connected to it. */
export interface InnerServer {
  readonly client: LspClient;
  /** All sessions that the server has opened, the newest last. */
  readonly sessions: readonly MemorySession[];
  /** The options of each of these sessions. */
  readonly opened: readonly OpenOptions[];
  readonly logged: readonly string[];
}

const unexpected = () => Promise.reject(new Error('Not expected.'));
const noNights: Nights = {
  start: unexpected,
  isRunning: async () => false,
  doing: async () => null,
  power: async () => null,
  folders: async () => ['src', 'test'],
  report: async () => '',
  last: async () => null,
  all: async () => [],
  file: unexpected,
  drop: unexpected,
  settle: unexpected,
  squash: unexpected,
  pullRequest: unexpected,
  continue: unexpected,
  askToEnd: unexpected,
  wishes: async () => [],
  keepTests: unexpected,
  end: async () => undefined,
};

/** Starts the features of the server in this process. Never send `exit` to it, because that would end the tests. */
export function startInnerServer(
  rootDir: string | null,
  options: ClientOptions &
    Omit<MemorySessionOptions, 'rootDir' | 'trusted' | 'writer'> & {
      readonly judging?: Judging;
      readonly nights?: Partial<Nights>;
    },
): InnerServer {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const sessions: MemorySession[] = [];
  const opened: OpenOptions[] = [];
  const logged: string[] = [];
  const stderr = createStderrLog(process.env['SELFWARE_DEBUG'] ? 'debug' : 'error');
  const log: Log = {
    write(level, message, cause) {
      logged.push(`${level} ${message}`);
      if (process.env['SELFWARE_DEBUG']) stderr.write(level, message, cause);
    },
  };
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(toServer),
    new StreamMessageWriter(toClient),
  );
  startServer(
    connection,
    {
      log,
      rulesDir: '/nowhere',
      judging: options.judging ?? {
        bases: async () => [],
        identify: async () => '',
        judge: () => Promise.reject(new Error('Not expected.')),
      },
      components: unexpected,
      nights: async () => ({ ...noNights, ...options.nights }),
      async openSession(openOptions) {
        const { rootDir: dir, trusted, writer } = openOptions;
        opened.push(openOptions);
        const session = createMemorySession({
          ...options,
          rootDir: dir,
          trusted,
          writer: writer(createDiskWriter(dir)),
        });
        sessions.push(session);
        return { session, notices: [] };
      },
    },
    '0.0.0',
  );
  return {
    client: createLspClient({
      ...options,
      rootDir,
      reader: new StreamMessageReader(toClient),
      writer: new StreamMessageWriter(toServer),
    }),
    sessions,
    opened,
    logged,
  };
}

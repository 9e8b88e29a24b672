// Language-server entry: a connection, the wiring, and a clean end. Everything heavy is loaded when the first folder
// opens.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  createConnection,
  type Connection,
} from 'vscode-languageserver/node';
import { cutOff, endOnSignals } from './adapters/system/ending.ts';
import { createStderrLog } from './adapters/system/system.ts';
import { packageRoot } from './app/places.ts';
import { startServer } from './lsp/server.ts';

/** Longer than this nobody waits for a server to close, whether it was asked to or its client is gone. */
const closingMillis = 4000;

/** A repository may have set them in its settings of the editor, which the change that is judged may have written. */
const COMMANDS = /^verify\.\w+Command$/;

const log = createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'warn');

// A fault in one corner must not take the server with it; it is said and the rest serves on.
process.on('uncaughtException', (error) => log.write('error', 'Unexpected fault.', error));
process.on('unhandledRejection', (error) => log.write('error', 'Unexpected fault.', error));

const server = startServer(
  connect(),
  {
    log,
    judging: {
      async bases(rootDir, signal) {
        const { basesOf } = await import('./app/judging.ts');
        return basesOf(rootDir, signal);
      },
      async judge({ settings, ...asked }) {
        const { judgeRevisions } = await import('./app/judging.ts');
        const own = Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => !COMMANDS.test(name)));
        return judgeRevisions({
          ...asked,
          head: null,
          policy: null,
          author: null,
          seconds: null,
          own,
          env: process.env,
          log,
        });
      },
    },
    async nights() {
      const { createNights } = await import('./app/nights/windowNights.ts');
      return createNights({ env: process.env, log });
    },
    rulesDir: join(packageRoot(), 'server/src/core/rules'),
    async openSession(options) {
      const { createApp } = await import('./app/createApp.ts');
      return createApp({ ...options, env: process.env, log });
    },
  },
  version(),
);

/** With streams of our own for --stdio: the library's end the process at once, and sessions could not be closed. */
function connect(): Connection {
  const { argv } = process;
  endOnSignals(closingMillis).signal.addEventListener('abort', end, { once: true });
  process.once('disconnect', end);
  if (!argv.includes('--stdio')) return createConnection(ProposedFeatures.all);
  // Standard output belongs to the protocol.
  console.log = console.info = console.debug = console.error;
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
  return createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
}

/** The client is gone: close what is open, then go too. */
function end(): void {
  const leave = (): never => process.exit(0);
  // A thread that hangs would keep `process.exit` waiting.
  setTimeout(() => cutOff('SIGTERM'), closingMillis).unref();
  server.close().then(leave, leave);
}

function version(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

// Entry of the language server: opens the connection to the editor, passes the functions of the application to the
// server, and closes the sessions before the process ends. Modules that are slow to load are loaded when they are first
// needed.

import { join } from 'node:path';
import {
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  createConnection,
  type Connection,
} from 'vscode-languageserver/node';
import { forceShutdown, startHandlingSignals } from './adapters/system/gracefulShutdown.ts';
import { createStderrLog } from './adapters/system/system.ts';
import { findPackageRoot, readProgramVersion } from './app/programPaths.ts';
import { startServer } from './lsp/server.ts';

/**
 * Maximum time for closing the sessions, in milliseconds, after the client has requested the end of the server or has
 * disappeared.
 */
const MAX_CLOSING_MS = 4000;

/**
 * Matches the names of settings that contain commands. They are ignored when a change is judged, because a repository
 * can set them for the editor, and the change may do so itself.
 */
const COMMAND_PATTERN = /^verify\.\w+Command$/;

const log = createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'warn');

// A fault in one part must not end the server: it is logged, and the other parts continue.
process.on('uncaughtException', (error) => log.write('error', 'Unexpected fault.', error));
process.on('unhandledRejection', (error) => log.write('error', 'Unexpected fault.', error));

const server = startServer(
  createStreamConnection(),
  {
    log,
    judging: {
      async bases(rootDir, signal) {
        const { findBases } = await import('./app/judging.ts');
        return findBases(rootDir, signal);
      },
      async identify(request) {
        const { identifyRevisions } = await import('./app/judging.ts');
        return identifyRevisions({ ...request, log });
      },
      async judge({ settings, ...request }) {
        const { judgeRevisions } = await import('./app/judging.ts');
        const settingsWithoutCommands = Object.fromEntries(
          Object.entries(settings ?? {}).filter(([name]) => !COMMAND_PATTERN.test(name)),
        );
        return judgeRevisions({
          ...request,
          head: request.head ?? null,
          policy: null,
          author: null,
          seconds: request.seconds ?? null,
          personSettings: settingsWithoutCommands,
          env: process.env,
          log,
        });
      },
    },
    async nights() {
      const { createNights } = await import('./app/nights/windowNights.ts');
      return createNights({ env: process.env, log, offers: true });
    },
    async components() {
      const { findComponentPlan, listComponentPlans, installComponentByName } = await import('./app/components.ts');
      const { downloadEmbeddingModel, findDownloadedModel, loadTransformersLibrary, MODEL_HOST } = await import(
        './app/embeddingModels.ts'
      );
      return {
        plans: () => listComponentPlans(process.env),
        plan: (name) => findComponentPlan(name, process.env),
        install: (name, signal, onFetched) => installComponentByName(name, process.env, signal, onFetched),
        modelHost: MODEL_HOST,
        isDownloaded: (model) => findDownloadedModel(model, process.env) !== null,
        async download(model, signal, onBytes) {
          const library = await loadTransformersLibrary({ 'memory.embedderLibrary': '' }, process.env);
          return downloadEmbeddingModel(model, process.env, library, signal, onBytes);
        },
      };
    },
    rulesDir: join(findPackageRoot(), 'server/src/core/rules'),
    async openSession(options) {
      const { createApp } = await import('./app/createApp.ts');
      return createApp({ ...options, env: process.env, log });
    },
  },
  readProgramVersion(),
);

/**
 * Creates the connection. For --stdio, this module creates the streams, because those of the library end the process at
 * once, before the sessions are closed.
 */
function createStreamConnection(): Connection {
  const { argv } = process;
  startHandlingSignals(MAX_CLOSING_MS).signal.addEventListener('abort', endServer, { once: true });
  process.once('disconnect', endServer);
  if (!argv.includes('--stdio')) return createConnection(ProposedFeatures.all);
  // Standard output belongs to the protocol.
  console.log = console.info = console.debug = console.error;
  process.stdin.once('end', endServer).once('close', endServer);
  process.stdout.on('error', endServer);
  return createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
}

/** Closes the sessions and ends this process, because the client is gone or a signal has come. */
function endServer(): void {
  const exit = (): never => process.exit(0);
  // A thread that hangs would keep `process.exit` waiting.
  setTimeout(() => forceShutdown('SIGTERM'), MAX_CLOSING_MS).unref();
  server.close().then(exit, exit);
}

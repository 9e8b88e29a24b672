// If the installed Node is too old, runs the command with the Node that `npm start` has installed in the clone. This
// file uses only what the oldest Node that may run it supports.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The path of the Node that `npm start` has installed; null if there is none beside this build. */
export function findNodeOfClone(): string | null {
  // This file is bundled into dist/, one folder below the root of the clone, or into dist/chunks, two folders below it.
  const candidatePaths = ['../node_modules/.bin/', '../../node_modules/.bin/'].map((place) =>
    fileURLToPath(new URL(`${place}${process.platform === 'win32' ? 'node.exe' : 'node'}`, import.meta.url)),
  );
  return candidatePaths.find((place) => existsSync(place)) ?? null;
}

/**
 * Runs the same command on the same terminal. Returns its exit code, or 128 + the number of the signal that ended it.
 */
export function runWithNode(node: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: 'inherit' });
    // A terminal sends Ctrl+C to both processes. Other signals are passed on; the command tolerates a signal that it
    // gets twice.
    process.on('SIGINT', () => undefined);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

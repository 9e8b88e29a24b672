// Ends a worker whose supervisor was killed, even if the main thread of the worker is blocked. A separate thread
// notices this.

import { Worker } from 'node:worker_threads';

/** Milliseconds between two checks of the parent. */
const POLL_MS = 500;

/** The code of the thread. When the parent of a process ends, the process gets another parent, except on Windows. */
const GUARD_SOURCE = `
const { workerData: { parent, leader, pollMs, graceMs } } = require('node:worker_threads');
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  setTimeout(() => {
    try {
      process.kill(-leader, 'SIGKILL');
    } catch {
      process.kill(leader, 'SIGKILL');
    }
  }, graceMs);
}, pollMs);
`;

/**
 * Kills this process and its group once its parent has ended and the process has not ended within `graceMs` after that.
 * Keeps no process alive.
 */
export function guardAgainstOrphaning(graceMs: number): void {
  if (process.platform === 'win32') return;
  const workerData = { parent: process.ppid, leader: process.pid, pollMs: POLL_MS, graceMs };
  const guard = new Worker(GUARD_SOURCE, { eval: true, workerData });
  // Without the thread, the main thread still notices, unless it is blocked.
  guard.on('error', () => undefined);
  guard.unref();
}

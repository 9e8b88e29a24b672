// Lets a run in the background end with the window that started it, if the person wants that.

import { readProcessIdentity } from '../system/runningProcesses.ts';
import { isSameStart } from '../system/startTime.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Name of the environment variable with the process of the window, as its id and its start time. */
const WINDOW_VARIABLE = 'SELFWARE_WINDOW';
/** Milliseconds between two checks of the window. */
const POLL_MS = 2_000;

/**
 * The environment for a run that ends with the window whose process has this id; unchanged if there is no such process.
 */
export async function addWindowProcess(env: Environment, pid: number): Promise<Environment> {
  const identity = await readProcessIdentity(pid);
  return identity === null ? env : { ...env, [WINDOW_VARIABLE]: `${identity.pid} ${identity.started}` };
}

/** True if this run ends with a window, and the window is closed. */
export async function isWindowClosed(env: Environment): Promise<boolean> {
  const [, pid, started] = /^(\d+) (.+)$/.exec(env[WINDOW_VARIABLE] ?? '') ?? [];
  if (started === undefined) return false;
  const current = await readProcessIdentity(Number(pid));
  return current === null || !isSameStart(current.started, started);
}

/**
 * Creates a signal that is aborted once the window is closed. It is never aborted if the run does not end with a
 * window.
 */
export function watchWindow(env: Environment): { readonly signal: AbortSignal; dispose(): void } {
  const closeController = new AbortController();
  if (!env[WINDOW_VARIABLE]) return { signal: closeController.signal, dispose: () => undefined };
  const timer = setInterval(() => {
    void isWindowClosed(env).then(
      (isClosed) => isClosed && closeController.abort(),
      () => undefined,
    );
  }, POLL_MS);
  timer.unref();
  return { signal: closeController.signal, dispose: () => clearInterval(timer) };
}

// Provides the latest SidebarState to everything that shows it. It sends one request at a time and merges bursts of
// changes.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { Server } from '../server/languageClient.ts';

export interface StateFeed extends vscode.Disposable {
  readonly current: SidebarState | null;
  /** The error of the last request as a sentence; null after a successful one. */
  readonly failure: string | null;
  readonly onChange: vscode.Event<void>;
  /** Requests the state now; resolves with it. Rejects if the server cannot answer. */
  refresh(): Promise<SidebarState>;
}

/** Progress arrives faster than anybody reads, so this many milliseconds are between two requests. */
const pause = 150;

export function createStateFeed(server: Server, describe: (error: unknown) => string): StateFeed {
  const changed = new vscode.EventEmitter<void>();
  let current: SidebarState | null = null;
  let failure: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let running = false;
  let again = false;

  const subscription = vscode.Disposable.from(
    server.onStateChanged(() => schedule()),
    server.onLifeChanged((life) => {
      // The error of the previous server does not apply to the new one.
      failure = null;
      // The work of the previous server has ended with it.
      if (life !== 'running' && current) current = { ...current, activity: 'idle', progress: null, making: [] };
      if (life === 'running') schedule(0);
      changed.fire();
    }),
    // Another process may have written to the ledger in the meantime.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) schedule();
    }),
  );
  schedule(0);

  return {
    get current() {
      return current;
    },
    get failure() {
      return failure;
    },
    onChange: changed.event,
    refresh,
    dispose() {
      if (timer) clearTimeout(timer);
      subscription.dispose();
      changed.dispose();
    },
  };

  async function refresh(): Promise<SidebarState> {
    const error = await ask();
    if (error !== null || !current) throw error ?? new Error('The language server sent no state.');
    return current;
  }

  /** Returns the error, or null; in both cases, `current` and `failure` are up to date. */
  async function ask(): Promise<unknown> {
    try {
      current = await server.state();
      failure = null;
      return null;
    } catch (error) {
      failure = describe(error);
      return error;
    } finally {
      changed.fire();
    }
  }

  function schedule(delay = pause): void {
    if (running) again = true;
    else timer ??= setTimeout(() => void tick(), delay);
  }

  async function tick(): Promise<void> {
    timer = null;
    running = true;
    await ask();
    running = false;
    if (again) schedule();
    again = false;
  }
}

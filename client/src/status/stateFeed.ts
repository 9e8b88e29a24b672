// Gives the latest SidebarState to everything that shows it. It merges bursts of changes into one request; `refresh()`
// asks at once, even in parallel with a running request.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { Server } from '../server/languageClient.ts';
import { newestAnswer } from './newestAnswer.ts';

/** The latest state of the sidebar, and the event when it changes. */
export interface StateFeed extends vscode.Disposable {
  readonly current: SidebarState | null;
  /** A sentence about the last request, if it failed; otherwise null. */
  readonly failure: string | null;
  readonly onChange: vscode.Event<void>;
  /** Asks now; resolves with the new state. Rejects when the server cannot answer. */
  refresh(): Promise<SidebarState>;
}

/** Milliseconds from the first change to the request, because progress arrives faster than it can be read. */
const DELAY_MS = 150;

/** Creates the feed. `describe` turns an error into a sentence. */
export function createStateFeed(server: Server, describe: (error: unknown) => string): StateFeed {
  const changed = new vscode.EventEmitter<void>();
  let current: SidebarState | null = null;
  let failure: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isAsking = false;
  let hasChanged = false;
  const answers = newestAnswer();

  const subscription = vscode.Disposable.from(
    server.onStateChanged(() => schedule()),
    server.onLifeChanged((life) => {
      // A failure of the previous server shows nothing about this one.
      failure = null;
      // The work of a server that has ended is lost.
      if (life !== 'running' && current) current = { ...current, activity: 'idle', progress: null, making: [] };
      if (life === 'running') schedule(0);
      changed.fire();
    }),
    // Another process may have written to the ledger meanwhile.
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
    const error = await requestState();
    if (error !== null || !current) throw error ?? new Error('The language server sent no state.');
    return current;
  }

  /**
   * Requests the state, which updates `current` and `failure`, unless a later request was answered first.
   * Returns the error, or null.
   */
  async function requestState(): Promise<unknown> {
    const isNewest = answers.begin();
    try {
      const state = await server.state();
      if (isNewest()) [current, failure] = [state, null];
      return null;
    } catch (error) {
      if (!isNewest()) return null;
      failure = describe(error);
      return error;
    } finally {
      changed.fire();
    }
  }

  function schedule(delay = DELAY_MS): void {
    if (isAsking) hasChanged = true;
    else timer ??= setTimeout(() => void poll(), delay);
  }

  async function poll(): Promise<void> {
    timer = null;
    isAsking = true;
    await requestState();
    isAsking = false;
    if (hasChanged) schedule();
    hasChanged = false;
  }
}

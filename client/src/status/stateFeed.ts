// Provides the latest state of the sidebar to everything that shows it. Bursts of changes lead to one request to the
// server; `refresh()` sends a request at once, even while another one is in progress.

import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { Server } from '../server/languageClient.ts';
import { createRequestOrder } from './newestAnswer.ts';

/** The latest state of the sidebar, and the event when it changes. */
export interface StateFeed extends vscode.Disposable {
  /** The latest state; null before the first one. */
  readonly current: SidebarState | null;
  /** The failure of the last request as a sentence; null if it succeeded. */
  readonly failure: string | null;
  readonly onChange: vscode.Event<void>;
  /** Requests the state at once, and resolves with it. Rejects if the server cannot answer. */
  refresh(): Promise<SidebarState>;
}

/**
 * Milliseconds from a change to the request for the state, because progress is reported faster than a person can read
 * it.
 */
const DELAY_MS = 150;

/** Creates the feed. `describe` turns an error into a sentence. */
export function createStateFeed(server: Server, describe: (error: unknown) => string): StateFeed {
  const stateChanged = new vscode.EventEmitter<void>();
  let current: SidebarState | null = null;
  let failure: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isRequesting = false;
  let hasChangedMeanwhile = false;
  const requestOrder = createRequestOrder();

  const subscription = vscode.Disposable.from(
    server.onStateChanged(() => schedule()),
    server.onLifeChanged((life) => {
      // A failure of the previous server process does not concern the next one.
      failure = null;
      // When a server ends, its work in progress is lost.
      if (life !== 'running' && current) current = { ...current, activity: 'idle', progress: null, making: [] };
      if (life === 'running') schedule(0);
      stateChanged.fire();
    }),
    // Meanwhile, another process may have changed the state, for example the command line.
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
    onChange: stateChanged.event,
    refresh,
    dispose() {
      if (timer) clearTimeout(timer);
      subscription.dispose();
      stateChanged.dispose();
    },
  };

  async function refresh(): Promise<SidebarState> {
    const error = await requestState();
    if (error !== null || !current) throw error ?? new Error('The language server sent no state.');
    return current;
  }

  /**
   * Requests the state, and updates `current` and `failure` unless a later request has already been answered. Returns
   * the error of the request, or null.
   */
  async function requestState(): Promise<unknown> {
    const isNewest = requestOrder.begin();
    try {
      const state = await server.state();
      if (isNewest()) [current, failure] = [state, null];
      return null;
    } catch (error) {
      if (!isNewest()) return null;
      failure = describe(error);
      return error;
    } finally {
      stateChanged.fire();
    }
  }

  function schedule(delay = DELAY_MS): void {
    if (isRequesting) hasChangedMeanwhile = true;
    else timer ??= setTimeout(() => void poll(), delay);
  }

  async function poll(): Promise<void> {
    timer = null;
    isRequesting = true;
    await requestState();
    isRequesting = false;
    if (hasChangedMeanwhile) schedule();
    hasChangedMeanwhile = false;
  }
}

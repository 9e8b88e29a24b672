// Keeps the session of an MCP server open between calls: it is opened once, kept up to date, and opened again after a
// failure.

import { setTimeout as pause } from 'node:timers/promises';
import { OTHER_PROCESS_INDEXES } from '../core/session/index/indexing.ts';
import type { Session } from '../core/session.ts';
import { createVerifications, type Verifications } from '../tools/verifications.ts';
import { repeat } from '../util/timing/repeatedly.ts';
import { SelfwareError, describeError } from '../util/typedError.ts';
import type { Operation, Progress } from '../core/operation.ts';
import type { Log } from '../core/ports/system.ts';

/** A function that opens a session, runs the body with it, and then closes the session. */
export type OpenSession = (body: (session: Session) => Promise<void>) => Promise<void>;

/**
 * Minimum number of milliseconds between two updates. Nothing reports changes of the working tree, so each update reads
 * the tree again.
 */
const MIN_INTERVAL_MS = 2_000;
/**
 * Maximum number of milliseconds to wait for the first update of a repository. After that, the answer says that it is
 * incomplete.
 */
const MAX_FIRST_WAIT_MS = 25_000;
/** Maximum number of milliseconds to wait for a later update, which may have to wait for a verification. */
const MAX_WAIT_MS = 3_000;

/** Default interval between two analyses of the feedback, in milliseconds. */
const FEEDBACK_INTERVAL_MS = 3_600_000;
/** Interval between two checks whether another process has completed the index, in milliseconds. */
const OTHER_WRITER_MS = 500;

/** The data that an update brings up to date. */
type RefreshKind = 'index' | 'analysis';

/**
 * State of the updates of one kind: the running update, and the time at which the last complete one ended, in
 * milliseconds since the epoch. Each is null if there is none.
 */
interface UpdateState {
  running: Promise<void> | null;
  doneAt: number | null;
}

/** The session that all calls of a client share. */
export interface HeldSession {
  readonly verifications: Verifications;
  /** The session of the repository. Throws the reason if it cannot be opened. */
  session(): Promise<Session>;
  /** Opens the session and starts the first update, so that the update may be complete before the first question. */
  warmUp(): void;
  /**
   * Updates the index or the analysis. If the first update is not complete in time, returns a sentence that says so.
   * Otherwise returns null, even if a later update is still running.
   */
  refresh(kind: RefreshKind, operation: Operation): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Creates the holder of the session, which is opened at the first use. The feedback is analysed every
 * `feedbackIntervalMs`.
 */
export function createHeldSession(open: OpenSession, log: Log, feedbackIntervalMs = FEEDBACK_INTERVAL_MS): HeldSession {
  const endController = new AbortController();
  const verifications = createVerifications();
  const updates: Record<RefreshKind, UpdateState> = {
    index: { running: null, doneAt: null },
    analysis: { running: null, doneAt: null },
  };
  const listeners = new Set<(progress: Progress) => void>();
  let currentSession: Promise<Session> | null = null;
  let closingPromise: Promise<void> = Promise.resolve();
  const stopFeedbackAnalysis = repeat(
    async (signal) => {
      if (currentSession) await (await currentSession).learned.lookAtFeedback(signal);
    },
    feedbackIntervalMs,
    (error) => log.write('warn', `The feedback could not be looked at: ${describeError(error)}`),
  );

  return {
    verifications,
    session,
    warmUp() {
      update('index').catch((error: unknown) =>
        log.write('warn', `The repository could not be looked at: ${describeError(error)}`),
      );
    },
    async refresh(kind, { signal, report }) {
      const isFirst = updates[kind].doneAt === null;
      if (report) listeners.add(report);
      try {
        const isDone = await endsWithin(update(kind), isFirst ? MAX_FIRST_WAIT_MS : MAX_WAIT_MS, signal);
        if (isDone) return null;
        return isFirst
          ? 'Selfware is still reading this repository for the first time: this answer is not complete. Ask again in a minute.'
          : null;
      } finally {
        if (report) listeners.delete(report);
      }
    },
    async close() {
      endController.abort();
      verifications.close();
      await stopFeedbackAnalysis();
      await closingPromise;
    },
  };

  /** The session. Opens it if it is not open yet. */
  function session(): Promise<Session> {
    if (currentSession) return currentSession;
    const openedSession = new Promise<Session>((resolve, reject) => {
      closingPromise = open(async (session) => {
        resolve(session);
        if (!endController.signal.aborted)
          await new Promise<void>((end) => endController.signal.addEventListener('abort', () => end(), { once: true }));
      }).catch((error: unknown) => {
        // The next question tries again, because the person may have fixed the cause.
        currentSession = null;
        reject(error);
      });
    });
    openedSession.catch(() => {});
    currentSession = openedSession;
    return openedSession;
  }

  /**
   * Starts an update, or returns the promise of the running one: at most one update of each kind runs, and all callers
   * share it. Does nothing if the last update ended less than `MIN_INTERVAL_MS` ago.
   */
  function update(kind: RefreshKind): Promise<void> {
    const updateState = updates[kind];
    if (updateState.running) return updateState.running;
    if (updateState.doneAt !== null && Date.now() - updateState.doneAt < MIN_INTERVAL_MS) return Promise.resolve();
    const operation: Operation = {
      signal: endController.signal,
      report: (progress) => {
        for (const listener of listeners) listener(progress);
      },
    };
    const running = session()
      .then(async (session) => {
        await (kind === 'index' ? indexCompletely(session, operation) : session.analysis.analyse(operation));
        updateState.doneAt = Date.now();
      })
      .finally(() => (updateState.running = null));
    running.catch(() => {});
    updateState.running = running;
    return running;
  }
}

/** Updates the index. If another process is writing the index, waits until that process has completed it. */
async function indexCompletely(session: Session, operation: Operation): Promise<void> {
  while ((await session.memory.index(operation)).notices.includes(OTHER_PROCESS_INDEXES))
    await pause(OTHER_WRITER_MS, undefined, { signal: operation.signal });
}

/**
 * Resolves to true if the work ends within `timeoutMs`, otherwise to false. Rejects with `cancelled` if the signal is
 * aborted first. The work itself continues for other callers.
 */
async function endsWithin(work: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)));
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new SelfwareError('cancelled', 'Cancelled.'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work.then(() => true), timeout, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

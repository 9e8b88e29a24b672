// The session behind the protocol: opened once, kept up to date, and tried again if it could not be opened.

import { setTimeout as pause } from 'node:timers/promises';
import { otherIsIndexing } from '../core/session/index/indexing.ts';
import type { Session } from '../core/session.ts';
import { createVerifications, type Verifications } from '../tools/verifications.ts';
import { SelfwareError, describeError } from '../util/typedError.ts';
import type { Operation, Progress } from '../core/operation.ts';
import type { Log } from '../core/ports/system.ts';

/** Opens a session, runs the body, closes the session. */
export type OpenSession = (body: (session: Session) => Promise<void>) => Promise<void>;

/** Nobody tells us of writes to the tree, so it is looked at again; not more often than this. */
const FRESH_MS = 2_000;
/** Waiting for the first look at a repository; after that an answer says what is missing. */
const FIRST_PATIENCE_MS = 25_000;
/** Waiting for a later look, which may stand behind a verification. */
const PATIENCE_MS = 3_000;

/** Between two looks at an index that another process writes. */
const OTHER_WRITER_MS = 500;

type Kind = 'index' | 'analysis';

interface Look {
  running: Promise<void> | null;
  doneAt: number | null;
}

export interface HeldSession {
  readonly verifications: Verifications;
  /** Throws why it cannot be opened. */
  session(): Promise<Session>;
  /** Opens it and takes the first look, so that the first question finds it done. */
  warmUp(): void;
  /** Brings the index or the analysis up to date; a sentence where it is not whole yet. */
  refresh(kind: Kind, operation: Operation): Promise<string | null>;
  close(): Promise<void>;
}

export function createHeldSession(open: OpenSession, log: Log): HeldSession {
  const ending = new AbortController();
  const verifications = createVerifications();
  const looks: Record<Kind, Look> = {
    index: { running: null, doneAt: null },
    analysis: { running: null, doneAt: null },
  };
  const listeners = new Set<(progress: Progress) => void>();
  let current: Promise<Session> | null = null;
  let closed: Promise<void> = Promise.resolve();

  return {
    verifications,
    session,
    warmUp() {
      look('index').catch((error: unknown) =>
        log.write('warn', `The repository could not be looked at: ${describeError(error)}`),
      );
    },
    async refresh(kind, { signal, report }) {
      const first = looks[kind].doneAt === null;
      if (report) listeners.add(report);
      try {
        const done = await within(look(kind), first ? FIRST_PATIENCE_MS : PATIENCE_MS, signal);
        if (done) return null;
        return first
          ? 'Selfware is still reading this repository for the first time: this answer is not complete. Ask again in a minute.'
          : null;
      } finally {
        if (report) listeners.delete(report);
      }
    },
    async close() {
      ending.abort();
      verifications.close();
      await closed;
    },
  };

  function session(): Promise<Session> {
    if (current) return current;
    const opened = new Promise<Session>((resolve, reject) => {
      closed = open(async (session) => {
        resolve(session);
        if (!ending.signal.aborted)
          await new Promise<void>((end) => ending.signal.addEventListener('abort', () => end(), { once: true }));
      }).catch((error: unknown) => {
        // The next question tries again: the person may have mended what was wrong.
        current = null;
        reject(error);
      });
    });
    opened.catch(() => {});
    current = opened;
    return opened;
  }

  /** One look at a time for all who ask. */
  function look(kind: Kind): Promise<void> {
    const known = looks[kind];
    if (known.running) return known.running;
    if (known.doneAt !== null && Date.now() - known.doneAt < FRESH_MS) return Promise.resolve();
    const operation: Operation = {
      signal: ending.signal,
      report: (progress) => {
        for (const listener of listeners) listener(progress);
      },
    };
    const running = session()
      .then(async (opened) => {
        await (kind === 'index' ? indexWhole(opened, operation) : opened.analysis.analyse(operation));
        known.doneAt = Date.now();
      })
      .finally(() => (known.running = null));
    running.catch(() => {});
    known.running = running;
    return running;
  }
}

/** Another process that writes the index has written a part of it so far: what is there once it is done counts. */
async function indexWhole(session: Session, operation: Operation): Promise<void> {
  while ((await session.memory.index(operation)).notices.includes(otherIsIndexing))
    await pause(OTHER_WRITER_MS, undefined, { signal: operation.signal });
}

/** True when the work is done in time. The signal ends the waiting, not the work: others need it too. */
async function within(work: Promise<void>, millis: number, signal: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), millis)));
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new SelfwareError('cancelled', 'Cancelled.'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work.then(() => true), late, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

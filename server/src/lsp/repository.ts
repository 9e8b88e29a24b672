// Creates the repository of a workspace folder, which holds its session. The session is opened in the background, is
// opened again when trust or settings change, and updates its index when files change.

import { realpathSync } from 'node:fs';
import { notifications } from '#protocol/methods';
import type { Outcome } from '#protocol/review';
import type { Notice } from '../core/model.ts';
import type { Session, SessionEvent } from '../core/session.ts';
import type { Settings } from '../settings/schema.ts';
import { SelfwareError, describeError } from '../util/typedError.ts';
import { readClientSettings } from './clientSettings.ts';
import { createEditorWriter } from './editorWriter.ts';
import { toAbsolutePath, toRelativePath } from './fromProtocol.ts';
import { runInBackground, isCancelled } from './guardHandlers.ts';
import { createIndexSwitch } from './indexSwitch.ts';
import { insertCommandTitles } from './paletteTitles.ts';
import { withProgress } from './progress.ts';
import { verifyRemaining } from './remaining.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { logMessage, showMessage } from './showMessage.ts';
import { toUri } from './toProtocol.ts';
import type { Progress } from '../core/operation.ts';

/**
 * Milliseconds from a save until the file is indexed. Short, so that saved text is found at once; not 0, because an
 * editor may save several files.
 */
const SAVE_DELAY_MS = 40;
/**
 * If more files than this have changed, the whole folder is indexed in one pass. A person does not save so many files
 * at once, so git or a tool has written them.
 */
const MANY_FILES = 20;
/** Milliseconds from the last of many changes until they are indexed. */
const INDEX_DELAY_MS = 500;
/** Milliseconds from the last indexing until the store is compacted. */
const IDLE_MS = 60_000;
/** Milliseconds until another pass if another process was writing the index. */
const OTHER_WRITER_MS = 3_000;

/** Creates the repository of a workspace folder, without a session until `open` is called. */
export function createRepository(
  context: ServerContext,
  folder: { readonly uri: string; readonly name: string },
): Repository {
  const { log, events } = context;
  const rootDir = toAbsolutePath(folder.uri) ?? '';
  const rootFolders = [rootDir, resolveRealPath(rootDir)];
  const state = {
    trusted: false,
    settings: null as Settings | null,
    progress: null as Progress | null,
    notices: [] as readonly Notice[],
    generation: 0,
    isOpen: false,
  };
  let currentSession: Promise<Session> = rejectClosed();
  /** The last requested opening or closing. They run one after the other. */
  let lifecycle: Promise<void> = Promise.resolve();
  let backgroundWork = new AbortController();
  let activeUses = 0;
  const unusedListeners: (() => void)[] = [];
  let indexTimer: NodeJS.Timeout | undefined;
  let lastIndexing: Promise<void> = Promise.resolve();
  let changedPaths = new Set<string>();
  let idleTimer: NodeJS.Timeout | undefined;
  let otherWriterTimer: NodeJS.Timeout | undefined;
  const indexSwitch = createIndexSwitch();

  const repository: Repository = {
    uri: folder.uri,
    name: folder.name,
    rootDir,
    get trusted() {
      return state.trusted;
    },
    get settings() {
      return state.settings;
    },
    get progress() {
      return state.progress;
    },
    indexSwitch,
    get notices() {
      return state.notices;
    },
    get isOpen() {
      return state.isOpen;
    },
    get generation() {
      return state.generation;
    },
    pathOf: (uri) => toRelativePath(uri, rootFolders),
    uriOf: (path) => toUri(folder.uri, path),
    session: waitForSession,
    async use(work) {
      const session = await waitForSession();
      activeUses++;
      try {
        return await work(session);
      } finally {
        activeUses--;
        if (activeUses === 0) for (const resume of unusedListeners.splice(0)) resume();
      }
    },
    savedPaths: new Set(),
    scheduleIndex(paths) {
      for (const path of paths) changedPaths.add(path);
      clearTimeout(indexTimer);
      indexTimer = setTimeout(
        () => {
          indexTimer = undefined;
          runInBackground(log, 'Indexing', indexChanged);
        },
        changedPaths.size > MANY_FILES ? INDEX_DELAY_MS : SAVE_DELAY_MS,
      );
    },
    async settleIndex() {
      if (indexTimer !== undefined) {
        clearTimeout(indexTimer);
        indexTimer = undefined;
        await indexChanged();
      } else await lastIndexing;
    },
    indexAgain: () => runInBackground(log, 'Indexing', () => indexNow()),
    open: (isTrusted) =>
      enqueue(async () => {
        await closeSession();
        await openSession(isTrusted, await readClientSettings(context, folder.uri));
      }),
    refreshSettings: () =>
      enqueue(async () => {
        const newSettings = await readClientSettings(context, folder.uri);
        if (JSON.stringify(newSettings.settings) === JSON.stringify(state.settings)) return;
        await closeSession();
        await openSession(state.trusted, newSettings);
      }),
    close: () => enqueue(closeSession),
  };
  return repository;

  /** Runs a step after all earlier openings and closings. An error is logged, and does not prevent later steps. */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const stepDone = lifecycle.then(step);
    lifecycle = stepDone.catch((error: unknown) =>
      log.write('error', `${rootDir} could not be opened or closed.`, error),
    );
    return stepDone;
  }

  /** The session after all openings and closings that were requested, even during the wait. */
  async function waitForSession(): Promise<Session> {
    for (let awaitedLifecycle: Promise<void> | null = null; awaitedLifecycle !== lifecycle; ) {
      awaitedLifecycle = lifecycle;
      await awaitedLifecycle;
    }
    return currentSession;
  }

  async function openSession(
    trusted: boolean,
    { settings, problems }: { readonly settings: Settings; readonly problems: readonly string[] },
  ): Promise<void> {
    Object.assign(state, {
      trusted,
      settings,
      progress: null,
      generation: state.generation + 1,
      notices: problems.map(
        (message): Notice => ({ severity: 'warning', message, action: 'See the settings of Selfware.' }),
      ),
    });
    for (const notice of state.notices) showNotice(notice);
    backgroundWork = new AbortController();
    currentSession = connectSession(trusted, settings, problems);
    try {
      await currentSession;
      state.isOpen = true;
      runInBackground(log, 'Indexing', () => indexNow());
    } catch (error) {
      if (isCancelled(error)) return;
      log.write('error', `${rootDir} could not be opened.`, error);
      const notice: Notice = {
        severity: 'error',
        message: `Selfware cannot work in ${folder.name}: ${describeError(error)}`,
        action: null,
      };
      state.notices = [...state.notices, notice];
      showNotice(notice);
    } finally {
      events.opened.fire(repository);
      events.status.fire(repository);
    }
  }

  async function connectSession(
    trusted: boolean,
    settings: Settings,
    settingsProblems: readonly string[],
  ): Promise<Session> {
    const writer = (disk: Parameters<typeof createEditorWriter>[3]) =>
      createEditorWriter(context, repository, rootDir, disk);
    const { session, notices } = await context.openSession({
      rootDir,
      settings,
      settingsProblems,
      trusted,
      writer,
      editorModels: context.editorModels,
      storedKeys: context.storedKeys,
      windowRun: context.windowRun,
    });
    session.subscribe(handleEvent);
    for (const notice of notices) showNotice(notice);
    for (const notice of await session.open({ signal: backgroundWork.signal }))
      if (!notices.some(({ message }) => message === notice.message)) showNotice(notice);
    return session;
  }

  /** Ends the work in the background, waits for commands that use the session, and closes it. */
  async function closeSession(): Promise<void> {
    clearTimeout(indexTimer);
    clearTimeout(idleTimer);
    clearTimeout(otherWriterTimer);
    indexTimer = undefined;
    backgroundWork.abort();
    state.isOpen = false;
    const closingSession = currentSession;
    if (activeUses > 0) await new Promise<void>((resolve) => unusedListeners.push(resolve));
    currentSession = rejectClosed();
    const session = await closingSession.catch(() => null);
    await session?.close();
  }

  /** Indexes files after all passes that were requested before. `paths`: null for all files. */
  function indexNow(paths: readonly string[] | null = null): Promise<void> {
    const runPass = () => runIndex(paths);
    lastIndexing = lastIndexing.then(runPass, runPass);
    lastIndexing.catch(() => {});
    return lastIndexing;
  }

  function indexChanged(): Promise<void> {
    const paths = [...changedPaths];
    changedPaths = new Set();
    return indexNow(paths.length > MANY_FILES ? null : paths);
  }

  /**
   * Indexes and analyses files. `paths`: null for all files, with progress in the client. Progress for single files is
   * shown only in the sidebar.
   */
  async function runIndex(paths: readonly string[] | null): Promise<void> {
    // When indexing is resumed, a full pass finds the files that have changed during the pause.
    if (indexSwitch.paused) return;
    const session = await currentSession;
    clearTimeout(idleTimer);
    try {
      const signal = AbortSignal.any([backgroundWork.signal, indexSwitch.signal]);
      if (paths) {
        await session.memory.update(paths, { signal, report: setProgress });
        await session.analysis.analyse({ signal, report: setProgress }, paths);
      } else {
        await withProgress(
          context,
          { title: `Selfware: indexing ${folder.name}`, onProgress: setProgress },
          signal,
          async (operation) => {
            const { otherWrites } = await session.memory.index(operation);
            if (otherWrites) otherWriterTimer = setTimeout(() => repository.indexAgain(), OTHER_WRITER_MS).unref();
          },
        );
        await withProgress(
          context,
          { title: `Selfware: analysing ${folder.name}`, onProgress: setProgress },
          signal,
          (operation) => session.analysis.analyse(operation),
        );
        // Changes in probation that an ended process has left are judged now. That reports progress, because it runs
        // tests.
        if (state.trusted)
          await session.changes.judge({ signal, report: setProgress }).then(() => verifyRemaining(context, repository));
      }
    } catch (error) {
      if (isCancelled(error)) return;
      const notice: Notice = { severity: 'error', message: `Indexing failed: ${describeError(error)}`, action: null };
      state.notices = [...state.notices.filter(({ message }) => message !== notice.message), notice];
      throw error;
    } finally {
      setProgress(null);
      const { signal } = backgroundWork;
      if (!signal.aborted)
        idleTimer = setTimeout(
          () => runInBackground(log, 'Tidying up', () => session.memory.compact({ signal })),
          IDLE_MS,
        ).unref();
    }
  }

  function setProgress(progress: Progress | null): void {
    state.progress = progress;
    events.status.fire(repository);
  }

  function handleEvent(event: SessionEvent): void {
    if (event.type === 'opportunities') events.opportunities.fire({ repository, paths: event.paths });
    else if (event.type === 'progress') setProgress(event.progress);
    else {
      if (event.type === 'notice') showNotice(event.notice);
      events.status.fire(repository);
    }
  }

  /** Shows a notice. A notice of the severity `info` is only written to the log of the client. */
  function showNotice({ severity, message, action, change }: Notice): void {
    // Selfware's own client shows the notice about a change with buttons.
    if (change && context.abilities.canReview)
      return runInBackground(log, 'outcome', () =>
        context.connection.sendNotification(notifications.outcome, {
          ...change,
          message: insertCommandTitles(message, context.abilities),
        } satisfies Outcome),
      );
    const text = insertCommandTitles(`${message}${action ? ` ${action}` : ''}`, context.abilities);
    if (severity === 'info') logMessage(context.connection, text);
    else showMessage(context.connection, severity, text);
  }
}

/** A promise in place of the session of a closed folder. It rejects with `cancelled`. */
function rejectClosed(): Promise<never> {
  const rejection = Promise.reject(new SelfwareError('cancelled', 'The folder is closed.'));
  rejection.catch(() => {});
  return rejection;
}

/**
 * The folder with symbolic links resolved. Clients may name a folder through links, while the session uses its real
 * path.
 */
function resolveRealPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return folder;
  }
}

// Writes the current step of an unattended run to a file about once a second.

import { removeLive, storeLive } from '../../../adapters/run/liveFile.ts';
import type { Progress } from '../../../core/operation.ts';
import type { LiveState } from '../../../core/run/liveState.ts';
import type { NightProgress, NightRequest } from '../night.ts';

/** Milliseconds between two writes. */
const EVERY_MS = 1_000;
const BYTES_PER_MB = 1024 * 1024;

/** Receives events and progress of a run, and writes them as its live state. */
export interface LiveWriter {
  progress(progress: Progress): void;
  event(event: NightProgress): void;
  /** The state now. */
  state(): LiveState;
  /** Stops writing, and removes the file. */
  end(): Promise<void>;
}

/**
 * Reasons why a run is degraded, by their cause. `until`: null if they apply until other reasons with the same cause
 * are reported.
 */
type Degradations = Readonly<Partial<Record<DegradedEvent['cause'], Pick<DegradedEvent, 'reasons' | 'until'>>>>;
type DegradedEvent = Extract<NightProgress, { readonly type: 'degraded' }>;

/**
 * Starts to write to `folder`, the folder of the repository's runs. A write that fails is ignored. `isDraining`: true
 * if this process ends after its current step, for another process to continue.
 */
export function startLiveWriter(
  folder: string,
  { now = Date.now, isDraining = () => false }: { readonly now?: () => number; isDraining?(): boolean } = {},
): LiveWriter {
  const startedAt = now();
  let state = {
    progress: null as Progress | null,
    stageSince: startedAt,
    trying: null as string | null,
    tries: 0,
  };
  let degradations: Degradations = {};
  let writing: Promise<void> = Promise.resolve();
  const takeState = (): LiveState => {
    const usage = process.cpuUsage();
    const degraded = Object.values(degradations).flatMap(({ reasons, until }) =>
      until === null || until > now() ? reasons : [],
    );
    return {
      ...state,
      pid: process.pid,
      startedAt,
      at: now(),
      rssMb: Math.round(process.memoryUsage.rss() / BYTES_PER_MB),
      cpuSeconds: Math.round((usage.user + usage.system) / 1e5) / 10,
      ...(degraded.length === 0 ? {} : { degraded }),
      ...(isDraining() ? { isDraining: true } : {}),
    };
  };
  const write = (): void => {
    writing = writing.then(() => storeLive(folder, takeState()));
  };
  // The file shows other processes that a run begins, before its first event is recorded.
  write();
  const timer = setInterval(write, EVERY_MS).unref();
  return {
    progress(progress) {
      const isSame = state.progress?.stage === progress.stage;
      state = { ...state, progress, stageSince: isSame ? state.stageSince : now() };
    },
    state: takeState,
    event(event) {
      if (event.type === 'degraded') degradations = { ...degradations, [event.cause]: event };
      else if (event.type === 'trying') state = { ...state, trying: event.title, tries: state.tries + 1 };
      // The next report of the run ends the waiting.
      else if (event.type === 'waiting') state = { ...state, trying: null, progress: null };
      else if (event.type !== 'note') state = { ...state, trying: null };
    },
    async end() {
      clearInterval(timer);
      await writing;
      await removeLive(folder);
    },
  };
}

/** Creates a request whose events and progress also reach the live state. */
export function requestWithLiveState(request: NightRequest, live: LiveWriter): NightRequest {
  return {
    ...request,
    report(progress) {
      live.progress(progress);
      request.report?.(progress);
    },
    onEvent(event) {
      live.event(event);
      request.onEvent(event);
    },
  };
}

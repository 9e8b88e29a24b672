// Keeps index and analysis up to date, and opens the store of the index at its first use.

import type { Notice } from '../model.ts';
import type { Operation } from '../operation.ts';
import type { AnalysisReport, IndexReport } from '../session.ts';
import { withActivity, notify, type SessionContext } from './context.ts';
import { indexPaths, indexRepository } from './index/indexing.ts';
import { measureState } from './index/processUse.ts';
import { createAfterwork } from '../run/afterwork.ts';
import type { ProcessMeter } from '../ports/system.ts';
import { analysePaths, analyseRepository } from './analyse/analysing.ts';

/** Functions that update the index and the analysis of a session. */
export interface Freshness {
  /** Opens the store of the index, unless it is open. */
  openStore(): Promise<void>;
  /**
   * Opens the store, and checks that it can be read. Returns a notice if another store replaces the configured one;
   * otherwise null.
   */
  useStore(): Promise<Notice | null>;
  /** Indexes these files; without `paths`, the whole repository. */
  index(operation: Operation, paths?: readonly string[]): Promise<IndexReport>;
  /** Analyses these files; without `paths`, the whole repository. */
  analyse(operation: Operation, paths?: readonly string[]): Promise<AnalysisReport>;
  /** Indexes everything if there is an index that is older than the last write. */
  updateIndex(operation: Operation): Promise<void>;
  /** Analyses the repository, unless it was analysed before. */
  analyseOnce(operation: Operation): Promise<void>;
  /** Resolves when no measurement of the state folder is in progress. */
  finishMeasuring(): Promise<void>;
  /** Updates the analysis after a write. The index follows in idle time, if there is one. */
  reanalyse(operation: Operation): Promise<void>;
}

/**
 * Creates the functions for one session. `lateNotices`: the notices that opening the store produces; the array is
 * filled while the store is opened.
 */
export function createFreshness(
  context: SessionContext,
  lateNotices: readonly Notice[],
  meter: ProcessMeter,
): Freshness {
  const { ports, state, operations } = context;
  let storeOpening: Promise<void> | null = null;
  let isIndexOld = false;
  const measurements = createAfterwork((error) =>
    ports.log.write('debug', 'The state folder was not measured.', error),
  );
  const addLateNotices = (): void => {
    for (const notice of lateNotices) notify(context, notice);
  };
  /** Only searching needs the store, and loading it takes time and memory, so it is opened at its first use. */
  const openStore = (): Promise<void> => {
    storeOpening ??= ports.chunks
      .open(`${context.recordProfile}/${ports.embedder.profile}`, ports.embedder.dimensions)
      .then(addLateNotices);
    // After a failure, the next call tries again.
    storeOpening.catch(() => (storeOpening = null));
    return storeOpening;
  };
  const analyse = (operation: Operation, paths?: readonly string[]) =>
    withActivity(context, 'analysing', () =>
      paths
        ? analysePaths(context, paths, operation, meter.peakRssMb)
        : analyseRepository(context, operation, meter.peakRssMb),
    );
  const updateIndex = async (operation: Operation, paths?: readonly string[]) => {
    await openStore();
    const report = await withActivity(context, 'indexing', () =>
      paths ? indexPaths(context, paths, operation, meter) : indexRepository(context, operation, meter),
    ).finally(addLateNotices);
    if (!paths) isIndexOld = false;
    measurements.start(() => measureState(context, meter));
    return report;
  };
  return {
    openStore,
    async useStore() {
      await openStore();
      await ports.chunks.revision();
      addLateNotices();
      return lateNotices.at(-1) ?? null;
    },
    index: updateIndex,
    analyse,
    async updateIndex(operation) {
      if (state.lastIndex && isIndexOld) await updateIndex(operation);
    },
    async analyseOnce(operation) {
      if (!state.lastAnalysis) await analyse(operation);
    },
    finishMeasuring: () => measurements.finish(),
    async reanalyse(operation) {
      isIndexOld = true;
      await analyse(operation);
      if (state.lastIndex) operations.whenIdle(async (signal) => void (await updateIndex({ signal })));
    },
  };
}

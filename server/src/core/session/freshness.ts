// Brings index and analysis up to date, and opens the store when something needs it.

import type { Notice } from '../model.ts';
import type { Operation } from '../operation.ts';
import type { AnalysisReport, IndexReport } from '../session.ts';
import { during, notify, type SessionContext } from './context.ts';
import { indexPaths, indexRepository } from './index/indexing.ts';
import { analysePaths, analyseRepository } from './look/analysing.ts';

export interface Freshness {
  openStore(): Promise<void>;
  /** So that one can tell which store serves: a notice when it is another one than was asked for. */
  useStore(): Promise<Notice | null>;
  /** Of these files, or of everything. */
  index(operation: Operation, paths?: readonly string[]): Promise<IndexReport>;
  analyse(operation: Operation, paths?: readonly string[]): Promise<AnalysisReport>;
  /** Unless that has been done. */
  analyseOnce(operation: Operation): Promise<void>;
  /** After a write. Nobody waits for the memory: it follows, where there is one, when nothing else is to be done. */
  lookAgain(operation: Operation): Promise<void>;
}

/** `lateNotices` are filled while the store is opened. */
export function createFreshness(
  context: SessionContext,
  lateNotices: readonly Notice[],
  peakRssMb: () => number,
): Freshness {
  const { ports, state, operations } = context;
  let storeOpen: Promise<void> | null = null;
  const sayLate = (): void => {
    for (const notice of lateNotices) notify(context, notice);
  };
  /** Only what searches needs the store, and loading it takes time and memory. */
  const openStore = (): Promise<void> => {
    storeOpen ??= ports.chunks
      .open(`${context.recordProfile}/${ports.embedder.profile}`, ports.embedder.dimensions)
      .then(sayLate);
    // The next one tries again.
    storeOpen.catch(() => (storeOpen = null));
    return storeOpen;
  };
  const analyse = (operation: Operation, paths?: readonly string[]) =>
    during(context, 'analysing', () =>
      paths ? analysePaths(context, paths, operation, peakRssMb) : analyseRepository(context, operation, peakRssMb),
    );
  const index = async (operation: Operation, paths?: readonly string[]) => {
    await openStore();
    return during(context, 'indexing', () =>
      paths ? indexPaths(context, paths, operation, peakRssMb) : indexRepository(context, operation, peakRssMb),
    ).finally(sayLate);
  };
  return {
    openStore,
    async useStore() {
      await openStore();
      await ports.chunks.revision();
      sayLate();
      return lateNotices.at(-1) ?? null;
    },
    index,
    analyse,
    async analyseOnce(operation) {
      if (!state.lastAnalysis) await analyse(operation);
    },
    async lookAgain(operation) {
      await analyse(operation);
      if (state.lastIndex) operations.whenIdle(async (signal) => void (await index({ signal })));
    },
  };
}

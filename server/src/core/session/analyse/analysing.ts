// Updates the analysis of the repository and its points. It needs no index, only a walk and the results of the last
// run.

import { createEmptyAnalysis } from '../../jobs/analyseFile.ts';
import { deriveAll, derivePaths, type Derivation, type DerivedFiles } from '../../index/derive.ts';
import { computeFolderHashes } from '../../index/merkle.ts';
import type { AnalysisReport } from '../../session.ts';
import { getRefreshLimits, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { setImports } from '../index/imports.ts';
import { hasCoverageChanged, scoreRepository } from './scoring.ts';
import { yieldNow } from '../../../util/yieldNow.ts';
import type { Operation, Report } from '../../operation.ts';

/**
 * If more files than this were analysed, the run was the first one or followed a branch switch. Then the worker threads
 * are released, because the rules about several files follow and need the memory.
 */
const RELEASE_THRESHOLD = 256;

/** The job and the stored rows of the analysis of one file. */
export const derivedAnalysis: Derivation<'analysis'> = {
  kind: 'analysis',
  job: 'analyse',
  stage: 'analysing',
  createFallback: (file, problem) => ({ ...createEmptyAnalysis(file), trouble: problem }),
};

/** Walks the tree, analyses the files that have changed, and scores it. */
export async function analyseRepository(
  context: SessionContext,
  operation: Operation,
  peakRssMb: () => number,
): Promise<AnalysisReport> {
  const { ports, state } = context;
  const startedAt = ports.clock.now();
  const derived = await deriveAll(
    ports,
    derivedAnalysis,
    state.lastAnalysis && state.analyses,
    getRefreshLimits(context),
    createReporter(context, operation),
    operation.signal,
  );
  return adoptResults(context, derived, startedAt, peakRssMb);
}

/** Updates saved files by the fast path, or walks the tree if necessary. */
export async function analysePaths(
  context: SessionContext,
  paths: readonly string[],
  operation: Operation,
  peakRssMb: () => number,
): Promise<AnalysisReport> {
  const { ports, state } = context;
  const startedAt = ports.clock.now();
  const derived =
    state.lastAnalysis &&
    (await derivePaths(
      ports,
      derivedAnalysis,
      state.analyses,
      paths,
      getRefreshLimits(context),
      createReporter(context, operation),
      operation.signal,
    ));
  return derived
    ? adoptResults(context, derived, startedAt, peakRssMb)
    : analyseRepository(context, operation, peakRssMb);
}

/**
 * Stores the results in the session. Computes the points again and notifies the listeners if this is the first
 * analysis, or if the tree or the coverage has changed.
 */
async function adoptResults(
  context: SessionContext,
  derived: DerivedFiles<'analysis'>,
  startedAt: number,
  peakRssMb: () => number,
): Promise<AnalysisReport> {
  const { ports, state } = context;
  if (derived.made > RELEASE_THRESHOLD) ports.jobs.release();
  const isFirst = state.lastAnalysis === null;
  state.analyses = derived.rows;
  await yieldNow();
  await setImports(context, [...derived.rows.values()]);
  await yieldNow();
  const treeHash = computeFolderHashes(derived.rows.values()).get('') ?? null;
  const isNewTree = isFirst || treeHash !== state.lastAnalysis?.treeHash;
  const report: AnalysisReport = {
    files: derived.rows.size,
    analysed: derived.made,
    reused: derived.rows.size - derived.made,
    skipped: derived.skipped,
    seconds: (ports.clock.now() - startedAt) / 1000,
    peakRssMb: peakRssMb(),
    treeHash,
  };
  state.lastAnalysis = report;
  if (isNewTree || (await hasCoverageChanged(context))) {
    Object.assign(state, await scoreRepository(context));
    await fallBackIfDamaged(context, null, () =>
      context.ledger.record({ type: 'points', data: { points: state.points } }),
    );
    context.emit({ type: 'opportunities', paths: isFirst ? null : derived.changedPaths });
  }
  return report;
}

/** Creates a function that reports progress to the operation and to the subscribers of the session. */
function createReporter(context: SessionContext, operation: Operation): Report {
  return (progress) => {
    operation.report?.(progress);
    context.emit({ type: 'progress', progress });
  };
}

// Opens the parts of a run in order: its lock, the registration of this process, the ledger, the live state and the
// figures. Closes them in reverse order, so that the lock is released last.

import { acquireLock } from '../../../adapters/files/lock.ts';
import { createStateFolder } from '../../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../adapters/git/nightBranch.ts';
import { registerProcess } from '../../../adapters/system/runningProcesses.ts';
import { createInProgressError } from '../../../core/run/inProgress.ts';
import { withClosing } from './closeInReverse.ts';
import { requestWithLiveState, startLiveWriter } from './liveWriter.ts';
import { openLedger, readNewestSequence, readSequenceAt } from '../sharedKnowledge.ts';
import { openMetrics } from './metrics.ts';
import { findMaxCostToKeep, addScope } from '../../../core/run/runScope.ts';
import { loadNights, type NightContext, type NightRequest } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';
import { waitForLock } from './waitForLock.ts';

/** The functions that open the parts of a run. */
export const RUN_PARTS = {
  takeLock: acquireLock,
  registerProcess,
  openLedger,
  writeLive: startLiveWriter,
  openMetrics,
  openNightBranch,
};
export type RunParts = typeof RUN_PARTS;

/**
 * The parts that are open before the branch of a run is opened. The request also passes its events to the live state.
 */
export type OpenRun = Pick<NightContext, 'request' | 'places' | 'repository'>;

/**
 * Calls `work` while all parts are open. Throws `locked` if a run is in progress, and the errors of opening and of
 * `work`.
 */
export async function withOpenRun<T>(
  nightRequest: NightRequest,
  parts: RunParts,
  work: (open: OpenRun) => Promise<T>,
): Promise<T> {
  const places = resolveNightFolders(nightRequest.rootDir, nightRequest.env);
  await createStateFolder(places.state);
  await createStateFolder(places.folder);
  return withClosing(async (closing) => {
    const lock = await waitForLock(places.lock, { take: parts.takeLock, mayWait: createWait(nightRequest) });
    if (!lock) throw createInProgressError();
    closing.add(() => lock.release());
    const registered = await parts.registerProcess(nightRequest.rootDir, nightRequest.env);
    closing.add(() => registered.release());
    const repository = await parts.openLedger(places.state, nightRequest.log);
    closing.add(() => repository.close());
    const live = parts.writeLive(places.folder, { isDraining: () => nightRequest.drain?.aborted ?? false });
    closing.add(() => live.end());
    const request = requestWithLiveState(nightRequest, live);
    closing.add(await parts.openMetrics({ request, repository, live }));
    const lastNight = (await loadNights(repository.ledger)).at(-1);
    const plan = addScope(nightRequest.plan, lastNight, Date.now());
    const costSetting = Number(request.personSettings['models.costPerRun'] ?? 0);
    const maxCost = nightRequest.keepsMaxCost ? findMaxCostToKeep(lastNight, Date.now(), costSetting) : null;
    const limit = maxCost === null ? {} : { 'models.costPerRun': maxCost };
    const personSettings = { ...request.personSettings, ...limit };
    const { supervisedFrom } = nightRequest;
    const supervisedSince =
      nightRequest.supervisedSince ??
      (supervisedFrom === undefined ? undefined : await readSequenceAt(repository.ledger, supervisedFrom));
    const begunAfter = supervisedSince ?? (await readNewestSequence(repository.ledger));
    const openRequest = { ...request, plan, personSettings, supervisedSince, begunAfter };
    return await work({ request: openRequest, places, repository });
  });
}

/**
 * Creates a function that is true while the run may wait for its lock. Only a run that a supervisor has started again
 * may wait, until the end of the run, because a command such as `night drop` may hold the lock for minutes.
 */
function createWait({ supervisedSince, supervisedFrom, plan, signal, drain, onEvent }: NightRequest): () => boolean {
  let isTold = false;
  return () => {
    if (supervisedSince === undefined && supervisedFrom === undefined) return false;
    if (signal.aborted || drain?.aborted || Date.now() >= plan.until) return false;
    if (!isTold) onEvent({ type: 'waiting', until: null, reason: 'Another command works on the branch.' });
    isTold = true;
    return true;
  };
}

// Opens the parts of a run in order: its lock, the note that this process works here, the ledger, the live state and
// the figures. Closes them in reverse order, so that the lock is released last.

import { takeLock } from '../../../adapters/files/lock.ts';
import { createStateFolder } from '../../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../adapters/git/nightBranch.ts';
import { registerProcess } from '../../../adapters/system/runningProcesses.ts';
import { inProgressError } from '../../../core/run/inProgress.ts';
import { withClosing } from './closeInReverse.ts';
import { requestWithLiveState, startLiveWriter } from './liveWriter.ts';
import { openLedger } from '../sharedKnowledge.ts';
import { openMetrics } from './metrics.ts';
import { withScope } from '../../../core/run/runScope.ts';
import { loadNights, type NightContext, type NightRequest } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';

/** How the parts of a run are opened. */
export const RUN_PARTS = {
  takeLock,
  registerProcess,
  openLedger,
  writeLive: startLiveWriter,
  openMetrics,
  openNightBranch,
};
export type RunParts = typeof RUN_PARTS;

/** The parts that are open before the branch of a run is. The request also passes events to the live state. */
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
    const lock = await parts.takeLock(places.lock);
    if (!lock) throw inProgressError();
    closing.add(() => lock.release());
    const registered = await parts.registerProcess(nightRequest.rootDir, nightRequest.env);
    closing.add(() => registered.release());
    const repository = await parts.openLedger(places.state, nightRequest.log);
    closing.add(() => repository.close());
    const live = parts.writeLive(places.folder);
    closing.add(() => live.end());
    const request = requestWithLiveState(nightRequest, live);
    closing.add(await parts.openMetrics({ request, repository }));
    const plan = withScope(nightRequest.plan, (await loadNights(repository.ledger)).at(-1), Date.now());
    return await work({ request: { ...request, plan }, places, repository });
  });
}

// Checks whether this version of Selfware can take over a run of another version. For this, it opens a copy of the
// run's state and judges some of the run's proposals again. The state itself is only read.

import { join } from 'node:path';
import { createStateFolder, resolveStateFolder } from '../../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../adapters/git/nightBranch.ts';
import type { CheckAnswer } from '../../../adapters/run/versionOffers.ts';
import { removeTree } from '../../../adapters/sandbox/removeTree.ts';
import { copyLedger, readSchemaVersion } from '../../../adapters/sqlite/copyLedger.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { replayedSentence, explainRefusedVersion, type ReplayedProposal } from '../../../core/run/replay.ts';
import { openLedger } from '../sharedKnowledge.ts';
import type { NightDecisionRequest } from '../openEndedNight.ts';
import { loadNights, rootOfRun } from '../night.ts';
import { resolveNightFolders, type NightFolders } from '../nightFolders.ts';
import { replayNight } from '../replayNight.ts';

/** For each of the kept and the refused proposals: number of the newest ones that are judged again. */
const JUDGED_PER_OUTCOME = 2;
/** The reason against a version that changes the schema of the ledger. */
const OTHER_FORM =
  'It stores the ledger in another form, which the older version could not read after a rollback. End the run, and ' +
  'start it again with the new version.';

/** The folder in which versions copy the state of a run while they check themselves. */
export function checkFolder({ folder }: NightFolders): string {
  return join(folder, 'check');
}

/**
 * Checks whether this version may take over. `onReplayed` receives each proposal that was judged again. Throws
 * `cancelled`, and the errors of the state, of git and of the judgement.
 */
export async function checkVersion(
  request: NightDecisionRequest,
  onReplayed: (proposal: ReplayedProposal) => void,
): Promise<CheckAnswer> {
  const { rootDir, env } = request;
  const places = resolveNightFolders(rootDir, env);
  const home = join(checkFolder(places), String(process.pid));
  const copy = resolveNightFolders(rootDir, { ...env, SELFWARE_HOME: home });
  await removeTree(home);
  try {
    const forms = await copyState(request, places, copy);
    const { ledger, close } = await openLedger(copy.state, request.log);
    let night: Night | undefined;
    try {
      const { intact, reason } = await ledger.verify();
      if (!intact) return refuse(`It finds the ledger damaged: ${reason ?? 'the chain is broken.'}`);
      night = (await loadNights(ledger)).at(-1);
    } finally {
      await close();
    }
    for (const { file, form } of forms) if ((await readSchemaVersion(file)) !== form) return refuse(OTHER_FORM);
    if (!night || night.changes.length + night.misses.length === 0)
      return { reason: null, found: replayedSentence([]) };
    return await judgeAgain({ ...request, env: { ...env, SELFWARE_HOME: home }, setUpEnv: env }, night, onReplayed);
  } finally {
    await removeTree(home);
  }
}

/**
 * Copies the ledgers of the repository and of the run. Returns the copied databases with the versions of their schemas.
 */
async function copyState(request: NightDecisionRequest, places: NightFolders, copy: NightFolders) {
  const branch = await openNightBranch(request.rootDir, places.scratch, request.log);
  const stateFolderOf = (of: NightFolders) => resolveStateFolder(rootOfRun({ places: of, branch }), of.env);
  await Promise.all([createStateFolder(copy.state), createStateFolder(stateFolderOf(copy))]);
  return [
    ...(await copyLedger(places.state, copy.state)),
    ...(await copyLedger(stateFolderOf(places), stateFolderOf(copy))),
  ];
}

/**
 * Judges the newest changes and refused proposals of the night again. Returns the reason against this version, or null.
 */
async function judgeAgain(
  request: NightDecisionRequest,
  { branch, changes, misses }: Night,
  onReplayed: (proposal: ReplayedProposal) => void,
): Promise<CheckAnswer> {
  const refusals = misses.filter(({ what }) => what === 'refused');
  const checkedIds = new Set(
    [...changes.slice(-JUDGED_PER_OUTCOME), ...refusals.slice(-JUDGED_PER_OUTCOME)].map(({ proposal }) => proposal),
  );
  const { proposals } = await replayNight(request, branch, {}, onReplayed, checkedIds);
  return { reason: explainRefusedVersion(proposals), found: replayedSentence(proposals) };
}

function refuse(reason: string): CheckAnswer {
  return { reason, found: null };
}

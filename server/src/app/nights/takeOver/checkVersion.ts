// Checks whether this version of Selfware can take over a run of another version: it opens a copy of the run's state and
// judges some of the run's proposals again. The state itself is only read.

import { join } from 'node:path';
import { createStateFolder, stateFolderFor } from '../../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../adapters/git/nightBranch.ts';
import type { CheckAnswer } from '../../../adapters/run/offers.ts';
import { removeTree } from '../../../adapters/sandbox/removeTree.ts';
import { copyLedger, formOf } from '../../../adapters/sqlite/copyLedger.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { replayedSentence, reasonAgainstVersion, type ReplayedProposal } from '../../../core/run/replay.ts';
import { openLedger } from '../memory.ts';
import type { NightDecisionRequest } from '../morning.ts';
import { nightsIn, rootOfRun } from '../night.ts';
import { nightPlaces, type NightPlaces } from '../places.ts';
import { replayNight } from '../replayNight.ts';

/** How many kept and how many refused proposals are judged again, the newest first. */
const JUDGED = 2;
const OTHER_FORM =
  'It stores the ledger in another form, which the older version could not read after a rollback. End the run, and ' +
  'start it again with the new version.';

/** The folder in which versions copy the state of a run while they check themselves. */
export function checkFolder({ folder }: NightPlaces): string {
  return join(folder, 'check');
}

/**
 * Whether this version may take over. `onReplayed` receives each proposal that was judged again. Throws `cancelled`, and
 * what the state, git or the judgement throws.
 */
export async function checkVersion(
  asked: NightDecisionRequest,
  onReplayed: (one: ReplayedProposal) => void,
): Promise<CheckAnswer> {
  const { rootDir, env } = asked;
  const places = nightPlaces(rootDir, env);
  const home = join(checkFolder(places), String(process.pid));
  const copy = nightPlaces(rootDir, { ...env, SELFWARE_HOME: home });
  await removeTree(home);
  try {
    const forms = await copyState(asked, places, copy);
    const { ledger, close } = await openLedger(copy.state, asked.log);
    let night: Night | undefined;
    try {
      const { intact, reason } = await ledger.verify();
      if (!intact) return refused(`It finds the ledger damaged: ${reason ?? 'the chain is broken.'}`);
      night = (await nightsIn(ledger)).at(-1);
    } finally {
      await close();
    }
    for (const { file, form } of forms) if ((await formOf(file)) !== form) return refused(OTHER_FORM);
    if (!night || night.changes.length + night.misses.length === 0)
      return { reason: null, found: replayedSentence([]) };
    return await judgedAgain({ ...asked, env: { ...env, SELFWARE_HOME: home }, setUpEnv: env }, night, onReplayed);
  } finally {
    await removeTree(home);
  }
}

/** Copies the ledgers of the repository and of the run. Returns the copied databases with their forms. */
async function copyState(asked: NightDecisionRequest, places: NightPlaces, copy: NightPlaces) {
  const branch = await openNightBranch(asked.rootDir, places.scratch, asked.log);
  const own = (of: NightPlaces) => stateFolderFor(rootOfRun({ places: of, branch }), of.env);
  await Promise.all([createStateFolder(copy.state), createStateFolder(own(copy))]);
  return [...(await copyLedger(places.state, copy.state)), ...(await copyLedger(own(places), own(copy)))];
}

async function judgedAgain(
  asked: NightDecisionRequest,
  { branch, changes, misses }: Night,
  onReplayed: (one: ReplayedProposal) => void,
): Promise<CheckAnswer> {
  const refusals = misses.filter(({ what }) => what === 'refused');
  const only = new Set([...changes.slice(-JUDGED), ...refusals.slice(-JUDGED)].map(({ proposal }) => proposal));
  const { proposals } = await replayNight(asked, branch, {}, onReplayed, only);
  return { reason: reasonAgainstVersion(proposals), found: replayedSentence(proposals) };
}

function refused(reason: string): CheckAnswer {
  return { reason, found: null };
}

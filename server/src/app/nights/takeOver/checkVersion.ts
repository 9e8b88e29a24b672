// Checks whether this version of Selfware can take over a run of another version: it opens a copy of the run's state and
// judges some of the run's proposals again. The state itself is only read.

import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createStateFolder, stateFolderFor } from '../../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../adapters/git/nightBranch.ts';
import { copyDatabase, formOf } from '../../../adapters/sqlite/copyDatabase.ts';
import type { Night } from '../../../core/run/nights.ts';
import type { Replayed } from '../../../core/run/replay.ts';
import { openLedger } from '../memory.ts';
import type { AskedOfNight } from '../morning.ts';
import { nightsIn, rootOfRun } from '../night.ts';
import { nightPlaces, type NightPlaces } from '../places.ts';
import { replayNight } from '../replayNight.ts';

/** How many kept and how many refused proposals are judged again, the newest first. */
const JUDGED = 2;
const OTHER_FORM =
  'It stores the ledger in another form, which the older version could not read after a rollback. End the run, and ' +
  'start it again with the new version.';
const FILES = ['ledger.db', 'contents.db'];

/**
 * Why this version may not take over; null if nothing speaks against it. `onReplayed` receives each proposal that was
 * judged again. Throws `cancelled`, and what the state, git or the judgement throws.
 */
export async function checkVersion(asked: AskedOfNight, onReplayed: (one: Replayed) => void): Promise<string | null> {
  const { rootDir, env } = asked;
  const places = nightPlaces(rootDir, env);
  const home = join(places.folder, 'check');
  const copy = nightPlaces(rootDir, { ...env, SELFWARE_HOME: home });
  await rm(home, { recursive: true, force: true });
  try {
    const forms = await copyState(asked, places, copy);
    const { ledger, close } = await openLedger(copy.state, asked.log);
    let night: Night | undefined;
    try {
      const { intact, reason } = await ledger.verify();
      if (!intact) return `It finds the ledger damaged: ${reason ?? 'the chain is broken.'}`;
      night = (await nightsIn(ledger)).at(-1);
    } finally {
      await close();
    }
    for (const { file, form } of forms) if ((await formOf(file)) !== form) return OTHER_FORM;
    if (!night || night.changes.length + night.misses.length === 0) return null;
    return await judgedAgain({ ...asked, env: { ...env, SELFWARE_HOME: home }, setUpEnv: env }, night, onReplayed);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Copies the ledgers of the repository and of the run. Returns the copied databases with their forms. */
async function copyState(asked: AskedOfNight, places: NightPlaces, copy: NightPlaces) {
  const branch = await openNightBranch(asked.rootDir, places.scratch, asked.log);
  const own = (of: NightPlaces) => stateFolderFor(rootOfRun({ places: of, branch }), of.env);
  const forms: { readonly file: string; readonly form: number }[] = [];
  for (const [from, to] of [
    [places.state, copy.state],
    [own(places), own(copy)],
  ] as const) {
    await createStateFolder(to);
    // The head comes first: one that is behind its ledger is valid.
    await copyFile(join(from, 'ledger.db.head'), join(to, 'ledger.db.head')).catch(ignoreMissing);
    for (const name of FILES) {
      const file = join(to, name);
      await copyDatabase(join(from, name), file);
      const form = await formOf(file).catch(() => null);
      if (form !== null) forms.push({ file, form });
    }
  }
  return forms;
}

async function judgedAgain(
  asked: AskedOfNight,
  { branch, changes, misses }: Night,
  onReplayed: (one: Replayed) => void,
): Promise<string | null> {
  const refused = misses.filter(({ what }) => what === 'refused');
  const only = new Set([...changes.slice(-JUDGED), ...refused.slice(-JUDGED)].map(({ proposal }) => proposal));
  const { proposals } = await replayNight(asked, branch, {}, onReplayed, only);
  const other = proposals.find(({ outcome }) => outcome === 'different');
  return other ? `It judges “${other.title}” differently. ${other.found}` : null;
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

// Runs the three nights of one repository. All run in the same folder, because the state of a repository belongs to its
// path. Finished nights are stored, so that a run that was stopped can be continued.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runNightWithin, type NightOutcome } from './nightWithin.ts';

/**
 * The nights. `first` starts with an empty state, and its branch is merged. Then `second` continues with its state, and
 * `control` starts with an empty one.
 */
export const ARMS = ['first', 'second', 'control'] as const;
/** One of the nights. */
export type Arm = (typeof ARMS)[number];

/** The outcomes of the nights of a repository. */
export interface Nights {
  readonly name: string;
  readonly outcomes: Readonly<Record<Arm, NightOutcome>>;
}

/** Runs the nights that are not stored yet, and returns all outcomes. `keep`: the folder for outcomes and copies. */
export async function runNights(
  dir: string,
  keep: string,
  minutes: number,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<Nights> {
  const name = basename(dir);
  mkdirSync(join(keep, name), { recursive: true });
  const folder = join(realpathSync(keep), name);
  const outcomes: Partial<Record<Arm, NightOutcome>> = {};
  for (const arm of ARMS) {
    signal.throwIfAborted();
    const file = join(folder, `${arm}.json`);
    if (!existsSync(file)) {
      note(`${name}: ${arm}`);
      writeFileSync(file, `${JSON.stringify(await runNight(arm, dir, folder, minutes, signal), null, 1)}\n`);
    }
    outcomes[arm] = JSON.parse(readFileSync(file, 'utf8')) as NightOutcome;
  }
  return { name, outcomes: outcomes as Nights['outcomes'] };
}

/** Runs one night in a new copy of the repository. */
async function runNight(
  arm: Arm,
  dir: string,
  folder: string,
  minutes: number,
  signal: AbortSignal,
): Promise<NightOutcome> {
  const [workFolder, mergedFolder] = [join(folder, 'work'), join(folder, 'merged')];
  const [repo, home] = [join(workFolder, 'repo'), join(workFolder, 'home')];
  rmSync(workFolder, { recursive: true, force: true });
  mkdirSync(workFolder);
  copyFolder(arm === 'first' ? dir : join(mergedFolder, 'repo'), repo);
  if (arm === 'second') copyFolder(join(mergedFolder, 'home'), home);
  const outcome = await runNightWithin(repo, home, minutes, signal);
  if (arm === 'first') {
    mergeNights(repo);
    rmSync(mergedFolder, { recursive: true, force: true });
    copyFolder(workFolder, mergedFolder);
  } else {
    rmSync(join(folder, `home-${arm}`), { recursive: true, force: true });
    copyFolder(home, join(folder, `home-${arm}`));
  }
  return outcome;
}

/** Merges the branches of the night, as a person who accepts all changes does. */
function mergeNights(repo: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
  const branches = git('branch', '--list', 'selfware/*', '--format=%(refname:short)').trim();
  for (const branch of branches === '' ? [] : branches.split('\n')) git('merge', '--quiet', '--ff-only', branch);
}

function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', '--reflink=auto', from, to]);
}

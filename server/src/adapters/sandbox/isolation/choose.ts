// Chooses the isolation mechanism of this machine: the first one that works in a real test.

import { isLinuxSince, type TaskLimit } from '../limits.ts';
import { canGroupTasks } from '../taskGroup.ts';
import { bubblewrap } from './bubblewrap.ts';
import { describeCallFilter } from './callFilter.ts';
import { container } from './container.ts';
import type { Mechanism } from './mechanism.ts';
import { probeMechanism, type ProbeFolders } from './probe.ts';
import { sandboxExec } from './sandboxExec.ts';
import { unshare } from './unshare.ts';
import type { Isolation } from '../../../core/ports/sandbox.ts';

/** All mechanisms, in the order in which they are tried. */
export const MECHANISMS: readonly Mechanism[] = [bubblewrap, unshare, sandboxExec, container];

/** The chosen isolation. */
export interface ChosenIsolation {
  /** The mechanism; null if commands run like any other process of the user. */
  readonly mechanism: Mechanism | null;
  readonly isolation: Isolation;
  /** True if installed packages can be shown under an overlay. If not, they are shared as links. */
  readonly supportsOverlays: boolean;
}

/** By the state folder and the repository, separated by a NUL character; by the empty text without them. */
const choicesByPlaces = new Map<string, Promise<ChosenIsolation>>();

/**
 * The isolation for these places. It is determined once per process for each of them: the permissions of the machine
 * hardly change while the process runs, but the disks and mounts of the places matter, too.
 */
export function chooseIsolation(places?: ProbeFolders): Promise<ChosenIsolation> {
  const key = places === undefined ? '' : `${places.stateDir}\0${places.repository}`;
  const choice = choicesByPlaces.get(key) ?? findFirstWorking(MECHANISMS, places);
  choicesByPlaces.set(key, choice);
  return choice;
}

/**
 * Returns the first of these mechanisms that works in a real test, with the reasons why those before it do not work. If
 * none works, `mechanism` is null.
 */
export async function findFirstWorking(
  mechanisms: readonly Mechanism[],
  places?: ProbeFolders,
): Promise<ChosenIsolation> {
  const triedMechanisms: Isolation['tried'][number][] = [];
  for (const mechanism of mechanisms) {
    const { trouble, noOverlay } = await probeMechanism(mechanism, places);
    triedMechanisms.push({ kind: mechanism.kind, trouble });
    if (trouble !== null) continue;
    const walls = describeWalls(mechanism, noOverlay);
    return {
      mechanism,
      isolation: { kind: mechanism.kind, confined: true, tried: triedMechanisms, walls },
      supportsOverlays: noOverlay === null,
    };
  }
  return {
    mechanism: null,
    isolation: { kind: 'none', confined: false, tried: triedMechanisms },
    supportsOverlays: false,
  };
}

function describeWalls(mechanism: Mechanism, noOverlay: string | null): readonly string[] {
  const readingWall =
    process.platform === 'linux' ? 'nothing but the system and the copy can be read' : 'home folder hidden';
  const packagesWall =
    noOverlay === null
      ? 'installed packages under an overlay, which keeps what is written into them'
      : `installed packages as links that cannot be written through (no overlay: ${noOverlay})`;
  return [
    'no write outside',
    'no network',
    readingWall,
    describeCallFilter(mechanism),
    describeTaskLimit(chooseTaskLimit(mechanism), process.platform),
    packagesWall,
  ];
}

/** A description of the limit on the number of processes, as part of a sentence. */
export function describeTaskLimit(limit: TaskLimit, platform: NodeJS.Platform): string {
  if (limit !== 'counted') return 'the number of processes limited by the kernel';
  // The counter runs only on Linux. Elsewhere `watchLimits` reads the list of processes every two seconds.
  return platform === 'linux'
    ? 'processes counted many times a second, because the kernel does not limit their number'
    : 'processes, but not threads, counted every two seconds, too late for a fork bomb';
}

/**
 * The way to limit the number of a command's processes. Limits of users do not apply to root, so root needs a control
 * group or, since Linux 6.14, a limit of its namespace.
 */
export function chooseTaskLimit(mechanism: Mechanism | null): TaskLimit {
  // A container's processes are children of its engine, and not in a group of this process.
  if (mechanism?.kind === 'container') return 'kernel';
  if (canGroupTasks()) return 'group';
  const isOrdinary = process.getuid?.() !== 0 && isLinuxSince(5, 14);
  if (mechanism?.kind === 'bubblewrap' && isOrdinary) return 'kernel';
  return mechanism?.kind === 'unshare' && (isOrdinary || isLinuxSince(6, 14)) ? 'kernel' : 'counted';
}

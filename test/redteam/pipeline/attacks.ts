// The library of attacks on the pipeline. A further one is a row in one of these files.

import type { Attack } from './attack.ts';
import { BELIEF } from './attacks/belief.ts';
import { CHARTER, type Trial } from './attacks/charter.ts';
import { CODE } from './attacks/code.ts';
import { HIDDEN } from './attacks/hidden.ts';
import { JUDGES } from './attacks/judges.ts';
import { MODELS } from './attacks/models.ts';
import { OPENINGS } from './attacks/opening.ts';
import { PATHS } from './attacks/paths.ts';
import { REPOSITORIES, type WorldAttack } from './attacks/repository.ts';
import { REQUESTS, SPEAKING } from './attacks/requests.ts';
import { TERMINAL } from './attacks/terminal.ts';
import { UNREACHED } from './attacks/unreached.ts';

/** What is shut in by `confined`, or else what nobody has to shut in. */
export function meantFor<A extends { readonly onlyShutIn?: boolean }>(attacks: readonly A[], confined: boolean): A[] {
  return attacks.filter(({ onlyShutIn }) => confined || onlyShutIn !== true);
}

/** These share one ground: what is edited, and who judges it. */
export const ON_FILES: readonly Attack[] = [...PATHS, ...JUDGES, ...UNREACHED, ...HIDDEN];

/**
 * These share another ground, at the same time: what code does, and what is said of it. Those of the charter come last,
 * because they open sessions of their own on it.
 */
export const ON_CODE: readonly (Attack | Trial)[] = [...BELIEF, ...CODE, ...REQUESTS, ...SPEAKING, ...CHARTER];

export const ON_ONE_GROUND: readonly (Attack | Trial)[] = [...ON_FILES, ...ON_CODE];

/** Each has a world of its own. */
export const WITH_WORLDS: readonly WorldAttack[] = [...REPOSITORIES, ...TERMINAL, ...OPENINGS, ...MODELS];

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

/** The lane `pipeline` sets it. */
export const EVERY_ATTACK = process.env['SELFWARE_EVERY_ATTACK'] === '1';
/** Of the attacks of a class that end alike, so many go the whole way of a proposal in `npm test`. */
const REPRESENTATIVES = 1;

/**
 * All attacks, or representatives of each class: those that are not even filed cost little, so they all stay; of the
 * others the first one of each end that the class has.
 */
export function triedIn<A extends { readonly expected: string; readonly onlyShutIn?: boolean }>(
  classes: readonly (readonly A[])[],
  confined: boolean,
  every = EVERY_ATTACK,
): A[] {
  return classes.flatMap((attacks) => {
    const here = meantFor(attacks, confined);
    if (every) return here;
    const counted = new Map<string, number>();
    return here.filter(({ expected }) => {
      const count = (counted.get(expected) ?? 0) + 1;
      counted.set(expected, count);
      return expected.startsWith('not filed') || count <= REPRESENTATIVES;
    });
  });
}

/** These classes share one ground: what is edited, and who judges it. */
export const ON_FILES: readonly (readonly Attack[])[] = [PATHS, JUDGES, UNREACHED, HIDDEN];

/**
 * These classes share another ground, at the same time: what code does, and what is said of it. Those of the charter
 * come last, because they open sessions of their own on it. Each of them is a class, because each has its own way.
 */
export const ON_CODE: readonly (readonly (Attack | Trial)[])[] = [
  ...[BELIEF, CODE, REQUESTS, SPEAKING],
  ...CHARTER.map((trial) => [trial]),
];

export const ON_ONE_GROUND: readonly (Attack | Trial)[] = [...ON_FILES, ...ON_CODE].flat();

/** Each has a world of its own. */
export const WITH_WORLDS: readonly (readonly WorldAttack[])[] = [REPOSITORIES, TERMINAL, OPENINGS, MODELS];

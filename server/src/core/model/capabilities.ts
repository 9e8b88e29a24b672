// The capabilities and rates of each author, and how settings and charters change them. docs/claims.md shows the table.

import type { SelfwareError } from '../../util/typedError.ts';
import type { Millis } from '../model.ts';
import { AUTHORS, type Author } from './authors.ts';

/**
 * The names of the capabilities. `propose`: file proposals. `run`: run the repository's own commands in the sandbox.
 * `apply`: write to the tree without a person. `commit`: commit to the user's history. `network`: use the network.
 * `install`: install packages. `clone`: clone a repository.
 */
export const CAPABILITIES = ['propose', 'run', 'apply', 'commit', 'network', 'install', 'clone'] as const;
/** The name of a capability. */
export type Capability = (typeof CAPABILITIES)[number];

/** The capabilities and the maximum rates of one author. */
export interface Allowance {
  readonly may: readonly Capability[];
  /** Maximum number of changes that are applied within an hour. */
  readonly changesAnHour: number;
  /** Maximum number of changes that are applied within 24 hours. */
  readonly changesADay: number;
  /** Maximum number of proposals within a minute. The name is the name of the setting. */
  readonly requestsAMinute: number;
}
/** The allowance of each author. */
export type Allowances = Readonly<Record<Author, Allowance>>;

/** Parts of the allowances of some authors, as a person's settings or a charter state them. */
export type AllowanceChanges = {
  readonly [A in Author]?: { readonly [P in keyof Allowance]?: Allowance[P] | undefined } | undefined;
};

const PROPOSE_RUN_APPLY: readonly Capability[] = ['propose', 'run', 'apply'];

/** The default allowances. Only a person may use the network, install, commit or clone. */
export const DEFAULT_ALLOWANCES: Allowances = {
  recipe: { may: PROPOSE_RUN_APPLY, changesAnHour: 120, changesADay: 1000, requestsAMinute: 600 },
  person: { may: CAPABILITIES, changesAnHour: 1000, changesADay: 10_000, requestsAMinute: 600 },
  model: { may: PROPOSE_RUN_APPLY, changesAnHour: 30, changesADay: 100, requestsAMinute: 60 },
  agent: { may: PROPOSE_RUN_APPLY, changesAnHour: 30, changesADay: 100, requestsAMinute: 60 },
  client: { may: PROPOSE_RUN_APPLY, changesAnHour: 30, changesADay: 100, requestsAMinute: 60 },
};

/** Applies a person's settings, which may extend or restrict the allowances. */
export function adjustAllowances(changes: AllowanceChanges): Allowances {
  return createAllowances((author) => {
    const { may, changesAnHour, changesADay, requestsAMinute } = changes[author] ?? {};
    return {
      may: may ?? DEFAULT_ALLOWANCES[author].may,
      changesAnHour: changesAnHour ?? DEFAULT_ALLOWANCES[author].changesAnHour,
      changesADay: changesADay ?? DEFAULT_ALLOWANCES[author].changesADay,
      requestsAMinute: requestsAMinute ?? DEFAULT_ALLOWANCES[author].requestsAMinute,
    };
  });
}

/** Applies the limits of a charter, which can only restrict the allowances. */
export function tightenAllowances(changes: AllowanceChanges, base: Allowances): Allowances {
  return createAllowances((author) => {
    const limits = changes[author] ?? {};
    const allowance = base[author];
    return {
      may: allowance.may.filter((capability) => limits.may?.includes(capability) ?? true),
      changesAnHour: Math.min(allowance.changesAnHour, limits.changesAnHour ?? Infinity),
      changesADay: Math.min(allowance.changesADay, limits.changesADay ?? Infinity),
      requestsAMinute: Math.min(allowance.requestsAMinute, limits.requestsAMinute ?? Infinity),
    };
  });
}

function createAllowances(allowanceOf: (author: Author) => Allowance): Allowances {
  return Object.fromEntries(AUTHORS.map((author) => [author, allowanceOf(author)])) as Record<Author, Allowance>;
}

/** The pause of an author who has used up a rate. */
export interface RatePause {
  readonly error: SelfwareError;
  /** The time at which the author may continue; null if only a person can let it continue. */
  readonly until: Millis | null;
}

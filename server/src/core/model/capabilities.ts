// The capabilities and rates of each author, as plain data. docs/claims.md shows the table.

import { AUTHORS, type Author } from './authors.ts';

/** `run`: run the repository's own commands in the sandbox. `apply`: write to the tree without a person. */
export const CAPABILITIES = ['propose', 'run', 'apply', 'commit', 'network', 'install', 'clone'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface Allowance {
  readonly may: readonly Capability[];
  /** The highest number of changes that are applied within an hour. */
  readonly changesAnHour: number;
  /** The highest number of proposals within a minute. */
  readonly requestsAMinute: number;
}
export type Allowances = Readonly<Record<Author, Allowance>>;

/** Allowances of some authors, from a person's settings or from a charter. */
export type AllowanceWords = {
  readonly [A in Author]?: { readonly [P in keyof Allowance]?: Allowance[P] | undefined } | undefined;
};

const WORKS: readonly Capability[] = ['propose', 'run', 'apply'];

/** The default allowances. Only a person may use the network, install, commit or clone. */
export const ALLOWANCES: Allowances = {
  recipe: { may: WORKS, changesAnHour: 120, requestsAMinute: 600 },
  person: { may: CAPABILITIES, changesAnHour: 1000, requestsAMinute: 600 },
  model: { may: WORKS, changesAnHour: 30, requestsAMinute: 60 },
  agent: { may: WORKS, changesAnHour: 30, requestsAMinute: 60 },
  client: { may: WORKS, changesAnHour: 30, requestsAMinute: 60 },
};

/** Applies a person's settings, which may extend or restrict the allowances. */
export function givenBy(words: AllowanceWords, base: Allowances = ALLOWANCES): Allowances {
  return each((author) => {
    const { may, changesAnHour, requestsAMinute } = words[author] ?? {};
    return {
      may: may ?? base[author].may,
      changesAnHour: changesAnHour ?? base[author].changesAnHour,
      requestsAMinute: requestsAMinute ?? base[author].requestsAMinute,
    };
  });
}

/** Applies a charter, which can only restrict the allowances. */
export function tightenedBy(words: AllowanceWords, base: Allowances): Allowances {
  return each((author) => {
    const { may, changesAnHour = Infinity, requestsAMinute = Infinity } = words[author] ?? {};
    const own = base[author];
    return {
      may: may ? own.may.filter((capability) => may.includes(capability)) : own.may,
      changesAnHour: Math.min(own.changesAnHour, changesAnHour),
      requestsAMinute: Math.min(own.requestsAMinute, requestsAMinute),
    };
  });
}

function each(allowanceOf: (author: Author) => Allowance): Allowances {
  return Object.fromEntries(AUTHORS.map((author) => [author, allowanceOf(author)])) as Record<Author, Allowance>;
}

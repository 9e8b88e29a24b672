// Finds the key of a provider: one that the person has stored in the editor, or one in the environment. Stored keys
// belong to a host, so that no key reaches another host. Also finds the variables for the program of a provider.

import { PROVIDERS } from './proposerNames.ts';

/** Keys that the person has stored in the editor, by host with port, such as `api.openai.com`. Held in memory only. */
export type StoredKeys = ReadonlyMap<string, string>;

/** The places in which keys are looked up. */
export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The keys that the person has stored in the editor. Omitted outside of an editor. */
  readonly storedKeys?: StoredKeys | undefined;
}

/**
 * The key for the host of this address: the stored one, or else the one in the environment. Null if there is none.
 * `variable`: the name of the environment variable that may contain one.
 */
export function findKey(url: string, variable: string, { env, storedKeys }: KeySources): string | null {
  return storedKeys?.get(new URL(url).host) || env[variable] || null;
}

/**
 * The value of an environment variable for the program of a provider, such as an agent. If the variable is for a
 * provider's key, the key that is stored for the provider's host takes precedence. Undefined if it is not set.
 */
export function findKeyVariable(variable: string, sources: KeySources): string | undefined {
  const provider = Object.values(PROVIDERS).find(({ keyFrom }) => keyFrom === variable);
  return (provider ? findKey(provider.url, variable, sources) : sources.env[variable]) ?? undefined;
}

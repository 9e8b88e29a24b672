// Finds the key of a provider: one that the person has stored in the editor, or one in the environment. Stored keys
// belong to a host, so that no key reaches another one. Also finds the variables for the program of a provider.

import { PROVIDERS } from './proposerNames.ts';

/** Keys that the person has stored in the editor, by host with port, such as `api.openai.com`. Held in memory only. */
export type StoredKeys = ReadonlyMap<string, string>;

/** Where keys may be found. */
export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Omitted outside of an editor. */
  readonly storedKeys?: StoredKeys | undefined;
}

/** The key for the host of this address; null = none. `variable`: the environment variable that may hold one. */
export function keyFor(url: string, variable: string, { env, storedKeys }: KeySources): string | null {
  return storedKeys?.get(new URL(url).host) || env[variable] || null;
}

/**
 * The value of an environment variable for the program of a provider, such as an agent. If the variable is that of a
 * provider's key, the key that is stored for its host comes first. Undefined: not set.
 */
export function keyVariable(variable: string, sources: KeySources): string | undefined {
  const provider = Object.values(PROVIDERS).find(({ keyFrom }) => keyFrom === variable);
  return (provider ? keyFor(provider.url, variable, sources) : sources.env[variable]) ?? undefined;
}

// Forwards keys that are stored in the editor to an unattended run, which outlives the window. They travel in the
// environment, because other users of a machine can read the arguments of a process.

import type { StoredKeys } from './keys.ts';
import { AGENTS } from '../agents/agentTable.ts';
import { PROVIDERS, parseProposerName } from './proposerNames.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Name of the environment variable with the keys: a JSON object with keys by host with port, as in `StoredKeys`. */
const FORWARDED_KEYS_VARIABLE = 'SELFWARE_LENT_KEYS';

/**
 * The environment of a run that asks these proposers. It has the stored keys of their hosts, and no others. Throws
 * `usage` for an invalid name.
 */
export function addForwardedKeys(env: Environment, proposers: readonly string[], storedKeys: StoredKeys): Environment {
  const keys = proposers.flatMap(collectHosts).flatMap((host) => {
    const key = storedKeys.get(host);
    return key ? [[host, key] as const] : [];
  });
  return keys.length === 0
    ? removeForwardedKeys(env)
    : { ...env, [FORWARDED_KEYS_VARIABLE]: JSON.stringify(Object.fromEntries(keys)) };
}

/** The environment without forwarded keys, for commands of the person, which need no keys of models. */
export function removeForwardedKeys({ [FORWARDED_KEYS_VARIABLE]: _, ...env }: Environment): Environment {
  return env;
}

/** The keys that an editor has forwarded; undefined if there are none, or if the variable cannot be read. */
export function readForwardedKeys(env: Environment): StoredKeys | undefined {
  const text = env[FORWARDED_KEYS_VARIABLE];
  if (!text) return undefined;
  try {
    const keys: unknown = JSON.parse(text);
    if (typeof keys !== 'object' || keys === null) return undefined;
    return new Map(Object.entries(keys).filter(([, key]) => typeof key === 'string'));
  } catch {
    return undefined;
  }
}

/** The hosts whose keys a proposer uses. */
function collectHosts(name: string): readonly string[] {
  const parsed = parseProposerName(name);
  if (parsed.kind === 'hosted') return [new URL(parsed.url).host];
  if (parsed.kind !== 'agent' || parsed.source === 'own') return [];
  const variables = Object.hasOwn(AGENTS, parsed.agent) ? (AGENTS[parsed.agent]?.keys ?? []) : [];
  return Object.values(PROVIDERS)
    .filter(({ keyFrom }) => variables.includes(keyFrom))
    .map(({ url }) => new URL(url).host);
}

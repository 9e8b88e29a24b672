// Finds the registries that npm asks about packages, according to the repository's own .npmrc.

import { SelfwareError } from '../../../util/typedError.ts';
import { findRegistry, type NpmSettings } from './npmSettings.ts';

/**
 * The hosts that npm asks about these packages, sorted and unique. They include the host of packages without a scope,
 * because advisories come from it. Throws `unavailable` if one of the registries cannot be asked.
 */
export function listRegistryHosts(names: readonly string[], settings: NpmSettings): readonly string[] {
  const hosts = ['', ...names].map((name) => requireHost(name, settings));
  return [...new Set(hosts)].sort();
}

/** The host that npm asks about a package. Throws `unavailable` if its registry cannot be asked. */
function requireHost(name: string, settings: NpmSettings): string {
  const registry = findRegistry(name, settings);
  if (registry.problem === null) return registry.host;
  throw new SelfwareError('unavailable', `${registry.problem} So nothing is asked.`, {
    action: 'Run `npm outdated` and `npm audit` yourself, or name a registry with an https address.',
  });
}

// Finds the registries that npm asks about packages, by the repository's own .npmrc.

import type { SetupFiles } from '../manager.ts';

const DEFAULT_HOST = 'registry.npmjs.org';
const REGISTRY_PATTERN =
  /^[ \t]{0,20}(?:(@[\w.~-]{1,214}):)?registry[ \t]{0,20}=[ \t]{0,20}["']?https?:\/\/([a-z0-9.-]+)/gim;

/**
 * The hosts that npm asks about these packages, sorted and unique. Advisories come from the host of packages without a
 * scope.
 */
export function listRegistryHosts(names: readonly string[], files: SetupFiles): readonly string[] {
  const byScope = new Map<string, string>();
  for (const [, scope = '', host = ''] of (files.text('.npmrc') ?? '').matchAll(REGISTRY_PATTERN))
    byScope.set(scope.toLowerCase(), host.toLowerCase());
  const fallback = byScope.get('') ?? DEFAULT_HOST;
  const scopes = names.flatMap((name) => /^@[^/]+/.exec(name.toLowerCase())?.[0] ?? []);
  return [...new Set([fallback, ...scopes.map((scope) => byScope.get(scope) ?? fallback)])].sort();
}

// Finds the hosts that an installation must contact: the manager's registries, and hosts in its settings and lock
// files.

import type { ManagerName, SetupFiles } from './manager.ts';

const REGISTRY_HOST = 'registry.npmjs.org';
/** The hosts of the default registries, by package manager. */
const DEFAULT_REGISTRIES: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: [REGISTRY_HOST],
  pnpm: [REGISTRY_HOST],
  bun: [REGISTRY_HOST],
  'yarn-classic': [REGISTRY_HOST, 'registry.yarnpkg.com'],
  yarn: [REGISTRY_HOST, 'registry.yarnpkg.com', 'repo.yarnpkg.com'],
};
/** Lock files that are searched for hosts. */
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
/**
 * Matches addresses from which an installation downloads, and captures the host. Other addresses, such as those of
 * funding pages, do not match.
 */
const FETCHED_PATTERN =
  /(?:"?resolved"?:?\s+|tarball:\s*|resolution:.{0,200}?|"resolved":\s*)"?(?:git\+)?https?:\/\/([a-z0-9.-]+)/gi;
/** Matches dependencies that are downloaded from GitHub. */
const GIT_SOURCE_PATTERN = /github:|git\+(?:ssh|https):|git@|codeload\.github/;

/** The hosts that an installation contacts, sorted and unique. A person sees all of them before anything runs. */
export function listHosts(manager: ManagerName, files: SetupFiles): readonly string[] {
  const hosts = new Set(DEFAULT_REGISTRIES[manager]);
  for (const path of ['.npmrc', '.yarnrc.yml', '.yarnrc', 'bunfig.toml'])
    for (const [, host = ''] of (files.text(path) ?? '').matchAll(
      /registry\w{0,40}["']?\s{0,9}[=: ]\s{0,9}["']?https?:\/\/([a-z0-9.-]+)/gi,
    ))
      hosts.add(host.toLowerCase());
  for (const path of LOCK_FILES) {
    const text = files.text(path);
    if (text === null) continue;
    for (const [, host = ''] of text.matchAll(FETCHED_PATTERN)) hosts.add(host.toLowerCase());
    if (GIT_SOURCE_PATTERN.test(text)) for (const host of ['github.com', 'codeload.github.com']) hosts.add(host);
  }
  return [...hosts].sort();
}

// Code of the repository that a package manager loads although install scripts are off.

import type { ManagerName, SetupFiles } from './manager.ts';

export interface LoadedCode {
  readonly path: string;
  readonly what: string;
  /** True: the manager has no switch for it, so nothing is installed without a person's permission. */
  readonly blocks: boolean;
}

/** What this manager would load; with the switches that we use, only what `blocks` still could. */
export function refusedCode(
  manager: ManagerName,
  tracked: readonly string[],
  files: SetupFiles,
): readonly LoadedCode[] {
  const found: LoadedCode[] = [];
  const add = (path: string, what: string, blocks: boolean) => found.push({ path, what, blocks });
  if (manager === 'pnpm') {
    for (const path of ['.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpmfile.js'])
      if (files.has(path)) add(path, 'a program that changes what pnpm installs', false);
    const settings = `${files.text('.npmrc') ?? ''}\n${files.text('pnpm-workspace.yaml') ?? ''}`;
    if (/^\s*(?:global-?)?pnpmfile\s*[=:]/im.test(settings)) add('.npmrc', 'the name of a program for pnpm', true);
    if (/^\s*(?:configDependencies)\s*:/m.test(settings))
      add('pnpm-workspace.yaml', 'plugins that pnpm loads from packages (configDependencies)', true);
  }
  const settings = files.text('.yarnrc.yml') ?? '';
  if (manager === 'yarn' && /^\s*plugins\s*:/m.test(settings))
    add('.yarnrc.yml', 'plugins that Yarn loads from the repository', true);
  if (
    (manager === 'yarn' && /^\s*yarnPath\s*:/m.test(settings)) ||
    /^\s*yarn-path\s/m.test(files.text('.yarnrc') ?? '')
  )
    add(manager === 'yarn' ? '.yarnrc.yml' : '.yarnrc', 'a copy of Yarn in the repository', false);
  if (manager === 'bun' && /^\s*scanner\s*=/m.test(files.text('bunfig.toml') ?? ''))
    add('bunfig.toml', 'a program that Bun loads before it installs', true);
  const names = tracked.filter((path) => /(?:^|\/)\.npmrc$/.test(path));
  for (const path of names)
    if (/^\s*(?:node-options|script-shell|git)\s*=/im.test(files.text(path) ?? ''))
      add(path, 'a setting that names a program', true);
  return found;
}

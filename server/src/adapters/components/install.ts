// Installs an optional component into Selfware's own folder, completely or not at all.

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { isAbandoned } from '../files/partialFolders.ts';
import { createStateFolder, resolveDataFolder, isInRepositoryOrFolder } from '../files/stateFolder.ts';
import type { Component } from './componentTable.ts';
import { resolveComponentsFolder, resolveComponentFolder, findComponentFolder } from './installed.ts';
import { runNpmInstall } from './npm.ts';

/** An installation to make. */
export interface ComponentInstallation {
  readonly component: Component;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives the number of files that were fetched so far. */
  onFetched(count: number): void;
}

/** Part of the name of a folder that is being filled, or that a stopped installation has left behind. */
const PARTIAL_INFIX = '.partial-';

/**
 * Installs the component unless it is already installed, and returns its folder. Removes its other versions, and what
 * interrupted installations have left. Throws `usage` if Selfware's folder is in a repository, `unavailable` if the
 * result of npm is not usable, `writeFailed` if it cannot be moved to its folder, and the errors of `runNpmInstall`.
 */
export async function installComponent({ component, env, signal, onFetched }: ComponentInstallation): Promise<string> {
  const existingFolder = findComponentFolder(component, env);
  if (existingFolder !== null) return existingFolder;
  const selfwareFolder = resolveDataFolder(env, process.platform);
  // A library inside a repository could be replaced by the authors of the repository.
  if (isInRepositoryOrFolder(selfwareFolder, []))
    throw new SelfwareError(
      'usage',
      `Selfware's folder ${selfwareFolder} lies in a repository, so nothing is installed there.`,
      {
        action: 'Set SELFWARE_HOME to a folder outside of it.',
      },
    );
  const [componentsFolder, componentFolder] = [resolveComponentsFolder(env), resolveComponentFolder(component, env)];
  await createStateFolder(selfwareFolder);
  await mkdir(componentsFolder, { recursive: true, mode: 0o700 });
  const partialFolder = await mkdtemp(join(componentsFolder, `${component.name}${PARTIAL_INFIX}`));
  try {
    await writeFile(join(partialFolder, 'package.json'), '{"private":true}\n');
    const { packages, optional, library, setting } = component;
    const offlineAdvice = `On a machine that cannot reach npm, copy a folder in which \`npm install ${packages.join(' ')}\` was run, and set selfware.${setting} to it.`;
    await runNpmInstall({
      folder: partialFolder,
      packages,
      includesOptional: optional,
      env,
      signal,
      onFetched,
      fallbackAdvice: offlineAdvice,
    });
    if (findComponentFolder(component, env) === null) {
      // Whatever is in the folder is a damaged installation.
      await rm(componentFolder, { recursive: true, force: true });
      await rename(partialFolder, componentFolder).catch((error: unknown) =>
        throwUnlessInstalled(component, env, error),
      );
    }
    if (findComponentFolder(component, env) === null)
      throw new SelfwareError('unavailable', `npm has installed no usable ${library}.`, {
        action: `Check the registry in your npm configuration. ${offlineAdvice}`,
      });
  } finally {
    await rm(partialFolder, { recursive: true, force: true });
  }
  await removeOtherVersions(component, env, basename(componentFolder));
  return componentFolder;
}

/** Removes the component in all versions. Returns false if none was there. */
export async function removeComponent(component: Component, env: ComponentInstallation['env']): Promise<boolean> {
  return (await removeOtherVersions(component, env, null)) > 0;
}

/** Throws `writeFailed` unless the component is installed: another process may have installed it meanwhile. */
async function throwUnlessInstalled(
  component: Component,
  env: ComponentInstallation['env'],
  error: unknown,
): Promise<void> {
  if (findComponentFolder(component, env) !== null) return;
  throw new SelfwareError('writeFailed', `${component.library} could not be moved to its folder.`, {
    action: 'Try again.',
    cause: error,
  });
}

/**
 * Removes all versions of the component except the folder with the name `keptFolderName` and recent partial folders, which
 * another process may be filling. If `keptFolderName` is null, removes these as well. Returns the number of removed
 * folders.
 */
async function removeOtherVersions(
  { name }: Component,
  env: ComponentInstallation['env'],
  keptFolderName: string | null,
): Promise<number> {
  const componentsFolder = resolveComponentsFolder(env);
  const entries = await readdir(componentsFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  const entriesToRemove: string[] = [];
  for (const entry of entries) {
    const isPartial = entry.startsWith(`${name}${PARTIAL_INFIX}`);
    if (!isPartial && !(entry.startsWith(`${name}-`) && entry !== keptFolderName)) continue;
    if (keptFolderName !== null && isPartial && !(await isAbandoned(join(componentsFolder, entry)))) continue;
    entriesToRemove.push(entry);
  }
  for (const entry of entriesToRemove) await rm(join(componentsFolder, entry), { recursive: true, force: true });
  return entriesToRemove.length;
}

// Finds an optional component: in the folder that a setting names, where Selfware has installed it, or next to
// Selfware.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SelfwareError } from '../../util/typedError.ts';
import { resolveDataFolder } from '../files/stateFolder.ts';
import type { Component } from './componentTable.ts';
import type { Environment } from '../../util/values/environment.ts';

/** Where to search for a component. */
export interface ComponentPlaces {
  readonly env: Environment;
  /** The folder that the component's setting names; empty if it is not set. */
  readonly configuredFolder: string;
  /** Selfware's own folder, which may contain the library as well. */
  readonly selfwareFolder: string;
}

/** The folder with the components that Selfware has installed. It may not exist. */
export function resolveComponentsFolder(env: Environment): string {
  return join(resolveDataFolder(env, process.platform), 'components');
}

/** The folder of one component in this version; null if Selfware has not installed it. */
export function findComponentFolder(component: Component, env: Environment): string | null {
  const folder = resolveComponentFolder(component, env);
  return findEntry(folder, component.library) === null ? null : folder;
}

/** The folder in which this version of a component belongs. Another version of the library has another folder. */
export function resolveComponentFolder({ name, packages }: Component, env: Environment): string {
  const version = packages[0]!.slice(packages[0]!.lastIndexOf('@') + 1);
  return join(resolveComponentsFolder(env), `${name}-${version}`);
}

/** The path of the file to import; null if the component is not on this machine. Runs no code of the component. */
export function findComponentEntry(
  component: Component,
  { env, configuredFolder, selfwareFolder }: ComponentPlaces,
): string | null {
  const folders =
    configuredFolder === '' ? [resolveComponentFolder(component, env), selfwareFolder] : [configuredFolder];
  for (const folder of folders) {
    const entry = findEntry(folder, component.library);
    if (entry !== null) return entry;
  }
  return null;
}

/** The file to import. Throws `unavailable`, with how to install the component. */
export function requireComponent(component: Component, places: ComponentPlaces): string {
  const entry = findComponentEntry(component, places);
  if (entry !== null) return entry;
  const { name, library, setting } = component;
  const [location, correction] =
    places.configuredFolder === ''
      ? ['is not installed', `Run \`selfware models install ${name}\`, or set selfware.${setting} to a folder with it.`]
      : [
          `is not in ${places.configuredFolder}`,
          `Correct selfware.${setting}, or run \`npm install ${library}\` in that folder.`,
        ];
  throw new SelfwareError('unavailable', `The library ${library} ${location}.`, { action: correction });
}

/** Imports the library. Throws `unavailable` if it is missing or cannot be loaded. */
export async function loadComponent(component: Component, places: ComponentPlaces): Promise<unknown> {
  const entry = requireComponent(component, places);
  try {
    return await import(pathToFileURL(entry).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
    throw new SelfwareError('unavailable', `The library ${component.library} could not be loaded: ${reason}.`, {
      action: `Run \`selfware models install ${component.name}\` to install the version that was tested.`,
      cause,
    });
  }
}

/**
 * The path of the library's entry file in `node_modules` of exactly this folder, not of a folder above it; null if it
 * is not there.
 */
function findEntry(folder: string, library: string): string | null {
  const file = join(folder, 'node_modules', library, 'package.json');
  if (!existsSync(file)) return null;
  try {
    // Next to Selfware's sources, an empty package may have the name of the library.
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown };
    const require = createRequire(join(folder, 'package.json'));
    return manifest.name === library ? require.resolve(library) : null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return null;
  }
}

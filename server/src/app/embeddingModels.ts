// Loads the library for embedding models that run on this machine, and downloads models on request.

import { existsSync } from 'node:fs';
import { COMPONENTS } from '../adapters/components/componentTable.ts';
import { findComponentEntry, loadComponent } from '../adapters/components/installed.ts';
import { downloadModel, MODEL_HOST, findModelFolder } from '../adapters/embeddings/downloadModel.ts';
import type { TransformersLibrary } from '../adapters/embeddings/transformersLibrary.ts';
import type { Settings } from '../settings/schema.ts';
import { findPackageRoot } from './programPaths.ts';
import type { Environment } from '../util/values/environment.ts';

/** Host of the models, shown when a person is asked about a download. */
export { MODEL_HOST };

/** Loads transformers.js. Throws `unavailable`, with the way to install it, if it is missing. */
export async function loadTransformersLibrary(
  settings: Pick<Settings, 'memory.embedderLibrary'>,
  env: Environment,
): Promise<TransformersLibrary> {
  const locations = { env, configuredFolder: settings['memory.embedderLibrary'], selfwareFolder: findPackageRoot() };
  return (await loadComponent(COMPONENTS.embeddings, locations)) as TransformersLibrary;
}

/** True if the library was not found and no setting names its folder, so that installing the component would help. */
export function lacksLibrary(settings: Pick<Settings, 'memory.embedderLibrary'>, env: Environment): boolean {
  const configuredFolder = settings['memory.embedderLibrary'];
  return (
    configuredFolder === '' &&
    findComponentEntry(COMPONENTS.embeddings, {
      env,
      configuredFolder,
      selfwareFolder: findPackageRoot(),
    }) === null
  );
}

/** The folder of a model that was downloaded by this name; null if there is none. */
export function findDownloadedModel(name: string, env: Environment): string | null {
  const folder = findModelFolder(name, env);
  return folder !== null && existsSync(folder) ? folder : null;
}

/**
 * Downloads a model and returns its folder. Call this only after a person has agreed. `onBytes` receives the number of
 * bytes loaded so far and the total. Throws `usage` for an unusable name, `cancelled` and `unavailable`.
 */
export function downloadEmbeddingModel(
  name: string,
  env: Environment,
  library: TransformersLibrary,
  signal: AbortSignal,
  onBytes: (loaded: number, total: number) => void,
): Promise<string> {
  return downloadModel({ name, env, library, host: MODEL_HOST, signal, onBytes });
}

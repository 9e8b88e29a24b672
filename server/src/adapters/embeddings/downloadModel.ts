// Downloads an embedding model, with transformers.js, into a folder of Selfware's own: completely or not at all.

import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { removeAbandonedFolders } from '../files/partialFolders.ts';
import { resolveDataFolder } from '../files/stateFolder.ts';
import type { TransformersLibrary } from './transformersLibrary.ts';

/** The server from which models are downloaded. */
export const MODEL_HOST = 'https://huggingface.co/';
/** Part of the name of a folder that is being filled. */
const PARTIAL_INFIX = '.partial-';

/** A download of a model. */
export interface ModelDownload {
  /** `OWNER/NAME`. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly library: TransformersLibrary;
  readonly host: string;
  readonly signal: AbortSignal;
  /** Receives the number of bytes that were downloaded so far, and the number of bytes of all files. */
  onBytes(loaded: number, total: number): void;
}

/** The folder in which a downloaded model is stored; null if the text is not the name of a model. */
export function findModelFolder(name: string, env: ModelDownload['env']): string | null {
  const parts = name.split('/');
  if (parts.length !== 2 || !parts.every((part) => /^[A-Za-z0-9_][\w.-]*$/.test(part))) return null;
  return join(resolveDataFolder(env, process.platform), 'models', ...parts);
}

/** Downloads the model, and returns its folder. Throws `usage` for an invalid name, `cancelled`, and `unavailable`. */
export async function downloadModel({ name, env, library, host, signal, onBytes }: ModelDownload): Promise<string> {
  const folder = findModelFolder(name, env);
  if (folder === null)
    throw new SelfwareError('usage', `${name.slice(0, 100)} is no name of a model.`, {
      action: 'Say it as OWNER/NAME, such as Xenova/all-MiniLM-L6-v2.',
    });
  throwIfCancelled(signal);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await removeAbandonedFolders(dirname(folder), PARTIAL_INFIX);
  const partial = await mkdtemp(`${folder}${PARTIAL_INFIX}`);
  const { fetch: fetchBefore } = library.env;
  Object.assign(library.env, {
    remoteHost: host,
    cacheDir: partial,
    allowLocalModels: false,
    allowRemoteModels: true,
    fetch: (address: string | URL, init: RequestInit = {}) => fetchBefore(address, { ...init, signal }),
  });
  try {
    const loading = library.pipeline('feature-extraction', name, {
      local_files_only: false,
      progress_callback: ({ status, loaded = 0, total = 0 }) => {
        if (status === 'progress_total') onBytes(loaded, total);
      },
    });
    // The library may not stop when its connection is aborted.
    const extract = await Promise.race([loading, rejectOnAbort(signal)]);
    await extract(['A first text.'], { pooling: 'mean', normalize: true });
    await extract.dispose?.();
    throwIfCancelled(signal);
    await rm(folder, { recursive: true, force: true });
    await rename(join(partial, ...name.split('/')), folder);
  } catch (cause) {
    throwIfCancelled(signal);
    const reason = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
    throw new SelfwareError(
      'unavailable',
      `The model ${name} could not be downloaded from ${host}: ${reason.replace(/\.$/, '')}.`,
      {
        action:
          'Check the network and the name; the model needs a file onnx/model.onnx. Or copy its folder here and set selfware.memory.embedderModel to it.',
        cause,
      },
    );
  } finally {
    Object.assign(library.env, { allowRemoteModels: false, allowLocalModels: true, fetch: fetchBefore });
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Rejects when the signal is aborted. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

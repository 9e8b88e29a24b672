// Stores trained models as GGUF files in the state folder. `current.gguf` is the model in use, and `current.lora.gguf`
// its LoRA adapter, if it has one.

import { copyFile, link, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { toWriteError } from '../files/durableFile.ts';
import type { ModelHome } from './modelHome.ts';

/** Names of the files of a model and of its adapter, which are in one folder. */
const [MODEL_FILE, ADAPTER_FILE] = ['model.gguf', 'model.lora.gguf'];

/** Options of a store of trained models in a folder. */
export interface FileHomeOptions {
  /** The folder for trained models. */
  readonly folder: string;
  /** The file of the base model. */
  readonly base: string;
  /** True if the component that runs model files on this machine is installed. */
  readonly runs: boolean;
}

/** Creates the store of the models in a folder. Throws `usage` if the base does not exist. */
export function createFileHome({ folder, base, runs }: FileHomeOptions): ModelHome {
  if (!existsSync(base))
    throw new SelfwareError('usage', `There is no model at ${base}.`, { action: 'Correct the setting learn.model.' });
  const models = join(folder, 'models');
  const [current, currentAdapter] = [join(folder, 'current.gguf'), join(folder, 'current.lora.gguf')];
  const resolvePlace = (name: string | null) => {
    if (name === null) return { model: base, adapter: null };
    const adapter = join(models, name, ADAPTER_FILE);
    return { model: join(models, name, MODEL_FILE), adapter: existsSync(adapter) ? adapter : null };
  };
  return {
    base: `gguf:${base}`,
    inUse: `gguf:${current}`,
    async add(training, { path, kind }) {
      const trainingFolder = join(models, training);
      try {
        await mkdir(trainingFolder, { recursive: true, mode: 0o700 });
        const target = join(trainingFolder, kind === 'adapter' ? ADAPTER_FILE : MODEL_FILE);
        // Both are in the state folder, so nothing is copied if the file system supports links.
        await link(path, target).catch(() => copyFile(path, target));
        if (kind === 'adapter') await replaceByLink(join(trainingFolder, MODEL_FILE), base);
      } catch (error) {
        throw toWriteError(error, 'The trained model');
      }
      return training;
    },
    async activate(name) {
      const { model, adapter } = resolvePlace(name);
      if (!existsSync(model))
        throw new SelfwareError('notFound', `The file ${model} of the model is gone.`, {
          action: 'Restore it, or run `selfware learn rollback`.',
        });
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Between these steps, another process may see either model without its adapter, but never one model with the
        // adapter of the other.
        await rm(currentAdapter, { force: true });
        await replaceByLink(current, model);
        if (adapter !== null) await replaceByLink(currentAdapter, adapter);
      } catch (error) {
        throw toWriteError(error, current);
      }
    },
    remove: (training) => rm(join(models, training), { recursive: true, force: true }),
    place: resolvePlace,
    proposer: (name) => (runs ? `gguf:${resolvePlace(name).model}` : null),
  };
}

/** Replaces `path` in one step by a link to `target`, or by a copy if links are not allowed (Windows). */
async function replaceByLink(path: string, target: string): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  await symlink(target, temporary).catch(() => copyFile(target, temporary));
  await rename(temporary, path);
}

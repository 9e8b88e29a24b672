// Trained models as GGUF files in the state folder. `current.gguf` is the model in use, and `current.lora.gguf` its LoRA
// adapter, if it has one.

import { copyFile, link, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { writeTrouble } from '../files/durableFile.ts';
import type { ModelHome } from './modelHome.ts';

const ADAPTER_END = '.lora.gguf';

/** `base`: the file of the base model. Throws `usage` if it does not exist. */
export function createFileHome(folder: string, base: string): ModelHome {
  if (!existsSync(base))
    throw new SelfwareError('usage', `There is no model at ${base}.`, { action: 'Correct the setting learn.model.' });
  const models = join(folder, 'models');
  const [current, currentAdapter] = [join(folder, 'current.gguf'), join(folder, 'current.lora.gguf')];
  const isAdapter = (name: string) => name.endsWith(ADAPTER_END);
  const place = (name: string | null) => {
    if (name === null) return { model: base, adapter: null };
    const path = join(models, name);
    return isAdapter(name) ? { model: base, adapter: path } : { model: path, adapter: null };
  };
  return {
    base: `gguf:${base}`,
    inUse: `gguf:${current}`,
    async add(training, { path, kind }) {
      const name = `${training}${kind === 'adapter' ? ADAPTER_END : '.gguf'}`;
      try {
        await mkdir(models, { recursive: true, mode: 0o700 });
        // Both are in the state folder, so nothing is copied where the file system has links.
        await link(path, join(models, name)).catch(() => copyFile(path, join(models, name)));
      } catch (error) {
        throw writeTrouble(error, 'The trained model');
      }
      return name;
    },
    async activate(name) {
      const { model, adapter } = place(name);
      for (const file of [model, adapter])
        if (file !== null && !existsSync(file))
          throw new SelfwareError('notFound', `The file ${file} of the model is gone.`, {
            action: 'Restore it, or train again.',
          });
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // A reader sees the new model without the old adapter, never with it.
        await rm(currentAdapter, { force: true });
        await pointTo(current, model);
        if (adapter !== null) await pointTo(currentAdapter, adapter);
      } catch (error) {
        throw writeTrouble(error, current);
      }
    },
    async remove(training) {
      for (const end of ['.gguf', ADAPTER_END]) await rm(join(models, `${training}${end}`), { force: true });
    },
    place,
    proposer: () => null,
  };
}

/** Replaces `from` in one step by a link, or by a copy where links are not allowed (Windows). */
async function pointTo(from: string, to: string): Promise<void> {
  const temporary = `${from}.new`;
  await rm(temporary, { force: true });
  await symlink(to, temporary).catch(() => copyFile(to, temporary));
  await rename(temporary, from);
}

// Writes the dataset of learned examples to a folder.

import { lstat, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { replaceFile, toWriteError } from '../../adapters/files/durableFile.ts';
import { isInRepositoryOrFolder } from '../../adapters/files/stateFolder.ts';
import type { Training } from '../../core/session/training/trainingTypes.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { resolveTrainingPlaces } from './setUp.ts';

/** The folder of a written dataset, and the number of its examples of each kind. */
export interface ExportedDataset {
  /** Hash of the dataset. */
  readonly id: string;
  readonly folder: string;
  readonly train: number;
  readonly heldOut: number;
  readonly refused: number;
  readonly leftOut: number;
}

/**
 * Writes `train.jsonl`, `refused.jsonl` and `heldout.jsonl`, which are empty if nothing was learned. Throws `usage` for
 * a folder in a repository, where Selfware writes only changes, and if one of these files exists; also the errors of
 * `toWriteError` (`durableFile.ts`).
 */
export async function exportDataset(
  training: Pick<Training, 'dataset'>,
  target: {
    readonly rootDir: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** The target folder; null for the state folder. */
    readonly to: string | null;
  },
): Promise<ExportedDataset> {
  const folder =
    target.to === null ? join(resolveTrainingPlaces(target.rootDir, target.env).folder, 'dataset') : resolve(target.to);
  if (target.to !== null && isInRepositoryOrFolder(folder, [target.rootDir]))
    throw new SelfwareError('usage', `${folder} lies in a repository.`, {
      action: 'Name a folder elsewhere, or leave --to out.',
    });
  const { dataset, leftOut } = await training.dataset();
  const files = { ...dataset.files, 'heldout.jsonl': dataset.heldOutFile };
  if (target.to !== null) await refuseTaken(folder, Object.keys(files));
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await replaceFile(join(folder, name), Buffer.from(text));
  } catch (error) {
    throw toWriteError(error, folder);
  }
  const { id, train, heldOut, refused } = dataset;
  return { id, folder, train: train.length, heldOut: heldOut.length, refused: refused.length, leftOut };
}

/**
 * Throws `usage` if one of the files exists. No file is replaced, even if an earlier export has written it, because it
 * may have been edited.
 */
async function refuseTaken(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const doesExist = await lstat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (doesExist)
      throw new SelfwareError('usage', `${join(folder, name)} exists, and no file is replaced.`, {
        action: 'Name another folder, or move the file away.',
      });
  }
}

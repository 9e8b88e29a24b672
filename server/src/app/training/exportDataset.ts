// Writes the dataset of what was learned to a folder.

import { mkdir } from 'node:fs/promises';
import { join, relative, resolve, isAbsolute } from 'node:path';
import { replaceFile, writeTrouble } from '../../adapters/files/durableFile.ts';
import type { Training } from '../../core/session/training/training.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { trainingPlaces } from './setUp.ts';

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
 * Writes `train.jsonl`, `refused.jsonl` and `heldout.jsonl`; empty files if nothing was learned. Throws `usage` for a
 * folder in the repository, in which only changes are written.
 */
export async function exportDataset(
  training: Pick<Training, 'dataset'>,
  where: {
    readonly rootDir: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Null = in the state folder. */
    readonly to: string | null;
  },
): Promise<ExportedDataset> {
  const { dataset, leftOut } = await training.dataset();
  const folder =
    where.to === null ? join(trainingPlaces(where.rootDir, where.env).folder, 'dataset') : resolve(where.to);
  if (isWithin(folder, where.rootDir))
    throw new SelfwareError('usage', `${folder} lies in the repository.`, {
      action: 'Name a folder elsewhere, or leave --to out.',
    });
  const files = { ...dataset.files, 'heldout.jsonl': dataset.heldOutFile };
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await replaceFile(join(folder, name), Buffer.from(text));
  } catch (error) {
    throw writeTrouble(error, folder);
  }
  const { id, train, heldOut, refused } = dataset;
  return { id, folder, train: train.length, heldOut: heldOut.length, refused: refused.length, leftOut };
}

function isWithin(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

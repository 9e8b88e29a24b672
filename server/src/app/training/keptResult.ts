// Keeps the result of a trainer until it is evaluated. If the evaluation fails or is cut off, the next training with
// the same examples uses it, so that hours of training are not lost.

import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextInside } from '../../adapters/files/safeRead.ts';
import { findArtifact, type Artifact } from '../../adapters/training/artifact.ts';
import { RESULT_MARK_FILE } from '../../adapters/training/trainer.ts';
import { replaceFile } from '../../adapters/files/durableFile.ts';
import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';

/** The data on which a result depends. */
export interface TrainingRecipe {
  /** Hash of the dataset. */
  readonly dataset: string;
  readonly base: string;
  readonly command: string;
}

/** The folder to which a trainer writes, inside the folder of its training. */
export function trainerOutputFolder(folder: string): string {
  return join(folder, 'output');
}

/** Keeps the result in the folder of a training until `dropResult` is called: marks it with the hash of its recipe. */
export async function keepResult(folder: string, recipe: TrainingRecipe): Promise<void> {
  await replaceFile(join(folder, RESULT_MARK_FILE), Buffer.from(computeHash(recipe)));
}

/** True if the folder of a training has a kept result. */
export function isResultKept(folder: string): boolean {
  return findMark(folder) !== null;
}

/** Removes the result and its mark. */
export async function dropResult(folder: string): Promise<void> {
  await rm(join(folder, RESULT_MARK_FILE), { force: true });
  await rm(trainerOutputFolder(folder), { recursive: true, force: true });
}

/**
 * Moves the result of an earlier training with this recipe to the folder of a new training, and returns it; null if
 * there is none. Removes all other results. `runs`: the folder of all trainings.
 */
export async function reuseResult(runs: string, folder: string, recipe: TrainingRecipe): Promise<Artifact | null> {
  const wantedMark = computeHash(recipe);
  let artifact: Artifact | null = null;
  for (const name of await readdir(runs).catch(() => [])) {
    const otherFolder = join(runs, name);
    if (otherFolder === folder) continue;
    if (artifact === null && findMark(otherFolder) === wantedMark) artifact = await moveResult(otherFolder, folder);
    await dropResult(otherFolder);
  }
  return artifact;
}

/** Moves a kept result, and returns it; null if it is unusable. */
async function moveResult(from: string, to: string): Promise<Artifact | null> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await rename(trainerOutputFolder(from), trainerOutputFolder(to)).catch(() => undefined);
  const artifact = await findArtifact(trainerOutputFolder(to));
  if (!('refused' in artifact)) return artifact;
  await dropResult(to);
  return null;
}

/** The hash that marks a kept result; null if there is none. */
function findMark(folder: string): string | null {
  return readTextInside(folder, RESULT_MARK_FILE, 100);
}

function computeHash({ dataset, base, command }: TrainingRecipe): string {
  return sha256(canonicalJson([dataset, base, command]));
}

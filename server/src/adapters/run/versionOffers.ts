// Passes a new version of Selfware, and the result of its check, to the supervisor of a run: two files in the folder of
// the run.

import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProgramVersion } from '../../core/run/takeOver.ts';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { replaceFile } from '../files/durableFile.ts';

const offerSchema = z.object({
  // The hash becomes part of a path.
  offer: z.object({ version: z.string(), hash: z.string().regex(/^[0-9a-f]{16}$/), folder: z.string() }),
  /** True to offer it even if it was refused before. */
  again: z.boolean(),
});

/** A version that is offered to a run. `again`: true to offer it even if it was refused before. */
export type Offer = z.infer<typeof offerSchema>;

/** The result of the check of a version. */
export interface CheckAnswer {
  /** The reason why the version may not take over; null if it may. */
  readonly reason: string | null;
  /** The result of the comparison with the running version, as a sentence; null if the check did not get so far. */
  readonly found: string | null;
}

/**
 * Offers the version to the run whose folder this is. A later offer replaces one that nobody has read, unless only the
 * earlier one asks for a version that was refused.
 */
export async function writeOffer(folder: string, offer: ProgramVersion, isRepeated: boolean): Promise<void> {
  if (!isRepeated && readOpenOffer(folder)?.again) return;
  await replaceFile(
    resolveOfferPath(folder),
    Buffer.from(JSON.stringify({ offer, again: isRepeated } satisfies Offer)),
  );
}

/**
 * Removes the offer and returns it. Null if there is none, or if it is invalid or cannot be removed. Does not throw.
 */
export function takeOffer(folder: string): Offer | null {
  const takenOffer = join(folder, 'offer.taken.json');
  remove(takenOffer);
  try {
    // Renames the offer before it is read. Otherwise, an offer that arrives between reading and removing would be lost.
    renameSync(resolveOfferPath(folder), takenOffer);
  } catch {
    return null;
  }
  const offer = readOfferAt(takenOffer);
  remove(takenOffer);
  return offer;
}

/** The offer that nobody has taken yet; null if there is none. */
export function readOpenOffer(folder: string): Offer | null {
  return readOfferAt(resolveOfferPath(folder));
}

function readOfferAt(file: string): Offer | null {
  const parsed = offerSchema.safeParse(readJson(file));
  return parsed.success ? parsed.data : null;
}

/** The version that has checked itself. `hash`: null if it does not run from a copy for runs. */
export interface Checker {
  readonly version: string;
  readonly hash: string | null;
}

/** Stores the answer of the check of a version, with the version that has checked itself. */
export async function writeCheck(folder: string, answer: CheckAnswer, checker: Checker): Promise<void> {
  await replaceFile(resolveCheckPath(folder), Buffer.from(JSON.stringify({ ...checker, ...answer })));
}

/**
 * The answer of the check of the version with this hash; both fields are null if there is none. Answers of other
 * versions are ignored, because a check may outlive the wait for it. Answers without a hash, which older versions
 * write, are accepted.
 */
export function readCheckAnswer(folder: string, hash: string): CheckAnswer {
  const answer = (readJson(resolveCheckPath(folder)) ?? {}) as Readonly<Record<string, unknown>>;
  const isForeign = typeof answer.hash === 'string' && answer.hash !== hash;
  const parseText = (value: unknown) => (typeof value === 'string' && !isForeign ? value : null);
  return { reason: parseText(answer.reason), found: parseText(answer.found) };
}

/** Removes the result of an earlier check, if the system allows it. Does not throw. */
export function forgetCheck(folder: string): void {
  remove(resolveCheckPath(folder));
}

/** Removes the file, or the folder in its place, if the system allows it. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function readJson(path: string): unknown {
  try {
    return parseJsonOrNull(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function resolveOfferPath(folder: string): string {
  return join(folder, 'offer.json');
}

function resolveCheckPath(folder: string): string {
  return join(folder, 'checked.json');
}

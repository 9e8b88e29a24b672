// Passes a new version of Selfware to the supervisor of a run: a file in the folder of the run.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeptVersion } from '../../core/run/takeOver.ts';
import { parsedJson } from '../../util/parsedJson.ts';
import { replaceFile } from '../files/durableFile.ts';

const offerSchema = z.object({
  offer: z.object({ version: z.string(), hash: z.string(), folder: z.string() }),
  /** Also if it was refused before. */
  again: z.boolean(),
});

export type Offer = z.infer<typeof offerSchema>;

/** Offers the version to the run whose folder this is. A later offer replaces one that nobody has read. */
export async function writeOffer(folder: string, offer: KeptVersion, again: boolean): Promise<void> {
  await replaceFile(placeIn(folder), Buffer.from(JSON.stringify({ offer, again } satisfies Offer)));
}

/** Takes the offer away and returns it; null if there is none. */
export function takeOffer(folder: string): Offer | null {
  let text: string;
  try {
    text = readFileSync(placeIn(folder), 'utf8');
  } catch {
    return null;
  }
  rmSync(placeIn(folder), { force: true });
  const parsed = offerSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : null;
}

function placeIn(folder: string): string {
  return join(folder, 'offer.json');
}

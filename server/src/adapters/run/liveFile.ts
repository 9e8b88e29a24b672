// Stores the present state of an unattended run in a file, for other processes. The file is a cache: a run continues
// without it.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { LiveState } from '../../core/run/liveState.ts';
import { replaceFile } from '../files/durableFile.ts';

const liveSchema = z.object({
  pid: z.number(),
  startedAt: z.number(),
  at: z.number(),
  progress: z
    .object({
      stage: z.enum([
        'walking',
        'reading',
        'indexing',
        'storing',
        'analysing',
        'relating',
        'realising',
        'installing',
        'verifying',
        'applying',
      ]),
      done: z.number(),
      total: z.number().nullable(),
      message: z.string(),
      answer: z.object({ tokens: z.number(), tokensPerSecond: z.number().nullable() }).optional(),
    })
    .nullable(),
  stageSince: z.number(),
  trying: z.string().nullable(),
  tries: z.number(),
  rssMb: z.number(),
  cpuSeconds: z.number(),
  degraded: z.array(z.string()).optional(),
  isDraining: z.literal(true).optional(),
}) satisfies z.ZodType<LiveState>;

/** The stored state; null if there is none, or if it cannot be read. `folder`: the folder of a repository's runs. */
export async function readLive(folder: string): Promise<LiveState | null> {
  try {
    return liveSchema.parse(JSON.parse(await readFile(resolveLivePath(folder), 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the file in one step. A failed write is ignored. */
export async function storeLive(folder: string, live: LiveState): Promise<void> {
  await replaceFile(resolveLivePath(folder), Buffer.from(JSON.stringify(live))).catch(() => undefined);
}

/** Removes the file with the state, if it exists. */
export async function removeLive(folder: string): Promise<void> {
  await rm(resolveLivePath(folder), { force: true });
}

function resolveLivePath(folder: string): string {
  return join(folder, 'now.json');
}

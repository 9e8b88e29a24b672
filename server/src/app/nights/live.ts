// Writes down what an unattended run does now, and reads it in another process. The file is a cache: without it a run
// continues all the same.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../adapters/files/durableFile.ts';
import type { Progress } from '../../core/operation.ts';
import type { LiveState } from '../../core/run/live.ts';
import type { NightProgress } from './night.ts';

const EVERY_MS = 1_000;
const MB = 1024 * 1024;

export interface LiveWriter {
  progress(progress: Progress): void;
  event(event: NightProgress): void;
  /** Removes the file. */
  end(): Promise<void>;
}

/** `folder`: that of the runs of a repository. A write that fails is left out. */
export function writeLive(folder: string, now: () => number = Date.now): LiveWriter {
  const startedAt = now();
  let state = {
    progress: null as Progress | null,
    stageSince: startedAt,
    trying: null as string | null,
    tries: 0,
  };
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    writing = writing.then(async () => {
      const usage = process.cpuUsage();
      const live: LiveState = {
        ...state,
        pid: process.pid,
        startedAt,
        at: now(),
        rssMb: Math.round(process.memoryUsage.rss() / MB),
        cpuSeconds: Math.round((usage.user + usage.system) / 1e5) / 10,
      };
      await replaceFile(placeIn(folder), Buffer.from(JSON.stringify(live))).catch(() => undefined);
    });
  };
  const timer = setInterval(write, EVERY_MS).unref();
  return {
    progress(progress) {
      const isSame = state.progress?.stage === progress.stage;
      state = { ...state, progress, stageSince: isSame ? state.stageSince : now() };
    },
    event(event) {
      if (event.type === 'trying') state = { ...state, trying: event.title, tries: state.tries + 1 };
      else if (event.type !== 'note') state = { ...state, trying: null };
    },
    async end() {
      clearInterval(timer);
      await writing;
      await rm(placeIn(folder), { force: true });
    },
  };
}

const progressShape = z.object({
  stage: z.enum([
    'walking',
    'reading',
    'indexing',
    'storing',
    'analysing',
    'relating',
    'realising',
    'verifying',
    'applying',
  ]),
  done: z.number(),
  total: z.number().nullable(),
  message: z.string(),
});
const shape = z.object({
  pid: z.number(),
  startedAt: z.number(),
  at: z.number(),
  progress: progressShape.nullable(),
  stageSince: z.number(),
  trying: z.string().nullable(),
  tries: z.number(),
  rssMb: z.number(),
  cpuSeconds: z.number(),
}) satisfies z.ZodType<LiveState>;

/** Null if no process has written it, or if it is damaged. */
export async function readLive(folder: string): Promise<LiveState | null> {
  try {
    return shape.parse(JSON.parse(await readFile(placeIn(folder), 'utf8')));
  } catch {
    return null;
  }
}

function placeIn(folder: string): string {
  return join(folder, 'now.json');
}

// Locates the files of one repository in the bench `learning`, below the folder that stays between runs.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createApp } from '../../../server/src/app/createApp.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';

/** The first night, and the second night without and with what the first has taught. */
export const ARMS = ['first', 'without', 'with'] as const;
/** One of these nights. */
export type Arm = (typeof ARMS)[number];

/** The files for which tests were requested, by night. */
export interface Nights {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/**
 * A demand of a person on the tests of this repository, in addition to its checks. It applies to the lines that a
 * change adds, without white space at their beginning. `every`: each line that matches `of` must match it, too. `none`:
 * no line may match it. Both are patterns. `reason`: the text with which the person rejects a change.
 */
export interface Demand {
  readonly reason: string;
  readonly of?: string;
  readonly every?: string;
  readonly none?: string;
}

/** The outcome of the answer to one question. */
export interface Judged {
  readonly path: string;
  /** `kept`: verified, and the person keeps it. `rejected`: verified, and the person rejects it. */
  readonly outcome: 'kept' | 'rejected' | 'refused' | 'unanswered';
  /** The gate that refused it, or `answer`; null for the other outcomes. */
  readonly by: string | null;
  readonly reason: string;
  /** The id of the proposal; null if no edits could be filed. */
  readonly proposal: string | null;
  /** The lines that it adds. */
  readonly added: readonly string[];
}

/** The repository, and the folder with its files. */
export interface LearningPlace {
  readonly name: string;
  /** The checkout. */
  readonly dir: string;
  readonly root: string;
}

/** The files of the checkout `dir` below the folder `keep`. */
export function createLearningPlace(dir: string, keep: string): LearningPlace {
  const name = basename(dir);
  return { name, dir, root: join(keep, name) };
}

/** The folder with the questions and answers of an arm. */
export function mailFolderOf({ root }: LearningPlace, arm: Arm): string {
  return join(root, `mail-${arm}`);
}

/** A state folder by its name. */
export function homeFolderOf({ root }: LearningPlace, name: string): string {
  return join(root, 'states', name);
}

/** The value in a JSON file that stays between runs; null if there is no such file. */
export function readKept<T>({ root }: LearningPlace, name: string): T | null {
  const path = join(root, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null;
}

/** Writes a value to a JSON file that stays between runs. */
export function writeKept({ root }: LearningPlace, name: string, value: unknown): void {
  writeFileSync(join(root, name), `${JSON.stringify(value, null, 1)}\n`);
}

/** Settings for small questions, which a person can read, and for short checks, so that many answers can be judged. */
const SETTINGS = {
  ...defaultSettings,
  'models.contextTokens': 5_000,
  'verify.guardSeconds': 8,
  'verify.differentialSeconds': 0,
};

/** Runs `body` in a session that may run the commands of the repository, with this state folder. */
export async function runInTrusted<T>(
  { dir }: LearningPlace,
  home: string,
  signal: AbortSignal,
  body: (session: Session) => Promise<T>,
): Promise<T> {
  const { session } = await createApp({
    rootDir: dir,
    settings: SETTINGS,
    trusted: true,
    env: { ...process.env, SELFWARE_HOME: home },
    log: { write: () => undefined },
  });
  try {
    await session.open({ signal });
    await session.memory.index({ signal });
    await session.analysis.analyse({ signal });
    return await body(session);
  } finally {
    await session.close();
  }
}

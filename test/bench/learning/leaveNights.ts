// Leaves the questions of both nights in mailboxes. They ask for tests of source files, alternately for the first and
// the second night.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isExample, isDocumentation } from '../../../server/src/core/paths/nonSourcePaths.ts';
import { isBenchmarkCode, isTestFile } from '../../../server/src/core/paths/tests.ts';
import {
  homeFolderOf,
  runInTrusted,
  mailFolderOf,
  readKept,
  writeKept,
  type Arm,
  type LearningPlace,
  type Nights,
} from './learningPlace.ts';

const SCRIPT = /\.[cm]?[jt]s$/;
const NO_SOURCE = /\.d\.[cm]?ts$|(?:^|\/)\w*\.?config\.|^(?:bench|scripts|build|demo|dist|node_modules)\//;

/**
 * Asks about files until `maxQuestions` questions are left, and divides them between both nights. The questions of the first
 * night, and those of the second night without what the first teaches, are left from the same state.
 */
export async function leaveNights(
  place: LearningPlace,
  maxQuestions: number,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(homeFolderOf(place, 'start'), { recursive: true });
  await runInTrusted(place, homeFolderOf(place, 'start'), signal, async (session) => {
    const nights = { first: [] as string[], second: [] as string[] };
    for (const path of listSources(place)) {
      signal.throwIfAborted();
      if (nights.first.length + nights.second.length >= maxQuestions) break;
      const isFirst = nights.first.length === nights.second.length;
      const mail = mailFolderOf(place, isFirst ? 'first' : 'without');
      mkdirSync(mail, { recursive: true });
      const { refused, leftAt } = await session.questions.ask({
        task: { tests: path },
        proposer: `later:${mail}`,
        signal,
      });
      if (leftAt) nights[isFirst ? 'first' : 'second'].push(path);
      note(`${place.name}: ${path}: ${leftAt ? `asked in the ${isFirst ? 'first' : 'second'} night` : refused}`);
    }
    writeKept(place, 'nights.json', nights satisfies Nights);
  });
}

/**
 * Leaves the questions of the second night again, with what the first night has taught. The files of questions that are
 * the same as without it are recorded, because these questions need no further answer.
 */
export async function leaveTaughtNight(place: LearningPlace, signal: AbortSignal): Promise<void> {
  const { second } = readKept<Nights>(place, 'nights.json')!;
  const mail = mailFolderOf(place, 'with');
  mkdirSync(mail, { recursive: true });
  const unchangedPaths: string[] = [];
  await runInTrusted(place, copyHome(place, 'first', 'with'), signal, async (session) => {
    for (const path of second) {
      const { leftAt } = await session.questions.ask({ task: { tests: path }, proposer: `later:${mail}`, signal });
      const [question] = leftAt ?? [];
      if (question && existsSync(join(mailFolderOf(place, 'without'), 'requests', basename(question))))
        unchangedPaths.push(path);
    }
  });
  writeKept(place, 'same.json', unchangedPaths);
}

/** The path of a copy of a state folder, which is made once. */
export function copyHome(place: LearningPlace, from: Arm | 'start', to: string): string {
  const home = homeFolderOf(place, to);
  if (!existsSync(home)) cpSync(homeFolderOf(place, from), home, { recursive: true });
  return home;
}

/** The source files for which tests may be requested, the largest first. */
function listSources({ dir }: LearningPlace): readonly string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: dir, encoding: 'utf8' })
    .split('\0')
    .filter((path) => SCRIPT.test(path) && !NO_SOURCE.test(path))
    .filter((path) => !isTestFile(path) && !isBenchmarkCode(path) && !isExample(path) && !isDocumentation(path))
    .map((path) => ({ path, size: statSync(join(dir, path)).size }))
    .toSorted((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

// Texts that may name a package or a file in a way that imports do not show: configuration, scripts, workflows, strings.

import { isHistory, isProse } from '../../paths/others.ts';
import type { ProjectFile, ProjectView } from './projectView.ts';

/** Lists that tools write. They name everything that is installed, so a name in them says nothing about its use. */
const WRITTEN =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|licen[cs]e[^/]*|notice[^/]*)$/i;
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** UTF-16 units. A longer text that is not code is data. */
const MAX_TEXT = 500_000;

/** `script`: imports of this file are known, so that only its strings are of interest. */
export interface TellingText {
  readonly file: ProjectFile;
  readonly text: string;
  readonly script: boolean;
}

/**
 * The texts of these files, without prose and what tools write. Ends when `enough` says so. If `signal` is aborted,
 * throws its reason.
 */
export async function* tellingTexts(
  files: readonly ProjectFile[],
  { read }: Pick<ProjectView, 'read'>,
  enough: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<TellingText> {
  for (const file of files) {
    signal.throwIfAborted();
    if (enough()) return;
    const { path } = file;
    if (WRITTEN.test(path) || isProse(path) || isHistory(path)) continue;
    const text = await read(path);
    if (text === null || (text.length > MAX_TEXT && !SCRIPT.test(path))) continue;
    yield { file, text, script: SCRIPT.test(path) && file.facts?.module != null };
  }
}

/** Quotes a name for a regular expression. */
export function literally(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

// Finds texts that may refer to a package or a file other than by an import: configuration, scripts, workflows, texts
// in code.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { isHistory, isProse } from '../../paths/nonSourcePaths.ts';
import type { ProjectFile, ProjectView } from './projectView.ts';

/**
 * Matches paths of lock files and lists of licences. They name every installed package, so a name in them is not
 * evidence of its use.
 */
const GENERATED_LIST_PATTERN =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|licen[cs]e[^/]*|notice[^/]*)$/i;
/** Matches paths of pages of a site generator, which may import components. */
const PAGE_PATTERN = /\.(md|mdx|markdown)$/i;
/** Maximum number of UTF-16 units of a text that is not code. A longer one is data, and is skipped. */
const MAX_DATA_LENGTH = 500_000;

/**
 * A text that may refer to a package or a file. `isScript`: true if the imports of the file are known; then only its
 * strings are of interest.
 */
export interface ReferringText {
  readonly file: ProjectFile;
  readonly text: string;
  readonly isScript: boolean;
}

/**
 * The texts of these files, without prose and generated lists. A Markdown page contributes only the parts that load
 * something. Ends when `isEnough` returns true. Throws the reason of `signal` if it is aborted.
 */
export async function* findReferringTexts(
  files: readonly ProjectFile[],
  { read }: Pick<ProjectView, 'read'>,
  isEnough: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<ReferringText> {
  for (const file of files) {
    signal.throwIfAborted();
    if (isEnough()) return;
    const { path } = file;
    const isPage = PAGE_PATTERN.test(path);
    if (GENERATED_LIST_PATTERN.test(path) || (isProse(path) && !isPage) || isHistory(path)) continue;
    const fullText = await read(path);
    if (fullText === null || (fullText.length > MAX_DATA_LENGTH && !SCRIPT_PATTERN.test(path))) continue;
    const text = isPage ? extractLoadingLines(fullText) : fullText;
    yield { file, text, isScript: SCRIPT_PATTERN.test(path) && file.facts?.module != null };
  }
}

/** Matches a line of an example that loads a package. Tools such as evalmd run the examples of a page. */
const PACKAGE_LOAD_PATTERN = /\b(?:require\(\s*|from\s+|import\s+|import\(\s*)["'][^."'/]/;

/**
 * The parts of a Markdown page that load something: its scripts, its imports, and the packages that its examples load.
 */
function extractLoadingLines(text: string): string {
  let fence: string | null = null;
  let isInScript = false;
  const loadingLines = text.split('\n').filter((line) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      return PACKAGE_LOAD_PATTERN.test(line);
    }
    if (mark && !isInScript) {
      fence = mark;
      return false;
    }
    isInScript ||= /^\s*<script\b/i.test(line);
    const isLoadingLine = isInScript || /^(?:import\b|export\b|\}\s*from\b).*["']/.test(line);
    if (/<\/script>/i.test(line)) isInScript = false;
    return isLoadingLine;
  });
  return loadingLines.join('\n');
}

/** The source of a regular expression that matches exactly this text. */
export function escapeForRegExp(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

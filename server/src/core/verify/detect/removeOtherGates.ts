// Removes from a test script the linters, formatters and type checks that have their own gates, so that the tests
// neither wait for them nor fail because of them.

import { flattenScript, joinCommands } from './expandScript.ts';
import { hasBiome, hasEslint, hasOxfmt, hasOxlint, hasPrettier, hasXo, type DetectedProject } from './project.ts';
import type { ShellCommand } from './shellWords.ts';

/** Words that start the program after them. */
const STARTER_WORDS = new Set(['npx', 'bunx', 'exec']);

/** Matches options with which a linter or formatter changes files. `isWriter` also handles Oxfmt and remark. */
const WRITE_OPTIONS = /^(?:--(?:fix|write|apply)(?:-unsafe)?|-w)$/;
/** Compilers. They write to folders that linters and formatters do not read. */
const COMPILER_PROGRAMS = new Set(['tsc', 'tsgo', 'vue-tsc']);

/**
 * Removes commands that other gates cover from a script with its `pre` and `post` scripts: `xo && tsc --noEmit && ava`
 * becomes `ava`. Null if nothing can be removed, if nothing would remain, or if the script is more than a plain
 * sequence of commands.
 *
 * - A linter is removed if the lint gate runs it.
 * - A formatter is removed if it formats every change anyway.
 * - A compiler is removed if it writes nothing.
 * - Anything else stays, because it may create what the tests need.
 *
 * Linters and formatters that change files are also removed, because the tests would run on other code than is applied.
 * They stay if they may complete files that an earlier command has generated, or if the script compares the tree with
 * git.
 */
export function removeSeparatelyCheckedTools(project: DetectedProject, name: string): string | null {
  const commands = flattenScript(project, name);
  if (commands === null) return null;
  const calls = commands.map(parseCall);
  const comparesTree = calls.some(
    ({ name: programName, words }) => programName === 'git' && /^(?:diff|status)$/.test(words[0] ?? ''),
  );
  let mayHaveGenerated = false;
  const remaining = commands.filter((_, index) => {
    const call = calls[index]!;
    const mayFinishGeneratedFiles =
      isWriter(call) && (comparesTree || (mayHaveGenerated && !isForWholeRepository(call)));
    if (!mayFinishGeneratedFiles && hasOwnGate(call, project)) return false;
    mayHaveGenerated ||= !COMPILER_PROGRAMS.has(call.name);
    return true;
  });
  return remaining.length === 0 || remaining.length === commands.length ? null : joinCommands(remaining);
}

/** A call of a program with its arguments. */
interface Call {
  /** The program, without its path. */
  readonly name: string;
  readonly words: readonly string[];
}

function parseCall({ words }: ShellCommand): Call {
  const [first = '', ...otherWords] = words
    .map(({ value }) => value)
    .filter((word, index) => index > 0 || !STARTER_WORDS.has(word));
  return { name: first.replace(/^.*\//, ''), words: otherWords };
}

/** True if another gate runs this program, or formats with it. */
function hasOwnGate({ name, words }: Call, project: DetectedProject): boolean {
  const [first = ''] = words;
  if (name === 'eslint') return hasEslint(project);
  if (name === 'biome') return hasBiome(project) && isBiomeTaskOfGate(first, project);
  if (name === 'oxlint') return hasOxlint(project);
  if (name === 'xo') return hasXo(project) && !hasEslint(project) && !hasBiome(project) && !hasOxlint(project);
  if (name === 'prettier') return hasPrettier(project);
  if (name === 'oxfmt') return hasOxfmt(project) && !hasPrettier(project) && !hasBiome(project);
  // remark formats Markdown. Its plugins ask git for a remote, which a sandbox does not have.
  if (name === 'remark') return isWriter({ name, words });
  return COMPILER_PROGRAMS.has(name) && words.includes('--noEmit');
}

/** True if a gate runs this command of Biome. Biome lints unless ESLint does, and formats unless Prettier does. */
function isBiomeTaskOfGate(task: string, project: DetectedProject): boolean {
  const [lints, formats] = [!hasEslint(project), !hasPrettier(project)];
  if (task === 'lint') return lints;
  if (task === 'format') return formats;
  return (task === 'check' || task === 'ci') && lints && formats;
}

/** True if a linter or formatter changes files with these options. */
function isWriter({ name, words }: Call): boolean {
  if (name === 'remark') return words.some((word) => /^(?:--output|-[a-z]*o)$/.test(word));
  if (name === 'oxfmt') return !words.some((word) => /^--(?:check|list-different)$/.test(word));
  return words.some((word) => WRITE_OPTIONS.test(word));
}

/** True if no path is given, or if a path is `.` or a pattern for everything. Values of options count as paths. */
function isForWholeRepository({ name, words }: Call): boolean {
  const paths = (name === 'biome' ? words.slice(1) : words).filter((word) => !word.startsWith('-'));
  return paths.length === 0 || paths.some((path) => /^(?:\.\/?|(?:\.\/)?\*\*.*)$/.test(path));
}

// Removes the parts of a chained package script that have gates of their own, so that the tests neither wait for them
// nor fail with them.

import { flatScript, lineOf } from './flatScript.ts';
import { hasBiome, hasEslint, hasOxfmt, hasOxlint, hasPrettier, hasXo, type Project } from './project.ts';
import type { ShellCommand } from './shellWords.ts';

const STARTERS = new Set(['npx', 'bunx', 'exec']);

/** The words with which a linter or formatter writes; Oxfmt and remark are asked in `isWriter`. */
const WRITES = /^(?:--(?:fix|write|apply)(?:-unsafe)?|-w)$/;
/** Writes a folder that no linter or formatter of a repository reads as its source. */
const COMPILERS = new Set(['tsc', 'tsgo', 'vue-tsc']);

/**
 * `xo && tsc --noEmit && ava` → `ava`, after its `pre` script. Null if nothing can be left out, nothing would be left,
 * or the lines are not plain. A linter is left out only if the lint gate runs the same one, a compiler only if it
 * writes nothing, because everything else may create what the tests need. A formatter is left out if it formats every
 * change anyway. Linters and formatters of these that write are left out, too, because the tests would run on other code
 * than is applied. They are kept if they may complete what an earlier command has generated.
 */
export function withoutOwnGates(project: Project, name: string): string | null {
  const commands = flatScript(project, name);
  if (commands === null) return null;
  const called = commands.map(calledBy);
  const comparesTree = called.some(({ name: one, words }) => one === 'git' && /^(?:diff|status)$/.test(words[0] ?? ''));
  let mayHaveGenerated = false;
  const remaining = commands.filter((_, at) => {
    const call = called[at]!;
    const completes = isWriter(call) && (comparesTree || (mayHaveGenerated && !isForWholeRepository(call)));
    if (!completes && hasOwnGate(call, project)) return false;
    mayHaveGenerated ||= !COMPILERS.has(call.name);
    return true;
  });
  return remaining.length === 0 || remaining.length === commands.length ? null : lineOf(remaining);
}

interface Call {
  /** The program, without its path. */
  readonly name: string;
  readonly words: readonly string[];
}

function calledBy({ words }: ShellCommand): Call {
  const [first = '', ...rest] = words.map(({ value }) => value).filter((word, at) => at > 0 || !STARTERS.has(word));
  return { name: first.replace(/^.*\//, ''), words: rest };
}

function hasOwnGate({ name, words }: Call, project: Project): boolean {
  const [first = ''] = words;
  if (name === 'eslint') return hasEslint(project);
  if (name === 'biome') return hasBiome(project) && hasOwnBiome(first, project);
  if (name === 'oxlint') return hasOxlint(project);
  if (name === 'xo') return hasXo(project) && !hasEslint(project) && !hasBiome(project) && !hasOxlint(project);
  if (name === 'prettier') return hasPrettier(project);
  if (name === 'oxfmt') return hasOxfmt(project) && !hasPrettier(project) && !hasBiome(project);
  // Formats Markdown. Its plugins ask git for a remote, which a sandbox does not have.
  if (name === 'remark') return isWriter({ name, words });
  return COMPILERS.has(name) && words.includes('--noEmit');
}

/** Biome lints unless ESLint does (`detectLint`), and formats unless Prettier does (`detectFormatter`). */
function hasOwnBiome(task: string, project: Project): boolean {
  const [lints, formats] = [!hasEslint(project), !hasPrettier(project)];
  if (task === 'lint') return lints;
  if (task === 'format') return formats;
  return (task === 'check' || task === 'ci') && lints && formats;
}

function isWriter({ name, words }: Call): boolean {
  if (name === 'remark') return words.some((word) => /^(?:--output|-[a-z]*o)$/.test(word));
  if (name === 'oxfmt') return !words.some((word) => /^--(?:check|list-different)$/.test(word));
  return words.some((word) => WRITES.test(word));
}

/** True for `.` and patterns like it, and without any path. A value of an option counts as a path. */
function isForWholeRepository({ name, words }: Call): boolean {
  const paths = (name === 'biome' ? words.slice(1) : words).filter((word) => !word.startsWith('-'));
  return paths.length === 0 || paths.some((path) => /^(?:\.\/?|(?:\.\/)?\*\*.*)$/.test(path));
}

// Removes the parts of a chained package script that have gates of their own, so that the tests neither wait for them
// nor fail with them.

import { flatScript, lineOf } from './flatScript.ts';
import { hasBiome, hasEslint, hasOxfmt, hasOxlint, hasPrettier, hasXo, type Project } from './project.ts';
import type { ShellCommand } from './shellWords.ts';

const STARTERS = new Set(['npx', 'bunx', 'exec']);

/**
 * `xo && tsc --noEmit && ava` → `ava`, after its `pre` script. Null if nothing can be left out, nothing would be left,
 * or the lines are not plain. A linter is left out only if the lint gate runs the same one, a compiler only if it
 * writes nothing, because everything else may create what the tests need. A formatter is left out if it formats every
 * change anyway. Linters and formatters that write are left out, too: the tests would run on other code than is
 * applied.
 */
export function withoutOwnGates(project: Project, name: string): string | null {
  const commands = flatScript(project, name);
  const remaining = commands?.filter((command) => !hasOwnGate(command, project));
  return !commands || !remaining || remaining.length === 0 || remaining.length === commands.length
    ? null
    : lineOf(remaining);
}

function hasOwnGate({ words }: ShellCommand, project: Project): boolean {
  const [first, ...rest] = words.map(({ value }) => value).filter((word, at) => at > 0 || !STARTERS.has(word));
  if (first === undefined) return false;
  const name = first.replace(/^.*\//, '');
  if (name === 'eslint') return hasEslint(project);
  if (name === 'biome') return hasBiome(project) && rest[0] === 'lint';
  if (name === 'oxlint') return hasOxlint(project);
  if (name === 'xo') return hasXo(project) && !hasEslint(project) && !hasBiome(project) && !hasOxlint(project);
  if (name === 'prettier') return hasPrettier(project);
  if (name === 'oxfmt') return hasOxfmt(project);
  // Formats Markdown. Its plugins ask git for a remote, which a sandbox does not have.
  if (name === 'remark') return rest.some((word) => /^(?:--output|-[a-z]*o)$/.test(word));
  return ['tsc', 'tsgo', 'vue-tsc'].includes(name) && rest.includes('--noEmit');
}

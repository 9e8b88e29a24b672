// Takes linters, formatters and type checkers out of a test script: `lint && vitest run && tsd` becomes `vitest run`.

import { wordsOf } from '../../../util/wordsOf.ts';
import { line, type DetectedCommand } from './command.ts';
import { flatScript, lineOf } from './flatScript.ts';
import { launcherOf, type Project } from './project.ts';
import type { ShellCommand } from './shellWords.ts';
import { detectRunner } from './testRunner.ts';

/** Programs that read code and build nothing. */
const CHECKERS = wordsOf(`
  attw biome commitlint cspell dtslint eclint editorconfig-checker eslint evalmd knip ls-lint markdownlint
  markdownlint-cli2 oxfmt oxlint prettier publint remark semistandard size-limit standard stylelint tsd xo
`);
/** Type checkers that build something unless they are told not to. */
const COMPILERS = wordsOf('tsc tsgo vue-tsc');
const MANAGERS = wordsOf('npm pnpm yarn bun');
/** Scripts that check something, by their names. */
const CHECK_SCRIPT =
  /^(?:audit|check|dts-?check|fmt|format|lint|prettier|readme|spell|tsc|types?|type-?check)(?:[:-]|$)/;

/**
 * The test script without the checks before the tests, and without all commands after them. A mistake that is put into
 * the code must be noticed by a test: a formatter would refuse each of them. Null if the command is no package script,
 * if its text is not plain, or if it holds nothing else than tests.
 */
export function withoutChecks(command: DetectedCommand, project: Project): DetectedCommand | null {
  const flat = command.script ? flatScript(project, command.script.name) : null;
  if (!flat) return null;
  const isRunner = (one: ShellCommand) =>
    detectRunner({ source: '', command: [lineOf([one])], shell: true }, project) !== null;
  const last = flat.findLastIndex(isRunner);
  const kept = (last < 0 ? flat : flat.slice(0, last + 1)).filter((one) => !isCheck(one));
  if (kept.length === 0 || kept.length === flat.length) return null;
  return line(project, `${command.source} without its checks`, lineOf(kept, launcherOf(project)));
}

function isCheck({ words }: ShellCommand): boolean {
  const values = words.map(({ value }) => value);
  const [first = '', ...rest] = values[0] === 'npx' ? values.slice(1) : values;
  const name = first.replace(/^.*\//, '').replace(/@.*$/, '');
  if (CHECKERS.has(name)) return true;
  if (COMPILERS.has(name)) return rest.includes('--noEmit');
  if (!MANAGERS.has(name)) return false;
  const script = rest.find((word) => !word.startsWith('-') && word !== 'run' && word !== 'run-script');
  return script !== undefined && CHECK_SCRIPT.test(script);
}

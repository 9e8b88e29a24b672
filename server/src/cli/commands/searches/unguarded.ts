// `selfware unguarded [PATH…]`: searches for mistakes in exported functions that no test notices.

import type { UnguardedReport } from '../../../core/session/analyse/analysisTypes.ts';
import {
  formatMistake,
  UNGUARDED_RULE,
  createUnguardedOpportunity,
} from '../../../core/session/analyse/unguarded/unguardedMistakes.ts';
import type { UnguardedFunction } from '../../../core/verify/guard/unguarded.ts';
import type { Colors } from '../../../adapters/system/terminal.ts';
import { resolveRequestedPaths, requirePlaces } from '../../../app/namedPlaces.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import { indentText, formatSkippedFunctions } from '../../writers/skippedFunctions.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';

interface UnguardedOptions extends CommonOptions {
  readonly time: string;
  readonly test?: boolean;
  readonly skipped?: boolean;
}

const MORE_TIME = 'Run it again, or with more `--time`.';
/** Maximum number of mistakes of one function that are printed. */
const MAX_SHOWN_MISTAKES = 8;

/** The subcommand `unguarded`. Its exit code is 1 if a mistake was found that no test notices. */
export const unguardedCommand: CommandFactory = (setExitCode) =>
  createCommand('unguarded', 'mistakes in exported functions that no test would notice; runs the tests in a sandbox')
    .argument('[paths...]', 'files or folders')
    .option('--time <seconds>', 'for mistakes and calls; a later run continues where this one ended', '120')
    .option('--test', 'tests that would notice them')
    .option('--skipped', 'every function that was not called, and why')
    .action(async (paths: readonly string[], options: UnguardedOptions) => {
      const seconds = parseWholeNumber('--time', options.time);
      await withSession(
        { ...options, searches: false },
        async ({ session, signal, report, rootDir, colors, ...io }) => {
          requirePlaces(paths, rootDir);
          const places = resolveRequestedPaths(rootDir, paths);
          const answer = await session.analysis.unguarded({ paths: places, seconds, signal, report });
          if (answer.found.length > 0) setExitCode(1);
          if (io.json) return io.outJson(toJson(answer));
          for (const line of formatUntested(answer, colors)) io.out(line);
          for (const unguarded of answer.found) io.out(formatUnguarded(unguarded, options.test ?? false, colors));
          for (const line of formatSummary(answer, options.skipped ?? false))
            io.out(colors.dim(escapeInvisibleLine(line)));
        },
      );
    });

/** A function with its unnoticed mistakes, and on request the test that would notice them. */
function formatUnguarded(unguarded: UnguardedFunction, showsTest: boolean, colors: Colors): string {
  const { path, name, nameRange, mistakes, test } = unguarded;
  const location = `${path}:${nameRange.startLine}:${nameRange.startColumn}`;
  const mistakeLines = mistakes
    .slice(0, MAX_SHOWN_MISTAKES)
    .map((mistake) => `    ${escapeInvisibleLine(formatMistake(mistake))}`);
  const id = colors.dim(`[${UNGUARDED_RULE}] ${createUnguardedOpportunity(unguarded).id}`);
  const finding = `${escapeInvisibleLine(name)}: no test notices ${formatCount(mistakes.length, 'mistake')}`;
  return [
    `${colors.cyan(escapeInvisibleLine(location))} ${finding} ${id}`,
    ...mistakeLines,
    ...(mistakes.length > MAX_SHOWN_MISTAKES ? [`    ${mistakes.length - MAX_SHOWN_MISTAKES} more`] : []),
    ...(showsTest ? formatTest(test, colors) : []),
  ].join('\n');
}

/** The functions that no test reaches. They are listed first, because no mistake in them can be noticed. */
function formatUntested({ untested }: UnguardedReport, colors: Colors): readonly string[] {
  if (!untested || untested.count === 0) return [];
  const { listed, count } = untested;
  const omittedCount = count - listed.length;
  return [
    ...listed.map(({ path, name, line, column }) => {
      const location = colors.cyan(escapeInvisibleLine(`${path}:${line}:${column}`));
      return `${location} ${escapeInvisibleLine(name)}: no test reaches it`;
    }),
    ...(omittedCount > 0 ? [colors.dim(`No test reaches ${formatCount(omittedCount, 'more function')}.`)] : []),
  ];
}

/** The test that would notice the mistakes, or the reason why there is none. */
function formatTest(test: UnguardedFunction['test'], colors: Colors): readonly string[] {
  if ('refused' in test) return [`    ${colors.dim(`No test: ${escapeInvisibleLine(test.refused)}`)}`];
  return [`    ${colors.dim(`${escapeInvisibleLine(test.path)}:`)}`, indentText(escapeInvisible(test.added))];
}

/** What was tried, and which functions were left out, as lines of text. */
function formatSummary(answer: UnguardedReport, showsSkipped: boolean): readonly string[] {
  const { found, files, known, mutants, survivors, leftOut, undone } = answer;
  const countText = `${formatCount(found.length, 'function')} with mistakes that no test notices, in ${formatCount(files, 'file')}`;
  const triedText = `${formatCount(mutants, 'mutant')} tried, ${survivors} survived`;
  const unchangedText = known > 0 ? `, ${formatCount(known, 'file')} unchanged since the last search` : '';
  const showsTest = found.some(({ test }) => !('refused' in test));
  const isNothingKnown = mutants + known + found.length === 0;
  return [
    isNothingKnown
      ? `No mistake was tried in ${formatCount(files, 'file')}, so nothing is known of what the tests notice.`
      : `${countText}; ${triedText}${unchangedText}.`,
    ...(survivors > 0 && found.length === 0
      ? ['No call was found that shows one of the survivors, so each may be harmless or need a test by hand.']
      : []),
    ...(showsTest ? ['`selfware propose ID` proposes tests for one of them.'] : []),
    ...(undone > 0 ? [`${formatCount(undone, 'file')} had not enough time. ${answer.advice ?? MORE_TIME}`] : []),
    ...(undone === 0 && mutants === 0 && answer.advice ? [answer.advice] : []),
    ...formatSkippedFunctions(leftOut, showsSkipped),
  ];
}

/** The report for JSON: each function has the id of its opportunity and its lines. */
function toJson({ found, ...rest }: UnguardedReport) {
  return {
    found: found.map((unguarded) => {
      const { path, name, exportedAs, range, mistakes, calls, test } = unguarded;
      return {
        ...{ id: createUnguardedOpportunity(unguarded).id, path, name, exportedAs, mistakes, calls, test },
        startLine: range.startLine,
        endLine: range.endLine,
      };
    }),
    ...rest,
  };
}

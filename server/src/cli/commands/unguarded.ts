// `selfware unguarded [PATH…]`: mistakes in exported functions that no test notices.

import type { UnguardedReport } from '../../core/session/look/lookTypes.ts';
import { mistakeLine, UNGUARDED, unguardedOpportunity } from '../../core/session/look/unguarded/kept.ts';
import type { UnguardedFunction } from '../../core/verify/guard/unguarded.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { placesIn, requirePlaces } from '../requestedPlaces.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { counted } from '../../util/counted.ts';
import { visible, visibleLine } from '../../util/visible.ts';
import { indented, leftOutLines } from '../writers/leftOut.ts';
import { wholeNumber } from '../wholeNumber.ts';

interface UnguardedOptions extends CommonOptions {
  readonly time: string;
  readonly test?: boolean;
  readonly skipped?: boolean;
}

const MORE_TIME = 'Run it again, or with more `--time`.';
/** Maximum number of mistakes of one function that are printed. */
const MAX_SHOWN = 8;

export const unguardedCommand: CommandFactory = (setExitCode) =>
  command('unguarded', 'mistakes in exported functions that no test notices; runs the tests in the sandbox')
    .argument('[paths...]', 'files or folders')
    .option('--time <seconds>', 'for mistakes and calls; a later run continues where this one ended', '120')
    .option('--test', 'tests that would notice them')
    .option('--skipped', 'every function that was not called, and why')
    .action(async (paths: readonly string[], options: UnguardedOptions) => {
      const seconds = wholeNumber('--time', options.time);
      await withSession(
        { ...options, searches: false },
        async ({ session, signal, report, rootDir, colors, ...io }) => {
          requirePlaces(paths, rootDir);
          const places = placesIn(rootDir, paths);
          const answer = await session.analysis.unguarded({ paths: places, seconds, signal, report });
          if (answer.found.length > 0) setExitCode(1);
          if (io.json) return io.outJson(jsonOf(answer));
          for (const one of answer.found) io.out(textOf(one, options.test ?? false, colors));
          for (const line of summaryOf(answer, options.skipped ?? false)) io.out(colors.dim(visibleLine(line)));
        },
      );
    });

function textOf(found: UnguardedFunction, withTest: boolean, colors: Colors): string {
  const { path, name, nameRange, mistakes, test } = found;
  const location = `${path}:${nameRange.startLine}:${nameRange.startColumn}`;
  const mistakeLines = mistakes.slice(0, MAX_SHOWN).map((mistake) => `    ${visibleLine(mistakeLine(mistake))}`);
  const id = colors.dim(`[${UNGUARDED}] ${unguardedOpportunity(found).id}`);
  const finding = `${visibleLine(name)}: no test notices ${counted(mistakes.length, 'mistake')}`;
  return [
    `${colors.cyan(visibleLine(location))} ${finding} ${id}`,
    ...mistakeLines,
    ...(mistakes.length > MAX_SHOWN ? [`    ${mistakes.length - MAX_SHOWN} more`] : []),
    ...(withTest ? testLines(test, colors) : []),
  ].join('\n');
}

function testLines(test: UnguardedFunction['test'], colors: Colors): readonly string[] {
  if ('refused' in test) return [`    ${colors.dim(`No test: ${visibleLine(test.refused)}`)}`];
  return [`    ${colors.dim(`${visibleLine(test.path)}:`)}`, indented(visible(test.added))];
}

function summaryOf(answer: UnguardedReport, showSkipped: boolean): readonly string[] {
  const { found, files, known, mutants, survivors, leftOut, undone } = answer;
  const what = `${counted(found.length, 'function')} with mistakes that no test notices, in ${counted(files, 'file')}`;
  const tried = `${counted(mutants, 'mutant')} tried, ${survivors} survived`;
  const unchanged = known > 0 ? `, ${counted(known, 'file')} unchanged since the last search` : '';
  const withTest = found.some(({ test }) => !('refused' in test));
  return [
    `${what}; ${tried}${unchanged}.`,
    ...(withTest ? ['`selfware propose ID` proposes tests for one of them.'] : []),
    ...(undone > 0 ? [`${counted(undone, 'file')} had not enough time. ${answer.advice ?? MORE_TIME}`] : []),
    ...(undone === 0 && mutants === 0 && answer.advice ? [answer.advice] : []),
    ...leftOutLines(leftOut, showSkipped),
  ];
}

function jsonOf({ found, ...rest }: UnguardedReport) {
  return {
    found: found.map((one) => {
      const { path, name, exportedAs, range, mistakes, calls, test } = one;
      return {
        ...{ id: unguardedOpportunity(one).id, path, name, exportedAs, mistakes, calls, test },
        startLine: range.startLine,
        endLine: range.endLine,
      };
    }),
    ...rest,
  };
}

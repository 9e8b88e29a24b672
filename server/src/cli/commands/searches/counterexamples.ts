// `selfware counterexamples [PATH…]`: searches for calls that break exported functions.

import type { CounterexampleReport } from '../../../core/session/analyse/analysisTypes.ts';
import { createCounterexampleOpportunity } from '../../../core/session/analyse/storedCounterexamples.ts';
import { resolveRequestedPaths, requirePlaces } from '../../../app/namedPlaces.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { formatCounterexample } from '../../writers/counterexample.ts';
import { formatSkippedFunctions } from '../../writers/skippedFunctions.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';

interface CounterexamplesOptions extends CommonOptions {
  readonly time: string;
  readonly test?: boolean;
  readonly skipped?: boolean;
}

/** The subcommand `counterexamples`. Its exit code is 1 if a call breaks a function. */
export const counterexamplesCommand: CommandFactory = (setExitCode) =>
  createCommand(
    'counterexamples',
    'calls that break exported functions although their types allow them; runs them in a sandbox',
  )
    .argument('[paths...]', 'files or folders')
    .option('--time <seconds>', 'for the calls; a later run continues where this one ended', '60')
    .option('--test', 'a failing test for each')
    .option('--skipped', 'every function that was not called, and why')
    .action(async (paths: readonly string[], options: CounterexamplesOptions) => {
      const seconds = parseWholeNumber('--time', options.time);
      await withSession(
        { ...options, searches: false },
        async ({ session, signal, report, rootDir, colors, ...io }) => {
          requirePlaces(paths, rootDir);
          const searchReport = await session.analysis.counterexamples({
            paths: resolveRequestedPaths(rootDir, paths),
            seconds,
            signal,
            report,
          });
          if (searchReport.finds.length > 0) setExitCode(1);
          if (io.json) return io.outJson(toJson(searchReport));
          for (const counterexample of searchReport.finds)
            io.out(formatCounterexample(counterexample, options.test ?? false, colors));
          for (const line of formatSummary(searchReport, options.skipped ?? false))
            io.out(colors.dim(escapeInvisibleLine(line)));
        },
      );
    });

/** What was called, and what was not, as lines of text. */
function formatSummary(searchReport: CounterexampleReport, showsSkipped: boolean): readonly string[] {
  const { finds, files, known, functions, inputs, leftOut, undone } = searchReport;
  const countText = `${formatCount(finds.length, 'counterexample')} in ${formatCount(files, 'file')}`;
  const calledText = `${formatCount(functions, 'function')} called ${formatCount(inputs, 'time')}`;
  const unchangedText = known > 0 ? `, ${formatCount(known, 'file')} unchanged since the last search` : '';
  return [
    functions + known + finds.length === 0 && files > 0
      ? `No function was called in ${formatCount(files, 'file')}, so nothing is known of what breaks.`
      : `${countText}; ${calledText}${unchangedText}.`,
    ...(files === 0
      ? ['Only functions of TypeScript and JavaScript are called, and there is no such product code here.']
      : []),
    ...(undone > 0 ? [`${formatCount(undone, 'check')} had no time left: run it again, or with more \`--time\`.`] : []),
    ...formatSkippedFunctions(leftOut, showsSkipped),
  ];
}

/**
 * The report for JSON: each counterexample has its id and its lines, but not the data that only writing its test needs.
 */
function toJson({ finds, ...rest }: CounterexampleReport) {
  return {
    finds: finds.map((counterexample) => {
      const {
        calls: _calls,
        site: _site,
        equals: _equals,
        unlike: _unlike,
        tested: _tested,
        stated: _stated,
        range,
        nameRange: _name,
        ...find
      } = counterexample;
      return {
        id: createCounterexampleOpportunity(counterexample).id,
        ...find,
        startLine: range.startLine,
        endLine: range.endLine,
      };
    }),
    ...rest,
  };
}

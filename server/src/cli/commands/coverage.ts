// `selfware coverage`: measures in the sandbox which lines the tests run, and lists the files with the most lines that
// no test runs.

import type { CoverageReport } from '../../core/session/analyse/analysisTypes.ts';
import { formatCount } from '../../util/counted.ts';
import { formatPercent, formatRanges } from '../../core/score/coverage/coverageTexts.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';

interface CoverageOptions extends CommonOptions {
  readonly top: string;
  readonly again?: boolean;
}

/** Maximum number of ranges of lines that are printed for one file. */
const MAX_RANGES = 8;

/** The subcommand `coverage`. */
export const coverageCommand: CommandFactory = () =>
  createCommand('coverage', 'the lines that the tests run; runs the tests in a sandbox')
    .option('--top <number>', 'files to list, those with the most lines that no test runs first', '20')
    .option('--again', 'measures again, although nothing has changed since the last time')
    .action(async (options: CoverageOptions) => {
      const top = parseWholeNumber('--top', options.top);
      await withSession({ ...options, searches: false }, async ({ session, signal, report, colors, ...io }) => {
        const answer = await session.analysis.coverage({ signal, report, again: options.again ?? false });
        if (io.json) return io.outJson(answer);
        const incompleteFiles = answer.files
          .filter(({ covered, coverable }) => covered < coverable)
          .toSorted((a, b) => b.coverable - b.covered - (a.coverable - a.covered));
        for (const file of incompleteFiles.slice(0, top)) io.out(formatFile(file, colors.cyan));
        for (const line of createSummary(answer, incompleteFiles.length - top))
          io.out(colors.dim(escapeInvisibleLine(line)));
      });
    });

/** The covered share of a file, its path, and the first ranges of lines that no test runs. */
function formatFile(
  { path, covered, coverable, missed }: CoverageReport['files'][number],
  paint: (text: string) => string,
) {
  const ranges = formatRanges(missed);
  const omittedText = ranges.length > MAX_RANGES ? ` and ${ranges.length - MAX_RANGES} more` : '';
  const rangesText =
    ranges.length === 0 ? ' no test loads it' : ` lines ${ranges.slice(0, MAX_RANGES).join(', ')}${omittedText}`;
  return `${formatPercent(covered, coverable).padStart(6)}  ${paint(escapeInvisibleLine(path))}${rangesText}`;
}

/** The lines after the list: the coverage of the repository, and how it was measured. */
function createSummary(
  { covered, coverable, command, by: tool, millis, failed, known: isStored, ...rest }: CoverageReport,
  omittedCount: number,
) {
  return [
    ...(omittedCount > 0 ? [`${formatCount(omittedCount, 'more file')} with lines that no test runs.`] : []),
    covered === null || coverable === null
      ? `The coverage of the whole repository is unknown: ${rest.explanation}`
      : `The tests run ${formatPercent(covered, coverable)} of the lines with statements (${covered} of ${coverable}).`,
    isStored
      ? `\`${command}\` was measured before; the tree is the same. \`--again\` measures it again.`
      : `\`${command}\` took ${(millis / 1000).toFixed(1)} s; counted by ${tool}.`,
    ...(failed !== null && failed > 0 ? [`${formatCount(failed, 'test')} failed, so some code may not have run.`] : []),
  ];
}

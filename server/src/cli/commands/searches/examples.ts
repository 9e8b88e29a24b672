// `selfware examples [PATH…]`: runs the examples in the documentation, and lists those whose stated result is wrong.

import type { ExampleReport } from '../../../core/session/analyse/analysisTypes.ts';
import { createExampleOpportunity } from '../../../core/session/analyse/examples/storedExamples.ts';
import { resolveRequestedPaths, requirePlaces } from '../../../app/namedPlaces.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';

interface ExamplesOptions extends CommonOptions {
  readonly time: string;
  readonly skipped?: boolean;
}

/** The subcommand `examples`. Its exit code is 1 if an example is wrong. */
export const examplesCommand: CommandFactory = (setExitCode) =>
  createCommand('examples', 'examples in the documentation whose stated result is wrong; runs them in a sandbox')
    .argument('[paths...]', 'Markdown files or folders')
    .option('--time <seconds>', 'for running the examples', '120')
    .option('--skipped', 'every example of which nothing certain can be said, and why')
    .action(async (paths: readonly string[], options: ExamplesOptions) => {
      const seconds = parseWholeNumber('--time', options.time);
      await withSession(
        { ...options, searches: false },
        async ({ session, signal, report, rootDir, colors, ...io }) => {
          requirePlaces(paths, rootDir);
          const exampleReport = await session.analysis.examples({
            paths: resolveRequestedPaths(rootDir, paths),
            seconds,
            signal,
            report,
          });
          if (exampleReport.wrong.length > 0) setExitCode(1);
          if (io.json) return io.outJson(toJson(exampleReport));
          for (const example of exampleReport.wrong) {
            io.out(`${escapeInvisibleLine(`${example.path}:${example.line}  ${example.call}`)}`);
            io.out(escapeInvisibleLine(`    says  ${example.stated.split('\n', 1)[0]}`));
            io.out(escapeInvisibleLine(`    is    ${example.actual}`));
          }
          for (const line of formatSummary(exampleReport, options.skipped ?? false))
            io.out(colors.dim(escapeInvisibleLine(line)));
        },
      );
    });

/** What was compared, and which examples could not be judged, as lines of text. */
function formatSummary({ wrong, unclear, documents, checks }: ExampleReport, showsSkipped: boolean): readonly string[] {
  if (checks === 0)
    return [
      'No example in the documentation states a result that can be compared (`add(1, 2) //=> 3`).',
      ...formatUnclearExamples(unclear, showsSkipped),
    ];
  const adviceLines = wrong.length === 0 ? [] : ['`selfware improve --rule wrong-example` proposes to correct them.'];
  return [
    `${formatCount(wrong.length, 'wrong example')} among ${formatCount(checks, 'stated result')} in ${formatCount(documents, 'document')}.`,
    ...adviceLines,
    ...formatUnclearExamples(unclear, showsSkipped),
  ];
}

/** The number of examples that could not be judged, or on request a line for each. */
function formatUnclearExamples(unclear: ExampleReport['unclear'], showsSkipped: boolean): readonly string[] {
  if (unclear.length === 0) return [];
  if (!showsSkipped)
    return [`${formatCount(unclear.length, 'example')} could not be judged; \`--skipped\` lists them.`];
  return unclear.map(({ path, line, reason }) => `${path}:${line}  ${reason}`);
}

function toJson({ wrong, ...report }: ExampleReport) {
  return {
    wrong: wrong.map((example) => ({ id: createExampleOpportunity(example).id, ...example })),
    ...report,
  };
}

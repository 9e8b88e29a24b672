// `selfware baseline create|update|show|remove`: manages the baseline, a committed file with the opportunities that a
// team accepts as they are.

import type { BaselineReport } from '../../core/session/analyse/analysisTypes.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';
import { refuseAgents } from '../person.ts';
import { groupThousands } from '../../util/thousands.ts';
import { formatCount } from '../../util/counted.ts';

interface CreateOptions extends CommonOptions {
  readonly force?: boolean;
}

/** The subcommand `baseline`. The exit code of `show` is 1 if an opportunity of the baseline is fixed. */
export const baselineCommand: CommandFactory = (setExitCode) =>
  createCommandGroup(
    'baseline',
    'hides all present opportunities, so that only new ones are shown: create, update, show, remove',
  )
    .addCommand(
      createCommand('create', 'writes .selfware/baseline.json with all that is shown now')
        .option('--force', 'replace the baseline that is there')
        .action((options: CreateOptions) =>
          runAction(
            'create',
            options,
            (report) =>
              `${report.path} holds ${formatOpportunityCount(report.held)}.\n${formatRuleCounts(report)}Commit it, and only what is new is shown.`,
          ),
        ),
    )
    .addCommand(
      createCommand('update', 'removes what is fixed, follows edits, adds nothing').action((options: CommonOptions) =>
        runAction(
          'update',
          options,
          (report) =>
            `${formatOpportunityCount(report.fixed.length)} fixed and removed, ${groupThousands(report.held)} left.`,
        ),
      ),
    )
    .addCommand(
      createCommand('show', 'what it holds, and what is fixed').action((options: CommonOptions) =>
        runAction('show', options, (report) => {
          if (report.fixed.length > 0) setExitCode(1);
          const fixedLines = report.fixed.map(
            ({ path, rule, symbol }) => `  ${path}  ${rule}${symbol === null ? '' : `  ${symbol}`}`,
          );
          const fixedText =
            fixedLines.length > 0
              ? `Fixed since (\`selfware baseline update\` removes them):\n${fixedLines.join('\n')}`
              : 'None of it is fixed yet.';
          return `${report.path} holds ${formatOpportunityCount(report.held)}.\n${formatRuleCounts(report)}${fixedText}`;
        }),
      ),
    )
    .addCommand(
      createCommand('remove', 'deletes it: everything is shown again').action((options: CommonOptions) =>
        runAction('remove', options, () => ''),
      ),
    );

/** Performs the action on the baseline and prints the report. Agents may not create a baseline. */
async function runAction(
  action: 'create' | 'update' | 'show' | 'remove',
  options: CreateOptions,
  describe: (report: BaselineReport) => string,
): Promise<void> {
  await withSession(options, async ({ session, signal, report: progress, json, out, outJson }) => {
    if (action === 'create') await refuseAgents('Accepting what is there');
    if (action !== 'remove') await session.analysis.analyse({ signal, report: progress });
    const report = await session.opportunities.baseline(action, { force: options.force ?? false });
    const text = report ? describe(report) : 'Removed. Everything is shown again.';
    if (json) outJson(report ?? { removed: true });
    else out(text);
  });
}

/** A line for each rule with its number of opportunities, the highest number first. */
function formatRuleCounts({ byRule }: BaselineReport): string {
  return Object.entries(byRule)
    .toSorted(([a, leftCount], [b, rightCount]) => rightCount - leftCount || (a < b ? -1 : 1))
    .map(([rule, count]) => `  ${String(count).padStart(5)}  ${rule}\n`)
    .join('');
}

function formatOpportunityCount(count: number): string {
  return formatCount(count, 'opportunity', 'opportunities');
}

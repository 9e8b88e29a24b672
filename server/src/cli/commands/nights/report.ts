// `selfware report`: prints the report of an unattended run, or a list of all runs.

import { Option } from 'commander';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { readNights } from '../../../app/nights/readNights.ts';
import { createNights } from '../../../app/nights/windowNights.ts';
import { reportNight, reportNightAsData } from '../../../app/nights/reportNight.ts';
import { findNight, markInterrupted } from '../../../core/run/nightQueries.ts';
import { nightHeadline } from '../../../core/run/report/nightReport.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible } from '../../../util/visible.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';

interface ReportOptions extends CommonOptions {
  readonly all?: boolean;
  readonly format: 'human' | 'markdown' | 'json';
}

/** The subcommand `report`. */
export const reportCommand: CommandFactory = () =>
  createCommand('report', 'what the last unattended run has done, as Markdown')
    .argument('[night]', 'another night, by its branch or the id of a run')
    .addOption(
      new Option('--format <format>', 'human and markdown: the report; json: as --json')
        .choices(['human', 'markdown', 'json'])
        .default('human'),
    )
    .option('--all', 'all nights, one line each')
    .action(async (name: string | undefined, options: ReportOptions) => {
      const json = options.json || options.format === 'json';
      const { rootDir } = await loadProcessSettings(options);
      const log = createStderrLog('error');
      const isRunning = await createNights({ env: process.env, log }).isRunning(rootDir);
      const nights = markInterrupted(await readNights(rootDir, process.env, log), isRunning);
      if (options.all) {
        if (json) return writeJson(nights);
        return writeOut(nights.length === 0 ? 'There was no unattended run.' : nights.map(nightHeadline).join('\n'));
      }
      const night = findNight(nights, name ?? null);
      if (!night)
        throw new SelfwareError(
          'notFound',
          name === undefined ? 'There was no unattended run here.' : `There is no night ${name}.`,
          {
            action: name === undefined ? 'Start one: `selfware night`.' : 'Run `selfware report --all`.',
          },
        );
      const request = { rootDir, env: process.env, log };
      if (json) return writeJson(await reportNightAsData(request, night, nights));
      writeOut(escapeInvisible((await reportNight(request, night, nights)).trimEnd()));
    });

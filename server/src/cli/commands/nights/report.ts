// `selfware report`: the report of an unattended run.

import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { readNights } from '../../../app/nights/readNights.ts';
import { createNights } from '../../../app/nights/windowNights.ts';
import { reportNight } from '../../../app/nights/reportNight.ts';
import { collectNightFigures } from '../../../core/run/report/nightFigures.ts';
import { findSelfImprovementLevel } from '../../../core/run/report/selfImprovementLevel.ts';
import { markInterrupted } from '../../../core/run/nightQueries.ts';
import { nightHeadline } from '../../../core/run/report/nightReport.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible } from '../../../util/visible.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';

interface ReportOptions extends CommonOptions {
  readonly all?: boolean;
}

export const reportCommand: CommandFactory = () =>
  createCommand('report', 'what the last unattended run has done, as Markdown')
    .argument('[branch]', 'another night, by its branch')
    .option('--all', 'all nights, one line each')
    .action(async (branch: string | undefined, options: ReportOptions) => {
      const { rootDir } = await loadProcessSettings(options);
      const log = createStderrLog('error');
      const isRunning = await createNights({ env: process.env, log }).isRunning(rootDir);
      const nights = markInterrupted(await readNights(rootDir, process.env, log), isRunning);
      if (options.all) {
        if (options.json) return writeJson(nights);
        return writeOut(nights.length === 0 ? 'There was no unattended run.' : nights.map(nightHeadline).join('\n'));
      }
      const night = branch === undefined ? nights.at(-1) : nights.find((candidate) => candidate.branch === branch);
      if (!night)
        throw new SelfwareError(
          'notFound',
          branch === undefined ? 'There was no unattended run here.' : `There is no night on ${branch}.`,
          {
            action: branch === undefined ? 'Start one: `selfware night`.' : 'Run `selfware report --all`.',
          },
        );
      if (options.json)
        return writeJson({
          ...night,
          figures: collectNightFigures([night]),
          level: findSelfImprovementLevel(nights.slice(0, nights.indexOf(night) + 1)),
        });
      writeOut(escapeInvisible((await reportNight({ rootDir, env: process.env, log }, night, nights)).trimEnd()));
    });

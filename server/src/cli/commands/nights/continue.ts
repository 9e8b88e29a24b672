// `selfware night continue`: lets a paused run continue after a person has seen why it paused.

import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { continueRun } from '../../../app/nights/pauseRun.ts';
import { readNights } from '../../../app/nights/readNights.ts';
import { readNewestNight } from '../../../app/nights/watchNight.ts';
import { resumedRunSentence } from '../../../core/run/report/nightReport.ts';
import { findUnansweredAnomaly } from '../../../core/run/nightQueries.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { requirePerson } from '../../person.ts';

/** The subcommand `night continue`. */
export const continueCommand: CommandFactory = () =>
  createCommand('continue', 'lets a run continue that has paused because something was unusual').action(
    async (options: CommonOptions) => {
      const { rootDir, ownSettings } = await loadProcessSettings(options);
      const log = createStderrLog('error');
      const night = (await readNights(rootDir, process.env, log)).at(-1);
      const anomaly = night ? findUnansweredAnomaly(night) : null;
      if (anomaly) {
        const show = () => writeError(escapeInvisibleLine(anomaly.reason));
        await requirePerson({
          subject: 'Continuing the run',
          question: 'Let the run continue?',
          ownSettings,
          show,
        });
      }
      const { branch } = await continueRun(rootDir, process.env, log);
      if (options.json) return writeJson({ night: branch });
      const { isRunning } = await readNewestNight(rootDir, process.env, log);
      const nextPauseText = isRunning ? ' The same kind of thing pauses it again only if it is new.' : '';
      writeOut(`${resumedRunSentence(escapeInvisibleLine(branch), isRunning)}${nextPauseText}`);
    },
  );

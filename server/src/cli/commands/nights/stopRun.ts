// `selfware night stop`: ends a run after its current step. It does not set the kill switch.

import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { requestRunEnd } from '../../../app/nights/pauseRun.ts';
import { readNewestNight } from '../../../app/nights/watchNight.ts';
import { endingRunSentence, createNotInProgressError } from '../../../core/run/inProgress.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';

/** The subcommand `night stop`. */
export const stopRunCommand: CommandFactory = () =>
  createCommand('stop', 'ends the run after its current step, and lets the next one start').action(
    async (options: CommonOptions) => {
      const { rootDir } = await loadProcessSettings(options);
      const log = createStderrLog('error');
      const { isRunning } = await readNewestNight(rootDir, process.env, log);
      if (!isRunning) throw createNotInProgressError();
      const { branch } = await requestRunEnd(rootDir, process.env, log);
      if (options.json) return writeJson({ night: branch });
      writeOut(endingRunSentence(escapeInvisibleLine(branch)));
    },
  );

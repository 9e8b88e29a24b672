// `selfware night notify`: sends a test notice by each way that a person has configured for unattended runs.

import { basename } from 'node:path';
import { writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { canNotify, failureSentence, sendNotification } from '../../../app/nights/notifyPerson.ts';
import { createNotice } from '../../../core/run/notice.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { handleInterruption } from '../../interruption.ts';
import { refuseAgents } from '../../person.ts';

/** The subcommand `night notify`. Its exit code is 1 if a notice could not be sent. */
export const notifyCommand: CommandFactory = (setExitCode) =>
  createCommand('notify', 'sends a test to the command and the address that your settings name').action(
    async (options: CommonOptions) => {
      await refuseAgents('A test of the settings night.notifyCommand and night.notifyUrl');
      const { rootDir, settings } = await loadProcessSettings(options);
      const { signal } = handleInterruption();
      const notification = { rootDir, env: process.env, settings, signal, shows: !options.json };
      if (!canNotify(notification))
        throw new SelfwareError('usage', 'Neither night.notifyCommand nor night.notifyUrl is set.', {
          action: 'Set one in your own settings (`selfware doctor` names the file), or try one with --set.',
        });
      const deliveries = await sendNotification(notification, createNotice('test', basename(rootDir), null));
      if (deliveries.some(({ failure }) => failure !== null)) setExitCode(1);
      if (options.json) return writeJson(deliveries);
      for (const { by, failure } of deliveries)
        writeOut(
          failure === null
            ? `Told by ${by === 'command' ? 'night.notifyCommand' : 'night.notifyUrl'}.`
            : failureSentence(by, failure),
        );
    },
  );

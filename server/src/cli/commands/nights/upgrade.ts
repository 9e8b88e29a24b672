// `selfware night upgrade`: lets this version of Selfware take over a run in the background. The supervisor of that run
// first starts `selfware night check` with this version, which checks itself; the help does not show that subcommand.

import { writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import { checkVersion } from '../../../app/nights/takeOver/checkVersion.ts';
import { offerVersion } from '../../../app/nights/takeOver/offerVersion.ts';
import { recordCheck } from '../../../app/nights/takeOver/versionsOfRun.ts';
import { sendBeats } from '../../../app/nights/supervised.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, loadProcessSettings, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { refuseAgents } from '../../person.ts';
import { createNightRequest } from './nightDecisions.ts';

interface UpgradeOptions extends CommonOptions {
  readonly again?: boolean;
}

/** The subcommand `night upgrade`. */
export const upgradeCommand: CommandFactory = () =>
  createCommand('upgrade', 'lets this version of Selfware take over the run in the background, after a check')
    .option('--again', 'also if the run has refused this version or rolled it back')
    .action(async (options: UpgradeOptions) => {
      await refuseAgents('Letting another version take over a run');
      const { rootDir } = await loadProcessSettings(options);
      const { version, hash } = await offerVersion(rootDir, process.env, options.again === true);
      if (options.json) return writeJson({ version, hash });
      writeOut(`Version ${version} (${hash}) is offered to the run. It is checked beside the run, and takes over`);
      writeOut('between two changes. What becomes of it: selfware report');
    });

/** The subcommand `night check`. Its exit code is 1 if this version cannot take over. */
export const checkCommand: CommandFactory = (setExitCode) =>
  createCommand('check', 'checks whether this version can take over the run').action(async (options: CommonOptions) => {
    // The supervisor communicates with this process by a channel. Without one, a person has started the command.
    if (process.send === undefined)
      throw new SelfwareError('usage', 'This command is started by the run that another version shall take over.', {
        action: 'Run `selfware night upgrade` with the new version.',
      });
    const request = await createNightRequest(options);
    // The heartbeats end this process if its supervisor has ended.
    const heartbeat = sendBeats({ step: () => ({ step: 'Checking', done: 0 }) });
    const show = ({ outcome, title, found }: { outcome: string; title: string; found: string }) => {
      request.clear();
      writeOut(`${outcome.padEnd(9)} ${escapeInvisibleLine(title)}. ${escapeInvisibleLine(found)}`);
    };
    let answer: Awaited<ReturnType<typeof checkVersion>>;
    try {
      answer = await checkVersion(request, show);
    } catch (error) {
      throwIfCancelled(request.signal);
      answer = { reason: describeError(error), found: null };
    } finally {
      request.clear();
      heartbeat.stop();
    }
    await recordCheck(request.rootDir, process.env, answer);
    if (answer.reason !== null) {
      writeError(escapeInvisibleLine(answer.reason));
      setExitCode(1);
    }
  });

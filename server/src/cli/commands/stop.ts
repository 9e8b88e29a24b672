// `selfware stop [--all]` and `selfware resume`: the kill switch.

import { stopProcesses } from '../../adapters/system/runningProcesses.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

interface StopOptions extends CommonOptions {
  readonly all?: boolean;
}

export const stopCommand: CommandFactory = () =>
  command('stop', 'ends what runs on this repository and refuses to apply anything until `resume`')
    .option('--all', 'on every repository')
    .action((options: StopOptions) =>
      withSession(options, async ({ session, json, out, outJson }) => {
        await session.stop();
        const ended = await stopProcesses(options.all ? null : (await session.status()).rootDir, process.env);
        if (json) outJson({ stopped: true, ended });
        else out(`Stopped. ${ended.length} running processes ended. \`selfware resume\` lets it work again.`);
      }),
    );

export const resumeCommand: CommandFactory = () =>
  command('resume', 'lets Selfware work again after `stop`').action((options: CommonOptions) =>
    withSession(options, async ({ session, json, out, outJson }) => {
      await session.resume();
      if (json) outJson({ stopped: false });
      else out('Ready.');
    }),
  );

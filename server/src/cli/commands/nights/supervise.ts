// `selfware supervise night run …`: the process in the background that keeps an unattended run alive. `selfware night
// --detach` and a service of systemd start it; it is hidden from the help.

import { Command } from 'commander';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeOut } from '../../../adapters/system/terminal.ts';
import { makeEndAbsolute } from '../../../app/nights/runArguments.ts';
import { superviseRun } from '../../../app/nights/supervised.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { runUntil } from '../../runUntil.ts';
import { handleInterruption } from '../../interruption.ts';
import { loadProcessSettings, type CommandFactory } from '../../invocation.ts';

export const superviseCommand: CommandFactory = (setExitCode) =>
  new Command('supervise')
    .description('keeps an unattended run alive')
    .allowUnknownOption()
    .helpOption(false)
    .argument('<command...>')
    .action(async (programArguments: readonly string[]) => {
      // A service of systemd names an end that is relative to its start. A later worker must not postpone it.
      const args = makeEndAbsolute(programArguments, (end) => runUntil(end, Date.now()));
      const [first, second] = args;
      const repository = args[args.indexOf('--repo') + 1];
      if (first !== 'night' || second !== 'run' || !args.includes('--repo') || repository === undefined)
        throw new SelfwareError('usage', 'This command is started by `selfware night --detach`.');
      const setOptions = args.filter((_, index) => args[index - 1] === '--set');
      const { settings } = await loadProcessSettings({ repo: repository, color: false, set: setOptions });
      const log = createStderrLog('error');
      const run = { rootDir: repository, args, env: process.env, settings, log };
      const shutdown = handleInterruption();
      // A worker that is asked to end gets three seconds before it is killed.
      shutdown.allow(8_000);
      const end = await superviseRun(run, shutdown.signal, writeOut);
      writeOut(`The supervision ended: ${end}.`);
      if (end === 'needsPerson') setExitCode(1);
    });

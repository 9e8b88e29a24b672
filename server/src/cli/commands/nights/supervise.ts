// `selfware supervise night run …`: the background process that starts an unattended run again after a crash. `selfware
// night --detach` and a service of systemd start it; the help does not show it.

import { Command } from 'commander';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeOut } from '../../../adapters/system/terminal.ts';
import { makeEndAbsolute } from '../../../app/nights/runArguments.ts';
import { superviseRun } from '../../../app/nights/supervised.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { computeRunEnd } from '../../runUntil.ts';
import { handleInterruption } from '../../interruption.ts';
import { loadProcessSettings, type CommandFactory } from '../../invocation.ts';

/** The subcommand `supervise`. Its exit code is 1 if the run ended because a person is needed. */
export const superviseCommand: CommandFactory = (setExitCode) =>
  new Command('supervise')
    .description('keeps an unattended run alive')
    .allowUnknownOption()
    .helpOption(false)
    .argument('<command...>')
    .action(async (programArguments: readonly string[]) => {
      // A service of systemd may name an end relative to its start. It is converted to a time here, so that a restarted
      // worker does not postpone the end.
      const args = makeEndAbsolute(programArguments, (end) => computeRunEnd(end, Date.now()));
      const [first, second] = args;
      const repository = args[args.indexOf('--repo') + 1];
      if (first !== 'night' || second !== 'run' || !args.includes('--repo') || repository === undefined)
        throw new SelfwareError('usage', 'This command is started by `selfware night --detach`.');
      const setOptions = args.filter((_, index) => args[index - 1] === '--set');
      const { settings } = await loadProcessSettings({ repo: repository, color: false, set: setOptions });
      const log = createStderrLog('error');
      const run = { rootDir: repository, args, env: process.env, settings, log };
      const shutdown = handleInterruption();
      // Allows eight seconds for a graceful shutdown, because a worker gets three seconds to end before it is killed.
      shutdown.allow(8_000);
      const outcome = await superviseRun(run, shutdown.signal, writeOut);
      writeOut(`The supervision ended: ${outcome}.`);
      if (outcome === 'needsPerson') setExitCode(1);
    });

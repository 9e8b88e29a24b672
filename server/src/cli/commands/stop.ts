// `selfware stop [--all]` sets the kill switch, and `selfware resume [--all]` releases it.

import { stopProcesses } from '../../adapters/system/runningProcesses.ts';
import { unloadAskedModels } from '../../app/unloadModels.ts';
import { findPulledSwitches, stopRepository, releaseSwitch } from '../../app/killSwitches.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { requirePerson } from '../person.ts';
import { formatCount } from '../../util/counted.ts';
import { describeError } from '../../util/typedError.ts';

interface StopOptions extends CommonOptions {
  readonly all?: boolean;
}

/** The subcommand `stop`: sets the kill switch and ends the running processes. */
export const stopCommand: CommandFactory = () =>
  createCommand('stop', 'ends what runs on this repository and refuses to apply anything until `resume`')
    .option('--all', 'for every repository where something runs')
    .action((options: StopOptions) =>
      withSession(options, async ({ session, json, out, outJson, note }) => {
        // If the ledger cannot be written, the repository still counts as stopped, and the running processes are still
        // ended. The error is thrown at the end.
        const failure = await session.stop().then(
          () => null,
          (error: unknown) => ({ error }),
        );
        const { rootDir } = await session.status();
        const endedProcesses = await stopProcesses(options.all ? null : rootDir, process.env);
        // Editors restart a server that has ended. The new server reads the kill switch of its repository, so the
        // switch of each of these repositories is set, too.
        const otherRoots = new Set(endedProcesses.map((process) => process.rootDir).filter((root) => root !== rootDir));
        for (const otherRoot of otherRoots)
          await stopRepository(otherRoot, process.env).catch((error: unknown) =>
            note(`The switch of ${otherRoot} could not be pulled. ${describeError(error)}`),
          );
        const unloadedModels = await unloadAskedModels([rootDir, ...otherRoots], process.env, note);
        if (failure !== null) {
          note(`${formatCount(endedProcesses.length, 'running process', 'running processes')} ended.`);
          throw failure.error;
        }
        const stoppedRepositories = (await findPulledSwitches(process.env)).map(({ repository }) => repository);
        if (json)
          return outJson({
            stopped: true,
            ended: endedProcesses.map(({ pid }) => pid),
            pulled: stoppedRepositories,
            unloaded: unloadedModels,
          });
        out(`Stopped. ${formatCount(endedProcesses.length, 'running process', 'running processes')} ended.`);
        if (unloadedModels.length > 0) out(`Ollama has unloaded ${unloadedModels.join(', ')}.`);
        if (stoppedRepositories.length > 1)
          out(
            `The switch is pulled in ${formatCount(stoppedRepositories.length, 'repository', 'repositories')}:\n` +
              `${stoppedRepositories.map((root) => `  ${root}`).join('\n')}\n` +
              `\`selfware resume --repo DIR\` lets one of them work again, \`selfware resume --all\` all.`,
          );
        else out(`The switch stays pulled in ${stoppedRepositories[0] ?? rootDir} until \`selfware resume\`.`);
      }),
    );

/** The subcommand `resume`: releases the kill switch after a person has agreed. */
export const resumeCommand: CommandFactory = () =>
  createCommand('resume', 'lets Selfware work again after `stop`')
    .option('--all', 'in every repository that was stopped')
    .action((options: StopOptions) =>
      withSession(options, async ({ session, ownSettings, json, out, outJson, note }) => {
        const { rootDir, charter } = await session.status();
        const stoppedHere = charter.stopped ? [rootDir] : [];
        const pulledBefore = options.all
          ? (await findPulledSwitches(process.env)).map(({ repository }) => repository)
          : [];
        const stoppedRoots = [...new Set([...stoppedHere, ...pulledBefore])];
        const show = (): void => note(`Stopped:\n${stoppedRoots.map((stoppedRoot) => `  ${stoppedRoot}`).join('\n')}`);
        const questionText = 'Let Selfware work again?';
        if (stoppedRoots.length > 0)
          await requirePerson({ subject: 'Resuming', question: questionText, ownSettings, show });
        await session.resume();
        const otherSwitches = await findPulledSwitches(process.env);
        if (options.all) for (const pulledSwitch of otherSwitches) await releaseSwitch(pulledSwitch);
        const stoppedRepositories = options.all ? [] : otherSwitches.map(({ repository }) => repository);
        if (json)
          return outJson({
            stopped: false,
            ...(options.all ? { resumed: otherSwitches.map(({ repository }) => repository) } : {}),
            pulled: stoppedRepositories,
          });
        out('Ready.');
        for (const { repository } of options.all ? otherSwitches : []) out(`Ready again: ${repository}`);
        if (stoppedRepositories.length > 0)
          out(
            `The switch stays pulled in ${stoppedRepositories.join(', ')}. \`selfware resume --all\` lets them work again, too.`,
          );
      }),
    );

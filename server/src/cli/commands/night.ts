// `selfware night`: an unattended run on a branch of its own; and what a person does with the branch in the morning.

import { Command } from 'commander';
import { createStderrLog } from '../../adapters/system/system.ts';
import { createColors, obeys, writeError, writeJson, writeOut } from '../../adapters/system/terminal.ts';
import type { NightProgress } from '../../app/nights/night.ts';
import { runNight } from '../../app/nights/runNight.ts';
import { headline } from '../../core/run/nightReport.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { visibleLine } from '../../util/visible.ts';
import { placesIn, requirePlaces } from '../askedPlaces.ts';
import { agreeOnce } from '../agreement.ts';
import { interruption } from '../interruption.ts';
import { command, settingsFor, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { refuseAgents } from '../person.ts';
import { createProgressLine } from '../writers/progressLine.ts';
import { acceptCommand, dropCommand, pullRequestCommand, squashCommand } from './nightDecisions.ts';
import { runUntil } from '../runUntil.ts';
import { whole } from './improve.ts';

interface NightOptions extends CommonOptions {
  readonly until?: string;
  readonly for?: string;
  readonly maxChanges?: string;
  readonly proposer?: string;
  readonly wait: boolean;
}

export const nightCommand: CommandFactory = (setExitCode) =>
  new Command('night')
    .description('works unattended on a branch of its own, one verified commit for each change')
    .addCommand(runCommand(setExitCode), { isDefault: true })
    .addCommand(acceptCommand(setExitCode))
    .addCommand(dropCommand(setExitCode))
    .addCommand(squashCommand(setExitCode))
    .addCommand(pullRequestCommand(setExitCode));

const runCommand: CommandFactory = () =>
  command('run', 'improves a copy of HEAD until its time is up; your files, branch and index stay as they are')
    .argument('[paths...]', 'only what is in these files or folders')
    .option('--until <hh:mm>', 'when it ends (default: 07:00)')
    .option('--for <duration>', 'how long it runs, such as 8h or 90m')
    .option('--max-changes <n>', 'at most this many commits (default: the setting charter.maxChanges)')
    .option('--proposer <name>', 'asks a language model or agent for what recipes cannot do (`selfware models`)')
    .option('--no-wait', 'end when nothing is left to try, instead of waiting for a commit')
    .action(async (paths: readonly string[], options: NightOptions) => {
      await refuseAgents('An unattended run');
      if (options.untrusted)
        throw new SelfwareError(
          'usage',
          'A run proves changes by running the checks of the repository, so it cannot be combined with --untrusted.',
        );
      const until = runUntil(options, Date.now());
      const max =
        options.maxChanges === undefined ? [] : [`charter.maxChanges=${whole('--max-changes', options.maxChanges)}`];
      const common = { ...options, set: [...options.set, ...max] };
      if (options.proposer !== undefined) {
        const name = options.proposer;
        await withSession({ ...common, json: false, searches: false }, (invocation) => agreeOnce(invocation, name));
      }
      const { rootDir, personal, settings } = await settingsFor(common);
      requirePlaces(paths, rootDir);
      const { signal } = interruption();
      const line = createProgressLine();
      const colors = createColors(
        options.color && !process.env.NO_COLOR && !options.json && obeys(process.stdout.isTTY),
      );
      try {
        const night = await runNight({
          rootDir,
          own: personal,
          env: process.env,
          log: createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'error'),
          plan: {
            until,
            maxChanges: settings['charter.maxChanges'],
            proposer: options.proposer ?? null,
            places: paths.length > 0 ? placesIn(rootDir, paths) : null,
          },
          waits: options.wait,
          signal,
          report: (progress) => line.show(progress),
          onEvent(event) {
            line.clear();
            if (options.json) return writeJson(event);
            const text = sentenceOf(event);
            if (text === null) return;
            if (event.type === 'note') return writeError(visibleLine(text));
            writeOut(event.type === 'committed' ? colors.green(visibleLine(text)) : visibleLine(text));
          },
        });
        line.clear();
        if (options.json) return writeJson({ type: 'night', night });
        writeOut(`\n${headline(night)}`);
        writeOut(
          night.changes.length > 0 ? 'The report: selfware report' : 'The report says what was tried: selfware report',
        );
      } finally {
        line.clear();
      }
    });

/** One line for a person; null for what only programs need. */
function sentenceOf(event: NightProgress): string | null {
  switch (event.type) {
    case 'began':
      return event.resumed
        ? `Continuing on ${event.night}.`
        : `Working on ${event.night}, from ${event.base.slice(0, 12)}. Your files, your branch and your index stay as they are.`;
    case 'moved':
      return `Your branch has new commits. ${event.kept} kept, ${event.left} left out.`;
    case 'trying':
      return `${at()} trying: ${event.title}`;
    case 'committed':
      return `${at()} committed ${event.change.commit.slice(0, 12)} (${event.change.strength}): ${event.change.title}`;
    case 'missed':
      return `${at()} not taken: ${event.miss.title}. ${event.miss.reason}`;
    case 'waiting':
      return `${at()} ${event.reason} It looks again at ${clock(event.until)}.`;
    case 'note':
      return event.text;
    case 'ended':
      return `${at()} ended: ${event.reason}`;
  }
}

function at(): string {
  return clock(Date.now());
}

function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 5);
}

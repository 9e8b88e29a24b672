// `selfware night accept|drop|squash|pr`: records a person's decisions on the changes and the branch of a night.

import { createStderrLog } from '../../../adapters/system/system.ts';
import { writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import {
  dropChanges,
  fileChanges,
  findNightToPush,
  forgetAccepted,
  openPullRequestOfNight,
  recordAccepted,
  squashNight,
} from '../../../app/nights/decideNight.ts';
import type { NightDecisionRequest } from '../../../app/nights/openEndedNight.ts';
import { nightHeadline } from '../../../core/run/report/nightReport.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { handleInterruption } from '../../interruption.ts';
import {
  createCommand,
  loadProcessSettings,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { requirePerson } from '../../person.ts';
import { createProgressLine } from '../../writers/progressLine.ts';

/** The words for the status of an accepted change. */
const STATUS_LABELS: Readonly<Record<string, string>> = {
  kept: 'applied',
  applied: 'applied, its checks continue',
  rolledBack: 'rolled back',
  notApplied: 'not applied',
};

interface DecisionOptions extends CommonOptions {
  readonly night?: string;
  readonly reason?: string;
}

/** A subcommand about a night. The option `--night` names another night than the last one. */
function createNightSubcommand(name: string, description: string) {
  return createCommand(name, description).option('--night <branch>', 'another night than the last one');
}

/** The request that all subcommands about a night share. It shows the progress in a line on the terminal. */
export async function createNightRequest(options: CommonOptions): Promise<NightDecisionRequest & { clear(): void }> {
  const { rootDir, personal } = await loadProcessSettings(options);
  const line = createProgressLine();
  return {
    rootDir,
    personSettings: personal,
    env: process.env,
    log: createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'error'),
    signal: handleInterruption().signal,
    report: (progress) => line.show(progress),
    /** Removes the line of progress. */
    clear: () => line.clear(),
    onEvent(event) {
      line.clear();
      if (event.type === 'note') writeError(escapeInvisibleLine(event.text));
    },
  };
}

/** The subcommand `night accept`. Its exit code is 1 if a change was not applied, or was rolled back. */
export const acceptCommand: CommandFactory = (setExitCode) =>
  createNightSubcommand(
    'accept',
    'applies changes of a night to your working tree, each with a checkpoint; all without an argument',
  )
    .argument('[change...]', 'number, commit or id, as in `selfware report`')
    .action(async (changes: readonly string[], options: DecisionOptions) => {
      const request = await createNightRequest(options);
      const acceptedChanges: { change: string; title: string; status: string; reason: string | null }[] = [];
      let night = '';
      let heldTitles: readonly string[] = [];
      await withSession(
        { ...options, searches: false },
        async ({ session, ownSettings, signal, report, out, outJson, json }) => {
          const show = () => writeError('The report: selfware report');
          const questionText = changes.length === 0 ? 'Apply all changes of the night?' : 'Apply these changes?';
          await requirePerson({ subject: 'Accepting a night', question: questionText, ownSettings, show });
          const filedChanges = await fileChanges(request, options.night ?? null, changes);
          ({ night, held: heldTitles } = filedChanges);
          for (const change of filedChanges.changes) {
            const { title } = await session.proposals.get(change);
            try {
              const { proposal } = await session.changes.apply({ proposal: change, by: 'person', signal, report });
              acceptedChanges.push({ change, title, status: proposal.status, reason: proposal.reason });
            } catch (error) {
              throwIfCancelled(signal);
              if (!(error instanceof SelfwareError)) throw error;
              acceptedChanges.push({ change, title, status: 'notApplied', reason: describeError(error) });
            }
            const lastAccepted = acceptedChanges.at(-1)!;
            if (!json)
              out(
                escapeInvisibleLine(
                  `${STATUS_LABELS[lastAccepted.status] ?? lastAccepted.status}: ${title}${lastAccepted.reason ? `. ${lastAccepted.reason}` : ''}`,
                ),
              );
          }
          if (json) outJson({ night, changes: acceptedChanges, held: heldTitles });
        },
      );
      const appliedChanges = acceptedChanges.filter(({ status }) => status === 'kept' || status === 'applied');
      if (appliedChanges.length < acceptedChanges.length) setExitCode(1);
      else if (changes.length === 0 && heldTitles.length === 0) await recordAccepted(request, night);
      await forgetAccepted(request);
      if (!options.json)
        for (const title of heldTitles)
          writeOut(
            escapeInvisibleLine(
              `held: ${title}. Its proposer is not to be trusted, or it came after such a change; name its number to apply it.`,
            ),
          );
      if (!options.json)
        writeOut(
          `${appliedChanges.length} of ${acceptedChanges.length} applied. The way back: selfware checkpoints list`,
        );
    });

/** The subcommand `night drop`. Its exit code is 1 if further changes had to be removed with the named ones. */
export const dropCommand: CommandFactory = (setExitCode) =>
  createNightSubcommand(
    'drop',
    'takes changes out of the branch and judges the others again; without an argument deletes the branch',
  )
    .argument('[change...]', 'number, commit or id, as in `selfware report`')
    .option('--reason <text>', 'why; it is remembered')
    .action(async (changes: readonly string[], options: DecisionOptions) => {
      const { ownSettings } = await loadProcessSettings(options);
      const questionText =
        changes.length === 0
          ? 'Delete the branch of the night? None of its changes is proposed again.'
          : 'Take these changes out?';
      await requirePerson({ subject: 'Dropping', question: questionText, ownSettings, show: () => {} });
      const dropResult = await dropChanges(
        await createNightRequest(options),
        options.night ?? null,
        changes,
        options.reason ?? null,
      );
      const dependentChanges = dropResult.left.filter(({ proposal }) => !dropResult.dropped.includes(proposal));
      if (dependentChanges.length > 0) setExitCode(1);
      const { dropped: _dropped, ...resultWithoutDropped } = dropResult;
      if (options.json) return writeJson(resultWithoutDropped);
      if (changes.length === 0) return writeOut(`${dropResult.night} is deleted; nothing of it is proposed again.`);
      for (const { proposal, reason } of dependentChanges)
        writeOut(escapeInvisibleLine(`also left out: ${proposal}. ${reason}`));
      writeOut(
        `${dropResult.night} now holds ${formatCount(dropResult.commits.length, 'change')}, each judged again where it had to be.`,
      );
    });

/** The subcommand `night squash`. */
export const squashCommand: CommandFactory = () =>
  createNightSubcommand('squash', 'makes the branch of a night one commit').action(async (options: DecisionOptions) => {
    const { ownSettings } = await loadProcessSettings(options);
    await requirePerson({
      subject: 'Squashing',
      question: 'Make the night one commit?',
      ownSettings,
      show: () => {},
    });
    const commit = await squashNight(await createNightRequest(options), options.night ?? null);
    if (options.json) return writeJson({ commit });
    writeOut(`One commit now: ${commit.slice(0, 12)}.`);
  });

/** The subcommand `night pr`. */
export const pullRequestCommand: CommandFactory = () =>
  createNightSubcommand(
    'pr',
    'pushes the branch of a night and opens a pull request with the report (needs `gh`)',
  ).action(async (options: DecisionOptions) => {
    const { rootDir, ownSettings } = await loadProcessSettings(options);
    const log = createStderrLog('error');
    const night = await findNightToPush(rootDir, options.night ?? null, process.env, log);
    const questionText = `Push ${night.branch} and open a pull request?`;
    await requirePerson({
      subject: 'A pull request',
      question: questionText,
      ownSettings,
      show: () => writeError(nightHeadline(night)),
    });
    const { signal } = handleInterruption();
    const address = await openPullRequestOfNight(rootDir, night.branch, process.env, log, signal);
    if (options.json) return writeJson({ address });
    writeOut(escapeInvisibleLine(address));
  });

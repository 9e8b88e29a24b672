// `selfware night`: starts an unattended run on a separate branch. Also collects the subcommands for a running and for
// a finished run.

import { Option } from 'commander';
import { createStderrLog } from '../../../adapters/system/system.ts';
import { readPowerSource } from '../../../adapters/system/power.ts';
import { createColors, supportsControl, writeError, writeJson, writeOut } from '../../../adapters/system/terminal.ts';
import type { NightProgress, NightRequest } from '../../../app/nights/night.ts';
import { readNights } from '../../../app/nights/readNights.ts';
import { readScope } from '../../../app/nights/open/readScope.ts';
import { needsPerson } from '../../../app/nights/needsPerson.ts';
import { runArguments, type PlannedRun } from '../../../app/nights/runArguments.ts';
import { startInBackground } from '../../../app/nights/open/startInBackground.ts';
import { createNights } from '../../../app/nights/windowNights.ts';
import { readSupervision, sendBeats } from '../../../app/nights/supervised.ts';
import { requireCommits, requireIdentity, runNight } from '../../../app/nights/runNight.ts';
import { describeUnasked, type AutoApplyRow } from '../../../core/charter/unasked.ts';
import { WORK_KINDS } from '../../../core/model/workScope.ts';
import { computeForecast, forecastSentence } from '../../../core/run/forecast.ts';
import { CONTINUE_ADVICE, degradedSentence, movedSentence, waitSentence } from '../../../core/run/live.ts';
import { createInProgressError } from '../../../core/run/inProgress.ts';
import { powerSentence } from '../../../core/run/power.ts';
import { cherryPickCommand } from '../../../core/run/report/leftReport.ts';
import { readKeptCommits } from '../../../app/nights/open/keptCommits.ts';
import { nightHeadline } from '../../../core/run/report/nightReport.ts';
import type { NightPlan } from '../../../core/model/nights.ts';
import { describeScope } from '../../../core/run/runScope.ts';
import { WORKER_EXIT } from '../../../core/run/supervision.ts';
import { formatLaterClockTime } from '../../../protocol/endTimes.ts';
import { formatCount } from '../../../util/counted.ts';
import { describeError, SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { confirmResearch, requireConsent } from '../../agreement.ts';
import { handleInterruption } from '../../interruption.ts';
import {
  createCommand,
  createCommandGroup,
  loadProcessSettings,
  withSession,
  type CommandFactory,
  type CommonOptions,
  type SetExitCode,
} from '../../invocation.ts';
import { isAtTerminal, refuseAgents } from '../../person.ts';
import { createProgressLine } from '../../writers/progressLine.ts';
import { changeWishQueue } from '../../../app/nights/wishQueue.ts';
import { confirmAcceptanceTests } from './acceptance.ts';
import { acceptCommand, dropCommand, pullRequestCommand, squashCommand } from './nightDecisions.ts';
import { continueCommand } from './continue.ts';
import { notifyCommand } from './notify.ts';
import { stopRunCommand } from './stopRun.ts';
import { createSystemdUnit } from './systemdUnit.ts';
import { checkCommand, upgradeCommand } from './upgrade.ts';
import { computeRunEnd } from '../../runUntil.ts';
import { createMaxCostOption, parseModelSettings, createSamplesOption } from '../../modelOptions.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';

const HOW_IT_ENDS =
  'Ctrl+C ends it within seconds, and so does closing the terminal (unless you use --detach or nohup): what is committed stays, ' +
  'and what is being tried then is tried again by the next run. A second Ctrl+C ends it at once.';

interface NightOptions extends CommonOptions {
  readonly until?: string;
  readonly for?: string;
  readonly end?: string;
  readonly exclude: readonly string[];
  readonly kinds?: string;
  readonly maxChanges?: string;
  readonly proposer?: string;
  readonly maxCost?: string;
  readonly samples?: string;
  readonly research?: boolean;
  readonly wait: boolean;
  readonly acceptance: boolean;
  readonly detach?: boolean;
  readonly systemd?: boolean;
  readonly supervised?: boolean;
}

/** The subcommand `night`. */
export const nightCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('night', 'improves the repository on a separate branch, with one checked commit for each change')
    .addCommand(createRunCommand(setExitCode), { isDefault: true })
    .addCommand(continueCommand(setExitCode))
    .addCommand(stopRunCommand(setExitCode))
    .addCommand(acceptCommand(setExitCode))
    .addCommand(dropCommand(setExitCode))
    .addCommand(squashCommand(setExitCode))
    .addCommand(pullRequestCommand(setExitCode))
    .addCommand(notifyCommand(setExitCode))
    .addCommand(upgradeCommand(setExitCode))
    .addCommand(checkCommand(setExitCode), { hidden: true })
    .addHelpText('after', '\nWhen it ends, what it works on, and whom it asks: selfware night run --help');

/** The subcommand `night run`. */
const createRunCommand: CommandFactory = (setExitCode) =>
  createCommand('run', 'improves a copy of HEAD until its time is up; your files, branch and index stay as they are')
    .argument('[paths...]', 'only what is in these files or folders')
    .addOption(
      new Option('--exclude <path>', 'a file or folder that no change may touch (repeatable)')
        .argParser((value: string, values: readonly string[]) => [...values, value])
        .default([] as readonly string[], 'none'),
    )
    .option('--kinds <list>', `only these kinds of work, separated by commas: ${WORK_KINDS.join(', ')} (default: all)`)
    .option('--until <hh:mm>', 'when it ends (default: 07:00)')
    .option('--for <duration>', 'when it ends, as a time from now, such as 8h or 90m; sleep of the machine counts')
    .option('--max-changes <n>', 'at most this many commits (default: the setting charter.maxChanges)')
    .option('--proposer <name>', 'asks a language model or agent for what recipes cannot do (`selfware models`)')
    .addOption(createSamplesOption())
    .addOption(createMaxCostOption())
    .option('--research', 'with --proposer: search online with models.research when an attempt has failed')
    .option('--no-acceptance', 'ask nothing about acceptance tests of wishes that have none')
    .option('--no-wait', 'end when nothing is left to try, instead of waiting for a commit')
    .option('--detach', 'run in the background: closing the terminal does not end it, and a crash starts it again')
    .option('--systemd', 'start nothing; print a unit of systemd that starts this run as a service')
    .addOption(new Option('--end <millis>').hideHelp())
    .addOption(new Option('--supervised').hideHelp())
    .action(async (paths: readonly string[], options: NightOptions) => {
      await refuseAgents('An unattended run');
      if (options.untrusted)
        throw new SelfwareError(
          'usage',
          'A run proves changes by running the checks of the repository, so it cannot be combined with --untrusted.',
        );
      const until = options.end === undefined ? computeRunEnd(options, Date.now()) : Number(options.end);
      const maxChangesSetting =
        options.maxChanges === undefined
          ? []
          : [`charter.maxChanges=${parseWholeNumber('--max-changes', options.maxChanges)}`];
      const modelSettings = parseModelSettings(options);
      const sessionOptions = { ...options, set: [...options.set, ...maxChangesSetting, ...modelSettings] };
      const { proposer } = options;
      const { rootDir, personal, settings } = await loadProcessSettings(sessionOptions);
      const kinds = options.kinds?.split(',').map((kind) => kind.trim()) ?? null;
      const { places = null, ...scope } = readScope(rootDir, { places: paths, excluded: options.exclude, kinds });
      if (!options.supervised) {
        await requireCommits(rootDir, createStderrLog('error'));
        await requireIdentity(rootDir, process.env, handleInterruption().signal);
      }
      const plannedRun = { ...options, set: [...options.set, ...modelSettings], paths };
      if (options.systemd) {
        const unit = createUnit(rootDir, { ...plannedRun, repo: rootDir });
        return options.json ? writeJson({ unit }) : writeOut(unit);
      }
      if (options.detach && (await isRunInProgress(rootDir))) throw createInProgressError();
      if (proposer !== undefined && !options.supervised)
        await askBeforeRun(sessionOptions, proposer, {
          tests: options.acceptance && !options.json && isAtTerminal(),
          research: options.research === true,
        });
      if (proposer === undefined && !options.supervised && !options.json) {
        const wishes = await changeWishQueue(rootDir, process.env, createStderrLog('error'), () => []);
        if (wishes.length > 0)
          writeOut(
            `${formatCount(wishes.length, 'wish waits', 'wishes wait')}: only a run with --proposer tries wishes.`,
          );
      }
      if (!options.supervised && !options.json) {
        const nights = await readNights(rootDir, process.env, createStderrLog('error'));
        writeOut(forecastSentence(computeForecast(nights)));
        writeOut(`What may happen unasked, on a branch of its own:\n${describeUnasked().map(formatRow).join('\n')}`);
        const power = powerSentence(await readPowerSource(process.env), settings['night.waitForPower']);
        if (power !== null) writeOut(power);
        if (!options.detach) writeOut(HOW_IT_ENDS);
      }
      if (options.detach) return startDetached(rootDir, until, runArguments({ ...plannedRun, until }), options.json);
      await runHere({
        options,
        setExitCode,
        request: {
          rootDir,
          personSettings: personal,
          env: process.env,
          log: createStderrLog(process.env.SELFWARE_DEBUG ? 'debug' : 'error'),
          plan: {
            until,
            maxChanges: settings['charter.maxChanges'],
            proposer: proposer ?? null,
            places,
            ...scope,
          },
          waits: options.wait,
          keepsMaxCost: !sessionOptions.set.some((line) => line.startsWith('models.costPerRun=')),
          ...(options.research ? { research: true as const } : {}),
          signal: handleInterruption().signal,
        },
      });
    });

/** The unit of systemd for this run. Throws `usage` for a run with --research, which has to ask a person each time. */
function createUnit(
  rootDir: string,
  { until, for: duration, ...run }: Omit<PlannedRun, 'until'> & Pick<NightOptions, 'until' | 'for'>,
): string {
  if (run.research)
    throw new SelfwareError('usage', '--research asks you before each run, so a service cannot have it.');
  const endArguments =
    until !== undefined
      ? (['--until', until] as const)
      : duration !== undefined
        ? (['--for', duration] as const)
        : ([] as const);
  const args = runArguments({ ...run, until: endArguments });
  return createSystemdUnit({
    rootDir,
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'supervise', ...args],
    env: process.env,
  }).trimEnd();
}

/**
 * Asks the person before a run: for consent to the proposer, for online research, and about the acceptance tests of
 * wishes.
 */
async function askBeforeRun(
  options: CommonOptions,
  proposer: string,
  topics: { readonly tests: boolean; readonly research: boolean },
): Promise<void> {
  const { rootDir } = await loadProcessSettings(options);
  const queue = topics.tests ? await changeWishQueue(rootDir, process.env, createStderrLog('error'), () => []) : [];
  const untestedWishes = queue.filter(({ tests }) => tests === null);
  await withSession({ ...options, json: false, searches: untestedWishes.length > 0 }, async (invocation) => {
    await requireConsent(invocation, proposer);
    if (topics.research) await confirmResearch(invocation, true, 'retries');
    await confirmAcceptanceTests(invocation, untestedWishes, proposer, false);
  });
}

function isRunInProgress(rootDir: string): Promise<boolean> {
  return createNights({ env: process.env, log: createStderrLog('error') }).isRunning(rootDir);
}

/** Starts the run in the background, and prints where it runs. */
async function startDetached(rootDir: string, until: number, args: readonly string[], json = false): Promise<void> {
  const { signal } = handleInterruption();
  const log = createStderrLog('error');
  const { supervisor, night } = await startInBackground({ rootDir, args, env: process.env, log, signal });
  if (json) {
    const [branch, run] = [night?.branch ?? null, night?.runs.at(-1)?.id ?? null];
    return writeJson({ run, branch, state: night?.state ?? 'starting', process: supervisor });
  }
  if (night?.state === 'stopped')
    return writeOut(`The run on ${night.branch} has ended already. ${night.runs.at(-1)!.reason ?? ''}`);
  if (night)
    writeOut(`Running in the background until ${formatClock(until)} on ${night.branch} (process ${supervisor}).`);
  else writeOut(`Starting in the background (process ${supervisor}). It has not begun yet.`);
  writeOut('Look at it: selfware report. End it: selfware night stop.');
}

/**
 * Runs in this process, and prints events and the result. Under a supervisor, the exit code tells it whether to start
 * the run again.
 */
async function runHere({
  options,
  setExitCode,
  request,
}: {
  readonly options: NightOptions;
  readonly setExitCode: SetExitCode;
  readonly request: Omit<NightRequest, 'onEvent'>;
}): Promise<void> {
  const progressLine = createProgressLine();
  const colors = createColors(
    options.color && !process.env.NO_COLOR && !options.json && supportsControl(process.stdout.isTTY),
  );
  const drainController = new AbortController();
  let hasEnded = false;
  const currentStep = { step: 'Starting', done: 0, isWaiting: false };
  const heartbeat = options.supervised
    ? sendBeats({ step: () => ({ ...currentStep }), onDrain: () => drainController.abort() })
    : undefined;
  const printEvent = (event: NightProgress): void => {
    progressLine.clear();
    if (options.json) return writeJson(event);
    const text = describeEvent(event);
    if (text === null) return;
    if (event.type === 'note') return writeError(escapeInvisibleLine(text));
    writeOut(event.type === 'committed' ? colors.green(escapeInvisibleLine(text)) : escapeInvisibleLine(text));
  };
  try {
    const night = await runNight({
      ...request,
      drain: drainController.signal,
      ...(options.supervised ? readSupervision(process.env) : {}),
      hasLostSupervisor: () => heartbeat?.isSupervised === true && !process.connected,
      report(progress) {
        Object.assign(currentStep, { step: progress.message, done: currentStep.done + 1, isWaiting: false });
        if (!options.supervised) progressLine.show(progress);
      },
      onEvent(event) {
        currentStep.isWaiting = event.type === 'waiting' || event.type === 'paused';
        hasEnded ||= event.type === 'ended';
        printEvent(event);
      },
    });
    progressLine.clear();
    if (drainController.signal.aborted && night.runs.at(-1)?.endedAt === null) return setExitCode(WORKER_EXIT.drained);
    if (options.json) return writeJson({ type: 'night', night });
    writeOut(`\n${nightHeadline(night)}`);
    writeOut(night.changes.length > 0 ? 'The report: selfware report' : 'What was tried: selfware report');
    const nights = await readNights(request.rootDir, request.env, request.log);
    const untriedCommits = (await readKeptCommits(request.rootDir, nights)).filter(({ isUntried }) => isUntried);
    for (const { title, reason } of untriedCommits) writeOut(escapeInvisibleLine(`On no branch: ${title}. ${reason}`));
    if (untriedCommits.length > 0)
      writeOut(`Take ${untriedCommits.length === 1 ? 'it' : 'them'}: ${cherryPickCommand(untriedCommits)}`);
  } catch (error) {
    // The run must not be started again if its end is recorded, if a person is needed, or if its time is over.
    const isFinal = hasEnded || needsPerson(error) || Date.now() >= request.plan.until;
    if (!options.supervised || !isFinal) throw error;
    writeError(`selfware: ${describeError(error)}`);
    setExitCode(WORKER_EXIT.needsPerson);
  } finally {
    progressLine.clear();
    heartbeat?.stop();
  }
}

/** The event as one line for a person; null if only programs need it. */
function describeEvent(event: NightProgress): string | null {
  switch (event.type) {
    case 'began':
      return event.resumed === null
        ? `Working on ${event.night}, from ${event.base.slice(0, 12)}, until ${formatClock(event.plan.until)}. ` +
            `Your files, your branch and your index stay as they are.${formatScope(event.plan)}`
        : `Continuing on ${event.night} until ${formatClock(event.plan.until)}: ` +
            `${event.resumed} of at most ${formatCount(event.plan.maxChanges, 'change')} made.${formatScope(event.plan)}`;
    case 'moved':
      return `${createTimestamp()} ${movedSentence(event)}`;
    case 'trying':
      return `${createTimestamp()} trying: ${event.title}`;
    case 'committed':
      return `${createTimestamp()} committed ${event.change.commit.slice(0, 12)} (${event.change.strength}): ${event.change.title}`;
    case 'missed':
      return `${createTimestamp()} not taken: ${event.miss.title}. ${event.miss.reason}`;
    case 'waiting':
      return `${createTimestamp()} ${waitSentence(event, formatClock)}`;
    case 'paused':
      return `${createTimestamp()} it needs you. ${event.reason} ${CONTINUE_ADVICE}`;
    case 'degraded': {
      const sentence = degradedSentence(event);
      return sentence && `${createTimestamp()} ${sentence}`;
    }
    case 'note':
      return event.text;
    case 'ended':
      return `${createTimestamp()} ended: ${event.reason}`;
  }
}

/** The folders and kinds of work to which the run is limited, as a sentence after a space; '' if it has no limits. */
function formatScope(plan: NightPlan): string {
  const scope = describeScope(plan);
  return scope === null ? '' : ` Scope: ${scope}.`;
}

function formatRow({ change, becomes }: AutoApplyRow): string {
  return `  ${change}: ${becomes}`;
}

function createTimestamp(): string {
  return formatClock(Date.now());
}

/** The time on the local clock, with the date if it is more than a day away. */
function formatClock(time: number): string {
  return formatLaterClockTime(time, Date.now());
}

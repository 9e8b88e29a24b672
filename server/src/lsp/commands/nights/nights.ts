// Server commands for unattended runs (nights): start one in the background, show the report of the newest, continue
// it, and end it.

import { formatClockTime } from '#protocol/endTimes';
import type { MoneyChoices, NightChoices } from '#protocol/nights';
import { describeUnasked } from '../../../core/charter/unasked.ts';
import type { Price } from '../../../core/model/asks.ts';
import { WORK_KINDS, WORK_KIND_TEXTS } from '../../../core/model/workScope.ts';
import { findPrice } from '../../../core/proposers/prices.ts';
import { computeForecast, forecastSentence } from '../../../core/run/forecast.ts';
import { endingRunSentence, createInProgressError, createNotInProgressError } from '../../../core/run/inProgress.ts';
import { powerSentence } from '../../../core/run/power.ts';
import { markInterrupted } from '../../../core/run/nightQueries.ts';
import { resumedRunSentence, nightHeadline } from '../../../core/run/report/nightReport.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { resolveProposers } from '../../../core/proposers/roles.ts';
import { improveSentence } from '../../../core/session/analyse/possibleWorkText.ts';
import type { Session } from '../../../core/session.ts';
import type { Settings } from '../../../settings/schema.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible } from '../../../util/visible.ts';
import { parseRunOvernightParams } from '../../fromProtocol.ts';
import { rejectWhenAborted } from '../../../util/watchdog.ts';
import { withProgress } from '../../progress.ts';
import type { Repository, ServerContext } from '../../serverContext.ts';
import { createConsentQuestion, toProposerChoice, listRoleChoices } from '../consent.ts';
import { reportOutcome, type ServerCommand } from '../command.ts';
import { parseNightRef } from './nightParams.ts';

/** The prefix of the names of the editor's own models, which only a process with an editor can ask. */
const EDITOR_PREFIX = 'editor:';
const REPORT_TITLE = 'Selfware: Last Night';

/**
 * Starts a run in the background. Without an end (`until`), starts nothing and answers with the choices for the person.
 * If code would go to a destination to which the person has not agreed, starts nothing and answers with the question
 * (`consent`). Throws the errors of `refuseIfBlocked`, `locked` if a run is in progress, and `usage` for a model of the
 * editor, which cannot be asked without the window.
 */
export const runOvernightCommand: ServerCommand = async (context, { args, reporter, signal }) => {
  const params = parseRunOvernightParams(args, Date.now());
  const { until, maxChanges, proposer, maxCost, agreed: consentOfClient } = params;
  const repository = context.repositories.chosen();
  const { rootDir } = repository;
  const nights = await context.nights();
  await repository.use((session) => refuseIfBlocked(repository, session));
  if (await nights.isRunning(rootDir)) throw createInProgressError();
  const settings = requireSettings(repository);
  if (until === undefined) {
    const choices = await repository.use((session) => listNightChoices(session, settings, signal));
    const forecast = forecastSentence(computeForecast(await nights.all(rootDir)));
    const { doable } = await repository.use((session) => session.status());
    const power = powerSentence(await nights.power(), settings['night.waitForPower']);
    const searchHint = settings['night.searchFurther']
      ? 'The run looks for missing tests first, for at most half of its time.'
      : '';
    const outlook = [forecast, improveSentence(doable), searchHint].filter(Boolean).join(' ');
    const folders = await nights.folders(rootDir, signal);
    const night = { ...choices, outlook, power, folders: folders.map(escapeInvisible) };
    return reportOutcome(context, {
      ok: true,
      message: 'Name when it ends (until). `selfware night` does the same at a terminal.',
      review: null,
      night,
    });
  }
  if (
    proposer !== undefined &&
    resolveProposers(proposer, settings, null).some((name) => name.startsWith(EDITOR_PREFIX))
  )
    throw new SelfwareError('usage', `${escapeInvisible(proposer)} belongs to the window, and the run outlives it.`, {
      action: 'Choose Ollama, a model with a key, or an agent.',
    });
  if (proposer !== undefined) {
    // Only a client that asks the person itself can pass on the person's answer.
    const agreed = context.abilities.canAskModels ? consentOfClient : undefined;
    const consent = await repository.use((session) => createConsentQuestion(session, proposer, agreed));
    if (consent) {
      const message = `Nothing was started: code would go to ${consent.missing}`;
      return reportOutcome(context, { ok: false, message, review: null, consent });
    }
  }
  const progress = { title: 'Selfware: starting the unattended run', reporter };
  const startedNight = await withProgress(context, progress, signal, (operation) =>
    nights.start({
      signal: operation.signal,
      rootDir,
      settings,
      until,
      maxChanges: maxChanges ?? settings['charter.maxChanges'],
      proposer: proposer ?? null,
      scope: { places: params.places ?? [], excluded: params.excluded ?? [], kinds: params.kinds ?? null },
      maxCost,
      storedKeys: context.storedKeys,
      window: context.abilities.processId,
    }),
  );
  context.events.status.fire(repository);
  const isResumed = (startedNight?.runs.at(-1)?.resumed ?? 0) > 0;
  const subject = isResumed ? 'An interrupted run continues' : 'The unattended run works';
  const endHint = settings['night.keepAfterWindow']
    ? 'Closing this window does not end it; `selfware night stop` does.'
    : 'Closing or reloading this window ends it, and so does `selfware night stop`.';
  const message = `${subject} in the background until ${formatClockTime(until)}. ${endHint}`;
  return reportOutcome(context, { ok: true, message, review: null });
};

/** Answers with the report of the newest night, even while its run is in progress. */
export const showNightCommand: ServerCommand = async (context, { args, signal }) => {
  const { repository, night, isRunning } = await findNewestNight(context, parseNightRef(args).night);
  const nights = await context.nights();
  const allNights = markInterrupted(await nights.all(repository.rootDir), isRunning);
  const reportedNight = allNights.find(({ branch }) => branch === night.branch) ?? night;
  const markdown = await nights.report(repository.rootDir, reportedNight, allNights, signal);
  return reportOutcome(context, {
    ok: true,
    message: nightHeadline(reportedNight),
    review: null,
    page: { title: REPORT_TITLE, markdown: `${markdown}\n` },
  });
};

/** Continues the run that has paused because something was unusual. */
export const continueNightCommand: ServerCommand = async (context) => {
  const repository = context.repositories.chosen();
  const nights = await context.nights();
  const { branch } = await nights.continue(repository.rootDir);
  context.events.status.fire(repository);
  const isRunning = await nights.isRunning(repository.rootDir);
  return reportOutcome(context, {
    ok: true,
    message: resumedRunSentence(escapeInvisible(branch), isRunning),
    review: null,
  });
};

/** Ends the run in progress after its current step. The kill switch stays as it is. */
export const endNightCommand: ServerCommand = async (context) => {
  const { rootDir } = context.repositories.chosen();
  const nights = await context.nights();
  if (!(await nights.isRunning(rootDir))) throw createNotInProgressError();
  const { branch } = await nights.askToEnd(rootDir);
  return reportOutcome(context, { ok: true, message: endingRunSentence(escapeInvisible(branch)), review: null });
};

/**
 * The newest night of the folder that the person has chosen. Throws `notFound` if there is none or if it is not on the
 * branch `namedBranch`; while a run is starting, throws `unavailable` instead.
 */
export async function findNewestNight(
  context: ServerContext,
  namedBranch: string | undefined,
): Promise<{ readonly repository: Repository; readonly night: Night; readonly isRunning: boolean }> {
  const repository = context.repositories.chosen();
  // Waits until this process has opened the folder, and with it the ledger.
  await repository.session();
  const nights = await context.nights();
  const isRunning = await nights.isRunning(repository.rootDir);
  const night = await nights.last(repository.rootDir);
  if (night && (namedBranch === undefined || night.branch === namedBranch)) return { repository, night, isRunning };
  const action = 'Start one: `selfware night`.';
  if (isRunning)
    throw new SelfwareError('unavailable', 'The unattended run is starting.', { action: 'Look again in a minute.' });
  throw new SelfwareError(
    'notFound',
    namedBranch ? `There is no night on ${namedBranch}.` : 'There was no unattended run here.',
    {
      action,
    },
  );
}

/** The settings of the repository. Throws `unavailable` before the folder was opened, when they are read. */
export function requireSettings({ settings }: Repository): Settings {
  if (!settings) throw new SelfwareError('unavailable', 'The settings of this folder are not known yet.');
  return settings;
}

/**
 * Throws the reason why nothing of the repository may run: `untrusted`, `notARepository`, `noCommit`, or `forbidden`
 * while Selfware is stopped.
 */
export async function refuseIfBlocked({ trusted }: Repository, session: Session): Promise<void> {
  if (!trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  const { doable, state } = await session.status();
  const { barrier } = doable;
  if (barrier) throw new SelfwareError(barrier.reason, barrier.message, { action: barrier.action });
  if (state === 'stopped')
    throw new SelfwareError('forbidden', 'Selfware is stopped for this repository: somebody ran `selfware stop`.', {
      action: 'Run `selfware resume` first.',
    });
}

/** What the person can choose for a run: proposers, kinds of work, and limits. */
async function listNightChoices(
  session: Session,
  settings: Settings,
  signal: AbortSignal,
): Promise<Omit<NightChoices, 'outlook' | 'power' | 'folders'>> {
  const proposers = await rejectWhenAborted(session.questions.proposers(signal), signal);
  const availableProposers = proposers.filter(({ available }) => available);
  const editorProposers = availableProposers.filter(({ onlyInEditor }) => onlyInEditor === true);
  return {
    maxChanges: settings['charter.maxChanges'],
    kinds: WORK_KINDS.map((kind) => ({ kind, text: WORK_KIND_TEXTS[kind] })),
    unasked: describeUnasked().map(({ change, becomes }) => `${change}: ${becomes}`),
    money: listMoneyChoices(
      settings,
      availableProposers.map(({ name }) => name),
    ),
    keepsAfterWindow: settings['night.keepAfterWindow'],
    proposers: [
      ...availableProposers.filter((proposer) => !editorProposers.includes(proposer)).map(toProposerChoice),
      ...listRoleChoices(settings),
    ],
    leftOut: editorProposers.length,
    missing: proposers
      .filter(({ available, name }) => !available && !name.startsWith(EDITOR_PREFIX))
      .map(({ why }) => escapeInvisible(why)),
  };
}

/**
 * The limit of costs from the settings, and the free proposers among `names`; null if no price above 0 is set. `names`:
 * the proposers that can be asked.
 */
function listMoneyChoices(
  settings: Pick<Settings, 'models.prices' | 'models.costPerRun'>,
  names: readonly string[],
): MoneyChoices | null {
  const prices = settings['models.prices'];
  const isFree = ({ input, output }: Price) => input === 0 && output === 0;
  if (Object.values(prices).every(isFree)) return null;
  const freeProposers = names.filter((name) => {
    const price = findPrice(prices, name);
    return price !== null && isFree(price);
  });
  return { limit: settings['models.costPerRun'], free: freeProposers.map(escapeInvisible) };
}

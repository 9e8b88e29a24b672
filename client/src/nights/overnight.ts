// Makes the lists of choices for the questions of "Run Overnight…", and the summary that a person reads before the
// start. Does not use VS Code's API.

import { formatClockTime, parseDuration, findNextTime } from '#protocol/endTimes';
import type { ProposerChoice } from '#protocol/models';
import type { MoneyChoices, NightChoices } from '#protocol/nights';
import { formatCount } from '../counted.ts';
import { ANY_ADDRESS, describeProposer } from '../models/missingPart.ts';
import type { OvernightOffer } from './overnightOffer.ts';
import { formatScope, type OvernightScope } from './overnightScope.ts';

/** What the person has chosen for an unattended run. */
export interface OvernightPlan {
  /** The end in milliseconds since the epoch. */
  readonly until: number;
  readonly maxChanges: number;
  /** The proposer; null if only recipes are used. */
  readonly proposer: string | null;
  readonly scope: OvernightScope;
  /** The money that its questions may cost; 0 for no limit, null if the question does not arise. */
  readonly maxCost: number | null;
}

const HOUR_MS = 3_600_000;
/** Numbers of changes that are offered in addition to the one in the settings. */
const OTHER_LIMITS = [5, 20, 50];

/**
 * The offered ends of the run, in milliseconds since the epoch like `now`. The value null stands for an end that the
 * person types.
 */
export function createEndOffers(now: number): readonly OvernightOffer<number | null>[] {
  const morning = findNextTime('07:00', now) ?? now;
  return [
    { label: '$(clock) Until 07:00', description: formatDuration(morning - now), value: morning },
    { label: '$(history) For 1 Hour', description: `until ${formatClockTime(now + HOUR_MS)}`, value: now + HOUR_MS },
    {
      label: '$(history) For 8 Hours',
      description: `until ${formatClockTime(now + 8 * HOUR_MS)}`,
      value: now + 8 * HOUR_MS,
    },
    { label: '$(edit) Another Time…', description: 'such as 06:30, or 90m', value: null },
  ];
}

/**
 * The end that a person has typed as a time of day or a duration, in milliseconds since the epoch like `now`. Null if
 * the text is neither.
 */
export function parseEnd(text: string, now: number): number | null {
  const duration = parseDuration(text.trim());
  return duration === null ? findNextTime(text, now) : now + duration;
}

/** The offered limits, with the one from the settings first. */
export function createLimitOffers({ maxChanges }: NightChoices): readonly OvernightOffer<number>[] {
  return [
    { label: formatCount(maxChanges, 'Change'), description: 'your setting', value: maxChanges },
    ...OTHER_LIMITS.filter((count) => count !== maxChanges).map((count) => ({
      label: formatCount(count, 'Change'),
      value: count,
    })),
  ];
}

/**
 * The offered proposers, with their names as values; null, which comes first, stands for recipes only. `lastProposer`,
 * the proposer of the previous run, comes second, even if it is not among the choices. The last offer lets the person
 * type the address of a server.
 */
export function createProposerOffers(
  { proposers, leftOut }: NightChoices,
  lastProposer: string | undefined,
): readonly OvernightOffer<string | null>[] {
  const recipesOnly = {
    label: '$(beaker) Recipes Alone',
    description: 'code stays on this machine',
    detail: 'Deterministic transformations. No model is asked.',
    value: null,
  };
  const knownOffers = proposers.map((choice) => ({ ...describeOffer(choice), value: choice.name }));
  const isOffered = knownOffers.some(({ value }) => value === lastProposer);
  const previousOffer =
    lastProposer === undefined || isOffered
      ? []
      : [{ label: `$(sparkle) ${lastProposer}`, description: 'as last time', value: lastProposer }];
  const namedOffers = [...previousOffer, ...knownOffers];
  const sortedOffers = [
    ...namedOffers.filter(({ value }) => value === lastProposer),
    ...namedOffers.filter(({ value }) => value !== lastProposer),
  ];
  const addressOffer = {
    label: '$(globe) An Address…',
    description: "any server with OpenAI's protocol",
    detail: 'Asks for an address and the name of a model. Recipes are tried first.',
    value: ANY_ADDRESS,
  };
  const omittedModelsNote =
    leftOut > 0 ? 'Models of this window cannot be asked: the run continues without the window.' : '';
  const firstOffer =
    omittedModelsNote === '' ? recipesOnly : { ...recipesOnly, detail: `${recipesOnly.detail} ${omittedModelsNote}` };
  return [firstOffer, ...sortedOffers, addressOffer];
}

/**
 * The offered limits of the costs, with the one from the settings first. The value null stands for a limit that the
 * person types.
 */
export function createMoneyOffers(limit: number): readonly OvernightOffer<number | null>[] {
  const noLimit = { label: '$(circle-slash) No Limit', value: 0 };
  const typedOffer = { label: '$(edit) Another Amount…', description: 'such as 2.50', value: null };
  return limit === 0
    ? [{ ...noLimit, description: 'your setting' }, typedOffer]
    : [{ label: `$(credit-card) ${limit}`, description: 'your setting', value: limit }, typedOffer, noLimit];
}

/** The amount of money that a person has typed; null if the text is not an amount. */
export function parseAmount(text: string): number | null {
  const amount = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(amount) && amount > 0 ? amount : null;
}

/** True if the questions to this proposer may cost money, so that a limit has to be chosen. */
export function mayCost(proposer: string | null, money: MoneyChoices | null): money is MoneyChoices {
  return proposer !== null && money !== null && !money.free.includes(proposer);
}

/** Label, description and detail of a proposer in the list. */
function describeOffer(choice: ProposerChoice) {
  const { label, detail } = describeProposer(choice, `${choice.why} Recipes are tried first.`);
  return { label: `$(sparkle) ${label}`, description: choice.where, detail };
}

/** The text before the start: the steps of the run, its limits, and the way to end it. */
export function formatPlanSummary(
  { until, maxChanges, proposer, scope, maxCost }: OvernightPlan,
  folder: string,
  {
    outlook,
    power,
    unasked,
    keepsAfterWindow,
  }: Pick<NightChoices, 'outlook' | 'power' | 'unasked' | 'keepsAfterWindow'>,
  now: number,
): string {
  const day = new Date(now);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  return [
    `Works on: ${formatScope(scope, folder)}, as it was last committed. Uncommitted work is not included.`,
    'Never touched: your files, your branch, the index and the stash. Nothing is pushed.',
    `Until: ${formatClockTime(until)} (${formatDuration(until - now)}), or until you end it. ${describeEnd(keepsAfterWindow)}`,
    `Commits: at most ${formatCount(maxChanges, 'change')}, each checked and in a commit of its own, on the branch ` +
      `selfware/night-${date.join('-')}, or on the branch of an earlier night that you have not decided about.`,
    `Asks: ${proposer ?? 'nobody, recipes alone'}.`,
    ...(maxCost === null ? [] : [`Money: ${maxCost === 0 ? 'no limit' : `at most ${maxCost} by your prices`}.`]),
    `Expect: ${outlook}`,
    ['What may happen unasked, on that branch:', ...unasked.map((line) => `• ${line}`)].join('\n'),
    ...(power === null ? [] : [`Power: ${power}`]),
  ].join('\n\n');
}

/**
 * The sentences about what ends the run before its time. `keepsAfterWindow`: true if it continues after the window
 * closes.
 */
function describeEnd(keepsAfterWindow: boolean): string {
  return keepsAfterWindow
    ? 'Closing this window does not end it (night.keepAfterWindow). "Selfware: End the Night" does.'
    : 'Closing or reloading this window ends it (night.keepAfterWindow). So does "Selfware: End the Night".';
}

/** A duration such as `4 h 30 min`. */
function formatDuration(millis: number): string {
  const minutes = Math.round(millis / 60_000);
  const [hours, remainingMinutes] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : '', remainingMinutes > 0 || hours === 0 ? `${remainingMinutes} min` : '']
    .filter(Boolean)
    .join(' ');
}

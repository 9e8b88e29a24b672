// Checks whether an author may do something, and how often. All such checks are here.

import { SelfwareError } from '../../util/typedError.ts';
import { formatCount } from '../../util/counted.ts';
import { AUTHOR_LABELS, authorOf, type Author } from '../model/authors.ts';
import { adjustAllowances, type Allowance, type Capability, type RatePause } from '../model/capabilities.ts';
import type { Millis } from '../model.ts';
import type { StoredEvent } from '../ports/ledger.ts';
import type { SessionContext } from './context.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/**
 * Maximum number of events of a type that are read, newest first. They include events of other authors. The default
 * rates of all authors allow far fewer per hour.
 */
const MAX_EVENTS = 20_000;

/** A limit on the number of events in a span of time. */
interface Rate {
  readonly event: 'proposed' | 'applied';
  /** The span to which the limit applies, in milliseconds. */
  readonly spanMs: number;
  /** The field of `Allowance` with the maximum number of events in the span. */
  readonly limit: keyof Pick<Allowance, 'changesAnHour' | 'changesADay' | 'requestsAMinute'>;
  /** One event, in messages: `change`. */
  readonly noun: string;
  /** The span in messages: `a day`. */
  readonly spanLabel: string;
}

const RATES_BY_CAPABILITY: Readonly<Partial<Record<Capability, readonly Rate[]>>> = {
  propose: [
    { event: 'proposed', spanMs: MINUTE_MS, limit: 'requestsAMinute', noun: 'proposal', spanLabel: 'a minute' },
  ],
  apply: [
    { event: 'applied', spanMs: DAY_MS, limit: 'changesADay', noun: 'change', spanLabel: 'a day' },
    { event: 'applied', spanMs: HOUR_MS, limit: 'changesAnHour', noun: 'change', spanLabel: 'an hour' },
  ],
};

/**
 * Throws `forbidden` if the charter does not give the author this capability, and `paused` if the author's rate is used
 * up; the action names the time (UTC) at which it continues. Rates are counted in the ledger, so they apply across
 * processes.
 */
export async function requireAllowed(
  { settings, ledger, ports }: Pick<SessionContext, 'settings' | 'ledger' | 'ports'>,
  author: Author,
  capability: Capability,
): Promise<void> {
  // `settings` already contains the restrictions of the repository's charter (settings/charterFile.ts).
  const allowance = adjustAllowances(settings['charter.authors'])[author];
  const authorLabel = AUTHOR_LABELS[author];
  if (!allowance.may.includes(capability))
    throw new SelfwareError('forbidden', `The charter does not let ${authorLabel} do this (\`${capability}\`).`, {
      action:
        'A person can allow it in the setting selfware.charter.authors, unless the charter of the repository forbids it.',
    });
  const pause = await findPause({ settings, ledger, ports }, author, capability);
  if (pause !== null) throw pause.error;
}

/**
 * The pause of an author that lasts longest, because a rate for this capability is used up; null if none is used up.
 * Does not check whether the charter allows the capability.
 */
export async function findPause(
  { settings, ledger, ports }: Pick<SessionContext, 'settings' | 'ledger' | 'ports'>,
  author: Author,
  capability: Capability,
): Promise<RatePause | null> {
  const allowance = adjustAllowances(settings['charter.authors'])[author];
  let lastPause: RatePause | null = null;
  for (const rate of RATES_BY_CAPABILITY[capability] ?? []) {
    const pause = await findPauseOfRate({ ledger, ports }, author, rate, allowance[rate.limit]);
    if (pause !== null && (lastPause === null || (pause.until ?? Infinity) > (lastPause.until ?? Infinity)))
      lastPause = pause;
  }
  return lastPause;
}

/**
 * The pause if the author has had `maxCount` events of the rate in its span; null if there were fewer. `until` is null
 * if `maxCount` is 0, because such a pause never ends.
 */
async function findPauseOfRate(
  { ledger, ports }: Pick<SessionContext, 'ledger' | 'ports'>,
  author: Author,
  rate: Rate,
  maxCount: number,
): Promise<RatePause | null> {
  const authorLabel = AUTHOR_LABELS[author];
  const now = ports.clock.now();
  const times = await readTimes(ledger, rate, author, now);
  if (times.length < maxCount) return null;
  const until = maxCount === 0 ? null : times[maxCount - 1]! + rate.spanMs;
  const error = new SelfwareError(
    'paused',
    `Paused: the charter allows ${authorLabel} ${formatCount(maxCount, rate.noun)} ${rate.spanLabel}, and ${times.length === 1 ? '1 was' : `${times.length} were`} made.`,
    {
      action:
        until === null
          ? 'A person can allow more in the setting selfware.charter.authors.'
          : `It continues at ${timeLabel(until, now)} UTC, or after a person has allowed more in the setting selfware.charter.authors.`,
    },
  );
  return { error, until };
}

/** The time of day (UTC), after the date if it is not today. */
function timeLabel(at: Millis, now: Millis): string {
  const [date, time] = new Date(at).toISOString().slice(0, 16).split('T');
  return new Date(now).toISOString().startsWith(date!) ? time! : `${date} ${time}`;
}

/** The times of this author's events, newest first. A change that a person approved counts as the person's. */
async function readTimes(
  ledger: SessionContext['ledger'],
  { event, spanMs }: Rate,
  author: Author,
  now: number,
): Promise<readonly number[]> {
  const readNewest = (types: readonly string[]) => ledger.query({ types, newestFirst: true, limit: MAX_EVENTS });
  const events = (await readNewest([event])).filter(({ at }) => at > now - spanMs);
  if (event === 'proposed')
    return events.filter((event) => authorOf(findProposal(event)) === author).map(({ at }) => at);
  const approvedProposalIds = new Set(
    (await readNewest(['approved'])).flatMap(({ data }) =>
      (data as { readonly by?: string }).by === 'person' ? [(data as { readonly proposal: string }).proposal] : [],
    ),
  );
  const authors = new Map((await ledger.proposals()).map((proposal) => [proposal.id, authorOf(proposal)]));
  return events
    .filter(({ data }) => {
      const { proposal } = data as { readonly proposal: string };
      return (approvedProposalIds.has(proposal) ? 'person' : authors.get(proposal)) === author;
    })
    .map(({ at }) => at);
}

/** The proposal in the data of an event. */
function findProposal({ data }: StoredEvent): { readonly author?: Author; readonly recipe: string } {
  return (data as { readonly proposal: { readonly author?: Author; readonly recipe: string } }).proposal;
}

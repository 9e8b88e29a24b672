// The only place that checks whether an author may do something, and whether the author does it too often.

import { SelfwareError } from '../../util/typedError.ts';
import { counted } from '../../util/counted.ts';
import { AUTHOR_LABELS, authorOf, type Author } from '../model/authors.ts';
import { givenBy, type Allowance, type Capability } from '../model/capabilities.ts';
import type { StoredEvent } from '../ports/ledger.ts';
import type { SessionContext } from './context.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** Larger than any rate. */
const MOST_EVENTS = 20_000;

interface Rate {
  readonly event: 'proposed' | 'applied';
  readonly within: number;
  readonly most: keyof Pick<Allowance, 'changesAnHour' | 'requestsAMinute'>;
  readonly what: string;
  readonly span: string;
}

const RATES: Readonly<Partial<Record<Capability, Rate>>> = {
  propose: { event: 'proposed', within: MINUTE, most: 'requestsAMinute', what: 'proposal', span: 'a minute' },
  apply: { event: 'applied', within: HOUR, most: 'changesAnHour', what: 'change', span: 'an hour' },
};

/**
 * Throws `forbidden` if the author may never do it, and `paused` if its rate is used up, with the time from which it
 * may again. Rates are counted in the ledger, so they apply across processes.
 */
export async function requireAllowed(
  { settings, ledger, ports }: Pick<SessionContext, 'settings' | 'ledger' | 'ports'>,
  author: Author,
  capability: Capability,
): Promise<void> {
  const allowance = givenBy(settings['charter.authors'])[author];
  const whose = AUTHOR_LABELS[author];
  if (!allowance.may.includes(capability))
    throw new SelfwareError('forbidden', `The charter does not let ${whose} do this (\`${capability}\`).`, {
      action:
        'A person can allow it in the setting selfware.charter.authors, unless the charter of the repository forbids it.',
    });
  const rate = RATES[capability];
  if (!rate) return;
  const most = allowance[rate.most];
  const now = ports.clock.now();
  const times = await timesOf(ledger, rate, author, now);
  if (times.length < most) return;
  const again = most === 0 ? null : times[most - 1]! + rate.within;
  throw new SelfwareError(
    'paused',
    `Paused: the charter allows ${whose} ${counted(most, rate.what)} ${rate.span}, and ${times.length === 1 ? '1 was' : `${times.length} were`} made.`,
    {
      action:
        again === null
          ? 'A person can allow more in the setting selfware.charter.authors.'
          : `It continues at ${new Date(again).toISOString().slice(11, 16)} UTC, or after a person has allowed more in the setting selfware.charter.authors.`,
    },
  );
}

/** When this author did it, newest first. A change that a person had applied counts as the person's. */
async function timesOf(
  ledger: SessionContext['ledger'],
  { event, within }: Rate,
  author: Author,
  now: number,
): Promise<readonly number[]> {
  const newest = (types: readonly string[]) => ledger.query({ types, newestFirst: true, limit: MOST_EVENTS });
  const events = (await newest([event])).filter(({ at }) => at > now - within);
  if (event === 'proposed') return events.filter((one) => authorOf(proposalIn(one)) === author).map(({ at }) => at);
  const byPerson = new Set(
    (await newest(['approved'])).flatMap(({ data }) =>
      (data as { readonly by?: string }).by === 'person' ? [(data as { readonly proposal: string }).proposal] : [],
    ),
  );
  const authors = new Map((await ledger.proposals()).map((one) => [one.id, authorOf(one)]));
  return events
    .filter(({ data }) => {
      const { proposal } = data as { readonly proposal: string };
      return (byPerson.has(proposal) ? 'person' : authors.get(proposal)) === author;
    })
    .map(({ at }) => at);
}

function proposalIn({ data }: StoredEvent): { readonly author?: Author; readonly recipe: string } {
  return (data as { readonly proposal: { readonly author?: Author; readonly recipe: string } }).proposal;
}

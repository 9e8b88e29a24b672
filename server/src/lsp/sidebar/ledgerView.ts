// Reads data for the sidebar from the ledger (the recorded events): recent events, the trend of the points, commits,
// lessons, requests, and the newest unattended run. Most of it is cached until the ledger or its other inputs change.

import type { RuleEntry } from '#protocol/rules';
import type { EventState, InboxEntry, LessonState, SidebarState, TrendPoint } from '#protocol/state';
import type { Evidence } from '../../core/learn/lessons.ts';
import type { Opportunity, Proposal } from '../../core/model.ts';
import type { Session, Status } from '../../core/session.ts';
import { NIGHT_EVENT_TYPES, foldNights } from '../../core/run/nights.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { NightEvent } from '../../core/model/nights.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { SIDEBAR_EVENT_TYPES, ledgerLine } from '../../core/session/ledger/ledgerLines.ts';
import { listInbox, listUndecidedRules } from './waitingDecisions.ts';
import { listRequests, type RequestLists } from './requests.ts';
import { computeTrend, TREND_EVENT_TYPES } from './trend.ts';

/** The data for the sidebar from the ledger of one folder. */
export interface LedgerView {
  /** The recent events, newest first. */
  readonly events: readonly EventState[];
  readonly trend: readonly TrendPoint[];
  /** Ids of the proposals whose changes were committed. */
  readonly committedIds: ReadonlySet<string>;
  /** Number of dismissed opportunities. */
  readonly dismissedCount: number;
  readonly learned: SidebarState['learned'];
  /** Tools, commands, skills and orders of proposers that are proposed to the person. */
  readonly inbox: readonly InboxEntry[];
  /** Rules of agents that wait for a decision. */
  readonly rules: readonly RuleEntry[];
  /** The requests in words, and the tasks of models that wait for a person. */
  readonly requestLists: RequestLists;
  /** The newest unattended run; null if there was none. */
  readonly night: Night | null;
}

/** Maximum number of recent events. */
const MAX_EVENTS = 30;
/** Maximum number of events from which the trend is computed. The command line shows older ones, too. */
const MAX_TREND_EVENTS = 1000;
/** Maximum number of files that the line about the origin of a lesson names. */
const MAX_PATHS = 2;
/** Maximum number of lessons that are shown. */
const MAX_LESSONS = 10;
/** The data for a damaged ledger. */
const EMPTY_VIEW: LedgerView = {
  events: [],
  trend: [],
  committedIds: new Set(),
  dismissedCount: 0,
  learned: { total: 0, lessons: [] },
  inbox: [],
  rules: [],
  requestLists: { requests: [], waitingTasks: [], further: { count: 0, needing: 0 } },
  night: null,
};

/** A view, and the inputs from which it was computed. */
interface CachedView {
  /** Sequence number of the last event. */
  readonly newestSequence: number;
  readonly revision: number;
  readonly ruler: string | null;
  readonly view: LedgerView;
}
const views = new WeakMap<Session, CachedView>();

/**
 * The data from the ledger; empty if the ledger is damaged, which the notices report. `list`: the shown opportunities,
 * because a task waits only as long as its opportunity is shown. `revision`: changes with `list`, and with the comments
 * in the code from which some lessons come.
 */
export async function readLedgerView(
  session: Session,
  points: Status['points'],
  proposals: readonly Proposal[],
  { revision, list }: { readonly revision: number; readonly list: readonly Pick<Opportunity, 'id'>[] },
): Promise<LedgerView> {
  try {
    // Not cached, because some dismissals end after a time, without an event.
    const dismissed = (await session.opportunities.dismissals()).length;
    // Not cached, because a person may edit the files of the inbox.
    const inbox = await listInbox(session);
    const [newestEvent] = await session.ledger.query({ limit: 1, newestFirst: true });
    const lastSequence = newestEvent?.sequence ?? 0;
    const ruler = points?.ruler.hash ?? null;
    const cachedView = views.get(session);
    if (cachedView?.newestSequence === lastSequence && cachedView.ruler === ruler && cachedView.revision === revision)
      return { ...cachedView.view, dismissedCount: dismissed, inbox };
    const shownIds = new Set(list.map(({ id }) => id));
    const proposalsById = new Map(proposals.map((proposal) => [proposal.id, proposal]));
    const view: LedgerView = {
      events: (await session.ledger.query({ types: SIDEBAR_EVENT_TYPES, limit: MAX_EVENTS, newestFirst: true })).map(
        (event) => ledgerLine(event, proposalsById),
      ),
      trend:
        ruler === null
          ? []
          : computeTrend(
              (
                await session.ledger.query({ types: TREND_EVENT_TYPES, limit: MAX_TREND_EVENTS, newestFirst: true })
              ).toReversed(),
              ruler,
              (id) => proposalsById.get(id)?.title ?? null,
            ),
      committedIds: new Set(
        (await session.ledger.query({ types: ['committed'] })).map(
          ({ data }) => (data as { readonly proposal: string }).proposal,
        ),
      ),
      dismissedCount: dismissed,
      learned: await readLearned(session),
      inbox,
      rules: await listUndecidedRules(session),
      requestLists: await listRequests(session, (opportunity) => shownIds.has(opportunity)),
      night:
        foldNights(
          (await session.ledger.query({ types: NIGHT_EVENT_TYPES })) as readonly (NightEvent & {
            readonly at: number;
          })[],
        ).at(-1) ?? null,
    };
    views.set(session, { newestSequence: lastSequence, revision, ruler, view });
    return view;
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'damaged') return EMPTY_VIEW;
    throw error;
  }
}

/** The newest lessons, and the number of all. */
async function readLearned(session: Session): Promise<SidebarState['learned']> {
  // Rules that wait for a decision are listed separately.
  const lessons = (await session.learned.lessons()).filter(({ waits }) => !waits);
  const newestLessons = lessons
    .slice(0, MAX_LESSONS)
    .map(({ id, kind, rule, text, last, effects, forgettable, evidence }) => ({
      id,
      text,
      last,
      effects,
      ...describeOrigin(evidence),
      ...(forgettable ? {} : { forgettable: false as const }),
      ...(kind === 'brought' ? { brought: rule } : {}),
    }));
  return { total: lessons.length, lessons: newestLessons };
}

/**
 * The line about the changes or findings from which a lesson was learned; empty for a rule, which has no such evidence.
 */
function describeOrigin(evidence: readonly Evidence[]): Pick<LessonState, 'origin'> {
  const newestEvidence = evidence.findLast(({ path, proposal }) => path !== null || proposal !== null);
  if (!newestEvidence) return {};
  const isAboutChanges = newestEvidence.proposal !== null;
  const count = isAboutChanges ? new Set(evidence.map(({ proposal }) => proposal)).size : evidence.length;
  const paths = [...new Set(evidence.flatMap(({ path }) => path ?? []))].toReversed();
  const shownPaths = paths.slice(0, MAX_PATHS).join(', ');
  const furtherText = paths.length > MAX_PATHS ? ` and ${formatCount(paths.length - MAX_PATHS, 'other file')}` : '';
  const text = `From ${formatCount(count, isAboutChanges ? 'change' : 'finding')}${paths.length === 0 ? '' : `: ${shownPaths}${furtherText}`}`;
  const page =
    newestEvidence.proposal === null ? { path: newestEvidence.path! } : { proposal: newestEvidence.proposal };
  return { origin: { text, ...page } };
}

// Folds the events of unattended runs into nights. A night is the work of all runs on one branch: its changes, misses
// and runs.

import type { NightChange, NightEvent, NightMiss, NightPlan, NightState, RunProgram } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import { withoutDeferral } from './misses.ts';

/** The types of events that make up a night. */
export const NIGHT_EVENT_TYPES = [
  'nightStarted',
  'nightResumed',
  'nightCommitted',
  'nightMissed',
  'nightWish',
  'nightCanary',
  'nightSearched',
  'nightVariant',
  'nightWaiting',
  'nightPaused',
  'nightAnswered',
  'nightMoved',
  'nightEnded',
  'nightUpgrade',
  'nightTold',
  'nightDecided',
] as const satisfies readonly NightEvent['type'][];

/** A change that a run has committed. */
export interface CommittedChange extends NightChange {
  readonly commit: string;
  readonly at: Millis;
  /** The run that made it. */
  readonly run: string;
}

/** One run on the branch of a night. Several processes may work on it, one after the other. */
export interface Run {
  readonly id: string;
  readonly plan: NightPlan;
  readonly startedAt: Millis;
  /** The time at which the first run of the same order began. Its limits apply to all runs that continue the order. */
  readonly since: Millis;
  /** Null while the run works, and after its process died. */
  readonly endedAt: Millis | null;
  readonly reason: string | null;
  /** Number of times that another process took over. */
  readonly resumed: number;
  readonly committed: number;
  /** Milliseconds for which it waited, for something to do or for a person. */
  readonly waitedFor: Millis;
  readonly passedOver: Readonly<Record<string, number>>;
  /** The version of Selfware that works on it, or worked on it last; null if it is unknown. */
  readonly program: RunProgram | null;
}

/**
 * A person's request: one run, or several on different branches. `until`: the time at which the next order began; null
 * for the newest order.
 */
export interface Order {
  readonly since: Millis;
  readonly until: Millis | null;
}

/** A branch that one or more runs have filled. */
export interface Night {
  readonly branch: string;
  /** The commit that the branch starts from. */
  readonly base: string;
  readonly state: NightState;
  /** The reason why the run waits, and the time until which it waits; null if it does not wait. */
  readonly waiting: { readonly until: Millis; readonly reason: string } | null;
  /** Anomalies, oldest first. `answered`: true if a person has allowed the run to continue. */
  readonly unusual: readonly { readonly kind: string; readonly reason: string; readonly answered: boolean }[];
  readonly runs: readonly Run[];
  /** Changes on the branch, in order. */
  readonly changes: readonly CommittedChange[];
  /**
   * Changes that were taken off the branch and wait for a person, with their current commits: held changes, and
   * changes after them if there was no time to judge these again.
   */
  readonly parked: readonly CommittedChange[];
  /** Ids of proposals whose changes are no longer on the branch: dropped, not reapplied, or parked. */
  readonly gone: readonly string[];
  readonly misses: readonly NightMiss[];
  /**
   * Proposals that a person has applied or rejected in their own tree; empty unless the ledger of that tree was read.
   */
  readonly settled: readonly string[];
  /** Wishes that were tried, with their outcomes. */
  readonly wishes: readonly {
    readonly id: string;
    readonly text: string;
    readonly done: boolean;
    readonly reason: string | null;
    /** Set if the proposal waits for a quieter machine. */
    readonly isDeferred?: true;
    /** Set if a person has dropped the proposal since. */
    readonly isDropped?: true;
  }[];
  /** Tasks that cannot be solved, with the outcomes of the proposer's answers. */
  readonly canaries: readonly Omit<EventOf<'nightCanary'>['data'], 'night'>[];
  /** Orders in which a proposer has “solved” a task that cannot be solved, on this branch or on another. */
  readonly heldOrders: readonly Order[];
  /** The searches that ran when nothing else was left to try. */
  readonly searches: readonly Omit<EventOf<'nightSearched'>['data'], 'night'>[];
  /** Variants of changes that were made worse on purpose, with the outcomes of the checks. */
  readonly variants: readonly Omit<EventOf<'nightVariant'>['data'], 'night'>[];
  /** Events about new versions of Selfware, oldest first. */
  readonly upgrades: readonly Omit<EventOf<'nightUpgrade'>['data'], 'night'>[];
  /** Changes that could not be reapplied after the branch was moved or a change was removed. */
  readonly left: readonly { readonly title: string; readonly reason: string }[];
  /** The reason why the last notification failed, for each kind of notification that failed last (command, URL). */
  readonly untold: Readonly<Partial<Record<'command' | 'url', string>>>;
  readonly decided: 'accepted' | 'dropped' | 'squashed' | null;
  readonly lastAt: Millis;
}

type Timed = NightEvent & { readonly at: Millis };

/** The nights that these events describe, oldest first. Events of unknown nights are ignored. */
export function nightsOf(events: readonly Timed[]): readonly Night[] {
  const nights = new Map<string, Night>();
  for (const event of events) {
    const night = addWait(nights.get(event.data.night), event.at);
    const next = event.type === 'nightStarted' ? startRun(night, event) : night && applyEvent(night, event);
    if (next) nights.set(event.data.night, { ...next, lastAt: event.at });
  }
  const heldOrders = findHeldOrders([...nights.values()]);
  return [...nights.values()].map((night) => ({ ...night, heldOrders }));
}

function findHeldOrders(nights: readonly Night[]): readonly Order[] {
  const runs = nights.flatMap((night) => night.runs);
  const solved = new Set(
    nights.flatMap(({ canaries }) => canaries.flatMap((canary) => (canary.solved ? [canary.run] : []))),
  );
  const starts = new Set(runs.flatMap(({ id, since }) => (solved.has(id) ? [since] : [])));
  // One run works at a time, so an order is over once another one has begun, even if its process died.
  return [...starts].map((since) => {
    const next = Math.min(...runs.map((run) => run.since).filter((begin) => begin > since));
    return { since, until: Number.isFinite(next) ? next : null };
  });
}

/**
 * The night before an event at `now`. If the night was waiting, the time since its newest event is added to its waits.
 */
function addWait(night: Night | undefined, now: Millis): Night | undefined {
  const last = night?.runs.at(-1);
  if (!night || !last || !(night.waiting || night.state === 'needsPerson')) return night;
  const waitedFor = last.waitedFor + Math.max(0, now - night.lastAt);
  return { ...night, runs: [...night.runs.slice(0, -1), { ...last, waitedFor }] };
}

/** The anomaly because of which the run of this night waits for a person; null if it does not wait for one. */
export function unansweredAnomaly({
  state,
  unusual,
}: Pick<Night, 'state' | 'unusual'>): Night['unusual'][number] | null {
  const last = unusual.at(-1);
  return state !== 'stopped' && last?.answered === false ? last : null;
}

/** The changes in the order of their numbers in the report: first those on the branch, then the parked ones. */
export function numberedChanges({ changes, parked }: Pick<Night, 'changes' | 'parked'>): readonly CommittedChange[] {
  return [...changes, ...parked];
}

/**
 * Proposals on which only a person may decide, each once. They have no commit; their numbers in the report follow the
 * numbers of the changes.
 */
export function proposalsForPerson(night: Pick<Night, 'changes' | 'parked' | 'misses'>): readonly NightMiss[] {
  const numberedProposals = new Set(numberedChanges(night).map(({ proposal }) => proposal));
  const asking = night.misses.filter(({ what, proposal }) => what === 'asks' && !numberedProposals.has(proposal));
  return [...new Map(asking.map((miss) => [miss.proposal, miss])).values()];
}

/** Hashes of the versions of Selfware that were refused or rolled back, and not kept later. */
export function refusedVersions(nights: readonly Pick<Night, 'upgrades'>[]): readonly string[] {
  const refused = new Set<string>();
  for (const { step, hash } of nights.flatMap(({ upgrades }) => upgrades)) {
    if (step === 'refused' || step === 'rolledBack') refused.add(hash);
    if (step === 'kept') refused.delete(hash);
  }
  return [...refused];
}

/** Number of changes that the runs of one order have committed, on all branches. `since`: when the order began. */
export function changesOfOrder(nights: readonly Night[], since: Millis): number {
  const runs = nights.flatMap((night) => night.runs);
  return runs.reduce((sum, run) => (run.since === since ? sum + run.committed : sum), 0);
}

/**
 * The newest run of the night, if no end was recorded for it and its time limit has not passed; otherwise null. Its
 * process may have died.
 */
export function unfinishedRun(night: Night, now: Millis): Run | null {
  const last = night.runs.at(-1);
  return last && last.endedAt === null && last.plan.until > now ? last : null;
}

/** The newest night, if its newest run has ended at or after this time; otherwise null. */
export function newestNightIfEndedSince(nights: readonly Night[], since: Millis): Night | null {
  const night = nights.at(-1);
  return night && (night.runs.at(-1)?.endedAt ?? -Infinity) >= since ? night : null;
}

type EventOf<T extends NightEvent['type']> = Extract<Timed, { readonly type: T }>;

function startRun(night: Night | undefined, { data, at }: EventOf<'nightStarted'>): Night {
  const run: Run = {
    id: data.run,
    plan: data.plan,
    startedAt: at,
    since: data.since ?? at,
    endedAt: null,
    reason: null,
    resumed: 0,
    committed: 0,
    waitedFor: 0,
    passedOver: {},
    program: data.program ?? null,
  };
  const previous = night ?? {
    branch: data.night,
    base: data.base,
    runs: [],
    changes: [],
    parked: [],
    gone: [],
    misses: [],
    settled: [],
    wishes: [],
    canaries: [],
    heldOrders: [],
    searches: [],
    variants: [],
    upgrades: [],
    left: [],
    untold: {},
    unusual: [],
    decided: null,
  };
  // A person who starts another run has seen why the last one waited.
  const unusual = previous.unusual.map((anomaly) => ({ ...anomaly, answered: true }));
  return { ...previous, unusual, runs: [...previous.runs, run], state: 'running', waiting: null, lastAt: at };
}

function applyEvent(night: Night, event: Exclude<Timed, { readonly type: 'nightStarted' }>): Night {
  switch (event.type) {
    case 'nightResumed':
      return updateRun(resumeNight(night), event.data.run, (run) => ({
        ...run,
        plan: event.data.plan ?? run.plan,
        program: event.data.program ?? null,
        resumed: run.resumed + 1,
      }));
    case 'nightCommitted': {
      const { change, commit, run: id } = event.data;
      // A process that died right after the commit records it again.
      if (night.changes.some(({ proposal }) => proposal === change.proposal)) return night;
      const changes = [...night.changes, { ...change, commit, at: event.at, run: id }];
      const parked = night.parked.filter(({ proposal }) => proposal !== change.proposal);
      const removed = night.gone.filter((proposal) => proposal !== change.proposal);
      const misses = withoutDeferral(night.misses, change);
      return updateRun({ ...resumeNight(night), changes, parked, gone: removed, misses }, id, (run) => ({
        ...run,
        committed: run.committed + 1,
      }));
    }
    case 'nightMissed':
      return { ...resumeNight(night), misses: [...withoutDeferral(night.misses, event.data.miss), event.data.miss] };
    case 'nightWish': {
      const { wish: id, text, outcome, reason } = event.data;
      const tried = { id, text, done: outcome === 'committed', reason };
      // The next attempt at a deferred wish replaces the entry of the wish.
      const others = night.wishes.filter((entry) => !(entry.isDeferred && entry.text === text));
      return { ...night, wishes: [...others, outcome === 'deferred' ? { ...tried, isDeferred: true } : tried] };
    }
    case 'nightCanary': {
      const { night: _, ...canary } = event.data;
      return { ...resumeNight(night), canaries: [...night.canaries, canary] };
    }
    case 'nightSearched': {
      const { night: _, ...search } = event.data;
      return { ...resumeNight(night), searches: [...night.searches, search] };
    }
    case 'nightVariant': {
      // Variants are tried while the run waits, and the wait continues.
      const { night: _, ...variant } = event.data;
      return { ...night, variants: [...night.variants, variant] };
    }
    case 'nightWaiting':
      return { ...night, state: 'waiting', waiting: { until: event.data.until, reason: event.data.reason } };
    case 'nightPaused': {
      const { kind, reason } = event.data;
      const unusual = [...night.unusual, { kind, reason, answered: false }];
      return { ...night, unusual, state: 'needsPerson', waiting: null };
    }
    case 'nightAnswered': {
      const unusual = night.unusual.map((entry) => ({ ...entry, answered: true }));
      return { ...night, unusual, state: 'running', waiting: null };
    }
    case 'nightMoved':
      return applyMove(night, event);
    case 'nightEnded': {
      const { reason, passedOver, run: id } = event.data;
      const ended = { endedAt: event.at, reason, passedOver };
      return updateRun({ ...night, state: 'stopped', waiting: null }, id, (run) => ({ ...run, ...ended }));
    }
    case 'nightUpgrade': {
      // The supervisor records this event, so it does not show that the run works.
      const { night: _, ...upgrade } = event.data;
      const updated = { ...night, upgrades: [...night.upgrades, upgrade] };
      return upgrade.step === 'doubted' ? reopenRun(updated, upgrade.run) : updated;
    }
    case 'nightTold': {
      const { by, failure } = event.data;
      const { [by]: _, ...others } = night.untold;
      return { ...night, untold: failure === null ? others : { ...others, [by]: failure } };
    }
    case 'nightDecided':
      return applyDecision(night, event);
  }
}

/**
 * The night after an event that shows that the run works. If the run waits for a person, it keeps waiting: only the
 * person's answer ends that.
 */
function resumeNight(night: Night): Night {
  return { ...night, state: unansweredAnomaly(night) ? 'needsPerson' : 'running', waiting: null };
}

/**
 * The night after the recorded end of this run was doubted. The end no longer counts, because another version
 * continues the run.
 */
function reopenRun(night: Night, id: string): Night {
  if (night.state !== 'stopped') return night;
  const open = { endedAt: null, reason: null, passedOver: {} };
  return updateRun(resumeNight({ ...night, state: 'running' }), id, (run) => ({ ...run, ...open }));
}

function applyMove(night: Night, { data }: EventOf<'nightMoved'>): Night {
  const commits = new Map(data.commits.map(({ proposal, commit }) => [proposal, commit]));
  const titles = new Map(night.changes.map(({ proposal, title }) => [proposal, title]));
  const heldProposals = new Set(data.left.flatMap((entry) => (entry.held ? [entry.proposal] : [])));
  return {
    ...night,
    base: data.base,
    changes: night.changes.flatMap((change) => {
      const commit = commits.get(change.proposal);
      return commit === undefined ? [] : [{ ...change, commit }];
    }),
    parked: [...night.parked, ...night.changes.filter(({ proposal }) => heldProposals.has(proposal))],
    gone: [...new Set([...night.gone, ...data.left.map(({ proposal }) => proposal)])],
    left: [
      ...night.left,
      ...data.left
        .flatMap(({ held: isHeld, ...entry }) => (isHeld ? [] : entry))
        .map(({ proposal, reason }) => ({ title: titles.get(proposal) ?? proposal, reason })),
    ],
  };
}

function applyDecision(night: Night, { data: { verdict, changes } }: EventOf<'nightDecided'>): Night {
  if (changes === null) return { ...night, decided: verdict };
  const gone = new Set(verdict === 'dropped' ? changes : []);
  return {
    ...night,
    parked: night.parked.filter(({ proposal }) => !gone.has(proposal)),
    misses: night.misses.filter(({ what, proposal }) => what !== 'asks' || !gone.has(proposal)),
  };
}

function updateRun(night: Night, id: string, change: (run: Run) => Run): Night {
  return { ...night, runs: night.runs.map((run) => (run.id === id ? change(run) : run)) };
}

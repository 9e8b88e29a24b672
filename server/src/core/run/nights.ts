// Folds the events of unattended runs into nights: one for each branch, with its changes, misses and runs.

import type { NightChange, NightEvent, NightMiss, NightPlan, NightState, RunProgram } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import { withoutDeferral } from './misses.ts';

/** The types of events that make up a night. */
export const NIGHT_EVENTS = [
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
  /** When the first run of the same order began. Its limits hold for all runs that continue it. */
  readonly since: Millis;
  /** Null while it runs, and after its process died. */
  readonly endedAt: Millis | null;
  readonly reason: string | null;
  /** How often another process took over. */
  readonly resumed: number;
  readonly committed: number;
  /** Milliseconds for which it waited, for something to do or for a person. */
  readonly waitedFor: Millis;
  readonly passedOver: Readonly<Record<string, number>>;
  /** The version of Selfware that works on it, or worked on it last; null if it is unknown. */
  readonly program: RunProgram | null;
}

/**
 * What a person asked for at one time: one run, or several on different branches. `until`: when the next order began;
 * null for the newest order.
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
  /** Why the run waits, and until when; null unless it waits. */
  readonly waiting: { readonly until: Millis; readonly reason: string } | null;
  /** What was unusual, oldest first. `answered`: a person has let the run continue. */
  readonly unusual: readonly { readonly kind: string; readonly reason: string; readonly answered: boolean }[];
  readonly runs: readonly Run[];
  /** Changes on the branch, in order. */
  readonly changes: readonly CommittedChange[];
  /**
   * Changes that were taken off the branch and wait for a person, with the commits that hold them now: held ones, and
   * those after them if there was no time to judge these again.
   */
  readonly parked: readonly CommittedChange[];
  /** Ids of proposals whose changes are no longer on the branch: dropped, left out or parked. */
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
    /** Set if its proposal waits for a quieter machine. */
    readonly isDeferred?: true;
    /** Set if a person has dropped it since. */
    readonly isDropped?: true;
  }[];
  /** Tasks that cannot be solved, with the outcomes of the proposer's answers. */
  readonly canaries: readonly Omit<Of<'nightCanary'>['data'], 'night'>[];
  /** Orders in which a proposer has “solved” a task that cannot be solved, on this branch or on another. */
  readonly heldOrders: readonly Order[];
  /** What was searched for when nothing else was left to try. */
  readonly searches: readonly Omit<Of<'nightSearched'>['data'], 'night'>[];
  /** Variants of changes that were made worse on purpose, with what the checks decided. */
  readonly variants: readonly Omit<Of<'nightVariant'>['data'], 'night'>[];
  /** What happened with new versions of Selfware, oldest first. */
  readonly upgrades: readonly Omit<Of<'nightUpgrade'>['data'], 'night'>[];
  /** Changes that no longer fit, after the branch was moved or a change was taken out. */
  readonly left: readonly { readonly title: string; readonly reason: string }[];
  /** Why the person could not be told of the run, by the setting that failed last. */
  readonly untold: Readonly<Partial<Record<'command' | 'url', string>>>;
  readonly decided: 'accepted' | 'dropped' | 'squashed' | null;
  readonly lastAt: Millis;
}

type Timed = NightEvent & { readonly at: Millis };

/** The nights that these events describe, oldest first. Events of unknown nights are ignored. */
export function nightsOf(events: readonly Timed[]): readonly Night[] {
  const nights = new Map<string, Night>();
  for (const event of events) {
    const night = afterWait(nights.get(event.data.night), event.at);
    const next = event.type === 'nightStarted' ? started(night, event) : night && afterEvent(night, event);
    if (next) nights.set(event.data.night, { ...next, lastAt: event.at });
  }
  const heldOrders = heldOrdersIn([...nights.values()]);
  return [...nights.values()].map((night) => ({ ...night, heldOrders }));
}

function heldOrdersIn(nights: readonly Night[]): readonly Order[] {
  const runs = nights.flatMap((night) => night.runs);
  const solved = new Set(
    nights.flatMap(({ canaries }) => canaries.flatMap((canary) => (canary.solved ? [canary.run] : []))),
  );
  const starts = new Set(runs.flatMap(({ id, since }) => (solved.has(id) ? [since] : [])));
  // One run works at a time, so an order is over once another one has begun, even if its process died.
  return [...starts].map((since) => {
    const next = Math.min(...runs.map((run) => run.since).filter((one) => one > since));
    return { since, until: Number.isFinite(next) ? next : null };
  });
}

/** The night before an event at `now`: if it was waiting, the time since its newest event counts as waited. */
function afterWait(night: Night | undefined, now: Millis): Night | undefined {
  const last = night?.runs.at(-1);
  if (!night || !last || !(night.waiting || night.state === 'needsPerson')) return night;
  const waitedFor = last.waitedFor + Math.max(0, now - night.lastAt);
  return { ...night, runs: [...night.runs.slice(0, -1), { ...last, waitedFor }] };
}

/** What was unusual, if the run of this night waits for a person because of it; otherwise null. */
export function unansweredAnomaly({
  state,
  unusual,
}: Pick<Night, 'state' | 'unusual'>): Night['unusual'][number] | null {
  const last = unusual.at(-1);
  return state !== 'stopped' && last?.answered === false ? last : null;
}

/** The changes by their numbers in the report: those on the branch, then the parked ones. */
export function numberedChanges({ changes, parked }: Pick<Night, 'changes' | 'parked'>): readonly CommittedChange[] {
  return [...changes, ...parked];
}

/**
 * Proposals that only a person may decide about, each once. No commit holds them; their numbers in the report follow
 * those of the changes.
 */
export function askingProposals(night: Pick<Night, 'changes' | 'parked' | 'misses'>): readonly NightMiss[] {
  const numberedProposals = new Set(numberedChanges(night).map(({ proposal }) => proposal));
  const asking = night.misses.filter(({ what, proposal }) => what === 'asks' && !numberedProposals.has(proposal));
  return [...new Map(asking.map((miss) => [miss.proposal, miss])).values()];
}

/** Hashes of the versions of Selfware that were refused or rolled back, and have not been kept later. */
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
 * The newest run of the night, if no end was recorded for it and its time is not up; otherwise null. Its process may
 * have died.
 */
export function unfinishedRun(night: Night, now: Millis): Run | null {
  const last = night.runs.at(-1);
  return last && last.endedAt === null && last.plan.until > now ? last : null;
}

/** The newest night, if its newest run has ended at or after this time; otherwise null. */
export function endedSince(nights: readonly Night[], since: Millis): Night | null {
  const night = nights.at(-1);
  return night && (night.runs.at(-1)?.endedAt ?? -Infinity) >= since ? night : null;
}

type Of<T extends NightEvent['type']> = Extract<Timed, { readonly type: T }>;

function started(night: Night | undefined, { data, at }: Of<'nightStarted'>): Night {
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
  const before = night ?? {
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
  const unusual = before.unusual.map((one) => ({ ...one, answered: true }));
  return { ...before, unusual, runs: [...before.runs, run], state: 'running', waiting: null, lastAt: at };
}

function afterEvent(night: Night, event: Exclude<Timed, { readonly type: 'nightStarted' }>): Night {
  switch (event.type) {
    case 'nightResumed':
      return ofRun(continued(night), event.data.run, (run) => ({
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
      const gone = night.gone.filter((proposal) => proposal !== change.proposal);
      const misses = withoutDeferral(night.misses, change);
      return ofRun({ ...continued(night), changes, parked, gone, misses }, id, (run) => ({
        ...run,
        committed: run.committed + 1,
      }));
    }
    case 'nightMissed':
      return { ...continued(night), misses: [...withoutDeferral(night.misses, event.data.miss), event.data.miss] };
    case 'nightWish': {
      const { wish: id, text, outcome, reason } = event.data;
      const tried = { id, text, done: outcome === 'committed', reason };
      // The next try of a deferred wish takes its place.
      const others = night.wishes.filter((one) => !(one.isDeferred && one.text === text));
      return { ...night, wishes: [...others, outcome === 'deferred' ? { ...tried, isDeferred: true } : tried] };
    }
    case 'nightCanary': {
      const { night: _, ...canary } = event.data;
      return { ...continued(night), canaries: [...night.canaries, canary] };
    }
    case 'nightSearched': {
      const { night: _, ...search } = event.data;
      return { ...continued(night), searches: [...night.searches, search] };
    }
    case 'nightVariant': {
      // A variant is tried while the run waits, and the wait continues.
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
      const unusual = night.unusual.map((one) => ({ ...one, answered: true }));
      return { ...night, unusual, state: 'running', waiting: null };
    }
    case 'nightMoved':
      return moved(night, event);
    case 'nightEnded': {
      const { reason, passedOver, run: id } = event.data;
      const ended = { endedAt: event.at, reason, passedOver };
      return ofRun({ ...night, state: 'stopped', waiting: null }, id, (run) => ({ ...run, ...ended }));
    }
    case 'nightUpgrade': {
      // The supervisor records this event, so it does not show that the run works.
      const { night: _, ...upgrade } = event.data;
      const noted = { ...night, upgrades: [...night.upgrades, upgrade] };
      return upgrade.step === 'doubted' ? reopened(noted, upgrade.run) : noted;
    }
    case 'nightTold': {
      const { by, failure } = event.data;
      const { [by]: _, ...others } = night.untold;
      return { ...night, untold: failure === null ? others : { ...others, [by]: failure } };
    }
    case 'nightDecided':
      return decided(night, event);
  }
}

/**
 * The night after an event that shows that the run works. If it waits for a person, only the person's answer ends that.
 */
function continued(night: Night): Night {
  return { ...night, state: unansweredAnomaly(night) ? 'needsPerson' : 'running', waiting: null };
}

/**
 * The night after the end of this run is doubted. If the end was recorded, it no longer counts: another version works.
 */
function reopened(night: Night, id: string): Night {
  if (night.state !== 'stopped') return night;
  const open = { endedAt: null, reason: null, passedOver: {} };
  return ofRun(continued({ ...night, state: 'running' }), id, (run) => ({ ...run, ...open }));
}

function moved(night: Night, { data }: Of<'nightMoved'>): Night {
  const commits = new Map(data.commits.map(({ proposal, commit }) => [proposal, commit]));
  const titles = new Map(night.changes.map(({ proposal, title }) => [proposal, title]));
  const held = new Set(data.left.flatMap((one) => (one.held ? [one.proposal] : [])));
  return {
    ...night,
    base: data.base,
    changes: night.changes.flatMap((change) => {
      const commit = commits.get(change.proposal);
      return commit === undefined ? [] : [{ ...change, commit }];
    }),
    parked: [...night.parked, ...night.changes.filter(({ proposal }) => held.has(proposal))],
    gone: [...new Set([...night.gone, ...data.left.map(({ proposal }) => proposal)])],
    left: [
      ...night.left,
      ...data.left
        .flatMap(({ held: isHeld, ...one }) => (isHeld ? [] : one))
        .map(({ proposal, reason }) => ({ title: titles.get(proposal) ?? proposal, reason })),
    ],
  };
}

function decided(night: Night, { data: { verdict, changes } }: Of<'nightDecided'>): Night {
  if (changes === null) return { ...night, decided: verdict };
  const gone = new Set(verdict === 'dropped' ? changes : []);
  return {
    ...night,
    parked: night.parked.filter(({ proposal }) => !gone.has(proposal)),
    misses: night.misses.filter(({ what, proposal }) => what !== 'asks' || !gone.has(proposal)),
  };
}

function ofRun(night: Night, id: string, change: (run: Run) => Run): Night {
  return { ...night, runs: night.runs.map((run) => (run.id === id ? change(run) : run)) };
}

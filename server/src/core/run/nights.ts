// Folds the events of unattended runs into nights. A night is the work of all runs on one branch: its changes, misses
// and runs.

import type { NightEvent } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import { removeDeferral } from './misses.ts';
import { lostWishReason } from './wishes.ts';
import type { Run, NightOrder, Night, TimedNightEvent, EventOf } from './nightTypes.ts';
import { findUnansweredAnomaly } from './nightQueries.ts';

/** The types of events that make up a night. */
export const NIGHT_EVENT_TYPES = [
  'nightStarted',
  'nightResumed',
  'nightCommitted',
  'nightMissed',
  'nightTurn',
  'nightWish',
  'nightCanary',
  'nightSearched',
  'nightVariant',
  'nightWaiting',
  'nightPaused',
  'nightAnswered',
  'nightAskedToEnd',
  'nightMoved',
  'nightEnded',
  'nightUpgrade',
  'nightTold',
  'nightDecided',
] as const satisfies readonly NightEvent['type'][];

/** The nights that these events describe, oldest first. Events of unknown nights are ignored. */
export function foldNights(events: readonly TimedNightEvent[]): readonly Night[] {
  const nights = new Map<string, Night>();
  for (const [index, unnumbered] of events.entries()) {
    const event: Numbered<TimedNightEvent> = { ...unnumbered, sequence: unnumbered.sequence ?? index };
    const night = addWait(nights.get(event.data.night), event.at);
    const nextNight = event.type === 'nightStarted' ? startRun(night, event) : night && applyEvent(night, event);
    if (nextNight) nights.set(event.data.night, { ...nextNight, lastAt: event.at, lastSequence: event.sequence });
  }
  const heldOrders = findHeldOrders([...nights.values()]);
  return [...nights.values()].map((night) => ({ ...night, heldOrders }));
}

/** An event whose sequence number is set. */
type Numbered<T extends TimedNightEvent> = T & { readonly sequence: number };

/** The orders during which a proposer has “solved” a task that cannot be solved. */
function findHeldOrders(nights: readonly Night[]): readonly NightOrder[] {
  const runs = nights.flatMap((night) => night.runs);
  const solvedRunIds = new Set(
    nights.flatMap(({ canaries }) => canaries.flatMap((canary) => (canary.solved ? [canary.run] : []))),
  );
  const orderStarts = new Set(runs.flatMap(({ id, since }) => (solvedRunIds.has(id) ? [since] : [])));
  // One run works at a time, so an order is over once another order has begun, even if its process died.
  return [...orderStarts].map((since) => {
    const nextStart = Math.min(...runs.map((run) => run.since).filter((start) => start > since));
    return { since, until: Number.isFinite(nextStart) ? nextStart : null };
  });
}

/**
 * The night before an event at `now`. If the night was waiting, the time since its newest event is added to its waits.
 */
function addWait(night: Night | undefined, now: Millis): Night | undefined {
  const lastRun = night?.runs.at(-1);
  if (!night || !lastRun || !(night.waiting || night.state === 'needsPerson')) return night;
  const waitedFor = lastRun.waitedFor + Math.max(0, now - night.lastAt);
  return { ...night, runs: [...night.runs.slice(0, -1), { ...lastRun, waitedFor }] };
}

function startRun(night: Night | undefined, { data, at, sequence }: Numbered<EventOf<'nightStarted'>>): Night {
  const run: Run = {
    id: data.run,
    plan: data.plan,
    startedAt: at,
    since: data.since ?? at,
    endedAt: null,
    reason: null,
    ...(data.follows === undefined ? {} : { follows: data.follows }),
    maxCost: data.maxCost ?? null,
    resumed: 0,
    committed: 0,
    waitedFor: 0,
    fruitless: 0,
    passedOver: {},
    program: data.program ?? null,
  };
  const previousNight = night ?? {
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
  const unusual = previousNight.unusual.map((anomaly) => ({ ...anomaly, answered: true }));
  return {
    ...previousNight,
    unusual,
    runs: [...previousNight.runs, run],
    state: 'running',
    waiting: null,
    lastAt: at,
    lastSequence: sequence,
  };
}

function applyEvent(night: Night, event: Numbered<Exclude<TimedNightEvent, { readonly type: 'nightStarted' }>>): Night {
  switch (event.type) {
    case 'nightResumed': {
      const { plan, program = null, follows, maxCost, run: id } = event.data;
      return updateRun(resumeNight(night), id, (run) => ({
        ...run,
        plan: plan ?? run.plan,
        program,
        ...(follows === undefined ? {} : { follows }),
        ...(maxCost === undefined ? {} : { maxCost }),
        resumed: run.resumed + 1,
      }));
    }
    case 'nightCommitted': {
      const { change, commit, run: id } = event.data;
      // A process that died right after the commit records it again.
      if (night.changes.some(({ proposal }) => proposal === change.proposal)) return night;
      const changes = [...night.changes, { ...change, commit, at: event.at, run: id }];
      const parked = night.parked.filter(({ proposal }) => proposal !== change.proposal);
      const gone = night.gone.filter((proposal) => proposal !== change.proposal);
      const misses = removeDeferral(night.misses, change);
      return updateRun({ ...resumeNight(night), changes, parked, gone: gone, misses }, id, (run) => ({
        ...run,
        committed: run.committed + 1,
        fruitless: 0,
      }));
    }
    case 'nightMissed':
      return { ...resumeNight(night), misses: [...removeDeferral(night.misses, event.data.miss), event.data.miss] };
    case 'nightTurn':
      // The proposals of the turn have events of their own.
      return resumeNight(night);
    case 'nightWish':
      return { ...resumeNight(night), wishes: addWish(night.wishes, event.data) };
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
    case 'nightWaiting': {
      const { until, reason, run: id, fruitless } = event.data;
      return updateRun({ ...night, state: 'waiting', waiting: { until, reason } }, id, (run) => ({
        ...run,
        fruitless: fruitless ?? run.fruitless,
      }));
    }
    case 'nightPaused': {
      const { kind, reason } = event.data;
      const unusual = [...night.unusual, { kind, reason, answered: false }];
      return { ...night, unusual, state: 'needsPerson', waiting: null };
    }
    case 'nightAnswered': {
      const unusual = night.unusual.map((entry) => ({ ...entry, answered: true }));
      return { ...night, unusual, state: 'running', waiting: null };
    }
    case 'nightAskedToEnd':
      return updateRun(night, event.data.run, (run) => ({
        ...run,
        askedToEndAt: event.at,
        askedToEndSequence: event.sequence,
      }));
    case 'nightMoved':
      return applyMove(night, event);
    case 'nightEnded': {
      const { reason, passedOver, run: id } = event.data;
      const endFields = { endedAt: event.at, endedSequence: event.sequence, reason, passedOver };
      return updateRun({ ...night, state: 'stopped', waiting: null }, id, (run) => ({ ...run, ...endFields }));
    }
    case 'nightUpgrade': {
      // The supervisor records this event, so it does not show that the run works.
      const { night: _, ...upgrade } = event.data;
      const updatedNight = { ...night, upgrades: [...night.upgrades, upgrade] };
      return upgrade.step === 'doubted' ? reopenRun(updatedNight, upgrade.run) : updatedNight;
    }
    case 'nightTold': {
      const { by, failure } = event.data;
      const { [by]: _, ...otherChannels } = night.untold;
      return { ...night, untold: failure === null ? otherChannels : { ...otherChannels, [by]: failure } };
    }
    case 'nightDecided':
      return applyDecision(night, event);
  }
}

function addWish(wishes: Night['wishes'], wishAttempt: EventOf<'nightWish'>['data']): Night['wishes'] {
  const { wish: id, text, outcome, reason, proposal, retryAt } = wishAttempt;
  // The next attempt at a deferred wish replaces the entry of the wish.
  const isReplaced = (entry: Night['wishes'][number]) => entry.isDeferred === true && entry.text === text;
  const { postponed: postponedBefore } = wishes.find(isReplaced) ?? {};
  const postponed = retryAt === undefined ? postponedBefore : { times: (postponedBefore?.times ?? 0) + 1, reason };
  const attempt = {
    id,
    text,
    done: outcome === 'committed',
    reason,
    proposal,
    ...(outcome === 'deferred' ? ({ isDeferred: true } as const) : {}),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(postponed === undefined ? {} : { postponed }),
  };
  return [...wishes.filter((entry) => !isReplaced(entry)), attempt];
}

/**
 * The night after an event that shows that the run works. If the run waits for a person, it keeps waiting: only the
 * person's answer ends that.
 */
function resumeNight(night: Night): Night {
  return { ...night, state: findUnansweredAnomaly(night) ? 'needsPerson' : 'running', waiting: null };
}

/**
 * The night after the recorded end of this run was doubted. The end no longer counts, because another version
 * continues the run.
 */
function reopenRun(night: Night, id: string): Night {
  if (night.state !== 'stopped') return night;
  const openFields = { endedAt: null, reason: null, passedOver: {} };
  return updateRun(resumeNight({ ...night, state: 'running' }), id, (run) => ({ ...run, ...openFields }));
}

/** The night after its branch was moved: changes have new commits, or are no longer on the branch. */
function applyMove(night: Night, { data }: EventOf<'nightMoved'>): Night {
  const commits = new Map(data.commits.map(({ proposal, commit }) => [proposal, commit]));
  const titles = new Map(night.changes.map(({ proposal, title }) => [proposal, title]));
  const lostReasons = new Map(data.left.flatMap((entry) => (entry.lost ? [[entry.proposal, entry.reason]] : [])));
  const heldProposals = new Set(data.left.flatMap((entry) => (entry.held ? [entry.proposal] : [])));
  return {
    ...night,
    base: data.base,
    runs: night.runs.map((run) => ({ ...run, fruitless: 0 })),
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
        .map(({ proposal, title, reason, commit, untried }) => ({
          title: titles.get(proposal) ?? title ?? proposal,
          reason,
          ...(commit === undefined ? {} : { commit }),
          ...(untried ? { untried } : {}),
        })),
    ],
    wishes: night.wishes.map((wish) => {
      const reason = wish.proposal === null ? undefined : lostReasons.get(wish.proposal);
      return wish.done && reason !== undefined ? { ...wish, done: false, reason: lostWishReason(reason) } : wish;
    }),
  };
}

/**
 * The night after a person's decision. `changes`: ids of the proposals that it concerns; null for the complete branch.
 */
function applyDecision(night: Night, { data: { verdict, changes, commit } }: EventOf<'nightDecided'>): Night {
  if (changes === null) return { ...night, decided: verdict, ...(commit === undefined ? {} : { squashedTo: commit }) };
  const droppedIds = new Set(verdict === 'dropped' ? changes : []);
  const misses = night.misses.filter(({ what, proposal }) => what !== 'asks' || !droppedIds.has(proposal));
  const droppedMisses = (night.droppedMisses ?? 0) + night.misses.length - misses.length;
  return {
    ...night,
    parked: night.parked.filter(({ proposal }) => !droppedIds.has(proposal)),
    misses,
    ...(droppedMisses === 0 ? {} : { droppedMisses }),
  };
}

function updateRun(night: Night, id: string, change: (run: Run) => Run): Night {
  return { ...night, runs: night.runs.map((run) => (run.id === id ? change(run) : run)) };
}

// Creates, updates, shows and removes the team's baseline file. Only a person can ask for this.

import type { Opportunity } from '../../model.ts';
import {
  BASELINE_PATH,
  createBaselineEntry,
  readBaseline,
  formatBaseline,
  type BaselineEntry,
} from '../../prioritise/baselineFile.ts';
import { matchBaseline, refreshBaseline, type BaselineMatch } from '../../prioritise/matchBaseline.ts';
import type { BaselineReport, HiddenOpportunity } from './analysisTypes.ts';
import { parseLinterRule } from './lintOpportunities.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { findFigure, forgetBaseline } from './loadedBaseline.ts';
import { readTextOrNull } from '../search/packing.ts';
import { listOpportunities } from './listOpportunities.ts';

/**
 * Implements `Session.opportunities.baseline`. Returns null after `remove`. Throws `untrusted` if the file would be
 * written, `illegalStep` if `create` finds a baseline and is not forced, and `notFound` and `damaged` as the other
 * actions do.
 */
export async function changeBaseline(
  context: SessionContext,
  action: 'create' | 'update' | 'remove' | 'show',
  isForced: boolean,
): Promise<BaselineReport | null> {
  switch (action) {
    case 'show':
      return showBaseline(context);
    case 'create':
      return createBaseline(context, isForced);
    case 'update':
      return updateBaseline(context);
    case 'remove':
      await removeBaseline(context);
      return null;
  }
}

/**
 * Reports the opportunities that the baseline hides, and the fixed entries. Throws `notFound` if there is no baseline,
 * and `damaged` if it is unreadable.
 */
async function showBaseline(context: SessionContext): Promise<BaselineReport> {
  const { entries, match } = await matchCurrent(context);
  return createReport(entries, match);
}

/**
 * Creates a baseline of all opportunities that are shown, that the present baseline hides, or that are omitted because
 * the list is full. Throws `illegalStep` if there is a baseline, unless `isForced`.
 */
async function createBaseline(context: SessionContext, isForced: boolean): Promise<BaselineReport> {
  requireTrust(context);
  if (!isForced && (await readTextOrNull(context, BASELINE_PATH)) !== null) {
    throw new SelfwareError('illegalStep', `There already is a baseline (${BASELINE_PATH}).`, {
      action:
        'Run `selfware baseline update` to remove what is fixed, or `selfware baseline create --force` to start over.',
    });
  }
  const { shown, hidden } = await listOpportunities(context);
  const isAccepted = ({ opportunity, by }: HiddenOpportunity) =>
    by === 'baseline' || (by === 'limit' && parseLinterRule(opportunity.rule) !== null);
  const acceptedOpportunities = [...shown, ...hidden.filter(isAccepted).map(({ opportunity }) => opportunity)];
  const entries = acceptedOpportunities.map((opportunity) => createBaselineEntry(opportunity, findFigure));
  await writeBaselineText(context, formatBaseline(entries));
  return createReport(entries, { entryByHiddenId: new Map(entries.map((entry) => [entry.id, entry])), fixed: [] });
}

/** Removes entries whose opportunity is fixed, and updates those whose code was edited or moved. Adds none. */
async function updateBaseline(context: SessionContext): Promise<BaselineReport> {
  requireTrust(context);
  const { entries, match, opportunities } = await matchCurrent(context);
  await writeBaselineText(context, formatBaseline(refreshBaseline(match, opportunities, findFigure)));
  return createReport(entries, match);
}

/** Removes the file. Throws `notFound` if there is none. */
async function removeBaseline(context: SessionContext): Promise<void> {
  requireTrust(context);
  if ((await readTextOrNull(context, BASELINE_PATH)) === null) throw createNoBaselineError();
  await writeBaselineText(context, null);
}

/**
 * Matches the entries with all current opportunities, except those that a comment hides. Throws `notFound` if there is
 * no baseline, and `damaged` if it is unreadable.
 */
async function matchCurrent(context: SessionContext): Promise<{
  readonly entries: readonly BaselineEntry[];
  readonly match: BaselineMatch;
  readonly opportunities: readonly Opportunity[];
}> {
  const text = await readTextOrNull(context, BASELINE_PATH);
  if (text === null) throw createNoBaselineError();
  const entries = readBaseline(text);
  const { shown, hidden } = await listOpportunities(context);
  const opportunities = [...shown, ...hidden.flatMap(({ opportunity, by }) => (by === 'comment' ? [] : [opportunity]))];
  const { analyses } = context.state;
  return {
    entries,
    opportunities,
    match: matchBaseline(entries, opportunities, (path) => analyses.has(path), findFigure),
  };
}

/** Writes the file of the baseline, or deletes it if `text` is null, and notifies the listeners. */
async function writeBaselineText(context: SessionContext, text: string | null): Promise<void> {
  await context.ports.teamFiles.write(BASELINE_PATH, text === null ? null : new TextEncoder().encode(text));
  forgetBaseline(context);
  context.emit({ type: 'opportunities', paths: null });
  context.emit({ type: 'status' });
}

/** Creates the report about these entries and the findings that they hide. */
function createReport(entries: readonly BaselineEntry[], { entryByHiddenId, fixed }: BaselineMatch): BaselineReport {
  const countsByRule: Record<string, number> = {};
  for (const { rule } of entryByHiddenId.values()) countsByRule[rule] = (countsByRule[rule] ?? 0) + 1;
  return {
    path: BASELINE_PATH,
    entries: entries.length,
    held: entryByHiddenId.size,
    byRule: countsByRule,
    fixed: fixed.map(({ path, rule, symbol, id }) => ({ path, rule, symbol, id })),
  };
}

/** Throws `untrusted` if the workspace is not trusted. */
function requireTrust({ trusted }: SessionContext): void {
  if (!trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is written to it.', {
      action: 'Trust the workspace first.',
    });
}

function createNoBaselineError(): SelfwareError {
  return new SelfwareError('notFound', `There is no baseline (${BASELINE_PATH}).`, {
    action: 'Run `selfware baseline create`.',
  });
}

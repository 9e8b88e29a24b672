// The scope of an unattended run: which places and kinds of work it has when a run continues, and how people read it.

import { md, type Insertable } from '../../protocol/markdown.ts';
import type { NightPlan } from '../model/nights.ts';
import { pickScope, WORK_KINDS, type WorkScope } from '../model/workScope.ts';
import { findUnfinishedRun } from './nightQueries.ts';
import type { Night } from './nightTypes.ts';
import { joinWords } from '../../util/values/joinWords.ts';

type ScopeFields = Pick<NightPlan, 'places' | 'excluded' | 'kinds'>;

/**
 * Adds to the plan the scope in which the run works. If the person names no scope, the scope of the last run continues
 * to apply as long as that run has not ended, so that a killed process does not widen it. The place `''`, the root,
 * means everything.
 */
export function addScope(plan: NightPlan, lastNight: Night | undefined, now: number): NightPlan {
  const isNamed = Object.keys(pickScope(plan)).length > 0;
  const run = lastNight && lastNight.decided === null ? findUnfinishedRun(lastNight, now) : null;
  const { places: _, excluded: __, kinds: ___, ...limits } = plan;
  const { places = null, ...otherFields } = pickScope(isNamed || !run ? plan : run.plan);
  return { ...limits, places: places?.includes('') ? null : places, ...otherFields };
}

/**
 * The money limit that continues to apply if the person names none: that of the last run, if that run has not ended. A
 * killed process therefore does not raise it. A lower `setting` takes precedence; a `setting` of 0 is no limit. Null if
 * there is no limit to keep.
 */
export function findMaxCostToKeep(lastNight: Night | undefined, now: number, setting: number): number | null {
  const keptMaxCost =
    (lastNight && lastNight.decided === null ? findUnfinishedRun(lastNight, now)?.maxCost : null) ?? null;
  return keptMaxCost !== null && setting > 0 ? Math.min(keptMaxCost, setting) : keptMaxCost;
}

/** The scope in one line for a person, without a full stop; null if the scope is everything. */
export function describeScope(scope: ScopeFields): string | null {
  const { places, excluded, kinds } = pickScope(scope);
  if (!places && !excluded && !kinds) return null;
  const placesText = places ? `only ${joinWords(places)}` : 'everything';
  return [
    placesText + (excluded ? `, without ${joinWords(excluded)}` : ''),
    ...(kinds ? [`only ${joinWords(WORK_KINDS.filter((kind) => kinds.includes(kind)))}`] : []),
  ].join('; ');
}

/** The line of the report about the scopes of its runs; empty if all of them worked on everything. */
export function createScopeSection({ runs }: Night): readonly Insertable[] {
  const scopes = new Set(runs.map(({ plan }) => describeScope(plan) ?? 'everything'));
  const scopeTexts = [...scopes];
  return scopeTexts.every((text) => text === 'everything') ? [] : [md`Scope: ${scopeTexts.join('. Then ')}.`, ''];
}

/** Ignore patterns for the paths that no change of the run may touch. */
export function createScopePatterns({ excluded = [] }: Pick<WorkScope, 'excluded'>): readonly string[] {
  return excluded.map((path) => `/${path.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}`);
}

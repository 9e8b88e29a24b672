// Writes the figures of a night: how many proposals passed, what was rolled back, how often a person was needed, and
// which rules, authors and claims had success.

import { tableDivider, md, tableRow, type Insertable } from '../../../protocol/markdown.ts';
import { formatCount } from '../../../util/counted.ts';
import { AUTHOR_LABELS } from '../../model/authors.ts';
import { FACTS_BY_CLAIM } from '../../model/claims.ts';
import type { Night } from '../nightTypes.ts';
import { GOALS, computeInterventionsPerDay } from './kpis.ts';
import {
  collectNightFigures,
  collectTriedProposals,
  countSuccess,
  proposerKey,
  type NightFigures,
  type ProposersById,
  type Share,
  type Success,
} from './nightFigures.ts';
import { findSelfImprovementLevel, MAX_LEVEL } from './selfImprovementLevel.ts';
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../../util/timing/durations.ts';

/**
 * Minimum number of proposals for the lines about success. With fewer, the other sections of the report already show
 * the outcome of each.
 */
const MIN_TRIED = 3;
/** Maximum number of rules, authors or claims in one line. */
const MAX_KEYS = 5;
const UNKNOWN = 'unknown';

/**
 * The table of figures. `earlier`: the nights before this one. `proposers`: the names of the proposers, by the ids of
 * proposals. Empty if nothing was judged.
 */
export function createFiguresSection(
  night: Night,
  earlier: readonly Night[],
  proposers: ProposersById = new Map(),
): readonly Insertable[] {
  const figures = collectNightFigures([night]);
  if (figures.passed.of === 0) return [];
  const earlierFigures = earlier.length === 0 ? null : collectNightFigures(earlier);
  const rows: readonly (readonly [string, (of: NightFigures) => string, string])[] = [
    ['Proposals that passed', ({ passed }) => shareText(passed), `over ${formatAsPercent(GOALS.success)}`],
    [
      'Changes that were rolled back',
      ({ rolledBack }) => shareText(rolledBack),
      `under ${formatAsPercent(GOALS.rollbacks)}`,
    ],
    ['Times that it needed you', interventionsText, `fewer than ${GOALS.interventionsPerDay} a day`],
    ['Changes in an hour of work', paceText, 'more than before'],
    ['Runtime in days', ({ runtimeMs }) => runtimeText(runtimeMs), ''],
  ];
  return [
    md`## Figures`,
    '',
    tableRow('', 'This night', ...(earlierFigures ? ['Earlier nights'] : []), 'Goal'),
    tableDivider(earlierFigures ? 4 : 3),
    ...rows.map(([name, textOf, goal]) =>
      tableRow(name, textOf(figures), ...(earlierFigures ? [textOf(earlierFigures)] : []), goal),
    ),
    '',
    md`${levelSentence([...earlier, night])}`,
    '',
    ...successLines(night, proposers),
  ];
}

/** The number of interventions, in total and per day. */
function interventionsText(figures: NightFigures): string {
  const { interventions } = figures;
  return interventions === 0 ? '0' : `${interventions} (${computeInterventionsPerDay(figures).toFixed(1)} a day)`;
}

function runtimeText(runtimeMs: number): string {
  const days = runtimeMs / DAY_MS;
  return days > 0 && days < 0.005 ? 'less than 0.01' : days.toFixed(2);
}

function formatAsPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The share as a text, such as `2 of 3 (67 %)`. */
function shareText({ count, of }: Share): string {
  return of === 0 ? UNKNOWN : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;
}

/** The level that all nights together have reached, and the abilities that they have not shown. */
function levelSentence(nights: readonly Night[]): string {
  const { shown, notShown } = findSelfImprovementLevel(nights);
  const missing = notShown.length === 0 ? '' : ` Not shown yet: ${notShown.join('; ')}.`;
  const level = `${shown.length} of ${MAX_LEVEL}, goal ${GOALS.level}`;
  return `Level of self-improvement after ${formatCount(nights.length, 'night')}: ${level}.${missing}`;
}

/**
 * The changes per hour of work. It is unknown if the runs worked for less than a minute, because such a rate says
 * nothing.
 */
function paceText({ passed, workedMs }: NightFigures): string {
  if (workedMs < MINUTE_MS) return UNKNOWN;
  const minutes = Math.round(workedMs / MINUTE_MS);
  return `${((passed.count * HOUR_MS) / workedMs).toFixed(1)} (${passed.count} in ${minutes} min)`;
}

/** The success by rule, author, proposer and claim. Each of these has a line if it has several values. */
function successLines(night: Night, proposers: ProposersById): readonly Insertable[] {
  const attempts = collectTriedProposals(night);
  if (attempts.length < MIN_TRIED) return [];
  const successByAuthor = countSuccess(attempts, ({ author }) => (author === undefined ? null : AUTHOR_LABELS[author]));
  const successByProposer = countSuccess(attempts, (attempt) => proposerKey(attempt, proposers));
  const lines = [
    successLine(
      'rule',
      countSuccess(attempts, ({ rule }) => rule),
    ),
    // Without the names of proposers, this line would repeat the line about authors.
    successLine('author', successByAuthor),
    ...(proposers.size === 0 ? [] : [successLine('proposer', successByProposer)]),
    successLine(
      'claim',
      countSuccess(attempts, ({ claim }) => (claim === undefined ? null : FACTS_BY_CLAIM[claim].label)),
    ),
  ].filter((line) => line !== null);
  return lines.length === 0 ? [] : [...lines.map((line) => md`- ${line}`), ''];
}

/** The success of each group in one line; null if there are fewer than two groups. */
function successLine(name: string, groups: readonly Success[]): string | null {
  if (groups.length < 2) return null;
  const parts = groups.slice(0, MAX_KEYS).map(({ key, committed, tried }) => `${key} ${committed} of ${tried}`);
  const omittedCount = groups.length - parts.length;
  return `Committed by ${name}: ${parts.join(', ')}${omittedCount > 0 ? `, and ${omittedCount} more` : ''}`;
}

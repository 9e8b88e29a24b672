// The report of a night as data, for programs.

import type { NightSpending } from '../../model/asks.ts';
import type { Night } from '../nightTypes.ts';
import { measureKpis, type Kpis } from './kpis.ts';
import type { KeptCommit } from './leftReport.ts';
import {
  collectNightFigures,
  collectTriedProposals,
  countSuccess,
  proposerKey,
  type NightFigures,
  type ProposersById,
  type Success,
} from './nightFigures.ts';
import { findSelfImprovementLevel, type SelfImprovementLevel } from './selfImprovementLevel.ts';

/** The night, and further facts of its report. */
export interface ReportData extends Night {
  /** The id of the newest run. */
  readonly run: string | null;
  /** Number of proposals with an outcome. The six numbers below add up to it. */
  readonly tried: number;
  /** Number of proposals whose changes are on the branch. */
  readonly kept: number;
  /** Number of proposals that a check refused. */
  readonly refused: number;
  /** Number of proposals that were rolled back. */
  readonly rolledBack: number;
  /** Number of proposals that could not be checked to the end. */
  readonly brokeDown: number;
  /** Number of proposals that wait for a person. */
  readonly asks: number;
  /** Number of proposals that wait for a quieter machine. */
  readonly deferred: number;
  readonly kpis: Kpis;
  /** The cost of all questions to models; null if it is unknown. */
  readonly spent: NightSpending | null;
  readonly success: Readonly<Record<'byRule' | 'byAuthor' | 'byProposer' | 'byClaim', readonly Success[]>>;
  /** Changes of all nights that are on no branch. */
  readonly commitsOnNoBranch: readonly KeptCommit[];
  readonly figures: NightFigures;
  readonly level: SelfImprovementLevel;
}

/** Facts that are not part of the night. `earlier`: the nights before it. */
interface DataFacts extends Pick<ReportData, 'spent' | 'commitsOnNoBranch'> {
  readonly earlier: readonly Night[];
  readonly proposers: ProposersById;
}

/** The report as data. */
export function createReportData(
  night: Night,
  { earlier, proposers, spent, commitsOnNoBranch }: DataFacts,
): ReportData {
  const attempts = collectTriedProposals(night);
  const count = (wanted: string) => attempts.filter(({ outcome }) => outcome === wanted).length;
  return {
    ...night,
    run: night.runs.at(-1)?.id ?? null,
    tried: attempts.length,
    kept: count('committed'),
    refused: count('refused'),
    rolledBack: count('rolledBack'),
    brokeDown: count('brokeDown'),
    asks: count('asks'),
    deferred: count('deferred'),
    kpis: measureKpis(night, earlier),
    spent,
    success: {
      byRule: countSuccess(attempts, ({ rule }) => rule),
      byAuthor: countSuccess(attempts, ({ author }) => author),
      byProposer: countSuccess(attempts, (attempt) => proposerKey(attempt, proposers)),
      byClaim: countSuccess(attempts, ({ claim }) => claim),
    },
    commitsOnNoBranch,
    figures: collectNightFigures([night]),
    level: findSelfImprovementLevel([...earlier, night]),
  };
}

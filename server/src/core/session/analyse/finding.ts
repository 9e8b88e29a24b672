// Finds the opportunities of some rules only, without computing points.

import { rules, WALK_RULES } from '../../analysis/rules.ts';
import { deriveAll, type DeriveContext } from '../../index/derive.ts';
import type { Opportunity } from '../../model.ts';
import type { FoundByRules } from './analysisTypes.ts';
import { derivedAnalysis } from './analysing.ts';
import { getRefreshLimits, type SessionContext } from '../context.ts';
import { setImports } from '../index/imports.ts';
import { rankOpportunities } from './listOpportunities.ts';
import type { Operation } from '../../operation.ts';

/**
 * Returns the same opportunities, ids and order for these rules as an analysis of all rules. A stored analysis is used
 * and updated; if there is none, each file is analysed for these rules only. then nothing is stored. The state of the
 * session stays as it is.
 */
export async function findByRules(
  context: SessionContext,
  ruleIds: readonly string[],
  operation: Operation,
): Promise<FoundByRules> {
  const { ports, settings } = context;
  const storedAnalysis = await ports.catalogue.derived('analysis');
  const storedByPath = new Map(storedAnalysis.map((row) => [row.path, row]));
  const report = operation.report ?? (() => undefined);
  // Loading the compiler takes a while, so the threads start while the tree is walked.
  if (storedAnalysis.length === 0 && ruleIds.every((rule) => WALK_RULES.has(rule)))
    void ports.jobs.run('analyse', [], operation.signal).catch(() => undefined);
  const derived =
    storedAnalysis.length > 0
      ? await deriveAll(ports, derivedAnalysis, storedByPath, getRefreshLimits(context), report, operation.signal)
      : await deriveAll(
          disableStoring(ports),
          { ...derivedAnalysis, only: ruleIds },
          storedByPath,
          getRefreshLimits(context),
          report,
          operation.signal,
        );
  const otherRules = rules.map(({ id }) => id).filter((id) => !ruleIds.includes(id));
  const limitedContext: SessionContext = {
    ...context,
    settings: { ...settings, 'rules.disabled': [...settings['rules.disabled'], ...otherRules] },
    state: Object.assign(Object.create(context.state) as typeof context.state, { analyses: derived.rows }),
  };
  await setImports(limitedContext, [...derived.rows.values()]);
  const isWanted = ({ rule }: Opportunity) => ruleIds.includes(rule);
  const { shown, hidden, explain } = await rankOpportunities(limitedContext);
  return {
    shown: shown.filter(isWanted),
    hidden: hidden.filter(({ opportunity }) => isWanted(opportunity)),
    explain: async (opportunities) => explain(opportunities),
  };
}

/** The context without stored analyses, because a result for a few rules must not be stored as the result of all. */
function disableStoring({ files, jobs, log, catalogue }: DeriveContext): DeriveContext {
  return {
    files,
    jobs,
    log,
    catalogue: { ...catalogue, shelvedDerived: async () => null, putDerived: async () => undefined },
  };
}

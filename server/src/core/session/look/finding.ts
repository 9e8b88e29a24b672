// Runs only the requested rules about single files: no points, no rules about several files, and no
// analysis is stored where there is none yet.

import { rules, WALK_RULES } from '../../analysis/rules.ts';
import { deriveAll, type DeriveContext } from '../../index/derive.ts';
import type { Opportunity } from '../../model.ts';
import type { FoundByRules } from './seen.ts';
import { derivedAnalysis } from './analysing.ts';
import { limitsOf, type SessionContext } from '../context.ts';
import { setImports } from '../index/imports.ts';
import { rankedOpportunities } from './seeing.ts';
import type { Operation } from '../../operation.ts';

/**
 * Returns the same opportunities, ids and order as a whole analysis would for these rules. If there is a stored
 * analysis, it is used and updated; else each file is analysed for these rules only. Changes nothing in the session.
 */
export async function findByRules(
  context: SessionContext,
  asked: readonly string[],
  operation: Operation,
): Promise<FoundByRules> {
  const { ports, settings } = context;
  const stored = await ports.catalogue.derived('analysis');
  const known = new Map(stored.map((row) => [row.path, row]));
  const report = operation.report ?? (() => undefined);
  // Threads can start while the tree is walked.
  if (stored.length === 0 && asked.every((rule) => WALK_RULES.has(rule)))
    void ports.jobs.run('analyse', [], operation.signal).catch(() => undefined);
  const derived =
    stored.length > 0
      ? await deriveAll(ports, derivedAnalysis, known, limitsOf(context), report, operation.signal)
      : await deriveAll(
          keepingNothing(ports),
          { ...derivedAnalysis, only: asked },
          known,
          limitsOf(context),
          report,
          operation.signal,
        );
  const others = rules.map(({ id }) => id).filter((id) => !asked.includes(id));
  const aside: SessionContext = {
    ...context,
    settings: { ...settings, 'rules.disabled': [...settings['rules.disabled'], ...others] },
    state: Object.assign(Object.create(context.state) as typeof context.state, { analyses: derived.rows }),
  };
  await setImports(aside, [...derived.rows.values()]);
  const isAsked = ({ rule }: Opportunity) => asked.includes(rule);
  const { shown, hidden, explain } = await rankedOpportunities(aside);
  return {
    shown: shown.filter(isAsked),
    hidden: hidden.filter(({ opportunity }) => isAsked(opportunity)),
    explain: async (found) => explain(found),
  };
}

/** A result for a few rules must not be stored as the result of all rules. */
function keepingNothing({ files, jobs, log, catalogue }: DeriveContext): DeriveContext {
  return {
    files,
    jobs,
    log,
    catalogue: { ...catalogue, shelvedDerived: async () => null, putDerived: async () => undefined },
  };
}

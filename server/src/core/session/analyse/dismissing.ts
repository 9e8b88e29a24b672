// Records that a person dismisses an opportunity, or undoes that.

import type { Dismissal } from '../../model.ts';
import type { DismissRequest } from './analysisTypes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { listOpportunities } from './listOpportunities.ts';
import { DAY_MS } from '../../../util/timing/durations.ts';

/** Number of days until a dismissal as "later" ends. */
const LATER_DAYS = 30;

/**
 * Dismisses an opportunity. With `rule` and `path`, the caller knows the opportunity, which may be in an unsaved text
 * or gone; without them, throws `notFound` for an unknown one. Throws `usage` for the kind `other` without a reason.
 */
export async function dismiss(
  context: SessionContext,
  { opportunity: id, kind, reason, rule, path }: DismissRequest,
): Promise<Dismissal> {
  const trimmedReason = reason?.trim() || null;
  if (kind === 'other' && trimmedReason === null)
    throw new SelfwareError('usage', 'A dismissal for your own reason needs that reason.', {
      action: 'Say why, or choose one of the reasons.',
    });
  const place = rule !== undefined && path !== undefined ? { rule, path } : await findPlace(context, id);
  const until = kind === 'later' ? context.ports.clock.now() + LATER_DAYS * DAY_MS : null;
  const { at } = await context.ledger.record({
    type: 'opportunityDismissed',
    data: { opportunity: id, kind, reason: trimmedReason, ...place, until },
  });
  emitChanged(context, place.path);
  return { opportunity: id, kind, reason: trimmedReason, ...place, at, until };
}

/** Undoes a dismissal. Throws `notFound` if there is none. */
export async function undismiss(context: SessionContext, id: string): Promise<void> {
  const dismissal = (await context.ledger.dismissals()).find(({ opportunity }) => opportunity === id);
  if (!dismissal)
    throw new SelfwareError('notFound', `There is no dismissal of ${id}.`, {
      action: 'Run `selfware dismiss --list`.',
    });
  await context.ledger.record({ type: 'opportunityRestored', data: { opportunity: id } });
  emitChanged(context, dismissal.path);
}

/** The rule and the path of an opportunity. Throws `notFound` for an unknown one. */
async function findPlace(
  context: SessionContext,
  id: string,
): Promise<{ readonly rule: string; readonly path: string }> {
  const { shown, hidden } = await listOpportunities(context);
  const target = [...shown, ...hidden.map(({ opportunity }) => opportunity)].find(
    (opportunity) => opportunity.id === id,
  );
  if (!target)
    throw new SelfwareError('notFound', `There is no opportunity ${id}, or it no longer exists.`, {
      action: 'Look at the list again: its file may have changed.',
    });
  return { rule: target.rule, path: target.path };
}

function emitChanged(context: SessionContext, path: string | null): void {
  context.emit({ type: 'opportunities', paths: path === null ? null : [path] });
  context.emit({ type: 'status' });
}

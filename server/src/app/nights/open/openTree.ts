// Opens the session in the tree of a run, and the ledger of the run.

import { resolveStateFolder } from '../../../adapters/files/stateFolder.ts';
import { countChangesOfOrder } from '../../../core/run/nightQueries.ts';
import type { Session } from '../../../core/session.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { BegunRun } from '../beginRun.ts';
import { openLedger, type OpenLedger } from '../sharedKnowledge.ts';
import { loadNights, openRunSession, rootOfRun, type NightContext } from '../night.ts';
import { withClosing } from './closeInReverse.ts';

/** The parts that are open while a run works in its tree. */
export interface OpenTree {
  /** The commit on which the branch starts. */
  readonly base: string;
  readonly session: Session;
  readonly settings: Settings;
  /** The ledger of the run. */
  readonly ledgerOfRun: OpenLedger;
  /** Maximum number of changes of the order (the run and its continuations). */
  readonly maxChanges: number;
}

/** Calls `work` while session and ledger are open. Throws the errors of opening, of `work` and of closing. */
export function withOpenTree<T>(
  context: NightContext,
  begunRun: BegunRun,
  work: (open: OpenTree) => Promise<T>,
): Promise<T> {
  return withClosing(async (closing) => {
    const base = await context.branch.head();
    const changesMade = await countChangesOfRun(context, begunRun);
    const session = await openRunSession(context, Math.max(0, begunRun.maxChanges - changesMade), begunRun.since);
    closing.add(() => session.session.close());
    const ledgerOfRun = await openLedger(
      resolveStateFolder(rootOfRun(context), context.places.env),
      context.request.log,
    );
    closing.add(() => ledgerOfRun.close());
    const maxChanges = Math.min(begunRun.maxChanges, changesMade + session.settings['charter.maxChanges']);
    return await work({ ...session, base, ledgerOfRun, maxChanges });
  });
}

/** Number of changes that this order has made so far. */
export async function countChangesOfRun({ repository }: NightContext, { since }: BegunRun): Promise<number> {
  return countChangesOfOrder(await loadNights(repository.ledger), since);
}

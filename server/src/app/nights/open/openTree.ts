// Opens what works in the tree of a run: its session and its ledger.

import { stateFolderFor } from '../../../adapters/files/stateFolder.ts';
import { changesOfOrder } from '../../../core/run/nightQueries.ts';
import type { Session } from '../../../core/session.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { BegunRun } from '../beginRun.ts';
import { openLedger, type OpenLedger } from '../memory.ts';
import { nightsIn, openRunSession, rootOfRun, type NightContext } from '../night.ts';
import { withClosing } from './closing.ts';

/** What is open while a run works in its tree. */
export interface OpenTree {
  /** The commit on which the branch starts. */
  readonly base: string;
  readonly session: Session;
  readonly settings: Settings;
  /** The ledger of the run. */
  readonly own: OpenLedger;
  /** The most changes of the order. */
  readonly most: number;
}

/** Calls `work` while both are open. Throws what opening, `work` or closing throws. */
export function withTreeOpen<T>(
  context: NightContext,
  begun: BegunRun,
  work: (open: OpenTree) => Promise<T>,
): Promise<T> {
  return withClosing(async (closing) => {
    const base = await context.branch.head();
    const made = await madeBy(context, begun);
    const opened = await openRunSession(context, Math.max(0, begun.maxChanges - made), begun.since);
    closing.add(() => opened.session.close());
    const own = await openLedger(stateFolderFor(rootOfRun(context), context.places.env), context.request.log);
    closing.add(() => own.close());
    const most = Math.min(begun.maxChanges, made + opened.settings['charter.maxChanges']);
    return await work({ ...opened, base, own, most });
  });
}

/** How many changes this order has made so far. */
export async function madeBy({ repository }: NightContext, { since }: BegunRun): Promise<number> {
  return changesOfOrder(await nightsIn(repository.ledger), since);
}

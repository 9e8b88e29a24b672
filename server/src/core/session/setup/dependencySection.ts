// Creates the façade's `dependencies` section, which looks up outdated dependencies and proposes updates.

import { withActivity, type SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import type { Dependencies } from '../../setup/setup.ts';
import { createOutdatedUpdateError, checkUpdate } from './checkingUpdate.ts';
import { planLookUp } from './lookUpPlan.ts';
import { lookUp } from './outdated.ts';
import { draftUpdate, type MadeUpdate } from './updating.ts';

/** Creates the section of one session. */
export function createDependencySection(
  context: SessionContext,
  { analyseOnce }: Pick<Freshness, 'analyseOnce'>,
): Dependencies {
  const { operations } = context;
  const ledger = context.repositoryLedger ?? context.ledger;
  /** Drafts by hash, so that exactly the draft that a person has approved is filed. */
  const drafts = new Map<string, MadeUpdate>();
  return {
    plan: (operation) => operations.run((signal) => planLookUp(context, signal), operation.signal),
    async consent({ unasked, data }) {
      for (const destination of unasked) await ledger.record({ type: 'consented', data: { destination, sends: data } });
    },
    outdated: (operation) =>
      operations.run(
        (signal) => withActivity(context, 'analysing', () => lookUp(context, { ...operation, signal })),
        operation.signal,
      ),
    draft: (request, operation) =>
      operations.run(
        (signal) =>
          withActivity(context, 'proposing', async () => {
            const draftedUpdate = await draftUpdate(context, request, { ...operation, signal });
            drafts.set(draftedUpdate.draft.hash, draftedUpdate);
            return draftedUpdate.draft;
          }),
        operation.signal,
      ),
    check: (approved, operation, options = {}) =>
      operations.run(async (signal) => {
        const approvedUpdate = drafts.get(approved);
        if (approvedUpdate === undefined) throw createOutdatedUpdateError();
        await analyseOnce({ ...operation, signal });
        return withActivity(context, 'verifying', () =>
          checkUpdate(context, approvedUpdate, { ...operation, signal }, options.again ?? false),
        );
      }, operation.signal),
  };
}

// Creates the façade's `consents` section: agreeing to send code, and finding, listing and withdrawing consents.

import { findNamedConsents, readConsents } from '../../../ledger/consents.ts';
import { resolveProposers } from '../../../proposers/roles.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import type { Consents } from '../askTypes.ts';
import { findNeededConsent, requireAskable } from '../openProposer.ts';
import type { SessionContext } from '../../context.ts';

/** Creates the section of one session. */
export function createConsentSection(context: SessionContext): Consents {
  const { ledger, settings } = context;
  return {
    async agree({ destination, sends }) {
      await ledger.record({ type: 'consented', data: { destination, sends } });
    },
    async needed(proposer) {
      requireAskable(context, proposer);
      return findNeededConsent(context, proposer);
    },
    all: async () => [...(await readConsents(ledger)).values()],
    async withdraw(named) {
      const agreed = await readConsents(ledger);
      const withdrawn = findNamedConsents(agreed, named);
      if (withdrawn.length === 0)
        throw new SelfwareError('notFound', `Nobody has agreed to send anything to ${named}.`, {
          action: agreed.size === 0 ? 'Nothing is agreed.' : `Agreed: ${[...agreed.keys()].join('; ')}.`,
        });
      for (const { destination } of withdrawn) await ledger.record({ type: 'consentWithdrawn', data: { destination } });
      return withdrawn;
    },
    sendsReferences: () => settings['models.references'],
    withoutRoles: (proposer) => resolveProposers(proposer, settings, null).join(', '),
  };
}

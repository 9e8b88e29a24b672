// Consent to send code, as part of the façade's `proposals` section: given, needed, shown and withdrawn.

import { findNamedConsents, readConsents } from '../../ledger/consents.ts';
import type { AgreedConsent, CodeConsent, MissingConsent } from '../../model/asks.ts';
import { resolveProposers } from '../../proposers/roles.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { findNeededConsent, requireAskable } from '../ask/openProposer.ts';
import type { SessionContext } from '../context.ts';

/** What people agree to about sending code of this repository. */
export interface Consents {
  /** Records that a person has agreed that this is sent to this host. */
  consent(consent: CodeConsent): Promise<void>;
  /**
   * The host that would receive more than a person has agreed to, with what it would receive and what was agreed; null
   * if asking is allowed. Throws `usage`, and `unavailable` if none of these proposers could answer, because a key or a
   * program is missing.
   */
  consentNeeded(proposer: string): Promise<MissingConsent | null>;
  /** What is agreed now, in the order in which a person first agreed. */
  consents(): Promise<readonly AgreedConsent[]>;
  /**
   * Withdraws what is agreed for this destination, and for all others that have it among their hosts. Returns what was
   * withdrawn. A question in progress is not ended. Throws `notFound`, with what is agreed, if nothing is agreed for it.
   */
  withdrawConsent(destination: string): Promise<readonly AgreedConsent[]>;
  /** True if questions also contain code of other repositories on this machine. */
  sendsReferences(): boolean;
  /** A list of proposers, with each role replaced by its proposers. Throws `usage`. */
  withoutRoles(proposer: string): string;
}

/** Creates this part of the section for one session. */
export function createConsents(context: SessionContext): Consents {
  const { ledger, settings } = context;
  return {
    async consent({ destination, sends }) {
      await ledger.record({ type: 'consented', data: { destination, sends } });
    },
    async consentNeeded(proposer) {
      requireAskable(context, proposer);
      return findNeededConsent(context, proposer);
    },
    consents: async () => [...(await readConsents(ledger)).values()],
    async withdrawConsent(named) {
      const agreed = await readConsents(ledger);
      const withdrawn = findNamedConsents(agreed, named);
      if (withdrawn.length === 0)
        throw new SelfwareError('notFound', `Nobody has agreed that code goes to ${named}.`, {
          action: agreed.size === 0 ? 'Nothing is agreed.' : `Agreed: ${[...agreed.keys()].join('; ')}.`,
        });
      for (const { destination } of withdrawn) await ledger.record({ type: 'consentWithdrawn', data: { destination } });
      return withdrawn;
    },
    sendsReferences: () => settings['models.references'],
    withoutRoles: (proposer) => resolveProposers(proposer, settings, null).join(', '),
  };
}

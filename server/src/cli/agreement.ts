// Asks a person once for each host whether code may be sent there.

import { whatIsSent } from '../core/proposers/whatIsSent.ts';
import type { Invocation } from './invocation.ts';
import { requirePerson } from './person.ts';

/**
 * Asks about each destination of a list of proposers. Returns at once if all run on this machine, or if a person has
 * agreed before. Throws what `requirePerson` throws.
 */
export async function requireConsent({ session, own, note }: Invocation, proposer: string): Promise<void> {
  for (;;) {
    const host = await session.proposals.consentNeeded(proposer);
    if (host === null) return;
    const asked = session.proposals.withoutRoles(proposer);
    await requirePerson({
      what: `To send code of this repository to ${host}`,
      question: `Send code of this repository to ${host}, now and in future?`,
      own,
      show: () => note(`You are about to ask ${asked}. ${whatIsSent(asked, session.proposals.sendsReferences())}`),
    });
    await session.proposals.consent(host);
  }
}

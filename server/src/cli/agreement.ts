// Asks a person once whether code may go to another machine.

import { whatIsSent } from '../core/proposers/whatIsSent.ts';
import type { Invocation } from './invocation.ts';
import { requirePerson } from './person.ts';

/** Code is sent to another machine only after a person has agreed at a terminal. */
export async function agreeOnce({ session, own, note }: Invocation, proposer: string): Promise<void> {
  const host = await session.proposals.consentNeeded(proposer);
  if (host === null) return;
  await requirePerson({
    what: `To send code of this repository to ${host}`,
    question: `Send code of this repository to ${host}, now and in future?`,
    own,
    show: () => note(`You are about to ask ${proposer}. ${whatIsSent(proposer)}`),
  });
  await session.proposals.consent(host);
}

// Asks for each consent that a request to the server needs: the proposers of a list may have several destinations.

import type { ConsentQuestion } from '#protocol/models';

/**
 * Sends a request; as long as the answer is a question for consent, asks the person and sends it again with their
 * agreement to that destination. Undefined if they do not agree, or if the request gives nothing.
 */
export async function withConsents<T extends { readonly consent?: ConsentQuestion }>(
  send: (agreed: string | undefined) => Promise<T | undefined>,
  mayBeSent: (question: ConsentQuestion) => Promise<boolean>,
): Promise<T | undefined> {
  let agreed: string | undefined;
  for (;;) {
    const outcome = await send(agreed);
    // A server that asks for the same again has not taken the answer.
    if (!outcome?.consent || outcome.consent.destination === agreed) return outcome;
    if (!(await mayBeSent(outcome.consent))) return undefined;
    agreed = outcome.consent.destination;
  }
}

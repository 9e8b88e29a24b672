// Asks for each consent that a request to the server needs. A request may name several models, each with another
// destination for the code.

import type { ConsentQuestion } from '#protocol/models';

/**
 * Sends a request. While the server answers with a question for consent, asks the person and sends the request again
 * with the destination to which they agreed. Undefined if they decline, or if `send` resolves with undefined.
 */
export async function withConsents<T extends { readonly consent?: ConsentQuestion }>(
  send: (agreed: string | undefined) => Promise<T | undefined>,
  askForConsent: (question: ConsentQuestion) => Promise<boolean>,
): Promise<T | undefined> {
  let agreedDestination: string | undefined;
  for (;;) {
    const outcome = await send(agreedDestination);
    // If the server asks for the same destination again, it has not accepted the consent. Without this check, the loop
    // would never end.
    if (!outcome?.consent || outcome.consent.destination === agreedDestination) return outcome;
    if (!(await askForConsent(outcome.consent))) return undefined;
    agreedDestination = outcome.consent.destination;
  }
}

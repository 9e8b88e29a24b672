// The server command `withdrawConsent`: withdraws a person's consent to send code to a host, or lists their consents.
// Works in an untrusted workspace, too, because it only reduces what is allowed.

import { agreedCodeText, withdrawalText } from '../../core/proposers/sentDataNotice.ts';
import { counted } from '../../util/counted.ts';
import { isoDay } from '../../util/isoDay.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { deliver, successOutcome, type ServerCommand } from './command.ts';
import { parseWithdrawConsentParams } from './modelParams.ts';

/** Withdraws the consent for the destination. Without a destination, answers with the consents in the chosen folder. */
export const withdrawConsentCommand: ServerCommand = async (context, { args }) => {
  const { destination } = parseWithdrawConsentParams(args);
  const repository = context.repositories.chosen();
  if (destination !== undefined) {
    const withdrawn = await repository.use((session) => session.consents.withdraw(destination));
    return deliver(context, successOutcome(escapeInvisibleLine(withdrawalText(withdrawn))));
  }
  const agreed = await repository.use((session) => session.consents.all());
  const consents = agreed.map((consent) => ({
    destination: consent.destination,
    what: agreedCodeText(consent),
    since: isoDay(consent.since),
  }));
  const message =
    consents.length === 0
      ? 'You have not agreed to send anything anywhere.'
      : `You agreed to send data to ${counted(consents.length, 'destination')}.`;
  return { ...successOutcome(message), consents };
};

// The server command `withdrawConsent`: withdraws a person's consent to send code to a host, or lists their consents.
// Works in an untrusted workspace, too, because it only reduces what is allowed.

import { describeAgreedCode, withdrawalText } from '../../core/proposers/sentDataNotice.ts';
import { formatCount } from '../../util/counted.ts';
import { formatIsoDay } from '../../util/isoDay.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { reportOutcome, createSuccess, type ServerCommand } from './command.ts';
import { parseWithdrawConsentParams } from './modelParams.ts';

/** Withdraws the consent for the destination. Without a destination, answers with the consents in the chosen folder. */
export const withdrawConsentCommand: ServerCommand = async (context, { args }) => {
  const { destination } = parseWithdrawConsentParams(args);
  const repository = context.repositories.chosen();
  if (destination !== undefined) {
    const withdrawnConsent = await repository.use((session) => session.consents.withdraw(destination));
    return reportOutcome(context, createSuccess(escapeInvisibleLine(withdrawalText(withdrawnConsent))));
  }
  const storedConsents = await repository.use((session) => session.consents.all());
  const consents = storedConsents.map((consent) => ({
    destination: consent.destination,
    what: describeAgreedCode(consent),
    since: formatIsoDay(consent.since),
  }));
  const message =
    consents.length === 0
      ? 'You have not agreed to send anything anywhere.'
      : `You agreed to send data to ${formatCount(consents.length, 'destination')}.`;
  return { ...createSuccess(message), consents };
};

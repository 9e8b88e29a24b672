// `selfware models consents` lists what a person has agreed to send where, and `selfware models withdraw` withdraws
// such a consent.

import type { Command } from 'commander';
import { isTrainingDestination, type AgreedConsent } from '../../../core/model/asks.ts';
import { describeAgreedCode, withdrawalText } from '../../../core/proposers/sentDataNotice.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { createCommand, withSession, type CommonOptions } from '../../invocation.ts';

/** The subcommand `models consents`. */
export function createConsentsCommand(): Command {
  return createCommand('consents', 'lists where you agreed to send code, what, and since when').action(
    (options: CommonOptions) =>
      withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const consents = await session.consents.all();
        if (json) return outJson(consents.map(createConsentRow));
        if (consents.length === 0) out('Nobody has agreed to send anything anywhere.');
        for (const line of formatConsents(consents)) out(line);
      }),
  );
}

/** The subcommand `models withdraw`. It needs no terminal, because it only reduces what is allowed. */
export function createWithdrawCommand(): Command {
  return createCommand('withdraw', 'withdraws your consent to send code to a host')
    .argument('<host>', 'the host, as `selfware models consents` lists it')
    .action((host: string, options: CommonOptions) =>
      withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const withdrawnConsents = await session.consents.withdraw(host);
        if (json) return outJson({ withdrawn: withdrawnConsents.map(createConsentRow) });
        out(escapeInvisibleLine(withdrawalText(withdrawnConsents)));
      }),
    );
}

/** The lines about what the person has agreed to; none if they have agreed to nothing. */
export function formatConsents(consents: readonly AgreedConsent[]): readonly string[] {
  if (consents.length === 0) return [];
  const lines = consents.map(
    (consent) => `  to ${consent.destination}: ${describeAgreedCode(consent)}, since ${formatIsoDay(consent.since)}`,
  );
  return ['You agreed to send:', ...lines, 'Withdraw that with `selfware models withdraw HOST`.'].map((line) =>
    escapeInvisibleLine(line),
  );
}

/** A consent in JSON. A consent to a training stands for the whole dataset. */
function createConsentRow({ destination, sends, since }: AgreedConsent) {
  return { destination, sends: isTrainingDestination(destination) ? ['dataset'] : sends, since };
}

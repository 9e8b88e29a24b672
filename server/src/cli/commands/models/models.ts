// `selfware models [list]|consents|withdraw|install|remove|download`: lists the proposers (models and agents) and where
// each would send code, and manages consents, components and embedding models.

import type { Command } from 'commander';
import { listComponentPlans } from '../../../app/components.ts';
import type { AgreedConsent, Spending } from '../../../core/model/asks.ts';
import { findRolesOf } from '../../../core/proposers/roles.ts';
import { amountText } from '../../../util/amountText.ts';
import { formatCount } from '../../../util/counted.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { formatConsents, createConsentsCommand, createWithdrawCommand } from './consents.ts';
import { createComponentInstallCommand, createComponentRemoveCommand } from './components.ts';
import { createDownloadCommand } from './download.ts';

/** The subcommand `models`. */
export const modelsCommand: CommandFactory = () =>
  createCommandGroup('models', 'language models and coding agents that can be asked for changes')
    .addCommand(createListCommand(), { isDefault: true })
    .addCommand(createConsentsCommand())
    .addCommand(createWithdrawCommand())
    .addCommand(createComponentInstallCommand())
    .addCommand(createComponentRemoveCommand())
    .addCommand(createDownloadCommand());

/** The subcommand `models list`. */
function createListCommand(): Command {
  return createCommand(
    'list',
    'lists who can be asked for changes, and where the code would go; contacts this machine only',
  ).action((options: CommonOptions) =>
    withSession({ ...options, searches: false }, async ({ session, settings, json, out, outJson, signal, colors }) => {
      const proposers = await session.questions.proposers(signal);
      const consents = await session.consents.all();
      if (json)
        return outJson(
          proposers.map(({ name, destination, available, why }) => ({
            id: name,
            family: name.split(':')[0],
            roles: findRolesOf(name, settings),
            local: destination === null,
            destination,
            available,
            why,
            agreed: findConsent(consents, destination),
          })),
        );
      const width = Math.max(...proposers.map(({ name }) => name.length));
      for (const { name, destination, available, why } of proposers) {
        const destinationText = destination === null ? 'stays on this machine' : `goes to ${destination}`;
        const line = `${name.padEnd(width)}  code ${destinationText}. ${why}`;
        out(available ? line : colors.dim(line));
      }
      if (consents.length > 0) out('');
      for (const line of formatConsents(consents)) out(line);
      const spending = await session.questions.spending();
      if (spending.questions > 0) out(`\n${formatSpending(spending)}`);
      // The list itself is not printed here. Asking for it shows a notice for each task that waits for a person.
      await session.failedTasks.interventions();
      out('');
      out('Have one do what is worth most: `selfware improve --proposer NAME`.');
      out(
        'Or ask for one thing: `selfware propose --proposer NAME`, with an opportunity, --tests, --fix or --request.',
      );
      out(
        "Any server with OpenAI's protocol: openai-compatible:MODEL@URL. By hand or by another program: mailbox:FOLDER, or later:FOLDER to answer between two runs.",
      );
      out(
        'Coding agents, which work in an enclosure: agent:codex, acp:gemini and others; command:NAME for one of models.commands.',
      );
      out('One for each kind of task: role:auto, by the settings models.roles.intent, .reasoning and .coding.');
      out('');
      for (const { name, purpose, installedIn } of listComponentPlans(process.env))
        out(
          installedIn === null
            ? `Not installed: what is needed to ${purpose}. Install it with \`selfware models install ${name}\`.`
            : `Installed, to ${purpose}: ${installedIn}`,
        );
    }),
  );
}

/**
 * The consent of the person to the destination of a proposer; null if there is none, or if the code stays on this
 * machine.
 */
function findConsent(consents: readonly AgreedConsent[], destination: string | null) {
  const consent = consents.find((candidate) => candidate.destination === destination);
  return consent ? { sends: consent.sends, since: consent.since } : null;
}

/** The sentence about the number and the cost of questions to models within 24 hours. */
function formatSpending({ tokens, money, questions, unpriced, savedTokens }: Spending): string {
  const costText =
    unpriced === questions
      ? '. What that costs is unknown: set models.prices'
      : `, ${amountText(money)} by your prices${unpriced > 0 ? `; of ${unpriced} the price is unknown` : ''}`;
  const savingText =
    savedTokens === 0
      ? ''
      : ` Shortening the output of commands saved about ${formatCount(savedTokens, 'token')} of them.`;
  return `Within 24 hours: ${formatCount(questions, 'question')} with ${formatCount(tokens, 'token')}${costText}.${savingText}`;
}

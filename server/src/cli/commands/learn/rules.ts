// `selfware rules read|update|list|on|off|remove|seed`: manages short rules for the people, models and agents that work
// on this repository.

import type { Command } from 'commander';
import type { RepositoryRuleFile } from '../../../core/learn/repositoryRules.ts';
import type { WrittenRule } from '../../../core/learn/ruleBook.ts';
import { describeTrialState, formatRuleLine } from '../../../core/learn/renderRules.ts';
import { RULE_FILES, type RuleState } from '../../../core/model/feedback.ts';
import type { InboxSkill } from '../../../core/model/inbox.ts';
import type { Session } from '../../../core/session.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../../invocation.ts';
import { detectAuthor, requirePersonsCommand } from '../../person.ts';
import { createAcceptCommand, createRefuseCommand, createTrialCommand } from './rulesInUse.ts';

/** The words for the state of a file of rules. */
const STATE_TEXTS: Readonly<Record<RepositoryRuleFile['state'], string>> = {
  on: 'on',
  off: 'off',
  changed: 'off (changed since it was accepted)',
  tooLong: 'off (too long)',
};

interface UpdateOptions extends CommonOptions {
  readonly version: string;
  readonly add: string;
  readonly events?: string;
  readonly place?: string;
}

/** The subcommand `rules`. */
export const rulesCommand: CommandFactory = () =>
  createCommandGroup('rules', 'rules for the models and agents that work here')
    .addCommand(
      createCommand('list', 'all rules, with their state').action((options: CommonOptions) =>
        withSession({ ...options, searches: false }, async ({ session, json, out, outJson, note }) => {
          const rules = (await session.learned.rules()).filter(({ state }) => state !== 'removed');
          if (json) return outJson(rules);
          const ruleFiles = await session.learned.repositoryRules();
          if (rules.length === 0) out('No rule was written yet.');
          for (const rule of rules) out(escapeInvisibleLine(formatRule(rule)));
          const proposedRules = await listProposedRules(session, note);
          for (const { id, file, text } of proposedRules) out(escapeInvisibleLine(`${id}  ${file}  proposed  ${text}`));
          if (proposedRules.length > 0)
            note(
              'Decide about a proposed rule: `selfware inbox show ID`, then `apply ID` or `reject ID --reason REASON`.',
            );
          for (const ruleFile of ruleFiles) out(escapeInvisibleLine(formatRuleFile(ruleFile)));
          if (ruleFiles.some(({ waits }) => waits))
            note('Read what this repository brings along, and accept it: `selfware rules accept FILE`.');
        }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('read', 'the rules of one file that are on, and the version that `update` requires')
        .argument('[file]', `${RULE_FILES.join(', ')}; without it the names of the files`)
        .action((file: string | undefined, options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            if (file === undefined) return json ? outJson(RULE_FILES) : out(RULE_FILES.join('\n'));
            const rules = await session.learned.readRules(file);
            if (json) return outJson(rules);
            out(rules.text.trimEnd());
            out(`Version: ${rules.version}`);
          }),
        ),
    )
    .addCommand(
      createCommand('update', 'adds a rule; the same text once more means that it was broken again')
        .argument('<file>', RULE_FILES.join(', '))
        .requiredOption('--version <version>', 'as `selfware rules read` has printed it')
        .requiredOption('--add <text>', 'what to do, in one or two sentences')
        .option('--place <path>', 'a file or folder that it is about; without it the whole repository')
        .option(
          '--events <numbers>',
          'events in the ledger that show it, separated by commas; agents have to name some',
        )
        .action(async (name: string, { version, add, events, place, ...options }: UpdateOptions) => {
          const author = (await detectAuthor()) === 'person' ? 'person' : 'agent';
          const eventNumbers = parseEventNumbers(events);
          await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            const { file } = await session.learned.readRules(name);
            const rules = await session.learned.writeRule({
              file,
              version,
              text: add,
              by: author,
              events: eventNumbers,
              ...(place === undefined ? {} : { place }),
            });
            if (json) return outJson(rules);
            out(
              author === 'person'
                ? `The rule is on.${rules.hint === undefined ? '' : ` ${rules.hint}`}`
                : 'The rule is off until a person switches it on: selfware rules list.',
            );
          });
        }),
    )
    .addCommand(createSwitchCommand('on', 'on', 'switches a rule on: models and agents are told about it'))
    .addCommand(createSwitchCommand('off', 'off', 'switches a rule off'))
    .addCommand(createSwitchCommand('remove', 'removed', 'removes a rule; the ledger keeps that it was there'))
    .addCommand(createSeedCommand())
    .addCommand(createAcceptCommand())
    .addCommand(createRefuseCommand())
    .addCommand(createTrialCommand());

/** The rules in the inbox that wait for a person. If a file of the inbox is damaged, prints a note and returns none. */
async function listProposedRules({ inbox }: Session, note: (text: string) => void): Promise<readonly InboxSkill[]> {
  try {
    return (await inbox.list()).open.flatMap((item) => (item.kind === 'skill' && item.text !== '' ? [item] : []));
  } catch (error) {
    if (!(error instanceof SelfwareError) || error.reason !== 'damaged') throw error;
    note(error.message);
    return [];
  }
}

/** A subcommand that puts a rule into another state. */
function createSwitchCommand(name: string, state: RuleState, description: string): Command {
  return createCommand(name, description)
    .argument('<rule>', 'its id, or the end of it')
    .action(async (id: string, options: CommonOptions) => {
      await requirePersonsCommand('Switching a rule');
      await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const rule = await session.learned.switchRule(id, state);
        if (json) outJson(rule);
        else out(escapeInvisibleLine(`${state === 'removed' ? 'Removed' : `Now ${state}`}: ${rule.text}`));
      });
    });
}

/** The subcommand `seed`. */
function createSeedCommand(): Command {
  return createCommand(
    'seed',
    'adds the rules of the shipped templates that were not added before; they are on',
  ).action(async (options: CommonOptions) => {
    await requirePersonsCommand('Adding the shipped rules');
    await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
      const rules = await session.learned.seedRules();
      if (json) return outJson(rules);
      if (rules.length === 0) out('All shipped rules were added before.');
      for (const rule of rules) out(escapeInvisibleLine(formatRule(rule)));
    });
  });
}

/** A rule with its id, file, state and trial, as one line. */
function formatRule(rule: WrittenRule): string {
  const notes = [...(rule.by === 'agent' ? ['by an agent'] : []), describeTrialState(rule)];
  return [rule.id, rule.file, rule.state, ...notes, formatRuleLine(rule)].join('  ');
}

/** A file of rules in the repository with its state and length, as one line. */
function formatRuleFile({ path, state, waits, text }: RepositoryRuleFile): string {
  const stateText = state === 'off' && !waits ? 'kept off' : STATE_TEXTS[state];
  return `${path}  brought along  ${stateText}  ${formatCount(text.split('\n').length, 'line')}`;
}

/** The numbers in a list with commas. Throws `usage` for anything else. */
function parseEventNumbers(text: string | undefined): readonly number[] {
  const numbers = (text ?? '')
    .split(',')
    .flatMap((numberText) => (numberText.trim() === '' ? [] : [Number(numberText)]));
  if (numbers.some((number) => !Number.isInteger(number) || number < 1))
    throw new SelfwareError('usage', `--events takes numbers separated by commas, not ${text}.`);
  return numbers;
}

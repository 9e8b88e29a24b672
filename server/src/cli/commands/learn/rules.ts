// `selfware rules read|update|list|on|off|remove`: short rules for whoever works on this repository.

import { Command } from 'commander';
import { ruleLine, type WrittenRule } from '../../../core/learn/ruleBook.ts';
import { RULE_FILES, type RuleState } from '../../../core/model/feedback.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { visibleLine } from '../../../util/visible.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../../invocation.ts';
import { authorHere, refuseAgents } from '../../person.ts';

interface UpdateOptions extends CommonOptions {
  readonly version: string;
  readonly add: string;
  readonly events?: string;
}

export const rulesCommand: CommandFactory = () =>
  new Command('rules')
    .description('rules for models and agents that work on this repository')
    .addCommand(
      command('list', 'all rules, with their state').action((options: CommonOptions) =>
        withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
          const rules = (await session.learned.rules()).filter(({ state }) => state !== 'removed');
          if (json) return outJson(rules);
          if (rules.length === 0) out('No rule was written yet.');
          for (const rule of rules) out(visibleLine(lineOf(rule)));
        }),
      ),
      { isDefault: true },
    )
    .addCommand(
      command('read', 'the rules of one file that are on, and the version that `update` requires')
        .argument('<file>', RULE_FILES.join(', '))
        .action((file: string, options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            const rules = await session.learned.readRules(file);
            if (json) return outJson(rules);
            out(rules.text.trimEnd());
            out(`Version: ${rules.version}`);
          }),
        ),
    )
    .addCommand(
      command('update', 'adds a rule; the same text once more means that it was broken again')
        .argument('<file>', RULE_FILES.join(', '))
        .requiredOption('--version <version>', 'as `selfware rules read` has printed it')
        .requiredOption('--add <text>', 'what to do, in one or two sentences')
        .option(
          '--events <numbers>',
          'events in the ledger that show it, separated by commas; agents have to name some',
        )
        .action(async (name: string, { version, add, events, ...options }: UpdateOptions) => {
          const by = (await authorHere()) === 'person' ? 'person' : 'agent';
          const eventNumbers = numbersIn(events);
          await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            const { file } = await session.learned.readRules(name);
            const rules = await session.learned.writeRule({ file, version, text: add, by, events: eventNumbers });
            if (json) return outJson(rules);
            out(
              by === 'person'
                ? 'The rule is on.'
                : 'The rule is off until a person switches it on: selfware rules list.',
            );
          });
        }),
    )
    .addCommand(switching('on', 'on', 'switches a rule on: models and agents are told about it'))
    .addCommand(switching('off', 'off', 'switches a rule off'))
    .addCommand(switching('remove', 'removed', 'removes a rule; the ledger keeps that it was there'));

function switching(name: string, state: RuleState, description: string): Command {
  return command(name, description)
    .argument('<rule>', 'its id, or the end of it')
    .action(async (id: string, options: CommonOptions) => {
      await refuseAgents('Switching a rule');
      await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const rule = await session.learned.switchRule(id, state);
        if (json) outJson(rule);
        else out(visibleLine(`${state === 'removed' ? 'Removed' : `Now ${state}`}: ${rule.text}`));
      });
    });
}

function lineOf(rule: WrittenRule): string {
  return `${rule.id}  ${rule.file}  ${rule.state}  ${rule.by === 'agent' ? 'by an agent  ' : ''}${ruleLine(rule)}`;
}

function numbersIn(text: string | undefined): readonly number[] {
  const numbers = (text ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [Number(one)]));
  if (numbers.some((number) => !Number.isInteger(number) || number < 1))
    throw new SelfwareError('usage', `--events takes numbers separated by commas, not ${text}.`);
  return numbers;
}

// `selfware rules accept|refuse|trial`: decides on rules that the repository contains, and measures the effect of a
// rule on the answers of a model.

import type { Command } from 'commander';
import type { RuleTrial } from '../../../core/model/feedback.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { groupThousands } from '../../../util/thousands.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { requireConsent } from '../../agreement.ts';
import { createCommand, withSession, type CommonOptions, type Invocation } from '../../invocation.ts';
import { refuseAgents, requirePerson, requirePersonsCommand } from '../../person.ts';
import { parseWholeNumber } from '../../parseWholeNumber.ts';

/** The result of a trial in words. */
const OUTCOME_TEXTS: Readonly<Record<RuleTrial['outcome'], string>> = {
  helpful: 'It makes answers better',
  notWorse: 'It makes answers no worse',
  harmful: 'It makes answers worse, so it is off now',
  unknown: 'Unknown',
};

/** The subcommand `rules accept`. */
export function createAcceptCommand(): Command {
  return createCommand(
    'accept',
    'shows a file of rules that the repository brings along, and switches its exact text on',
  )
    .argument('<file>', 'such as AGENTS.md')
    .action((path: string, options: CommonOptions) =>
      withSession({ ...options, searches: false }, (invocation) => acceptRules(invocation, path)),
    );
}

/** Shows the text of a file of rules to the person, and switches exactly this text on if they agree. */
async function acceptRules(
  { session, ownSettings, json, out, outJson, note }: Invocation,
  path: string,
): Promise<void> {
  const ruleFile = (await session.learned.repositoryRules()).find((candidate) => candidate.path === path);
  if (!ruleFile)
    throw new SelfwareError('notFound', `${path} is not a file of rules here.`, {
      action: 'Run `selfware rules list`.',
    });
  await requirePerson({
    subject: 'Accepting rules of a repository',
    question: `Give this text to models and agents that work here?`,
    ownSettings,
    show: () => {
      for (const line of ruleFile.text.split('\n')) note(escapeInvisibleLine(line));
    },
  });
  await session.learned.acceptRepositoryRules(path, ruleFile.hash);
  if (json) outJson({ path, hash: ruleFile.hash, state: 'on' });
  else out(escapeInvisibleLine(`Accepted: ${path}. If its text changes, it is off again.`));
}

/** The subcommand `rules refuse`. */
export function createRefuseCommand(): Command {
  return createCommand('refuse', 'keeps the present text of a file of rules off, also of one that was accepted')
    .argument('<file>', 'such as AGENTS.md')
    .action(async (path: string, options: CommonOptions) => {
      await requirePersonsCommand('Switching rules off');
      await withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        await session.learned.refuseRepositoryRules(path);
        if (json) outJson({ path, hash: null, state: 'off' });
        else out(escapeInvisibleLine(`Off: ${path}.`));
      });
    });
}

interface TrialOptions extends CommonOptions {
  readonly proposer: string;
  readonly tasks: string;
  readonly tokens: string;
}

/** The subcommand `rules trial`. */
export function createTrialCommand(): Command {
  return createCommand('trial', 'answers recorded tasks again with and without a rule; a harmful rule is switched off')
    .argument('<rule>', 'its id, or the end of it')
    .requiredOption('--proposer <name>', 'the language model that answers')
    .option('--tasks <number>', 'how many recorded tasks at most, the newest first; 10 or more', '30')
    .option('--tokens <number>', 'no further task is begun above this many tokens', '500000')
    .action(async (rule: string, { proposer, tasks, tokens, ...options }: TrialOptions) => {
      const limits = { tasks: parseWholeNumber('--tasks', tasks), tokens: parseWholeNumber('--tokens', tokens) };
      await refuseAgents('Trying a rule');
      await withSession({ ...options, searches: false }, async (invocation) => {
        const { session, signal, report, json, out, outJson } = invocation;
        await requireConsent(invocation, proposer);
        const trial = await session.learned.tryRule({ rule, proposer, ...limits, signal, report });
        if (json) return outJson(trial);
        for (const line of formatTrial(trial)) out(escapeInvisibleLine(line));
      });
    });
}

function formatTrial({ outcome, reason, tokens }: RuleTrial): readonly string[] {
  const costText = tokens === 0 ? [] : [`It took ${groupThousands(tokens)} tokens.`];
  return [`${OUTCOME_TEXTS[outcome]}. ${reason}`, ...costText];
}

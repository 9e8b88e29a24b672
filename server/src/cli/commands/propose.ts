// `selfware propose`: proposes a change for one opportunity or one request, by a recipe, a model or given edits. It
// verifies the proposal, and leaves the decision to a person.

import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { text } from 'node:stream/consumers';
import type { Proposal } from '../../core/model.ts';
import { STATABLE_CLAIMS } from '../../core/model/claims.ts';
import { METRICS } from '../../core/model/bottlenecks.ts';
import type { SkippedPlace } from '../../core/model/skippedPlaces.ts';
import { findBestProposal } from '../../core/session/propose/bestProposal.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Session } from '../../core/session.ts';
import type { TaskRequest } from '../../core/session/ask/askTypes.ts';
import { resolveRequestedPaths } from '../../app/namedPlaces.ts';
import { askForProposal } from '../../core/session/ask/askForProposal.ts';
import { confirmResearch, requireConsent } from '../agreement.ts';
import {
  createMaxCostOption,
  parseModelSettings,
  createResearchUsageError,
  createResearchOption,
  createSamplesOption,
} from '../modelOptions.ts';
import { detectAuthor } from '../person.ts';
import {
  createCommand,
  withSession,
  type CommandFactory,
  type CommonOptions,
  type Invocation,
  type SetExitCode,
} from '../invocation.ts';
import { formatProposal } from '../writers/proposal.ts';
import { formatPassedOverPlaces, createNotProposedError } from '../writers/passedOver.ts';
import { improveSentence, languageSentence, joinSentences } from '../../core/session/analyse/possibleWorkText.ts';

interface ProposeOptions extends CommonOptions {
  readonly request?: string;
  readonly proposer?: string;
  readonly maxCost?: string;
  readonly samples?: string;
  readonly research?: boolean;
  readonly claim?: string;
  readonly tests?: string;
  readonly fix?: string | true;
  readonly bottleneck?: string | true;
  readonly again?: boolean;
  readonly verify: boolean;
}

/**
 * The subcommand `propose`. Its exit code is 1 if a proposal was filed, or if a question was left for a later answer.
 */
export const proposeCommand: CommandFactory = (setExitCode) =>
  createCommand('propose', 'makes a change for an opportunity and checks it; nothing is applied')
    .argument('[opportunity]', 'id of an opportunity; without it the best one that Selfware can change without a model')
    .option(
      '--request <file>',
      'JSON: {"description", "edits": [{"file", "search", "replace"}]}, a transform {"kind", "path", …}, or ' +
        '{"request": "in words"} for a proposer; - reads standard input',
    )
    .option(
      '--proposer <name>',
      'asks a language model or an agent: ollama:MODEL, openai-compatible:MODEL@URL, mailbox:FOLDER, later:FOLDER … (`selfware models`)',
    )
    .addOption(createSamplesOption())
    .addOption(createMaxCostOption())
    .addOption(createResearchOption())
    .option('--tests <file>', 'with --proposer: tests that notice mistakes in this file which no test notices today')
    .option('--fix [test]', 'with --proposer: a fix for the first failing test, or for one with this in its name')
    .option(
      '--bottleneck [figure]',
      'with --proposer, in Selfware’s own repository: the worst figure that misses its target, or the named one',
    )
    .addOption(
      new Option('--claim <kind>', 'what the change makes better, if that is more than points').choices(
        STATABLE_CLAIMS,
      ),
    )
    .option('--again', 'also what was refused, rejected or rolled back before')
    .option('--no-verify', 'files it only')
    .action((opportunity: string | undefined, options: ProposeOptions) =>
      withSession({ ...options, set: [...options.set, ...parseModelSettings(options)] }, async (invocation) => {
        if (opportunity !== undefined && options.request !== undefined)
          throw new SelfwareError('usage', 'Give an opportunity or a request, not both.');
        if (options.claim !== undefined && options.request === undefined)
          throw new SelfwareError('usage', '--claim goes with --request.');
        const otherTasks = [opportunity, options.request, options.tests, options.fix];
        if (options.bottleneck !== undefined && otherTasks.some((option) => option !== undefined))
          throw new SelfwareError('usage', '--bottleneck is a task of its own: give no other one.');
        if (options.again && opportunity === undefined && options.proposer === undefined)
          throw new SelfwareError('usage', '--again goes with the id of an opportunity, or with --proposer.');
        const needsProposer = [options.tests, options.fix, options.bottleneck].some((option) => option !== undefined);
        if (options.proposer === undefined && needsProposer)
          throw new SelfwareError('usage', '--tests, --fix and --bottleneck go with --proposer.', {
            action: '`selfware models` lists who can be asked.',
          });
        if (options.proposer !== undefined) return askProposer(invocation, opportunity, options, setExitCode);
        const { session, json, colors, out, outJson, note } = invocation;
        const { proposal, passedOver } =
          options.request === undefined
            ? await proposeByRecipe(invocation, opportunity, options)
            : await proposeRequest(invocation, options.request, options);
        if (!proposal) {
          if (opportunity !== undefined) throw createNotProposedError(opportunity, passedOver.at(-1));
          if (json) return outJson(null);
          const { doable } = await session.status();
          const passedOverText = formatPassedOverPlaces(passedOver);
          note('No change could be proposed.');
          if (passedOverText !== '')
            note(`${passedOverText} (\`selfware ledger query --type passedOver attempt\` tells which)`);
          return note(joinSentences(languageSentence(doable), improveSentence(doable)));
        }
        setExitCode(1);
        if (json) outJson(proposal);
        else out(formatProposal(proposal, colors));
      }),
    );

/**
 * Asks a model or an agent for the change, and prints its proposal and the refused attempts. Throws `notFound` if there
 * is no proposal.
 */
async function askProposer(
  invocation: Invocation,
  opportunity: string | undefined,
  options: ProposeOptions,
  setExitCode: SetExitCode,
): Promise<void> {
  const { session, signal, report, json, colors, out, outJson, note, rootDir } = invocation;
  const { proposer = '', again: isRetry = false, verify } = options;
  const bottleneckTask = await findBottleneck(session, options);
  const task = bottleneckTask?.task ?? (await createTask(rootDir, opportunity, options));
  const allowsResearch = 'fix' in task || 'words' in task;
  if (options.research && !allowsResearch) throw createResearchUsageError();
  await requireConsent(invocation, proposer);
  if (allowsResearch) await confirmResearch(invocation, options.research === true);
  const { proposal, refusals, stops, intervention, models, usage, leftAt } = await askForProposal(
    session,
    { task, proposer, ignoresEarlier: isRetry, verify },
    { signal, report },
  );
  if (bottleneckTask) {
    const { metric, strategy, value: before, expected } = bottleneckTask.bottleneck;
    await session.performance.asked({ metric, strategy, before, expected, proposal: proposal?.id ?? null });
  }
  const cost = { ...usage, models };
  if (json) {
    const reasons = [...refusals, ...stops, ...(intervention === null ? [] : [intervention])];
    outJson({ ...(proposal ?? { proposal: null }), refusals: reasons, cost, leftAt });
  } else {
    if (proposal) out(formatProposal(proposal, colors));
    refusals.forEach((refusal, index) => note(`Attempt ${index + 1}: ${refusal}`));
    stops.forEach(note);
    const estimateWord = usage.estimated ? 'about ' : '';
    note(
      `${estimateWord}${usage.input} tokens asked, ${estimateWord}${usage.output} ` +
        `answered${models.length ? ` by ${models.join(', ')}` : ''}.`,
    );
  }
  if (leftAt.length > 0) return setExitCode(1);
  if (!proposal) {
    const wasAsked = refusals.length > 0 || models.length > 0;
    const resultText = wasAsked ? 'made no change that could be filed.' : 'was not asked.';
    throw new SelfwareError('notFound', `${proposer} ${resultText}`, {
      // The printed stops already contain advice if there was no answer, or if nobody may be asked.
      ...(models.length === 0 || stops.length > 0 ? {} : { action: adviceText(proposer) }),
    });
  }
  setExitCode(1);
}

/** Advice for a person if the answers of this proposer were refused. */
function adviceText(proposer: string): string {
  return proposer.startsWith('replay:')
    ? 'Record another answer with --proposer mailbox:FOLDER.'
    : 'Name a more capable proposer: `selfware models` lists who is there.';
}

/**
 * The task for `--bottleneck`; null if the option is absent. Throws `usage` for an unknown figure, and the errors of
 * `performance.task`.
 */
async function findBottleneck({ performance }: Session, { bottleneck }: ProposeOptions) {
  if (bottleneck === undefined) return null;
  const metric = METRICS.find((candidate) => candidate === bottleneck);
  if (metric === undefined && bottleneck !== true)
    throw new SelfwareError('usage', `There is no figure ${bottleneck}.`, {
      action: `Name one of: ${METRICS.join(', ')}.`,
    });
  return performance.task(metric ?? null);
}

/**
 * The task for a proposer. Throws `usage` unless the options name exactly one task, or if the file of the request is
 * not valid JSON with a request in words, and `notFound` if that file cannot be read.
 */
async function createTask(
  rootDir: string,
  opportunity: string | undefined,
  { request, tests, fix }: ProposeOptions,
): Promise<TaskRequest> {
  const usageError = new SelfwareError('usage', '--proposer needs one task.', {
    action:
      'Give the id of an opportunity, --tests FILE, --fix, or --request FILE with {"request": "what you want"} in it.',
  });
  if ([opportunity, request, tests, fix].filter((option) => option !== undefined).length !== 1) throw usageError;
  if (opportunity !== undefined) return { opportunity };
  if (tests !== undefined) return { tests: resolveRequestedPaths(rootDir, [tests])[0]! };
  if (fix !== undefined) return { fix: fix === true ? '' : fix };
  if (request === undefined) throw usageError;
  const value = parseJson(await readSource(request), request);
  const requestText = typeof value === 'object' && value !== null && 'request' in value ? value.request : null;
  if (typeof requestText !== 'string') throw usageError;
  return { words: requestText };
}

/** The proposal, which is null if none could be made, and the opportunities that were passed over. */
interface ProposeResult {
  readonly proposal: Proposal | null;
  readonly passedOver: readonly SkippedPlace[];
}

/** Proposes the change of a recipe: for the named opportunity, or for the best one. */
async function proposeByRecipe(
  { session, signal, report }: Invocation,
  opportunity: string | undefined,
  { verify, again = false }: ProposeOptions,
): Promise<ProposeResult> {
  await session.analysis.analyse({ signal, report });
  if (!verify)
    return session.proposals.propose({ ...(opportunity === undefined ? {} : { opportunity }), again, signal, report });
  const { verified, refused, passedOver } = await findBestProposal(session, opportunity, {
    again,
    atOnce: true,
    signal,
    report,
  });
  return { proposal: verified ?? refused.at(-1) ?? null, passedOver };
}

/** Proposes the edits or the transform in a file. */
async function proposeRequest(
  { session, signal, report }: Invocation,
  file: string,
  { verify, claim }: ProposeOptions,
): Promise<ProposeResult> {
  const request = parseJson(await readSource(file), file);
  const requestWithClaim =
    claim !== undefined && typeof request === 'object' && request !== null ? { ...request, claim } : request;
  const filedProposal = await session.proposals.proposeTransform(
    requestWithClaim,
    { signal, report },
    await detectAuthor(),
  );
  return {
    proposal: verify
      ? await session.verification.verify(filedProposal.id, { signal, report }, { atOnce: true })
      : filedProposal,
    passedOver: [],
  };
}

/** The text of a file, or of standard input for `-`. Throws `notFound` if the file cannot be read. */
async function readSource(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new SelfwareError('notFound', `${file} cannot be read.`, { cause: error });
  }
}

/** The value of a JSON text. Throws `usage` if it is not valid; `file` names the source. */
function parseJson(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new SelfwareError(
      'usage',
      `${file === '-' ? 'Standard input' : file} is not valid JSON: ${(error as Error).message}`,
    );
  }
}

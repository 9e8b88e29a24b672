// `selfware improve`: runs complete cycles, from finding an opportunity to applying a change. A person approves at the
// terminal. With --auto, with --json, without a terminal and in the session of an agent, the charter decides instead.

import { unloadAskedModels } from '../../app/unloadModels.ts';
import { detectAgentSession } from '../../adapters/system/agentSession.ts';
import { cancel, isCancel, select, text } from '@clack/prompts';
import { NOTHING_LEFT } from '../../core/cycle.ts';
import {
  canImprove,
  canSearch,
  countPossibleWork,
  improveSentence,
  namedSentence,
  joinSentences,
} from '../../core/session/analyse/possibleWorkText.ts';
import { proposeMissingTest } from '../../core/session/propose/missingTest.ts';
import { missingTestLines } from '../../core/session/propose/missingTestText.ts';
import { createRequestFilter } from '../../core/session/propose/requestScope.ts';
import type { Proposal } from '../../core/model.ts';
import type { ImproveRequest, ImproveSummary } from '../../core/session/cycleEvents.ts';
import type { SkippedPlace } from '../../core/model/skippedPlaces.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { collectIds, listSettingsToSwitchOn, parseRuleIds } from '../ruleOption.ts';
import { resolveRequestedPaths, requirePlaces } from '../../app/namedPlaces.ts';
import { confirmResearch, requireConsent } from '../agreement.ts';
import {
  createMaxCostOption,
  parseModelSettings,
  createResearchUsageError,
  createResearchOption,
  createSamplesOption,
} from '../modelOptions.ts';
import { isAtTerminal, askYesOrNo } from '../person.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { printEvent } from '../writers/improveEvents.ts';
import { printSummary } from '../writers/improveSummary.ts';
import { createNotProposedError } from '../writers/passedOver.ts';
import { onlyByNameSentence } from '../writers/onlyByName.ts';
import type { ApprovalLevel } from '../../core/charter/approvalLevel.ts';

interface ImproveOptions extends CommonOptions {
  readonly cycles?: string;
  readonly infinite?: boolean;
  readonly auto?: boolean;
  readonly approval?: string;
  readonly maxChanges?: string;
  readonly dryRun?: boolean;
  readonly opportunity?: string;
  readonly again?: boolean;
  readonly rule?: readonly string[];
  readonly proposer?: string;
  readonly maxCost?: string;
  readonly samples?: string;
  readonly research?: boolean;
}

/** The subcommand `improve`. Its exit code is 1 if a proposal waits for a person. */
export const improveCommand: CommandFactory = (setExitCode) =>
  createCommand('improve', 'proposes changes, checks them, and applies what you approve; each can be undone')
    .alias('self-improve')
    .argument('[paths...]', 'only what was found in these files or folders')
    .option(
      '--cycles <n>',
      'how many cycles; without it, 1 with a proposer, else until a proposal passes its checks or five were refused',
    )
    .option('--infinite', 'continue until nothing is left, or until stopped')
    .option('--auto', 'do not ask: apply what the charter allows; the rest waits for a decision')
    .option('--approval <level>', 'strict, moderate or minimal')
    .option('--max-changes <n>', 'at most this many changes')
    .option(
      '--rule <ids...>',
      'only what these rules find (a,b or a b), even if they are off; else what all rules find that are on',
      collectIds,
    )
    .option('--opportunity <id>', 'realise this one')
    .option('--again', 'with --opportunity: also if it was refused, rejected or rolled back before')
    .option(
      '--proposer <name>',
      'asks a language model for what recipes cannot do: fixes, tests, refused places (`selfware models`)',
    )
    .addOption(createSamplesOption())
    .addOption(createMaxCostOption())
    .addOption(createResearchOption())
    .option('--dry-run', 'propose and verify, apply nothing')
    .action(async (paths: readonly string[], options: ImproveOptions) => {
      rejectConflictingOptions(paths, options);
      const setOptions = collectSettings(options);
      await withSession({ ...options, set: setOptions }, async (invocation) => {
        const { session, json, rootDir } = invocation;
        const isInteractive =
          !options.auto && !json && isAtTerminal() && (await detectAgentSession(process.env)) === null;
        requirePlaces(paths, rootDir);
        if (options.proposer !== undefined) {
          await requireConsent(invocation, options.proposer);
          if (options.opportunity === undefined && (isInteractive || options.research))
            await confirmResearch(invocation, options.research === true);
        }
        const progress: RunProgress = { deferredIds: new Set(), lastPassedOver: undefined, hasNothingLeft: false };
        const request = createRequest(paths, options, invocation, isInteractive, progress);
        const summary = await session.improve(request).finally(async () => {
          const endedRun = { run: session.questions.runId() };
          if (options.proposer !== undefined)
            await unloadAskedModels([rootDir], process.env, invocation.note, endedRun);
        });
        // Other proposals may have replaced some of these, because they fit the changes that were applied after them.
        const hasProposalsForPerson = (await session.proposals.all()).some(
          ({ id, status }) => progress.deferredIds.has(id) && status === 'deferred',
        );
        if (hasProposalsForPerson) setExitCode(1);
        await printResult(summary, request, options, invocation, progress.hasNothingLeft);
        const hasNoRestriction =
          options.opportunity === undefined && !isNarrowed(request) && options.proposer === undefined;
        if (isInteractive && hasNoRestriction && summary.verified === 0) await offerMissingTest(request, invocation);
        if (options.opportunity !== undefined && summary.proposed === 0)
          throw createNotProposedError(options.opportunity, progress.lastPassedOver);
      });
    });

/** Duration in seconds of the search for missing tests, which is offered when there is nothing else to try. */
const SEARCH_SECONDS = 120;

/**
 * Asks the person whether to look for missing tests. If so, asks about the first proposed test that passes its checks.
 */
async function offerMissingTest(request: ImproveRequest, { session, signal, report, out }: Invocation): Promise<void> {
  const { doable } = await session.status();
  if (!canSearch(doable)) return;
  const questionText = `Look for missing tests now? It runs your tests again and again, for ${SEARCH_SECONDS / 60} minutes at most.`;
  if (!(await askYesOrNo(questionText))) return;
  const options = { atOnce: true, signal, report };
  const answer = await proposeMissingTest(session, SEARCH_SECONDS, options).catch((error: unknown) => {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    out(`Missing tests cannot be found here. ${describeError(error)}`);
    return null;
  });
  if (answer === null) return;
  const { verified } = answer;
  if (verified) await session.improve({ ...request, cycles: 1, opportunity: verified.opportunity.id });
  else out(missingTestLines(answer).map(escapeInvisibleLine).join('\n'));
}

/** The state of a run, collected from its events. */
interface RunProgress {
  /** Ids of the proposals that the charter has left for a person. */
  readonly deferredIds: Set<string>;
  /** The last opportunity that the run has passed over, with the reason. */
  lastPassedOver: SkippedPlace | undefined;
  /** True if the run has ended because there was nothing left to try. */
  hasNothingLeft: boolean;
}

/** Throws `usage` for options that cannot be combined. */
function rejectConflictingOptions(paths: readonly string[], options: ImproveOptions): void {
  if (paths.length > 0 && options.opportunity !== undefined)
    throw new SelfwareError('usage', '--opportunity names one place; leave the paths out.');
  if (options.again && options.opportunity === undefined)
    throw new SelfwareError('usage', '--again goes with --opportunity.');
  if (options.research && options.opportunity !== undefined) throw createResearchUsageError();
  if (parseRuleIds(options.rule) !== null && (options.opportunity ?? options.proposer) !== undefined)
    throw new SelfwareError('usage', '--rule is about what recipes are tried on.', {
      action: 'Leave --opportunity and --proposer out.',
    });
}

/** The settings that the options demand, in the form of `--set`. */
function collectSettings(options: ImproveOptions): readonly string[] {
  const approval = parseApprovalLevel(options.approval);
  return [
    ...listSettingsToSwitchOn(options.rule),
    ...options.set,
    ...(approval ? [`charter.approval="${approval}"`] : []),
    ...parseModelSettings(options),
    ...(options.maxChanges ? [`charter.maxChanges=${parseWholeNumber('--max-changes', options.maxChanges)}`] : []),
  ];
}

/** The request for the run. Its callbacks update `progress`. */
function createRequest(
  paths: readonly string[],
  options: ImproveOptions,
  invocation: Invocation,
  isInteractive: boolean,
  progress: RunProgress,
): ImproveRequest {
  const { settings, signal, report, json, outJson, rootDir } = invocation;
  const rules = parseRuleIds(options.rule);
  return {
    cycles: options.infinite ? Infinity : parseWholeNumber('--cycles', options.cycles ?? '1'),
    // Asking a model costs money or hours, so with `--proposer` the number of cycles is limited.
    ignoresFruitlessCycles: options.cycles === undefined && options.proposer === undefined,
    dryRun: options.dryRun ?? false,
    personWaits: isInteractive,
    approval: settings['charter.approval'],
    maxChanges: settings['charter.maxChanges'],
    signal,
    report,
    ...(paths.length > 0 ? { places: resolveRequestedPaths(rootDir, paths) } : {}),
    ...(rules === null ? {} : { rules: [...rules] }),
    ...(options.proposer === undefined ? {} : { proposer: options.proposer }),
    ...(options.opportunity ? { opportunity: options.opportunity, again: options.again ?? false } : {}),
    async decide(proposal, reason) {
      if (isInteractive) return askPerson(proposal, reason);
      progress.deferredIds.add(proposal.id);
      return { verdict: 'deferred', by: 'charter', reason };
    },
    onEvent: (event) => {
      if (event.type === 'stopped') progress.lastPassedOver = event.passedOver;
      if (json) outJson(event);
      // The summary states the same in more detail.
      else if (event.type === 'stopped' && event.reason === NOTHING_LEFT) progress.hasNothingLeft = true;
      else printEvent(event, invocation);
    },
  };
}

/** True if the request names rules or places. */
function isNarrowed({ rules, places }: ImproveRequest): boolean {
  return rules !== undefined || places !== undefined;
}

/** Prints the result of the run and what could be done next. */
async function printResult(
  summary: ImproveSummary,
  request: ImproveRequest,
  options: ImproveOptions,
  { session, json, out, outJson }: Invocation,
  hasNothingLeft: boolean,
): Promise<void> {
  const { doable, pending } = await session.status();
  const isRestricted = isNarrowed(request);
  const onlyByNameText = isRestricted ? onlyByNameSentence(doable, createRequestFilter(request)) : null;
  if (hasNothingLeft && isRestricted) out(joinSentences('Nothing is left to try of what you named.', onlyByNameText));
  else if (hasNothingLeft && canImprove(doable)) out(NOTHING_LEFT);
  if (json) return outJson({ ...summary, left: countPossibleWork(doable) });
  const outlook = isRestricted ? namedSentence(doable, createRequestFilter(request)) : improveSentence(doable);
  printSummary(summary, pending.length, doable, outlook, options.proposer !== undefined, out);
  if (
    !options.infinite &&
    !isRestricted &&
    options.opportunity === undefined &&
    summary.verified > 0 &&
    doable.improvable.length > doable.unfinished
  )
    out('The next run tries the next one; `--infinite` continues until nothing is left.');
}

/** Asks the person at the terminal whether to apply the proposal. A cancelled question defers the decision. */
async function askPerson(proposal: Proposal, reasonToAsk: string): ReturnType<ImproveRequest['decide']> {
  const answer = await select({
    message: `Apply "${escapeInvisibleLine(proposal.title)}"? ${escapeInvisibleLine(reasonToAsk)}`,
    options: [
      { value: 'deferred', label: 'Later', hint: 'it stays in the list of proposals' },
      { value: 'approved', label: 'Apply', hint: 'with a checkpoint to roll back to' },
      { value: 'rejected', label: 'Reject', hint: 'it is not proposed again' },
    ],
  });
  if (isCancel(answer)) {
    cancel('Nothing was applied.');
    return { verdict: 'deferred', reason: 'The question was cancelled.' };
  }
  if (answer !== 'rejected') return { verdict: answer as 'deferred' | 'approved', reason: null };
  const reason = await text({
    message: escapeInvisibleLine('Why? Later proposals will take your answer into account.'),
    placeholder: 'Enter leaves it out',
  });
  if (isCancel(reason)) {
    cancel('Nothing was decided.');
    return { verdict: 'deferred', reason: 'The question was cancelled.' };
  }
  return { verdict: 'rejected', reason: (reason ?? '').trim() || null };
}

/** The level of an option. Throws `usage` if there is no such level. */
function parseApprovalLevel(text: string | undefined): ApprovalLevel | undefined {
  if (text === undefined || text === 'strict' || text === 'moderate' || text === 'minimal') return text;
  throw new SelfwareError('usage', '--approval must be strict, moderate or minimal.');
}

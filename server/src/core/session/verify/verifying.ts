// Runs the gates on a proposal and records the verdicts.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { awaitsPerson } from '../../ledger/proposalLife.ts';
import { authorOf } from '../../model/authors.ts';
import { findShownClaim } from '../../verify/claims/claimVerdicts.ts';
import type { VerifyOptions } from '../../verify/checkedTogether.ts';
import { openUnfinished } from '../../verify/unfinishedVerdicts.ts';
import { createLastRuns } from '../../verify/runningCommandText.ts';
import { verifyProposal, type Verification } from '../../verify/verify.ts';
import { requireAllowed } from '../allowance.ts';
import type { SessionContext } from '../context.ts';
import { createFlakyTestStore } from './flakyTests.ts';
import { findRecipeFacts } from '../../propose/recipeTable.ts';
import { UNGUARDED_RULE } from '../analyse/unguarded/unguardedMistakes.ts';
import { CHARACTERISATION_RECIPE, CORRECT_EXAMPLE_RECIPE } from '../propose/recipeNames.ts';
import { chooseClaims } from '../propose/claims.ts';
import { findAbsentPackages } from './absentPackages.ts';
import { findPackageFiles } from './updatedPackages.ts';
import { readSetUp } from '../setup/setupState.ts';
import { dropReplacement } from './interruptedVerifications.ts';
import { withVerificationLock } from './verificationLock.ts';
import { notifyIfNotIsolated } from './isolation.ts';
import { isJudge } from './judgeFiles.ts';
import { countReachedPlaces } from './placesReached.ts';
import { createProofContext } from './proof.ts';
import { findReachingTests } from './reachingTests.ts';
import { scoreEdits } from '../analyse/scoring.ts';
import { findUncoveredLines } from '../analyse/coverage/uncovered.ts';
import { findTestedSources } from './testedSources.ts';
import { findUnknownDocNames } from './unknownDocNames.ts';
import { findUnreachedFiles } from './unreachedFiles.ts';
import { findUnseenTests } from './unseenTests.ts';
import { countFindings } from './findingsIn.ts';
import { readTreeState, type TreeRecord } from './treeState.ts';
import type { Operation } from '../../operation.ts';
import type { JobTable } from '../../jobs.ts';
import type { VerifyContext } from '../../verify/context.ts';

/**
 * Verifies a proposal, which then is `verified` or `refused`, or `deferred` if its proof needs a quieter machine.
 * `atOnce`: true if a person waits for the answer, so that the proposal is not deferred. `toApply`: true if the author
 * also needs the permission to apply. Throws `untrusted`, `notFound`, `forbidden` and `paused` if the author may not
 * run or apply anything now, `locked` while another process verifies it, `illegalStep`, `cancelled`. After a cancel or
 * an error, the proposal is deferred; one that had been verified before waits for its decision as before.
 */
export async function verify(
  context: SessionContext,
  id: string,
  operation: Operation,
  options: VerifyOptions = {},
): Promise<Proposal> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  const proposal = await requireProposal(context, id);
  await requireAllowed(context, authorOf(proposal), 'run');
  if (options.toApply) await requireAllowed(context, authorOf(proposal), 'apply');
  return withVerificationLock(context, id, () => runGates(context, proposal, operation, options));
}

/**
 * Verifies a replacement of another proposal. If `verify` throws, the replacement is dropped, the other proposal waits
 * as before, and the error is thrown.
 */
export async function verifyReplacement(context: SessionContext, id: string, operation: Operation): Promise<Proposal> {
  try {
    return await verify(context, id, operation, { atOnce: true });
  } catch (error) {
    await dropReplacement(context, id).catch((cause: unknown) =>
      context.ports.log.write('warn', `The proposal ${id} could not be dropped.`, cause),
    );
    throw error;
  }
}

/**
 * Runs the gates on the proposal and records the outcome. After an error, restores the earlier status of the proposal
 * before it rethrows the error.
 */
async function runGates(
  context: SessionContext,
  proposal: Proposal,
  operation: Operation,
  options: VerifyOptions,
): Promise<Proposal> {
  const { ledger } = context;
  const { id } = proposal;
  await ledger.record({ type: 'verifying', data: { proposal: id } });
  context.emit({ type: 'status' });
  try {
    await notifyIfNotIsolated(context);
    const tree = (await readTreeState(context))?.key ?? null;
    const answer = await verifyProposal(
      { ...(await createVerifyContext(context, operation)), ...options },
      proposal,
      operation.signal,
    );
    await recordOutcome(context, proposal, answer, tree);
  } catch (error) {
    await restoreOrDefer(context, proposal);
    throw error;
  } finally {
    context.emit({ type: 'status' });
  }
  return requireProposal(context, id);
}

/** Records the outcome of all gates. `tree`: the key of the tree in which they began; null if it is unknown. */
export async function recordOutcome(
  context: SessionContext,
  proposal: Proposal,
  answer: Verification,
  tree: string | null,
): Promise<void> {
  const { ledger } = context;
  const { id } = proposal;
  const { verdicts, pointsBefore, pointsAfter } = answer;
  if (answer.outcome === 'verified')
    await ledger.record({
      type: 'verified',
      data: { proposal: id, verdicts, claim: findShownClaim(verdicts), pointsBefore, pointsAfter, tree },
    });
  else if (answer.outcome === 'busy')
    await ledger.record({ type: 'deferred', data: { proposal: id, by: 'charter', reason: answer.reason, busy: true } });
  else await recordRefusal(context, proposal, answer);
}

/**
 * Creates the context of a verification that neither resumes an interrupted verification nor stores verdicts for a
 * later one. It is for edits that are not filed, and for runs of only some tests.
 */
export async function createUnresumedVerifyContext(
  context: SessionContext,
  operation: Operation,
): Promise<Omit<VerifyContext, 'unfinished'>> {
  const { unfinished: _unfinished, ...verifyContext } = await createVerifyContext(context, operation);
  return verifyContext;
}

/** Creates the context of a verification from the parts of this session that the gates need. */
export async function createVerifyContext(context: SessionContext, operation: Operation): Promise<VerifyContext> {
  const { ports, settings } = context;
  const setUp = await readSetUp(context);
  return {
    sandbox: ports.sandbox,
    clock: ports.clock,
    machine: ports.machine,
    log: ports.log,
    settings: {
      typesCommand: settings['verify.typesCommand'],
      lintCommand: settings['verify.lintCommand'],
      testCommand: settings['verify.testCommand'],
      benchCommand: settings['verify.benchCommand'],
      timeoutSeconds: settings['verify.timeoutSeconds'],
    },
    ...(setUp === undefined ? {} : { setUp }),
    trusted: context.trusted,
    checkCharter: (edits, recipe) => context.charter.check(edits, recipe),
    findPackageFiles: (edits) => findPackageFiles(context, edits, operation.signal),
    findPackagesMissingAfter: (edits) => findAbsentPackages(context, edits, operation.signal),
    syntaxProblems: (path, text, earlier) => findSyntaxProblems(context, { path, text, earlier }, operation.signal),
    score: (edits, guarded) => scoreEdits(context, edits, operation.signal, guarded),
    uncovered: (isQuick) =>
      findUncoveredLines(context, operation, isQuick ? () => createVerifyContext(context, operation) : null),
    claimsOf: chooseClaims,
    testedSources: (edits) => findTestedSources(context, edits, operation.signal),
    planNear: (edits, shownPaths) => ports.jobs.run('planNear', { edits, shown: shownPaths }, operation.signal),
    isBuiltInRecipe: (recipe) => recipe === CORRECT_EXAMPLE_RECIPE || findRecipeFacts(recipe) !== null,
    isMeasured: (proposal) =>
      proposal.recipe === CHARACTERISATION_RECIPE &&
      proposal.opportunity.rule === UNGUARDED_RULE &&
      authorOf(proposal) === 'recipe' &&
      [proposal.replaces, proposal.partOf, proposal.restOf].every((origin) => origin === undefined),
    isJudge,
    findNewState: (edits) => ports.jobs.run('newState', { edits }, operation.signal),
    findUnknownDocNames: (edits) => findUnknownDocNames(context, edits, operation.signal),
    findUnreachedFiles: (edits) => findUnreachedFiles(context, edits, operation.signal),
    inventory: async (path, text) =>
      (await ports.jobs.run('inventory', [{ path, bytes: new TextEncoder().encode(text) }], operation.signal))[0] ??
      null,
    findings: async (path, text, rule) => countFindings(context, path, text, rule, operation.signal),
    report: (progress) => {
      operation.report?.(progress);
      context.emit({ type: 'progress', progress });
    },
    baseline: context.baseline,
    buildInfo: ports.blobs,
    lastRuns: createLastRuns(ports.documents, (message, cause) => ports.log.write('warn', message, cause)),
    unfinished: (tree, remainingGates) =>
      openUnfinished(ports.documents, tree, { ...remainingGates, tools: context.tools }, (message, cause) =>
        ports.log.write('warn', message, cause),
      ),
    treeKey: await createTreeKeyFunction(context),
    reachingTests: async (paths) => findReachingTests(context.state.imports, paths),
    unseenTests: (proposal) => findUnseenTests(context, proposal),
    placesReached: (edits) => countReachedPlaces(context, edits, operation.signal),
    flakyTests: createFlakyTestStore(
      ports,
      (path) => context.state.analyses.get(path)?.hash ?? null,
      (message, cause) => ports.log.write('warn', message, cause),
    ),
    proof: createProofContext(context, operation.signal),
  };
}

/** The syntax errors of a text. A text that crashes the parser counts as a text with a syntax error. */
async function findSyntaxProblems(
  { ports }: SessionContext,
  input: JobTable['syntax']['input'],
  signal: AbortSignal,
): Promise<JobTable['syntax']['output']> {
  try {
    return await ports.jobs.run('syntax', input, signal);
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError && error.reason === 'internal')) throw error;
    return [{ code: '', message: `It cannot be parsed: ${error.message}` }];
  }
}

/** True if every file still has the content on which the edits are based. */
export async function areFilesUnchanged(
  { ports }: Pick<SessionContext, 'ports'>,
  edits: readonly FileEdit[],
): Promise<boolean> {
  for (const { path, before } of edits) {
    const bytes = await ports.files.read(path);
    if ((bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) !== before) return false;
  }
  return true;
}

/** The proposal with this id. Throws `notFound` if there is none. */
export async function requireProposal(context: SessionContext, id: string): Promise<Proposal> {
  const proposal = await context.ledger.proposal(id);
  if (!proposal)
    throw new SelfwareError('notFound', `There is no proposal ${id}.`, { action: 'Run `selfware proposals list`.' });
  return proposal;
}

/**
 * Records the refusal. If the edits fit the files but not the sandbox, also records a refused attempt, so that the
 * place is not planned again.
 */
async function recordRefusal(
  context: SessionContext,
  proposal: Proposal,
  answer: Extract<Verification, { outcome: 'refused' }>,
): Promise<void> {
  const { verdicts, pointsBefore, pointsAfter, reason } = answer;
  await context.ledger.record({
    type: 'refused',
    data: { proposal: proposal.id, verdicts, claim: findShownClaim(verdicts), pointsBefore, pointsAfter, reason },
  });
  // Edits that do not apply are planned again if the files have changed. If the files have not changed, the sandbox
  // differs from the disk (git stores the file differently, or not at all), so planning again would fail in the same
  // way.
  if (verdicts.at(-1)?.gate !== 'applies' || !(await areFilesUnchanged(context, proposal.edits))) return;
  await context.ledger.record({
    type: 'attempt',
    data: { opportunity: proposal.opportunity.id, recipe: proposal.recipe, outcome: 'refused', reason },
  });
}

/**
 * Defers a proposal without a judgement, because its cancelled or failed verification may be repeated later. A proposal
 * that waited for a decision before keeps waiting for it.
 */
async function restoreOrDefer({ ledger, ports }: SessionContext, proposalBefore: Proposal): Promise<void> {
  const { id } = proposalBefore;
  try {
    if (awaitsPerson(proposalBefore)) await ledger.record({ type: 'interrupted', data: { proposal: id, alive: true } });
    else
      await ledger.record({
        type: 'deferred',
        data: { proposal: id, by: 'charter', reason: 'The verification did not finish.' },
      });
  } catch (error) {
    // The caller receives the first error; this second error usually has the same cause.
    ports.log.write('warn', `The proposal ${id} could not be put back.`, error);
  }
}

/**
 * Creates a function that computes the key of the tree with some edits. The key equals the key of `readTreeState` after
 * these edits are applied, unless an edit restores the committed text of a file. The function returns null if the state
 * of the tree is unknown.
 */
async function createTreeKeyFunction(context: SessionContext): Promise<(edits: readonly FileEdit[]) => string | null> {
  const state = await readTreeState(context);
  if (!state) return () => null;
  const { head, files } = JSON.parse(state.text) as TreeRecord;
  return (edits) => {
    const changedPaths = new Set(edits.map(({ path }) => path));
    const record: TreeRecord = {
      head,
      files: [
        ...files.filter(({ path }) => !changedPaths.has(path)),
        ...edits.map(({ path, after }) => ({ path, content: after === null ? null : sha256(after) })),
      ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    };
    return sha256(canonicalJson(record));
  };
}

// Puts the sections of a session together behind the façade of core/session.ts.

import { improve } from '../cycle.ts';
import type { Ports } from '../ports.ts';
import type { Session, SessionEvent } from '../session.ts';
import { recoverChanges } from './apply/applyAndRollBack.ts';
import { createChangeSection } from './apply/changeSection.ts';
import { reportProbation } from './apply/probation.ts';
import { notify, fallBackIfDamaged, type SessionContext } from './context.ts';
import { createContext, type SessionOptions } from './createContext.ts';
import { createFreshness } from './freshness.ts';
import { createLedgerSection } from './ledger/ledgerSection.ts';
import { reportLostTexts } from './ledger/lostTexts.ts';
import { checkFeedback } from './learn/feedback.ts';
import { createInboxSection } from './learn/inbox/inboxSection.ts';
import { createPerformanceSection } from './learn/performance/performanceSection.ts';
import { createLearnSection } from './learn/learnSection.ts';
import { createAnalysisSection } from './analyse/analysisSection.ts';
import { diagnose } from './analyse/doctor.ts';
import { requireHead } from './analyse/possibleWork.ts';
import { createOpportunitySection } from './analyse/opportunitySection.ts';
import { readStatus } from './analyse/status.ts';
import { createProposalSection } from './propose/proposalSection.ts';
import { createTextSection } from './propose/textSection.ts';
import { createConsentSection } from './ask/sections/consentSection.ts';
import { createFailedTaskSection } from './ask/sections/failedTaskSection.ts';
import { createQuestionSection } from './ask/sections/questionSection.ts';
import { createResearchSection } from './ask/sections/researchSection.ts';
import { createRecipeSection } from './recipes/recipeSection.ts';
import { createDependencySection } from './setup/dependencySection.ts';
import { createSetupSection } from './setup/setupSection.ts';
import { createMemorySection } from './search/memorySection.ts';
import { createTaskSection } from './search/taskSection.ts';
import { restoreInterruptedProposals } from './verify/interruptedVerifications.ts';
import { createTrainingSection } from './training/trainingSection.ts';
import { createVerificationSection } from './verify/verificationSection.ts';

/**
 * Creates a session for one repository. Its `open` must be called before anything else; from then on, operations are
 * queued.
 */
export function createSession(ports: Ports, options: SessionOptions): Session {
  const listeners = new Set<(event: SessionEvent) => void>();
  const context = createContext(ports, options, (event) => {
    for (const listener of listeners) listener(event);
  });
  const { operations, afterwork, ledger, state } = context;
  const freshness = createFreshness(context, options.lateNotices ?? [], options.doctorInput);
  const session: Session = {
    open: ({ signal }) => operations.run(() => openSession(context, signal), signal),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    memory: createMemorySection(context, freshness),
    tasks: createTaskSection(context),
    analysis: createAnalysisSection(context, freshness),
    opportunities: createOpportunitySection(context),
    texts: createTextSection(context),
    proposals: createProposalSection(context, freshness),
    questions: createQuestionSection(context, freshness),
    consents: createConsentSection(context),
    research: createResearchSection(context),
    failedTasks: createFailedTaskSection(context),
    setup: createSetupSection(context),
    dependencies: createDependencySection(context, freshness),
    verification: createVerificationSection(context, freshness),
    changes: createChangeSection(context, freshness),
    learned: createLearnSection(context),
    inbox: createInboxSection(context),
    performance: createPerformanceSection(context),
    training: createTrainingSection(context),
    ledger: createLedgerSection(context),
    recipes: createRecipeSection(context, freshness),

    async improve(request) {
      // Throws if no change can be made here, before any proposal is made.
      await requireHead(context);
      await session.changes.judge(request);
      // All runs of one session share its budget of changes, so that nobody has to decide on a change that could not be
      // applied.
      const changesLeft = options.settings['charter.maxChanges'] - (await ledger.countChanges(state.applied));
      const isStopped = () => ledger.isStopped();
      return improve({ ...session, isStopped }, () => ports.clock.now(), {
        ...request,
        maxCheckedTogether:
          request.maxCheckedTogether ?? (request.personWaits ? 1 : options.settings['verify.together']),
        // Other candidates that run at the same time would distort the figures of a benchmark.
        maxParallel: options.settings['verify.benchCommand'].trim() === '' ? (request.maxParallel ?? 1) : 1,
        maxChanges: Math.min(request.maxChanges, Math.max(0, changesLeft)),
      });
    },
    async status() {
      // Another process may have died while it verified a proposal.
      if (state.activity === 'idle') await restoreInterruptedProposals(context);
      return readStatus(context);
    },
    async stop() {
      state.stopped = true;
      afterwork.cancel();
      // Both start at the same time, so that operations which begin while others are being cancelled see the kill
      // switch.
      const [, recorded] = await Promise.allSettled([
        operations.cancelAll(),
        ledger.record({ type: 'stopped', data: { rootDir: ports.files.rootDir } }),
      ]);
      context.emit({ type: 'status' });
      if (recorded.status === 'rejected') throw recorded.reason;
    },
    async resume() {
      await ledger.record({ type: 'resumed', data: {} });
      state.stopped = false;
      context.emit({ type: 'status' });
    },
    doctor: (signal) => diagnose(context, options.doctorInput, freshness.useStore, signal),
    async close() {
      await operations.cancelAll();
      await Promise.all([afterwork.finish(), freshness.finishMeasuring()]);
      await Promise.all([
        ports.sandbox.close(),
        ports.jobs.close(),
        ports.catalogue.close(),
        ports.chunks.close(),
        ports.ledger.close(),
        options.contents.close(),
      ]);
      listeners.clear();
    },
  };
  return session;
}

/**
 * Opens the catalogue, repairs the state that a dead process has left behind (in a trusted workspace only), and checks
 * the ledger. Returns all notices so far.
 */
async function openSession(context: SessionContext, signal: AbortSignal) {
  const { ports, ledger, state } = context;
  await ports.catalogue.open(context.recordProfile);
  if (context.trusted) {
    await recoverChanges(context);
    await restoreInterruptedProposals(context);
    await fallBackIfDamaged(context, undefined, () => reportProbation(context));
    await ports.sandbox.removeAbandoned();
  }
  const verification = await ledger.verify();
  if (!verification.intact)
    notify(context, {
      severity: 'error',
      message: `The ledger is damaged: ${verification.reason ?? 'unknown reason'}`,
      action: 'Selfware no longer writes to it. Run `selfware ledger verify`.',
    });
  await fallBackIfDamaged(context, undefined, () => reportLostTexts(context));
  if (verification.intact && context.repositoryLedger === null && !context.isReference)
    await fallBackIfDamaged(context, null, () => checkFeedback(context, signal));
  state.stopped = await fallBackIfDamaged(context, true, () => ledger.isStopped());
  return state.notices;
}

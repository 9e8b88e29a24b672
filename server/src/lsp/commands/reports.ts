// Server commands that check something and answer with a sentence and a page: the set-up, the ledger (the recorded
// events), a kept change, and the baseline. Two more undo dismissals and forget lessons.

import type { Session } from '../../core/session.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { SelfwareError } from '../../util/typedError.ts';
import {
  parseBaselineParams,
  parseForgetLessonParams,
  parseUndismissParams,
  parseVerifyChangeParams,
} from '../fromProtocol.ts';
import {
  renderBaselinePage,
  renderChangePage,
  renderDoctorPage,
  renderLedgerPage,
  formatOpportunityCount,
  formatProof,
  type FolderResult,
} from '../reportText.ts';
import type { ServerContext } from '../serverContext.ts';
import { reportOutcome, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';
import type { Operation } from '../../core/operation.ts';

/**
 * Checks the set-up of every folder, because each may have different problems. The outcome is `ok` unless a finding is
 * bad.
 */
export const doctorCommand: ServerCommand = async (context, request) => {
  const findingsByFolder = await collectByFolder(
    context,
    request,
    'Selfware: checking the set-up',
    (session, { signal }) => session.doctor(signal),
  );
  const findingsToFix = findingsByFolder.flatMap(({ result }) => result.filter(({ outcome }) => outcome !== 'good'));
  const message =
    findingsToFix.length === 0
      ? 'Everything is as it should be.'
      : `Not as it should be: ${[...new Set(findingsToFix.map(({ name, detail }) => `${name} (${detail})`))].join('; ')}.`;
  return reportOutcome(context, {
    ok: !findingsToFix.some(({ outcome }) => outcome === 'bad'),
    message,
    review: null,
    page: { title: 'Selfware: The Set-Up', markdown: renderDoctorPage(findingsByFolder) },
  });
};

/** Verifies the hash chain of the ledger of every folder. The outcome is `ok` if all are intact. */
export const verifyLedgerCommand: ServerCommand = async (context, request) => {
  const verificationByFolder = await collectByFolder(context, request, 'Selfware: verifying the ledger', (session) =>
    session.ledger.verify(),
  );
  const brokenChain = verificationByFolder.find(({ result: verification }) => !verification.intact)?.result;
  const events = verificationByFolder.reduce((sum, { result: verification }) => sum + verification.events, 0);
  const message = brokenChain
    ? `The ledger is broken at event ${brokenChain.brokenAt ?? 'unknown'}: ${brokenChain.reason ?? 'the reason is not known.'}`
    : `${formatCount(events, 'event')}, chain intact.`;
  return reportOutcome(context, {
    ok: !brokenChain,
    message,
    review: null,
    page: { title: 'Selfware: The Ledger', markdown: renderLedgerPage(verificationByFolder) },
  });
};

/**
 * Runs the gates of a kept change again, from its receipt (the record that proves it). Takes as long as the tests of
 * the repository.
 */
export const verifyChangeCommand: ServerCommand = async (context, request) => {
  const { change } = parseVerifyChangeParams(request.args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.proposals.all()).some(({ id, checkpoint }) => id === change || checkpoint === change),
  );
  const proof = await runWithProgress(
    context,
    repository,
    'Selfware: verifying a change again',
    request,
    (session, operation) => session.verification.verifyChange(change, null, operation),
  );
  return reportOutcome(context, {
    ok: proof.holds === true,
    message: `${proof.title}: ${formatProof(proof)}`,
    review: null,
    page: { title: 'Selfware: The Change', markdown: renderChangePage(proof) },
  });
};

/**
 * Manages the baseline, the file with the opportunities that a team accepts as they are. Every action except `show`
 * writes or deletes the file, because the person asked for that.
 */
export const baselineCommand: ServerCommand = async (context, request) => {
  const { action: requestedAction } = parseBaselineParams(request.args);
  const action = requestedAction === 'renew' ? 'create' : requestedAction;
  const repository = context.repositories.chosen();
  const report = await runWithProgress(
    context,
    repository,
    'Selfware: looking at all opportunities',
    request,
    async (session, operation) => {
      if (action !== 'remove') await session.analysis.analyse(operation);
      return session.opportunities.baseline(action, { force: requestedAction === 'renew' });
    },
  );
  if (!report || action === 'remove')
    return reportOutcome(context, {
      ok: true,
      message: 'The baseline is removed. Everything is shown again.',
      review: null,
    });
  const { held, fixed, path } = report;
  const sentences = {
    create: `${path} holds ${formatOpportunityCount(held)}. Commit it, and only what is new is shown.`,
    update: `${formatOpportunityCount(fixed.length)} fixed and removed, ${groupThousands(held)} left.`,
    show: `${path} holds ${formatOpportunityCount(held)}, ${formatCount(fixed.length, 'entry is fixed', 'entries are fixed')}.`,
  };
  return reportOutcome(context, {
    ok: true,
    message: sentences[action],
    review: null,
    page: { title: 'Selfware: The Baseline', markdown: renderBaselinePage(repository.name, report) },
  });
};

/** Undoes each dismissal in the folder in which it was made. */
export const undismissCommand: ServerCommand = async (context, { args }) => {
  const { opportunities: ids } = parseUndismissParams(args);
  for (const id of ids) {
    const repository = await context.repositories.owner(async (session) =>
      (await session.opportunities.dismissals()).some(({ opportunity }) => opportunity === id),
    );
    await repository.use((session) => session.opportunities.undismiss(id));
  }
  // The texts of open documents have not changed, but their diagnostics have.
  for (const { uri } of context.documents.all()) {
    context.live.forget(uri);
    const place = context.repositories.locate(uri);
    if (place) context.events.diagnosticsChanged.fire({ ...place, uri });
  }
  return reportOutcome(context, {
    ok: true,
    message: ids.length === 1 ? 'It is shown again.' : `${groupThousands(ids.length)} are shown again.`,
    review: null,
  });
};

/** Forgets a lesson in the folder in which it was learned. */
export const forgetLessonCommand: ServerCommand = async (context, { args }) => {
  const { lesson } = parseForgetLessonParams(args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.learned.lessons()).some(({ id }) => id === lesson),
  );
  const { text } = await repository.use((session) => session.learned.forget(lesson));
  return reportOutcome(context, { ok: true, message: `Forgotten: ${text}`, review: null });
};

/**
 * Calls `work` for the session of each open folder, one after the other, and returns the results. Throws `unavailable`
 * if no folder is open.
 */
async function collectByFolder<T>(
  context: ServerContext,
  request: CommandRequest,
  title: string,
  work: (session: Session, operation: Operation) => Promise<T>,
): Promise<readonly FolderResult<T>[]> {
  const resultsByFolder: FolderResult<T>[] = [];
  for (const repository of context.repositories.all())
    resultsByFolder.push({
      folder: repository.name,
      result: await runWithProgress(context, repository, title, request, work),
    });
  if (resultsByFolder.length === 0)
    throw new SelfwareError('unavailable', 'No folder is open.', { action: 'Open the folder of a repository.' });
  return resultsByFolder;
}

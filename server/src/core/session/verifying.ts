// Runs the gates on a proposal and records the verdicts.

import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit, Proposal } from '../model.ts';
import type { Operation } from '../session.ts';
import { verifyProposal, type Verification } from '../verify/verify.ts';
import type { SessionContext } from './context.ts';
import { scoreEdits } from './scoring.ts';

/** Verifies; the proposal ends `verified` or `refused`. Throws `untrusted`, `notFound`, `illegalStep`, `cancelled`. */
export async function verify(context: SessionContext, id: string, operation: Operation): Promise<Proposal> {
  const { ports, ledger, settings } = context;
  if (!context.trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', { action: 'Trust the workspace first.' });
  const proposal = await existing(context, id);
  await ledger.record({ type: 'verifying', data: { proposal: id } });
  context.emit({ type: 'status' });
  try {
    const answer = await verifyProposal(
      {
        sandbox: ports.sandbox,
        clock: ports.clock,
        log: ports.log,
        settings: {
          typesCommand: settings['verify.typesCommand'],
          lintCommand: settings['verify.lintCommand'],
          testCommand: settings['verify.testCommand'],
          timeoutSeconds: settings['verify.timeoutSeconds'],
        },
        trusted: context.trusted,
        checkCharter: (edits) => context.charter.check(edits),
        syntaxProblems: (path, text) => ports.jobs.run('syntax', { path, text }, operation.signal),
        score: (edits) => scoreEdits(context, edits, operation.signal),
        report: (progress) => {
          operation.report?.(progress);
          context.emit({ type: 'progress', progress });
        },
        baseline: context.baseline,
        baseKey: await baseKey(context),
      },
      proposal,
      operation.signal,
    );
    const { verdicts, pointsBefore, pointsAfter } = answer;
    if (answer.outcome === 'verified') await ledger.record({ type: 'verified', data: { proposal: id, verdicts, pointsBefore, pointsAfter } });
    else await refuse(context, proposal, answer);
  } catch (error) {
    await putAside(context, id);
    throw error;
  } finally {
    context.emit({ type: 'status' });
  }
  return existing(context, id);
}

/** True while every file holds what the edits start from. */
export async function fitsFiles({ ports }: SessionContext, edits: readonly FileEdit[]): Promise<boolean> {
  for (const { path, before } of edits) {
    const bytes = await ports.files.read(path);
    if ((bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) !== before) return false;
  }
  return true;
}

/** The proposal, or a typed `notFound`. */
export async function existing(context: SessionContext, id: string): Promise<Proposal> {
  const proposal = await context.ledger.proposal(id);
  if (!proposal) throw new SelfwareError('notFound', `There is no proposal ${id}.`, { action: 'Run `selfware proposals list`.' });
  return proposal;
}

async function refuse(context: SessionContext, proposal: Proposal, answer: Extract<Verification, { outcome: 'refused' }>): Promise<void> {
  const { verdicts, pointsBefore, pointsAfter, reason } = answer;
  await context.ledger.record({ type: 'refused', data: { proposal: proposal.id, verdicts, pointsBefore, pointsAfter, reason } });
  // Edits that do not apply are planned again, because the files have changed. Where they have not, it is the sandbox that
  // differs from the disk (git holds the file otherwise, or not at all), and the same would happen over and over.
  if (verdicts.at(-1)?.gate !== 'applies' || !(await fitsFiles(context, proposal.edits))) return;
  await context.ledger.record({ type: 'attempt', data: { opportunity: proposal.opportunity.id, recipe: proposal.recipe, outcome: 'refused', reason } });
}

/** Cancelled or broken half-way: it may be verified again later, so it is not judged. */
async function putAside({ ledger, ports }: SessionContext, id: string): Promise<void> {
  try {
    await ledger.record({ type: 'deferred', data: { proposal: id, by: 'charter', reason: 'The verification did not finish.' } });
  } catch (error) {
    // The caller is told what went wrong first; this is most often the same again.
    ports.log.write('warn', `The proposal ${id} could not be put aside.`, error);
  }
}

/** Names the base for the cache of its results: HEAD plus the state of every uncommitted file. */
async function baseKey(context: SessionContext): Promise<string | null> {
  const { git, files } = context.ports;
  const repository = await git.state();
  if (!repository?.head) return null;
  const parts = [repository.head];
  for (const { path, kind } of await git.dirty()) {
    const stat = await files.stat(path);
    parts.push(`${kind}\0${path}\0${stat?.size ?? ''}\0${stat?.mtimeMs ?? ''}`);
  }
  return parts.join('\n');
}

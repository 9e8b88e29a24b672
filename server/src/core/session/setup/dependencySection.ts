// Creates the façade's `dependencies` section, which looks up outdated dependencies and proposes updates.

import { counted } from '../../../util/counted.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { UpdateDraft } from '../../model/dependencies.ts';
import { UPDATE_DEPENDENCY } from '../../model/updatedDependency.ts';
import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { Dependencies } from '../../setup/setup.ts';
import { withActivity, type SessionContext } from '../context.ts';
import { isFiled, recordProposal } from '../propose/recordProposal.ts';
import { areFilesUnchanged } from '../verify/verifying.ts';
import { planLookUp } from './lookUpPlan.ts';
import { lookUp } from './outdated.ts';
import { draftUpdate, explainEarlierRefusal, installBothSides, type MadeUpdate } from './updating.ts';

/** Creates the section of one session. */
export function createDependencySection(context: SessionContext): Dependencies {
  const { operations } = context;
  const ledger = context.repositoryLedger ?? context.ledger;
  /** Drafts by hash, so that exactly the draft that a person has seen is filed. */
  const drafts = new Map<string, MadeUpdate>();
  return {
    plan: (operation) => operations.run((signal) => planLookUp(context, signal), operation.signal),
    async consent({ unasked, data }) {
      for (const destination of unasked) await ledger.record({ type: 'consented', data: { destination, sends: data } });
    },
    outdated: (operation) =>
      operations.run(
        (signal) => withActivity(context, 'analysing', () => lookUp(context, { ...operation, signal })),
        operation.signal,
      ),
    draft: (request, operation) =>
      operations.run(
        (signal) =>
          withActivity(context, 'proposing', async () => {
            const draftedUpdate = await draftUpdate(context, request, { ...operation, signal });
            drafts.set(draftedUpdate.draft.hash, draftedUpdate);
            return draftedUpdate.draft;
          }),
        operation.signal,
      ),
    propose: (approved, operation, options = {}) =>
      operations.run(
        (signal) =>
          withActivity(context, 'proposing', () =>
            fileUpdate(context, drafts.get(approved), { ...operation, signal }, options.again ?? false),
          ),
        operation.signal,
      ),
  };
}

/** Installs the packages of both sides and files the proposal. Throws the errors of `propose`. */
async function fileUpdate(
  context: SessionContext,
  madeUpdate: MadeUpdate | undefined,
  operation: Operation,
  isForced: boolean,
): Promise<Proposal> {
  const { charter, ports } = context;
  if (madeUpdate === undefined || !(await areFilesUnchanged(context, madeUpdate.draft.edits)))
    throw new SelfwareError('stale', 'The manifest or the lock file has changed, so the update no longer fits.', {
      action: 'Ask for the update again.',
    });
  const { draft } = madeUpdate;
  const { edits } = draft;
  const answer = await charter.check(edits, UPDATE_DEPENDENCY);
  if (!answer.allowed)
    throw new SelfwareError('forbidden', answer.reason, { action: 'The charter of this repository decides that.' });
  const refusal = isForced ? null : await explainEarlierRefusal(context, edits);
  if (refusal !== null) throw new SelfwareError('conflict', refusal, { action: 'Add --again to try it once more.' });
  if (await isFiled(context, edits))
    throw new SelfwareError('conflict', 'A proposal with the same edits waits for a decision.', {
      action: 'Look at `selfware proposals list`.',
    });
  await installBothSides(context, madeUpdate, operation);
  const head = (await ports.git.state())?.head ?? null;
  return recordProposal(
    context,
    {
      id: `${UPDATE_DEPENDENCY} ${draft.name}`,
      rule: EXTERNAL_RECIPE,
      path: edits[0]!.path,
      symbol: null,
      recipe: UPDATE_DEPENDENCY,
    },
    { edits, title: describeUpdate(draft), rationale: explainUpdate(draft) },
    head,
    operation.signal,
    { author: 'recipe', claimed: 'request' },
  );
}

function describeUpdate({ name, before, after }: UpdateDraft): string {
  return `update ${name} ${before === null ? '' : `from ${before} `}to ${after}`;
}

function describeAltered(altered: UpdateDraft['lock']['altered']): string {
  return altered.map(({ place, fields }) => `${place} (${fields.join(', ')})`).join(', ');
}

function explainUpdate({ fixes, introduces, lock, edits }: UpdateDraft): string {
  const { added, removed, changed, altered, withScripts } = lock;
  const packages = [
    [counted(changed.length, 'package'), 'changed', changed],
    [counted(added.length, 'package'), 'added', added],
    [counted(removed.length, 'package'), 'removed', removed],
  ] as const;
  const counts = packages.filter(([, , list]) => list.length > 0).map(([count, word]) => `${count} ${word}`);
  const advisories = (list: UpdateDraft['fixes']) =>
    (list ?? [])
      .map(({ severity, title, url }) => `${severity}: ${title}${url === null ? '' : ` (${url})`}`)
      .join('; ');
  const lockPath = edits.find(({ path }) => !path.endsWith('package.json'))?.path ?? 'the lock file';
  return [
    'A person asked for it by name.',
    fixes === null
      ? 'Whether it fixes an advisory is unknown.'
      : fixes.length > 0
        ? `It fixes ${advisories(fixes)}.`
        : '',
    introduces !== null && introduces.length > 0 ? `It brings along ${advisories(introduces)}.` : '',
    `In ${lockPath}: ${counts.join(', ')}.`,
    altered.length > 0 ? `Entries of unchanged versions gain fields: ${describeAltered(altered)}.` : '',
    withScripts.length > 0 ? `New install scripts, which do not run here: ${withScripts.join(', ')}.` : '',
    'After it is applied, run `npm ci` to install it in your own folder.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

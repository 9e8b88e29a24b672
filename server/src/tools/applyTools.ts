// Defines the tools that write to the working tree: `apply` applies a verified proposal, and `roll_back` rolls a change
// back. Both follow the charter, and ask a person if the charter requires this.

import * as z from 'zod';
import type { Proposal } from '../core/model.ts';
import type { Session } from '../core/session.ts';
import { SelfwareError } from '../util/typedError.ts';
import { explainStrength } from '../core/verify/strength.ts';
import { countChangedLines } from '../core/propose/hunks.ts';
import { authorOf, EXTERNAL_RECIPE, quoteAuthor } from '../core/model/authors.ts';
import { addShownEffect } from '../core/model/proofs.ts';
import { checkLabel, describeEffect } from '../protocol/plainWords.ts';
import { toOneLine } from './bounds.ts';
import { defineTool, type Consent, type ToolConsentQuestion, type ToolAnswer } from './tool.ts';
import { formatCount } from '../util/counted.ts';

/** Maximum number of files that a question names. */
const MAX_SHOWN_FILES = 10;
/** The text about a change that could be neither kept nor rolled back. */
const CONFLICTED_TEXT =
  'Applied, failed the checks after applying, and could not be rolled back automatically; a person has to look';

const applyInput = z.object({
  proposal: z.string().min(1).max(200).describe('Id of a proposal that passed its checks.'),
  hunks: z
    .array(z.int().min(0))
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'Only these hunks, by the indices that the tool proposal lists; the part goes through the checks on its own first.',
    ),
});

/** Applies a verified proposal, or some of its hunks. */
export const applyTool = defineTool<z.output<typeof applyInput>>({
  name: 'apply',
  title: 'Apply a Proposal',
  summary:
    'Writes a proposal that passed its checks to the working tree, with a checkpoint; asks a person where the charter asks for one.',
  description:
    'Writes a proposal that passed its checks to the working tree, with a checkpoint to go back to, and ' +
    'judges it once more there; a change whose points fall or whose tests break is rolled back automatically. ' +
    'Unless the charter allows such a change without a person, a person is asked: you cannot approve it ' +
    'for them. Nothing is committed. Answers `applied: false` with the reason when it was not applied.',
  hints: { readOnly: false, destructive: true, idempotent: false },
  needsTrust: true,
  runningText: 'Applying a proposal',
  icon: '$(check-all)',
  input: applyInput,
  async question({ proposal: id }, session) {
    return (await session.proposals.explainNeedToAsk(id)) !== null
      ? createApplyQuestion(await session.proposals.get(id))
      : null;
  },
  async run({ proposal: id, hunks }, { session, operation, consent, requireWritable }) {
    const proposal = await session.proposals.get(id);
    if (proposal.status !== 'verified' && proposal.status !== 'approved' && proposal.status !== 'deferred')
      throw new SelfwareError(
        'illegalStep',
        `The proposal is ${proposal.status}; only one that passed its checks can be applied.`,
        { action: 'Look at it with the tool proposal.' },
      );
    // A selection of hunks is another change than the proposal: whether the charter allows it is known only after its
    // verification.
    const needsPerson = hunks !== undefined || (await session.proposals.explainNeedToAsk(id)) !== null;
    if (needsPerson && consent === 'unasked') return createApplyQuestion(proposal, hunks);
    if (needsPerson && consent !== 'given') return createNotAppliedAnswer(proposal, consent);
    await requireWritable(proposal.edits.map(({ path }) => path));
    const application = await session.changes.apply({
      ...operation,
      proposal: id,
      by: needsPerson ? 'person' : 'charter',
      ...(hunks ? { hunks } : {}),
    });
    const { status, reason } = application.proposal;
    const isApplied = status !== 'rolledBack' && status !== 'conflicted';
    return {
      structured: {
        applied: isApplied,
        status,
        reason,
        by: needsPerson ? 'person' : 'charter',
        checkpoint: application.checkpoint.id,
        files: application.checkpoint.files.slice(0, 50).map(({ path }) => path),
      },
      text: isApplied
        ? `Applied: ${toOneLine(proposal.title)}. The way back: roll_back with checkpoint ${application.checkpoint.id}. ` +
          `Nothing is committed.${application.rest ? ` The other hunks wait as proposal ${application.rest.id}, to be checked.` : ''}`
        : `${status === 'conflicted' ? CONFLICTED_TEXT : 'Applied and rolled back'}: ${toOneLine(reason ?? 'the points fell.', 500)}`,
    };
  },
});

const rollBackInput = z.object({
  checkpoint: z.string().min(1).max(200).optional().describe('Id of the checkpoint.'),
  proposal: z.string().min(1).max(200).optional().describe('Or the id of the applied proposal.'),
});

/** Rolls back an applied change, named by its checkpoint or its proposal. */
export const rollBackTool = defineTool<z.output<typeof rollBackInput>>({
  name: 'roll_back',
  title: 'Roll Back a Change',
  summary: 'Restores the bytes from before an applied change, of exactly the files that it wrote.',
  description:
    'Takes an applied change out of the working tree again: its files hold the bytes from before, later ' +
    'edits elsewhere in them are kept. Where later edits overlap it refuses, and says what stands in the ' +
    'way. Asks a person under the same conditions as apply.',
  hints: { readOnly: false, destructive: true, idempotent: false },
  needsTrust: true,
  runningText: 'Rolling back a change',
  icon: '$(discard)',
  input: rollBackInput,
  async question(input, session) {
    const checkpoint = await resolveCheckpoint(session, input);
    return checkpoint.needsPerson ? createRollBackQuestion(checkpoint.title, checkpoint.files) : null;
  },
  async run(input, { session, operation, consent, requireWritable }) {
    const { id, title, files, needsPerson } = await resolveCheckpoint(session, input);
    if (needsPerson && consent === 'unasked') return createRollBackQuestion(title, files);
    if (needsPerson && consent !== 'given')
      return createRefusalAnswer(
        { checkpoint: id, rolledBack: false },
        consent,
        'Taking it back',
        `selfware checkpoints rollback ${id}`,
      );
    await requireWritable(files);
    const restored = await session.changes.rollback(id, operation);
    return {
      structured: { rolledBack: true, checkpoint: id, files: restored.files.slice(0, 50).map(({ path }) => path) },
      text: `Rolled back: ${toOneLine(title)}. Its files hold what they held before.`,
    };
  },
});

/**
 * The question whether a proposal may be applied. The words of the agent come last, as a quotation, after the facts
 * that Selfware knows.
 */
function createApplyQuestion(proposal: Proposal, hunks?: readonly number[]): ToolConsentQuestion {
  const { edits, verdicts, strength, pointsBefore, pointsAfter, id } = proposal;
  const proof = strength ? `\nStrength: ${strength}. ${explainStrength(strength, verdicts)}` : '';
  const { added, removed } = countChangedLines(edits);
  const size = `${formatCount(edits.length, 'file')}, ${formatCount(added, 'line')} added, ${removed} removed`;
  const hunksText = hunks ? `, of it ${formatCount(hunks.length, 'hunk')}, to be checked first` : '';
  const gates = verdicts.map(({ gate, outcome }) => `${checkLabel(gate)} ${outcome}`).join(', ');
  const gain =
    pointsBefore && pointsAfter ? `${pointsBefore.total.toFixed(3)} → ${pointsAfter.total.toFixed(3)}` : 'unknown';
  const facts = [
    `Size: ${size}${hunksText}.`,
    `Files: ${filesText(edits.map(({ path }) => path))}.`,
    `It ${describeEffect(addShownEffect(proposal))}. Points: ${gain}.${proof}`,
    `Checks: ${gates}.`,
  ].join('\n');
  const diffHint = `See the diff first: in the Selfware sidebar, or by \`selfware proposals show ${id}\`. There is a checkpoint to go back to.`;
  return {
    ask: {
      title: `Apply a change of ${size}?`,
      message: `An agent asks to write a change to your working tree.\n\n${facts}\n\n${diffHint}\n\n${titleText(proposal)}`,
    },
  };
}

/** The title of the proposal. Only a title that Selfware has written is shown unquoted. */
function titleText(proposal: Proposal): string {
  const { title, recipe } = proposal;
  return recipe === EXTERNAL_RECIPE ? quoteAuthor(authorOf(proposal), title, 120) : toOneLine(title);
}

/** The question whether a change may be rolled back. */
function createRollBackQuestion(title: string, files: readonly string[]): ToolConsentQuestion {
  return {
    ask: {
      title: 'Roll back a change?',
      message: `An agent asks to take a change out of your working tree again.\n\nFiles: ${filesText(files)}.\n\n${toOneLine(title)}`,
    },
  };
}

/** The first `MAX_SHOWN_FILES` paths in quotation marks, and the number of the others. */
function filesText(paths: readonly string[]): string {
  return `${paths
    .slice(0, MAX_SHOWN_FILES)
    .map((path) => `‘${toOneLine(path).replace(/[‘’]/g, "'")}’`)
    .join(', ')}${paths.length > MAX_SHOWN_FILES ? ` and ${paths.length - MAX_SHOWN_FILES} more` : ''}`;
}

/** The answer if a proposal was not applied, because a person has not agreed. */
function createNotAppliedAnswer({ id }: Proposal, consent: Consent): ToolAnswer {
  return createRefusalAnswer(
    { proposal: id, applied: false },
    consent,
    'Applying it',
    `selfware proposals approve ${id}`,
  );
}

/** The answer if a person has to agree and has not. It is not an error, because a refusal is an expected outcome. */
function createRefusalAnswer(facts: object, consent: Consent, action: string, command: string): ToolAnswer {
  const hasDeclined = consent === 'declined';
  const reason = hasDeclined ? 'The person declined.' : `${action} needs a person, and your client cannot ask one.`;
  return {
    structured: { ...facts, needsPerson: true, declined: hasDeclined, reason },
    text: `${reason} ${hasDeclined ? 'Do not ask again; ask what they would rather have.' : `Tell them its strength and what is unknown. They decide in VS Code (Selfware sidebar), or on a terminal: ${command}`}`,
  };
}

/**
 * The checkpoint that the input names, and whether a person must agree. A rollback needs a person if the change itself
 * does, or if the checkpoint belongs to no proposal. Throws `usage` unless the input names either a checkpoint or a
 * proposal, and `notFound` if there is no such checkpoint.
 */
async function resolveCheckpoint(
  session: Session,
  { checkpoint, proposal }: z.output<typeof rollBackInput>,
): Promise<{
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly needsPerson: boolean;
}> {
  if ((checkpoint === undefined) === (proposal === undefined))
    throw new SelfwareError('usage', 'Give a checkpoint or a proposal, one of them.');
  const allCheckpoints = await session.changes.checkpoints();
  const matchingCheckpoint =
    checkpoint === undefined
      ? allCheckpoints.find((candidate) => candidate.proposal === proposal && candidate.rolledBackAt === null)
      : allCheckpoints.find(({ id }) => id === checkpoint);
  if (!matchingCheckpoint)
    throw new SelfwareError(
      'notFound',
      checkpoint === undefined ? `No change of proposal ${proposal} stands.` : `There is no checkpoint ${checkpoint}.`,
      { action: 'The tool status lists the checkpoints.' },
    );
  return {
    id: matchingCheckpoint.id,
    title: matchingCheckpoint.title,
    files: matchingCheckpoint.files.map(({ path }) => path),
    needsPerson:
      matchingCheckpoint.proposal === null ||
      (await session.proposals.explainNeedToAsk(matchingCheckpoint.proposal)) !== null,
  };
}

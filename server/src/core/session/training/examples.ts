// Creates training examples from what was learned: kept and refused changes with their questions and answers, and
// lessons.

import { collectLessons } from '../../learn/lessons.ts';
import { isHeldOut, type ChatMessage, type TrainingExample } from '../../learn/training/dataset.ts';
import { determineOutcome } from '../../ledger/changeOutcome.ts';
import type { StoredEdit, StoredProposal } from '../../ledger/events.ts';
import { redact } from '../../ledger/redact.ts';
import { undoneReason } from '../../ledger/undoneReason.ts';
import type { FileEdit } from '../../model.ts';
import { showLinesAround } from '../../proposers/excerpts.ts';
import { createMessages } from '../../proposers/prompt.ts';
import { createHunks } from '../../propose/hunks.ts';
import type { SessionContext } from '../context.ts';
import { collectOrigins, readEvents, type ProposalOrigin } from '../learn/lessonEvidence.ts';
import { readEvidence } from '../learn/learning.ts';
import { removeSpeaker } from '../../../util/visible.ts';
import { formatReply } from './replyText.ts';

/** Maximum number of tokens of source code that the question of an example shows. */
const SHOWN_TOKENS = 8_000;
/** Maximum number of characters of an answer. Longer answers teach a small model little, and do not fit its context. */
const MAX_ANSWER_CHARACTERS = 24_000;
const NO_DEMANDS = { demands: [], attempts: [], rounds: 0 } as const;

/** The examples, and the number of changes without one. */
export interface FoundExamples {
  readonly examples: readonly TrainingExample[];
  /**
   * Number of decided changes without an example: their texts are no longer stored, no reply can express them, or a
   * person has written their lines differently since.
   */
  readonly leftOut: number;
}

/**
 * The examples in the ledger of this repository, without secrets. Skips changes whose lesson a person has forgotten.
 */
export async function collectTrainingExamples(context: SessionContext): Promise<FoundExamples> {
  const { ledger } = context;
  const origins = collectOrigins(readEvents(await ledger.query({ types: ['asked', 'answered', 'proposed'] })));
  const idsWithForgottenLessons = await ledger.idsWithForgottenLessons();
  const histories = await ledger.histories();
  /** By id of a proposal: the proposal that it replaces. */
  const replacedProposals = new Map(
    histories.flatMap((history): [string, StoredProposal][] =>
      history.replacedBy === undefined ? [] : [[history.replacedBy, history]],
    ),
  );
  const examples: TrainingExample[] = [];
  let skippedCount = 0;
  for (const proposal of histories) {
    const outcome = idsWithForgottenLessons.has(proposal.id) ? null : determineOutcome(proposal);
    if (outcome === null || outcome === 'replaced') continue;
    // A change whose lines a person has rewritten is neither right nor wrong.
    if (outcome === 'rewritten') {
      skippedCount += 1;
      continue;
    }
    const kind = outcome !== 'kept' ? 'refused' : replacedProposals.has(proposal.id) ? 'corrected' : 'kept';
    const title = removeSpeaker(findOriginalTitle(proposal, replacedProposals));
    const example = await findExample(context, { ...proposal, title }, kind, origins.get(proposal.id));
    if (example) examples.push(example);
    else skippedCount += 1;
  }
  return { examples: [...examples, ...(await createLessonExamples(context))], leftOut: skippedCount };
}

/**
 * The title without the notes that corrections add to it, because a question never asks for a change that is “corrected
 * by hand”.
 */
function findOriginalTitle(proposal: StoredProposal, replacedById: ReadonlyMap<string, StoredProposal>): string {
  let first = proposal;
  for (let replacing = replacedById.get(first.id); replacing !== undefined; replacing = replacedById.get(first.id))
    first = replacing;
  return first.title;
}

/**
 * Creates the example of a change; null if its texts are no longer stored, or if its answer is too long or cannot be
 * expressed.
 */
async function findExample(
  { ledger }: SessionContext,
  proposal: StoredProposal,
  kind: TrainingExample['kind'],
  origin: ProposalOrigin | undefined,
): Promise<TrainingExample | null> {
  const edits: FileEdit[] = [];
  for (const edit of proposal.edits) {
    const texts = await findTexts(edit, (hash) => ledger.text(hash));
    if (texts === null) return null;
    edits.push({ path: edit.path, ...texts });
  }
  const redactedEdits = redact(edits) as readonly FileEdit[];
  const answer = formatReply(redact(proposal.title) as string, redactedEdits);
  if (answer === null || answer.length > MAX_ANSWER_CHARACTERS) return null;
  const { path, symbol } = proposal.opportunity;
  return {
    kind,
    groups: [...new Set([path, ...proposal.edits.map((edit) => edit.path)])],
    prompt: createQuestion(proposal.title, origin?.rule ?? proposal.opportunity.rule, path, symbol, redactedEdits),
    answer,
    reason: kind === 'refused' ? findReason(proposal) : null,
    proposal: proposal.id,
  };
}

/** The texts of an edit; null if the store no longer has one. */
async function findTexts(
  { before, after }: StoredEdit,
  textFor: (hash: string) => Promise<string | null>,
): Promise<Pick<FileEdit, 'before' | 'after'> | null> {
  const [textBefore, textAfter] = [before && (await textFor(before)), after && (await textFor(after))];
  return (textBefore === null) === (before === null) && (textAfter === null) === (after === null)
    ? { before: textBefore, after: textAfter }
    : null;
}

/** Creates the question in the form in which proposers are asked, because the original question is not recorded. */
function createQuestion(
  title: string,
  rule: string,
  path: string,
  symbol: string | null,
  edits: readonly FileEdit[],
): readonly ChatMessage[] {
  const tokensPerEdit = SHOWN_TOKENS / Math.max(1, edits.length);
  const hunks = createHunks(edits);
  const files = edits.flatMap(({ path: file, before }) => {
    if (before === null) return [];
    const hunksOfFile = hunks.filter((hunk) => hunk.path === file);
    const [first, last] = [hunksOfFile[0], hunksOfFile.at(-1)];
    const text =
      first && last
        ? showLinesAround(before, first.beforeLine, last.beforeLine + last.beforeCount, tokensPerEdit)
        : before;
    return [{ path: file, text, role: 'target' as const }];
  });
  const place = symbol === null ? path : `${path} (${symbol})`;
  const task = `In ${place}: ${redact(title) as string} (rule ${rule})`;
  return createMessages({ task, files, ...NO_DEMANDS });
}

/** The reason why a change was refused or undone, without secrets; null if none is known. */
function findReason({ reason, rework, verdicts }: StoredProposal): string | null {
  const failedVerdict = verdicts.find(({ outcome }) => outcome === 'failed');
  const undoneText = rework === undefined ? null : undoneReason(rework.subject);
  const text = undoneText ?? reason ?? (failedVerdict ? `${failedVerdict.gate}: ${failedVerdict.reason}` : null);
  return text === null ? null : (redact(text) as string);
}

/**
 * The outcomes of each rule according to people and checks, as a question and its answer. Skips evidence about held-out
 * files, because models are later tested on these.
 */
async function createLessonExamples(context: SessionContext): Promise<readonly TrainingExample[]> {
  const textsByRule = new Map<string, string[]>();
  const evidence = (await readEvidence(context)).filter(({ path }) => path === null || !isHeldOut(path));
  for (const { rule, text } of collectLessons(evidence))
    textsByRule.set(rule, [...(textsByRule.get(rule) ?? []), redact(text) as string]);
  return [...textsByRule].map(([rule, texts]) => ({
    kind: 'lesson',
    groups: [`lesson ${rule}`],
    prompt: [{ role: 'user', content: `What was said in this repository about changes for the rule ${rule}?` }],
    answer: texts.toSorted().join('\n'),
    reason: null,
    proposal: null,
  }));
}

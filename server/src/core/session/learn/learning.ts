// Lists the lessons of a repository, traces a lesson to its events, and forgets a lesson.

import { SelfwareError } from '../../../util/typedError.ts';
import { collectLessons, type Evidence, type Lesson } from '../../learn/lessons.ts';
import { calibrateConfidence, NO_DECISIONS } from '../../prioritise/calibrate.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { StoredEvent } from '../../ports/ledger.ts';
import { formatCount } from '../../../util/counted.ts';
import { rules } from '../../analysis/rules.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { ledgerLine } from '../ledger/ledgerLines.ts';
import { loadPriorityContext } from '../analyse/ranking.ts';
import type { KnownLesson, TracedLesson } from './learnTypes.ts';
import { refuseRepositoryRules } from './repositoryRuleFiles.ts';
import { listRuleLessons } from './ruleLessons.ts';
import { switchRule } from './writtenRules.ts';
import { collectEvidence, readEvents, TEACHING_EVENTS } from './lessonEvidence.ts';
import { readExperience, type Experience } from './trials.ts';

/** The ids of Selfware's own rules. */
const KNOWN_RULES: ReadonlySet<string> = new Set(rules.map(({ id }) => id));

/** Kinds of lessons that affect the confidence in a rule (`prioritise/calibrate.ts`). */
const TRUST_KINDS: ReadonlySet<Lesson['kind']> = new Set([
  'dismissed',
  'wrong',
  'suppressed',
  'rejected',
  'rolledBack',
  'kept',
  'fixed',
]);

/** Kinds of lessons that are quoted in questions to models. */
export const QUOTED_KINDS: ReadonlySet<Lesson['kind']> = new Set([
  'corrected',
  'rewritten',
  'rejected',
  'rolledBack',
  'dismissed',
  'wrong',
  'suppressed',
  'refused',
]);

/** All lessons, newest first, including the written rules and the files of rules in the repository. */
export async function listLessons(context: SessionContext): Promise<readonly KnownLesson[]> {
  const rules = await fallBackIfDamaged<readonly KnownLesson[]>(context, [], () => listRuleLessons(context));
  return [...(await findLessons(context)), ...rules].toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0));
}

/** The lessons from evidence, with their effects. */
async function findLessons(context: SessionContext): Promise<readonly KnownLesson[]> {
  const foundLessons = collectLessons(
    await fallBackIfDamaged<readonly Evidence[]>(context, [], () => readEvidence(context)),
  );
  const { decisions } = await loadPriorityContext(context, false);
  const { isResting } = await readExperience(context);
  const priors = new Map<string, number>();
  for (const file of context.state.analyses.values())
    for (const { rule, confidence } of file.opportunities) priors.set(rule, confidence);
  return foundLessons.map((lesson) => ({
    ...lesson,
    effects: [
      ...describeTrustEffect(lesson, priors.get(lesson.rule), decisions?.get(lesson.rule)),
      ...describeEffects(lesson, isResting),
    ],
    forgettable: true,
  }));
}

/**
 * A lesson with its evidence. `id` may be the beginning of an id. Throws `notFound`, and `usage` if several ids begin
 * with it.
 */
export async function traceLesson(context: SessionContext, id: string): Promise<TracedLesson> {
  const lesson = await requireLesson(context, id);
  const sequences = new Set(lesson.evidence.map(({ sequence }) => sequence));
  const isRule = lesson.kind === 'rule' || lesson.kind === 'brought';
  const candidates = isRule
    ? await (context.repositoryLedger ?? context.ledger).query({})
    : await readTeachingEvents(context);
  const events = candidates.filter(({ sequence }) => sequences.has(sequence));
  const proposalsById = new Map((await context.ledger.histories()).map((proposal) => [proposal.id, proposal]));
  return {
    ...lesson,
    events: events.map((event) => ledgerLine(event, proposalsById)),
    comments: lesson.evidence.flatMap(({ sequence, path, words }) =>
      sequence === null && path !== null ? [{ path, reason: words }] : [],
    ),
  };
}

/**
 * Forgets a lesson: its evidence no longer counts, and its places may be tried again. A written rule is removed, and a
 * file of rules is kept off. Throws `usage` if the lesson has no effect, and the errors of `traceLesson`.
 */
export async function forgetKnownLesson(context: SessionContext, id: string): Promise<KnownLesson> {
  const lesson = await requireLesson(context, id);
  if (!lesson.forgettable)
    throw new SelfwareError('usage', 'It has no effect, so there is nothing to take back.', {
      action: 'Delete the file, or leave it as it is.',
    });
  if (lesson.kind === 'rule' || lesson.kind === 'brought') {
    if (lesson.kind === 'rule') await switchRule(context, lesson.id, 'removed');
    else await refuseRepositoryRules(context, lesson.rule);
    return lesson;
  }
  const collectEvidenceIds = (key: 'proposal' | 'opportunity') => [
    ...new Set(lesson.evidence.flatMap(({ [key]: id }) => (id === null ? [] : [id]))),
  ];
  const proposals = collectEvidenceIds('proposal');
  await context.ledger.record({
    type: 'lessonForgotten',
    data: {
      lesson: lesson.id,
      text: lesson.text,
      proposals,
      opportunities: collectEvidenceIds('opportunity'),
      ...(lesson.finding === null
        ? {}
        : { finding: lesson.finding, stillTeaching: await findStillTeaching(context, lesson.finding, proposals) }),
    },
  });
  context.emit({ type: 'opportunities', paths: null });
  context.emit({ type: 'status' });
  return lesson;
}

/**
 * The proposals among these that are also evidence for findings other than `forgotten`, such as another rule of the
 * linter.
 */
async function findStillTeaching(
  context: SessionContext,
  forgotten: string,
  proposals: readonly string[],
): Promise<readonly string[]> {
  const otherEvidence = (await readEvidence(context)).filter(({ finding }) => finding !== forgotten);
  const teachingProposals = new Set(otherEvidence.map(({ proposal }) => proposal));
  return proposals.filter((id) => teachingProposals.has(id));
}

/**
 * The evidence from this session's ledger, from suppressions in the code and, in an unattended run, from the ledger of
 * the repository.
 */
export async function readEvidence(context: SessionContext): Promise<readonly Evidence[]> {
  const evidence = collectEvidence(readEvents(await readTeachingEvents(context)));
  const idsWithForgottenLessons = await context.ledger.idsWithForgottenLessons();
  const comments = [...context.state.analyses.values()].flatMap(({ suppressed }) =>
    suppressed.flatMap(({ opportunity, reason }): Evidence[] =>
      idsWithForgottenLessons.has(opportunity.id) ? [] : [createCommentEvidence(opportunity, reason)],
    ),
  );
  return [...evidence, ...comments];
}

/**
 * The events of both ledgers, oldest first. An event that was copied from one to the other has the same id, and counts
 * once.
 */
async function readTeachingEvents({ ledger, repositoryLedger }: SessionContext): Promise<readonly StoredEvent[]> {
  const query = { types: TEACHING_EVENTS };
  const eventsOfSession = await ledger.query(query);
  if (repositoryLedger === null) return eventsOfSession;
  const repositoryEvents = await repositoryLedger.query(query);
  const copiedIds = new Set(repositoryEvents.map(({ id }) => id));
  return [...repositoryEvents, ...eventsOfSession.filter(({ id }) => !copiedIds.has(id))].toSorted(
    (a, b) => a.at - b.at,
  );
}

/** The evidence of a comment that suppresses an opportunity. `commentReason`: the reason in the comment. */
function createCommentEvidence(
  { id, rule, path }: { readonly id: string; readonly rule: string; readonly path: string },
  commentReason: string | null,
): Evidence {
  return {
    kind: 'suppressed',
    sequence: null,
    at: null,
    rule,
    by: null,
    path,
    gate: null,
    finding: null,
    words: commentReason,
    proposal: null,
    opportunity: id,
    replacedBy: null,
    diff: null,
  };
}

/** The lesson whose id begins with `id`. Throws `notFound`, and `usage` if there are several. */
async function requireLesson(context: SessionContext, id: string): Promise<KnownLesson> {
  const matches = (await listLessons(context)).filter((lesson) => lesson.id.startsWith(id));
  const [lesson] = matches;
  if (!lesson || id === '')
    throw new SelfwareError('notFound', `There is no lesson ${id}.`, { action: 'Run `selfware learned`.' });
  if (matches.length > 1)
    throw new SelfwareError('usage', `${id} is the beginning of ${matches.length} ids.`, {
      action: 'Give more of it.',
    });
  return lesson;
}

/** The effect of a lesson on the confidence in its rule, as sentences. */
function describeTrustEffect(
  { kind, rule }: Lesson,
  prior: number | undefined,
  decisions: Parameters<typeof calibrateConfidence>[1],
): readonly string[] {
  if (!TRUST_KINDS.has(kind) || !KNOWN_RULES.has(rule)) return [];
  if (prior === undefined) return [`It counts for how far ${rule} is trusted, and so for the order of its findings.`];
  const { confidence, decisions: allDecisions } = calibrateConfidence(prior, decisions ?? NO_DECISIONS);
  const trust = `${rule} is trusted ${confidence.toFixed(2)} instead of ${prior.toFixed(2)}`;
  return [`With ${formatCount(allDecisions, 'decision')} in all, ${trust}, which moves its findings in every order.`];
}

/** The effects of a lesson on later attempts and questions, as sentences. */
function describeEffects({ kind, rule, evidence, by }: Lesson, isResting: Experience['isResting']): readonly string[] {
  const proposalCount = new Set(evidence.flatMap(({ proposal }) => (proposal === null ? [] : [proposal]))).size;
  const effects: string[] = [];
  if (kind === 'rejected' || kind === 'rolledBack' || kind === 'refused')
    effects.push(
      `${formatCount(proposalCount, 'place is', 'places are')} not tried again unasked while the code there stays the same.`,
    );
  if (by !== null && kind === 'rejected' && isResting(rule, by))
    effects.push(
      `Because a person turned down more changes of ${by} for ${rule} than were kept, nothing more of it is tried unasked.`,
    );
  // Changes with external edits are made by others, and Selfware does not choose who makes them.
  if (by !== null && kind !== 'corrected' && kind !== 'rewritten' && rule !== EXTERNAL_RECIPE)
    effects.push(`It counts for how early ${by} is tried for this rule.`);
  if (QUOTED_KINDS.has(kind)) effects.push('A language model that works on something similar is told about it.');
  return effects;
}

// Renders the evidence for a proposal as a Markdown page: each check with its duration, the points by category, how
// well tests guard the changed lines, and where the proposal comes from.

import { fencedBlock, codeSpan, joinLines, md, tableRow, type Insertable, type Markdown } from '#protocol/markdown';
import { checkLabel, checkWords, describeEffect, plainReason } from '#protocol/plainWords';
import { strengthText } from '#protocol/strength';
import { CATEGORIES, type Points, type Proposal, type Verdict } from '../core/model.ts';
import { describeClaim } from '../core/model/claims.ts';
import { MISSED_PLACES } from '../core/model/evidence.ts';
import { FEW_MUTANTS, provesEquivalence, UNNOTICED_KEY } from '../core/model/proofs.ts';
import { toShownOutcome } from '../core/verify/shownOutcome.ts';
import { explainStrength } from '../core/verify/strength.ts';
import type { StoredEvent } from '../core/ports/ledger.ts';
import type { Cost } from '../core/model/asks.ts';
import { costSentence } from '../core/proposers/cost.ts';
import { formatCount } from '../util/counted.ts';
import { categoryLabels } from '../core/score/categoryLabels.ts';

/** Prevents line breaks in the columns of tables, which are narrow because the page is shown beside a diff. */
const NON_BREAKING_SPACE = '\u00a0';
/** The words for the statuses whose ids are unclear to a person. */
const STATUS_WORDS: Readonly<Partial<Record<Proposal['status'], string>>> = {
  rolledBack: 'rolled back',
  verified: 'waits',
};
const MARK_BY_OUTCOME = { passed: '✓', failed: '✗', unknown: '?', 'not needed': '–' } as const;
/** Maximum number of lines of an output or a list. */
const MAX_LINES = 20;

/**
 * The page. `events`: the attempts and proposals in the ledger, from which the attempts on the opportunity are counted.
 * `cost`: what asking a model has cost; null if none was asked.
 */
export function renderEvidence(proposal: Proposal, events: readonly StoredEvent[], cost: Cost | null = null): string {
  return joinLines([
    md`# ${proposal.title}`,
    '',
    ...(proposal.rationale === '' ? [] : [proposal.rationale, '']),
    ...renderStatus(proposal),
    ...renderStrength(proposal),
    ...renderGates(proposal),
    ...renderCounterexample(proposal.verdicts),
    ...renderPoints(proposal),
    ...renderGuard(proposal.verdicts),
    ...renderProvenance(proposal, events, cost),
    ...renderDetails(proposal.verdicts),
  ]).toString();
}

function renderStatus({ status, reason }: Proposal): Insertable[] {
  if (reason === null) return [];
  return [md`**${STATUS_WORDS[status] ?? status}:** ${plainReason(reason)}`, ''];
}

function renderStrength({ strength = null, claim, verdicts }: Proposal): Insertable[] {
  const claimSentence = describeClaim(claim);
  return [
    ...(claimSentence === null ? [] : [md`**What gets better:** ${claimSentence}`, '']),
    ...(strength === null ? [] : [md`**${strengthText(strength)}.** ${explainStrength(strength, verdicts)}`, '']),
  ];
}

/** The table of checks, with the meaning of each. */
function renderGates(proposal: Proposal): Insertable[] {
  const { verdicts } = proposal;
  if (verdicts.length === 0) return [md`## Checks`, '', 'None has run yet.', ''];
  const total = verdicts.reduce((sum, { millis }) => sum + millis, 0);
  const rows = verdicts.map((verdict) => {
    const outcome = toShownOutcome(verdict, proposal);
    const outcomeText = `${MARK_BY_OUTCOME[outcome]}${NON_BREAKING_SPACE}${outcome.replace(' ', NON_BREAKING_SPACE)}`;
    return tableRow(checkLabel(verdict.gate), outcomeText, formatSeconds(verdict.millis), verdict.reason);
  });
  const isAnyNeedless = verdicts.some((verdict) => toShownOutcome(verdict, proposal) === 'not needed');
  const needlessText = isAnyNeedless ? md` *Not needed*: a change of this kind leaves nothing to show.` : '';
  const meanings = verdicts.flatMap(({ gate }) =>
    checkWords[gate] ? [md`- *${checkWords[gate].label}:* ${checkWords[gate].meaning}`] : [],
  );
  return [
    ...[md`## Checks`, '', md`| check | | time | found |`, md`|---|---|---:|---|`, ...rows, ''],
    ...[
      md`Together ${formatSeconds(total)}. *Unknown* is not *passed*: nothing was shown, for the reason given.${needlessText}`,
      '',
    ],
    ...['What each of them means when it has passed:', '', ...meanings, ''],
  ];
}

function renderCounterexample(verdicts: readonly Verdict[]): Insertable[] {
  const verdict = verdicts.find(({ evidence }) => typeof evidence['call'] === 'string');
  if (!verdict) return [];
  const { call, before, after, test } = verdict.evidence;
  return [
    md`## Counterexample`,
    '',
    md`| call | before | with the change |`,
    md`|---|---|---|`,
    tableRow(String(call), String(before ?? ''), String(after ?? '')),
    '',
    ...(typeof test === 'string' && test !== ''
      ? ['As a test ("Adopt test" opens it as a new file):', '', renderCodeBlock(test), '']
      : []),
  ];
}

/** The table of points by category, before and after. */
function renderPoints({ pointsBefore, pointsAfter }: Proposal): Insertable[] {
  if (!pointsBefore || !pointsAfter) return [md`## Points`, '', 'Not measured.', ''];
  const rows = CATEGORIES.map((name) => {
    const [categoryBefore, categoryAfter] = [pointsBefore.categories[name], pointsAfter.categories[name]];
    return tableRow(
      categoryLabels[name],
      formatFigure(categoryBefore.points),
      formatFigure(categoryAfter.points),
      formatChange(categoryBefore.points, categoryAfter.points),
      formatFigure(categoryBefore.max),
    );
  });
  const totals = [pointsBefore.total, pointsAfter.total].map((total) => md`**${formatFigure(total)}**`);
  const ruler = `the ruler, version ${pointsAfter.ruler.version}, ${pointsAfter.ruler.hash.slice(0, 12)}`;
  return [
    ...[md`## Points`, '', md`| category | before | after | gain | at most |`, md`|---|---:|---:|---:|---:|`, ...rows],
    tableRow(
      md`**all**`,
      ...totals,
      md`**${formatChange(pointsBefore.total, pointsAfter.total)}**`,
      formatFigure(pointsBefore.max),
    ),
    ...['', `Both sides counted by the same fixed rules (${ruler}).${describeUnknowns(pointsAfter)}`, ''],
  ];
}

/**
 * What protects the changed lines: the comparison of old and new code, the tests, and the mutants that no test notices.
 */
function renderGuard(verdicts: readonly Verdict[]): Insertable[] {
  const [guard, tests, differential] = (['guard', 'tests', 'differential'] as const).map((gateName) =>
    verdicts.find(({ gate }) => gate === gateName),
  );
  if (!guard && !tests && !differential) return [];
  const protectionLines: Insertable[] = [];
  if (differential?.outcome === 'passed')
    protectionLines.push(md`- Old and new code were compared: ${differential.reason}`);
  if (tests) protectionLines.push(md`- Tests: ${tests.reason}`, ...renderReachingFiles(tests));
  if (guard) protectionLines.push(md`- Would they notice a mistake in the touched lines? ${guard.reason}`);
  const missedText = guard?.evidence['missed'];
  if (typeof missedText === 'string' && missedText !== '')
    protectionLines.push('', 'Faults in these places would go unnoticed:', '', renderCodeBlock(missedText));
  return [md`## What protects these lines`, '', ...protectionLines, ''];
}

/** A line with the number of test files from which imports lead to the change; empty if the gate does not report it. */
function renderReachingFiles({ evidence }: Verdict): Insertable[] {
  const fileCount = evidence['reachingFiles'];
  return typeof fileCount === 'number'
    ? [md`- ${formatCount(fileCount, 'test file')} can reach the change, by imports.`]
    : [];
}

/** Where the proposal comes from: its recipe or author, cost, opportunity, attempts, effect and date. */
function renderProvenance(
  { id, recipe, opportunity, safety, base, createdAt, checkpoint, verdicts }: Proposal,
  events: readonly StoredEvent[],
  cost: Cost | null,
): Insertable[] {
  const askedText = cost?.recipe === undefined ? 'no model was asked' : 'a model was asked for its examples only';
  const source =
    recipe === 'brought'
      ? 'From outside (a person, an agent or a model), judged by the same checks as all others'
      : md`Recipe ${codeSpan(recipe)}, a deterministic transformation; ${askedText}`;
  const isShownSame = safety === 'behaviorChanging' && verdicts.some(provesEquivalence);
  const { tries, number } = countTries(opportunity.id, id, events);
  return [
    md`## Where it comes from`,
    '',
    md`- ${source}.`,
    ...(cost ? [md`- ${costSentence(cost)}`] : []),
    md`- Opportunity: ${opportunity.rule} in ${opportunity.path}${opportunity.symbol ? `, ${opportunity.symbol}` : ''}.`,
    md`- Attempt ${number}${tries > number ? ` of ${tries}` : ''} on this opportunity.`,
    isShownSame
      ? md`- It ${describeEffect({ safety, recipe, isShownSame })}.`
      : md`- It ${describeEffect({ safety, recipe })}: computed from the edits, whoever made them.`,
    md`- Proposed ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC${base ? ` on commit ${base.slice(0, 10)}` : ''}; id ${id}${checkpoint ? `, checkpoint ${checkpoint}` : ''}.`,
    '',
  ];
}

/**
 * The number of attempts on an opportunity, and the position of this proposal among them, from 1. Attempts without a
 * proposal, which a recipe has refused, count as well.
 */
function countTries(
  opportunity: string,
  proposal: string,
  events: readonly StoredEvent[],
): { readonly tries: number; readonly number: number } {
  const tries = events
    .toSorted((a, b) => a.sequence - b.sequence)
    .flatMap(({ type, data }) => {
      const event = data as {
        readonly opportunity?: unknown;
        readonly outcome?: unknown;
        readonly proposal?: { readonly id?: unknown; readonly opportunity?: { readonly id?: unknown } };
      };
      if (type === 'attempt' && event.opportunity === opportunity && event.outcome === 'refused') return [null];
      return type === 'proposed' && event.proposal?.opportunity?.id === opportunity ? [event.proposal.id] : [];
    });
  const index = tries.indexOf(proposal);
  return { tries: Math.max(1, tries.length), number: index < 0 ? Math.max(1, tries.length) : index + 1 };
}

/** The commands, outputs and measurements of each check that the other sections do not show. */
function renderDetails(verdicts: readonly Verdict[]): Insertable[] {
  const mutantKeys = ['missed', MISSED_PLACES, UNNOTICED_KEY, FEW_MUTANTS];
  const keysShownElsewhere = new Set(['test', ...mutantKeys, 'call', 'before', 'after', 'noSuchCheck']);
  const details = verdicts.flatMap(({ gate, evidence }) => {
    const rows = Object.entries(evidence).filter(
      ([name, value]) => value !== null && value !== '' && !(keysShownElsewhere.has(name) && gate !== 'score'),
    );
    if (rows.length === 0) return [];
    return [
      md`### ${checkLabel(gate)}`,
      '',
      ...rows.flatMap(([name, value]) =>
        String(value).includes('\n')
          ? [md`- ${splitCamelCase(name)}:`, '', renderCodeBlock(String(value)), '']
          : [md`- ${splitCamelCase(name)}: ${String(value)}`],
      ),
      '',
    ];
  });
  return details.length === 0 ? [] : [md`## What was run and measured`, '', ...details];
}

function describeUnknowns(points: Points): string {
  const names = CATEGORIES.flatMap((name) => points.categories[name].unknown);
  return names.length === 0 ? '' : ` Not known, and counted for neither side: ${[...new Set(names)].join(', ')}.`;
}

function formatSeconds(millis: number): string {
  return millis < 100
    ? `${Math.round(millis)}${NON_BREAKING_SPACE}ms`
    : `${(millis / 1000).toFixed(1)}${NON_BREAKING_SPACE}s`;
}

function formatFigure(value: number | null): string {
  return value === null ? 'unknown' : String(Math.round(value * 1000) / 1000);
}

function formatChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  const change = Math.round((after - before) * 1000) / 1000;
  return change === 0 ? '' : change > 0 ? `+${change}` : String(change);
}

function splitCamelCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The first `MAX_LINES` lines of a text as a block of code. */
function renderCodeBlock(text: string): Markdown {
  const allLines = text.split('\n');
  const omittedLine = allLines.length > MAX_LINES ? [`… ${formatCount(allLines.length - MAX_LINES, 'more line')}`] : [];
  return fencedBlock([...allLines.slice(0, MAX_LINES), ...omittedLine].join('\n'));
}

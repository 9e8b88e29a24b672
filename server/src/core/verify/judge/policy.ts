// Determines the demands of a policy on a judged change, and whether they are met.

import { HIDDEN_DEMAND, HIDDEN_KEY } from '../../model/proofs.ts';
import ignore from 'ignore';
import type { Demands, PolicyFile } from '../../../settings/policyFile.ts';
import { STRENGTHS, type Verdict } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import { REPOSITORY_CHECKS } from '../../model/gateStages.ts';
import { WEAKENING_KINDS, type Demand, type JudgementBeforePolicy, type PolicyAnswer } from '../../model/judgement.ts';
import { matchesStarPattern } from '../../../util/stars.ts';
import { isNoSuchCheck } from '../answer.ts';
import { UNJUDGED_TEXT } from './quick.ts';
import { formatLine, TEST_CHANGE_TEXTS } from './judgementTexts.ts';

/** The demands on every change, unless the policy replaces them. */
const DEFAULT_DEMANDS: Demands = { gates: 'notFailed', tests: 'kept' };
/** Gates that may not answer unknown if every check must pass, unless the repository has no such check. */
const REQUIRED_GATES: ReadonlySet<string> = new Set(['syntax', ...REPOSITORY_CHECKS]);

/** The demand that every check passes, as a person sees it. */
const EVERY_CHECK = 'every check passes';
/** The demand that no check fails, as a person sees it. */
const NO_FAILURE = 'no check fails';

/** True if the policy demands anything of the checks. */
export function demandsChecks({ rules }: Pick<PolicyAnswer, 'rules'>): boolean {
  return rules.some(({ demands }) => demands.some(({ what }) => what === EVERY_CHECK || what === NO_FAILURE));
}

/** The change to which the policy applies: its authors, and the paths that it edits. */
export interface PolicySubject {
  readonly authors: readonly string[];
  readonly paths: readonly string[];
  /** True if not all authors are known, so that each rule about authors applies. */
  readonly hasMoreAuthors?: boolean;
}

/**
 * Applies the demands of the policy, or the default ones, to a judged change. The answer states for each demand whether
 * it is met.
 */
export function applyPolicy(
  policy: { readonly file: PolicyFile; readonly source: string } | null,
  judgement: JudgementBeforePolicy,
  judgedChange: PolicySubject,
): PolicyAnswer {
  const { require = {}, rules = [] } = policy?.file ?? {};
  const answers = [
    { name: 'every change', demands: checkDemands({ ...DEFAULT_DEMANDS, ...require }, judgement) },
    ...rules
      .map((rule, index) => ({ ...rule, name: formatRuleName(rule, index) }))
      .filter(({ authors, paths }) => appliesTo(authors, paths, judgedChange))
      .map(({ name, require: demands }) => ({ name, demands: checkDemands(demands, judgement) })),
  ].filter(({ demands }) => demands.length > 0);
  return {
    source: policy?.source ?? null,
    met: answers.every(({ demands }) => demands.every(({ met }) => met)),
    rules: answers,
  };
}

/**
 * The name of a rule for people: its own name, its authors and paths, or its 1-based number. `ruleIndex`: its 0-based
 * index.
 */
function formatRuleName(
  { name, authors = [], paths = [] }: NonNullable<PolicyFile['rules']>[number],
  ruleIndex: number,
): string {
  return name ?? ([...authors, ...paths].join(', ') || `rule ${ruleIndex + 1}`);
}

/** True if the policy makes a demand for which mutants may be needed. */
export function mayNeedMutants(policy: PolicyFile): boolean {
  return (
    demandsMutants(policy) || listDemands(policy).some(({ strength, claims }) => (strength ?? claims) !== undefined)
  );
}

/** True if the policy demands that the tests notice mutants. */
export function demandsMutants(policy: PolicyFile): boolean {
  return listDemands(policy).some(({ mutants }) => mutants !== undefined);
}

function listDemands({ require = {}, rules = [] }: PolicyFile): readonly Demands[] {
  return [require, ...rules.map((rule) => rule.require)];
}

/**
 * True if one of the authors matches and one of the paths matches. Authors or paths that a rule does not name match any
 * change.
 */
function appliesTo(
  authors: readonly string[] | undefined,
  paths: readonly string[] | undefined,
  { authors: changeAuthors, paths: changedPaths, hasMoreAuthors = false }: PolicySubject,
): boolean {
  if (
    authors &&
    !hasMoreAuthors &&
    !changeAuthors.some((name) => authors.some((pattern) => matchesPattern(pattern, name)))
  )
    return false;
  if (!paths) return true;
  const patterns = ignore({ ignorecase: true }).add([...paths]);
  return changedPaths.some((path) => patterns.ignores(path));
}

/**
 * True if the pattern matches the name. `*` matches anything, and a pattern without a star matches any name that
 * contains it.
 */
function matchesPattern(pattern: string, name: string): boolean {
  const [lowerPattern, lowerName] = [pattern.toLowerCase(), name.toLowerCase()];
  if (!lowerPattern.includes('*')) return lowerName.includes(lowerPattern);
  return matchesStarPattern(lowerPattern, lowerName);
}

function checkDemands(demands: Demands, judgement: JudgementBeforePolicy): readonly Demand[] {
  const { verdicts, strength, tests, claims, quick = false, onlyProse: isProse = false } = judgement;
  const verdict = (gate: GateName) => verdicts.find((candidate) => candidate.gate === gate);
  const results: Demand[] = [];
  const demand = (demandName: string, met: boolean, sentence: string) =>
    results.push({ what: demandName, met, found: sentence });
  /**
   * Adds a demand that a quick judgement leaves open unless it is met, because only gates that `--quick` omits can meet
   * it.
   */
  const demandThorough = (demandName: string, met: boolean, sentence: string, mayBeMet = true) =>
    quick && !met && mayBeMet
      ? results.push({ what: demandName, met, notJudged: true, found: UNJUDGED_TEXT })
      : demand(demandName, met, sentence);
  if (demands.strength)
    demandThorough(
      `at least ${demands.strength}`,
      STRENGTHS.indexOf(strength) <= STRENGTHS.indexOf(demands.strength),
      `It is ${strength}.`,
      strength === 'checked',
    );
  if (demands.gates === 'notFailed' || demands.gates === 'passed') {
    const violations = verdicts.filter(
      (candidate) => candidate.outcome === 'failed' || (demands.gates === 'passed' && isMissing(candidate)),
    );
    // A weakened test is reported below, by its name.
    const reportedViolations = violations.filter(({ gate }) => gate !== 'integrity' || demands.gates === 'passed');
    demand(
      demands.gates === 'passed' ? EVERY_CHECK : NO_FAILURE,
      reportedViolations.length === 0,
      reportedViolations.length === 0
        ? 'None does.'
        : reportedViolations.map(({ gate, reason }) => `${gate}: ${reason}`).join(' '),
    );
  }
  if (demands.tests && demands.tests !== 'any') demand(...checkTests(demands.tests, tests));
  if (demands.mutants !== undefined) demandThorough(...checkMutants(demands.mutants, verdicts, quick && isProse));
  if (demands.protectedPaths === 'unchanged') {
    const touched = verdict('charter')?.evidence['protected'];
    demand(
      'no protected path is touched',
      verdict('charter')?.outcome === 'passed',
      touched === undefined ? 'None is.' : `It touches ${String(touched).split('\n').slice(0, 5).join(', ')}.`,
    );
  }
  const demandNone = (demandText: string, key: string) => {
    const evidenceValue = verdict('integrity')?.evidence[key];
    demand(
      demandText,
      verdict('integrity') !== undefined && evidenceValue === undefined,
      evidenceValue === undefined ? 'Nothing does.' : String(evidenceValue).replaceAll('\n', ' '),
    );
  };
  if (demands.silencers === 'none') demandNone('nothing new silences a check', 'silenced');
  if (demands.hiddenFaults === 'none') demandNone(HIDDEN_DEMAND, HIDDEN_KEY);
  if (demands.points === 'kept' || demands.points === 'price') demand(...checkPoints(demands.points, verdict('score')));
  if (demands.claims) {
    const shownClaims = claims.filter(
      ({ kind, holds }) => holds === true && demands.claims!.some((claim) => claim === kind),
    );
    demandThorough(
      `it shows ${demands.claims.join(' or ')}`,
      shownClaims.length > 0,
      shownClaims[0]?.evidence ?? claims[0]?.evidence ?? 'It shows none of them.',
    );
  }
  return results;
}

function isMissing(verdict: Verdict): boolean {
  return REQUIRED_GATES.has(verdict.gate) && verdict.outcome === 'unknown' && !isNoSuchCheck(verdict);
}

function checkTests(
  required: 'unchanged' | 'added' | 'kept',
  { changes, added, edited = [] }: JudgementBeforePolicy['tests'],
): [string, boolean, string] {
  const violations =
    required === 'kept'
      ? changes.filter(({ kind }) => WEAKENING_KINDS.has(kind))
      : changes.filter(({ kind }) => kind !== 'gone');
  const addsTests = required === 'unchanged' && added > 0;
  // Here, the text of the file decides, regardless of the findings in it.
  const isEdited = required === 'unchanged' && edited.length > 0;
  const phrase = {
    unchanged: 'no test is edited',
    added: 'tests are only added',
    kept: 'no test that was there is weakened',
  }[required];
  const violationList = violations
    .slice(0, 5)
    .map(
      (change) =>
        `${TEST_CHANGE_TEXTS[change.kind]} in ${formatLine(change)}${change.test === '' ? '' : ` (${change.test})`}`,
    );
  return [
    phrase,
    violations.length === 0 && !addsTests && !isEdited,
    violations.length > 0
      ? `${violationList.join('; ')}${violations.length > 5 ? `; and ${violations.length - 5} more` : ''}.`
      : addsTests
        ? `${added} are new.`
        : isEdited
          ? `It edits ${edited.slice(0, 5).join(', ')}${edited.length > 5 ? `, and ${edited.length - 5} more` : ''}.`
          : 'So it is.',
  ];
}

/**
 * Checks a demand for mutants. Equal results of old and new code show nothing about the tests, so only the gate guard
 * counts. A mutant that was only stopped by the time limit was not noticed by a test. If no mutant is possible in the
 * touched lines themselves, mutants in the functions around them count. `hasNone`: true if no mutant is possible at
 * all.
 */
function checkMutants(required: number, verdicts: readonly Verdict[], hasNone = false): [string, boolean, string] {
  const demandText = `the tests notice at least ${required} % of the mutants in the touched lines`;
  if (hasNone) return [demandText, true, 'It changes only prose.'];
  const guard = verdicts.find(({ gate }) => gate === 'guard');
  const count = (name: string) => Number(guard?.evidence[name] ?? 0);
  const isAnyTouched = guard?.evidence['touchedJudged'] !== undefined;
  const noticed = count(isAnyTouched ? 'touchedNoticed' : 'noticed');
  const judgedCount = isAnyTouched ? count('touchedJudged') : noticed + count('survived') + count('unreached');
  if (judgedCount === 0)
    return [demandText, guard?.evidence['possible'] === 0, guard?.reason ?? 'No mutant was tried.'];
  const stopped = count(isAnyTouched ? 'touchedStopped' : 'stopped');
  const noticedByTests = noticed - stopped;
  const share = (100 * noticedByTests) / judgedCount;
  const sentence = `${noticedByTests} of ${judgedCount} are noticed (${Math.floor(share)} %).`;
  const remark = stopped === 0 ? '' : ` ${stopped} more were ended only by the time limit, which does not count.`;
  return [demandText, share >= required, `${sentence}${remark}`];
}

function checkPoints(required: 'kept' | 'price', score: Verdict | undefined): [string, boolean, string] {
  const demandText =
    required === 'kept' ? 'the score does not fall' : 'the score falls by no more than its new lines cost here';
  const [before, after, price] = ['before', 'after', 'price'].map((name) => score?.evidence[name]);
  if (typeof before !== 'number' || typeof after !== 'number')
    return [demandText, false, score?.reason ?? 'It was not measured.'];
  return [
    demandText,
    after >= before - (required === 'price' && typeof price === 'number' ? price : 0) - 1e-9,
    score!.reason,
  ];
}

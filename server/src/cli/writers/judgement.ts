// Formats the judgement of a change, for a terminal and as SARIF for code scanning.

import { checkLabel } from '../../protocol/plainWords.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { describeClaim } from '../../core/model/claims.ts';
import type { Verdict } from '../../core/model.ts';
import { WEAKENING_KINDS, type Judgement } from '../../core/model/judgement.ts';
import { HIDDEN_DEMAND, HIDDEN_KEY } from '../../core/model/proofs.ts';
import { concludeJudgement, formatNotShown, type Conclusion } from '../../core/verify/judge/conclusion.ts';
import { QUICK_TEXT } from '../../core/verify/judge/quick.ts';
import {
  describeFiles,
  describeJudgement,
  listUnjudged,
  suggestNextStep,
} from '../../core/verify/judge/judgementMarkdown.ts';
import {
  describeStrength,
  describeOldTest,
  formatTestPlace,
  TEST_CHANGE_TEXTS,
} from '../../core/verify/judge/judgementTexts.ts';
import { createVerdictDetails } from '../../core/verify/verdictDetails.ts';
import { sha256 } from '../../util/hash.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { formatVerdictDetails, LABEL_WIDTH } from './human.ts';
import { PRODUCT_URL, createArtifactLocation, createSarifLog } from './sarifLog.ts';

/** The rules of the SARIF document, with their titles. */
const RULES = {
  'weakened-test': 'A test that was there checks less',
  'changed-test': 'A test that was there is changed',
  'failed-check': 'A check fails with the change',
  'policy-not-met': 'A demand of the policy is not met',
  'not-shown': 'No check failed, and something was not shown',
};

/** The first words of the last sentence and their colour, by the conclusion of the judgement. */
const HEADLINES: Readonly<Record<Conclusion['kind'], readonly [word: string, color: 'green' | 'yellow' | 'red']>> = {
  passed: ['Passed', 'green'],
  look: ['Passed so far', 'yellow'],
  notJudged: ['Not judged', 'yellow'],
  notPassed: ['Not passed', 'red'],
};

/** Matches a sentence that begins with a place, in the form `PATH:LINE TEXT`. */
const PLACE_PATTERN = /^(?<path>.+?):(?<line>\d+) (?<text>.*)$/;

/** A judgement as text for a terminal. */
export function formatJudgement(judgement: Judgement, colors: Colors): string {
  const { policy, strength, verdicts, claims, tests, notes, seconds } = judgement;
  const outcomeColors = { passed: colors.green, failed: colors.red, unknown: colors.yellow };
  const lines = [
    `${describeFiles(judgement)} Judged from ${judgement.base.slice(0, 12)} in ${seconds} s.`,
    ...notes,
    '',
    ...verdicts.map(
      ({ gate, outcome, reason }) =>
        `${outcomeColors[outcome](outcome.padEnd(8))} ${checkLabel(gate).padEnd(LABEL_WIDTH)} ${escapeInvisibleLine(reason)}`,
    ),
  ];
  for (const verdict of verdicts) {
    const details = formatVerdictDetails(verdict);
    if (details.length > 0) lines.push('', ...details);
  }
  for (const change of tests.changes) {
    const word = TEST_CHANGE_TEXTS[change.kind];
    lines.push(
      '',
      escapeInvisibleLine(
        `${WEAKENING_KINDS.has(change.kind) ? colors.red(word) : colors.yellow(word)}  ${formatTestPlace(change)}`,
      ),
    );
    if (change.before !== null) lines.push(`  - ${escapeInvisibleLine(change.before)}`);
    if (change.after !== null) lines.push(`  + ${escapeInvisibleLine(change.after)}`);
    const oldText = describeOldTest(change);
    if (oldText !== '')
      lines.push(
        ...escapeInvisible(oldText)
          .split('\n')
          .map((line) => `    ${line}`),
      );
  }
  const heldClaims = claims.filter(({ holds }) => holds === true).flatMap((claim) => describeClaim(claim) ?? []);
  if (heldClaims.length > 0) lines.push('', ...heldClaims);
  lines.push('', `${colors.bold(strength)}: ${describeStrength(judgement)}`);
  for (const { name, demands } of policy.rules)
    for (const { what, met, notJudged, found } of demands)
      if (!met && !notJudged) lines.push(escapeInvisibleLine(`${colors.red('not met')}  ${what} (${name}): ${found}`));
  for (const text of listUnjudged(judgement))
    lines.push(escapeInvisibleLine(`${colors.yellow('not judged')}  ${text}`));
  const nextStepText = suggestNextStep(judgement);
  const conclusion = concludeJudgement(judgement);
  const notShownText = formatNotShown(conclusion);
  const [word, color] = HEADLINES[conclusion.kind];
  lines.push(
    escapeInvisibleLine(colors[color](`${word}: ${describeJudgement(judgement)}.`)),
    ...(notShownText === null ? [] : [escapeInvisibleLine(notShownText)]),
    ...(nextStepText === null ? [] : [escapeInvisibleLine(nextStepText)]),
    ...(judgement.quick ? [QUICK_TEXT] : []),
  );
  return lines.join('\n');
}

/**
 * The judgement as SARIF. There is one result for each changed test, each failed check, each unmet demand, and each
 * thing that was not shown. The check `integrity` has none, because it fails because of the changed tests and settings,
 * which have results. Every result has a place in the changed tree, because code scanning refuses a document with a
 * result that has none. If a result concerns the whole change or a file that is gone, its place is the first line of
 * the first changed file that remains.
 */
export function createJudgementSarif(judgement: Judgement, version: string) {
  const { verdicts, tests, policy, files } = judgement;
  const notShown = formatNotShown(concludeJudgement(judgement));
  const fallbackPath = files.remaining[0] ?? files.paths[0] ?? '.';
  const isGone = (path: string) => files.paths.includes(path) && !files.remaining.includes(path);
  const findRemainingPath = (path: string) => (isGone(path) ? fallbackPath : path);
  const hiddenFaults = verdicts.find(({ gate }) => gate === 'integrity')?.evidence[HIDDEN_KEY];
  const failedVerdicts = verdicts.filter(({ gate, outcome }) => outcome === 'failed' && gate !== 'integrity');
  const results = [
    ...tests.changes.map((change) => {
      const isWeaker = WEAKENING_KINDS.has(change.kind);
      const text = [
        `${TEST_CHANGE_TEXTS[change.kind]}: ${formatTestPlace(change)}.`,
        change.before === null ? '' : `Before: ${change.before}`,
        change.after === null ? '' : `After: ${change.after}`,
        describeOldTest(change),
      ].filter((part) => part !== '');
      return createResult(
        isWeaker ? 'weakened-test' : 'changed-test',
        text.join('\n'),
        change.now ?? { path: findRemainingPath(change.path), line: null },
        [...[change.kind, change.path, change.test], change.before ?? ''],
      );
    }),
    ...failedVerdicts.map((verdict) => {
      const { path } = verdict.evidence;
      const place = { path: typeof path === 'string' ? findRemainingPath(path) : fallbackPath, line: null };
      return createResult('failed-check', formatFailure(verdict), place, [verdict.gate]);
    }),
    ...policy.rules.flatMap(({ name, demands }) =>
      demands
        .filter(({ met, notJudged }) => !met && !notJudged)
        .flatMap(({ what, found }) => {
          const sentences =
            what === HIDDEN_DEMAND && hiddenFaults !== undefined ? String(hiddenFaults).split('\n') : [found];
          return sentences.map((sentence) => {
            const { path, line, text } = (what === HIDDEN_DEMAND && PLACE_PATTERN.exec(sentence)?.groups) || {};
            const place = { path: path ?? fallbackPath, line: line === undefined ? null : Number(line) };
            const identity = path === undefined ? [name, what] : [name, what, path, text!];
            return createResult('policy-not-met', `${what} (${name}): ${sentence}`, place, identity);
          });
        }),
    ),
    ...listUnjudged(judgement).map((text) =>
      createResult('not-shown', text, { path: fallbackPath, line: null }, [text]),
    ),
    ...(notShown === null ? [] : [createResult('not-shown', notShown, { path: fallbackPath, line: null }, [])]),
  ];
  return createSarifLog(version, {
    id: 'selfware-verify/',
    rules: Object.entries(RULES).map(([id, title]) => ({
      id,
      shortDescription: { text: title },
      helpUri: `${PRODUCT_URL}/blob/main/docs/gate.md`,
    })),
    results,
    properties: { met: policy.met, files: files.changed, conclusion: describeJudgement(judgement) },
  });
}

/**
 * A result. `identity`: the parts that stay the same if the same result is reported for another version of the change.
 */
function createResult(
  ruleId: keyof typeof RULES,
  text: string,
  { path, line }: { readonly path: string; readonly line: number | null },
  identity: readonly string[],
) {
  return {
    ruleId,
    ruleIndex: Object.keys(RULES).indexOf(ruleId),
    level: ruleId === 'changed-test' || ruleId === 'not-shown' ? 'note' : 'error',
    message: { text },
    partialFingerprints: { 'selfware/v1': sha256(JSON.stringify([ruleId, ...identity])) },
    locations: [
      { physicalLocation: { artifactLocation: createArtifactLocation(path), region: { startLine: line ?? 1 } } },
    ],
  };
}

/** A failed check in words, with its details. */
function formatFailure(verdict: Verdict): string {
  const details = createVerdictDetails(verdict);
  return `${checkLabel(verdict.gate)}: ${verdict.reason}${details === null ? '' : `\n${details.text}`}`;
}

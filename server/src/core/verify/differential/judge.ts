// Converts the report of the harness into the answer of the gate.

import { MENDED_CALL, MENDS_ONLY, NAMED_CALLS } from '../../model/evidence.ts';
import { UNPROVEN_KEY } from '../../model/proofs.ts';
import type { BehaviourChange, DifferentialPlan, HarnessReport, TargetReport } from './plan.ts';
import { shortenAroundDifference } from './shortenToDifference.ts';
import { createTestText, type TestLanguage } from './testText.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from '../answer.ts';

/** Maximum number of characters of a call, a result or a list in a sentence. */
const MAX_CHARACTERS = 300;
/** Maximum number of calls from tests that a sentence quotes. */
const MAX_NAMED_SHOWN = 3;

/** The input of the judgement besides plan and report. `tests`: the language of the test that shows a difference. */
export interface DifferentialJudgeOptions {
  readonly seed: number;
  /** True if the change should alter behaviour, so that a person judges any difference. */
  readonly isMeantToDiffer: boolean;
  readonly tests: TestLanguage;
}

/**
 * The answer of the gate. Passes only if every touched function was compared and no difference was found. Unknown if
 * something could not be compared, if fewer calls fail than before, or if differences are expected. Fails for any other
 * difference.
 */
export function judgeReport(
  plan: Pick<DifferentialPlan, 'gaps'> & Partial<Pick<DifferentialPlan, 'platform'>>,
  report: HarnessReport,
  { seed, isMeantToDiffer, tests }: DifferentialJudgeOptions,
): GateAnswer {
  const evidence = {
    functions: report.targets.length,
    same: report.targets.filter(({ outcome }) => outcome === 'same').length,
    inputs: report.targets.reduce((sum, { inputs }) => sum + inputs, 0),
    seed,
  };
  const fixedCall = createFixedCallEvidence(report);
  const namedChanges = report.targets.flatMap(({ named = [] }) => named);
  const namedCalls: GateAnswer['evidence'] =
    namedChanges.length > 0 ? { [NAMED_CALLS]: namedChanges.map(({ call }) => call).join('\n') } : {};
  const differentTarget = report.targets.find(
    (target): target is TargetReport & { counterexample: BehaviourChange } => target.counterexample !== null,
  );
  if (differentTarget) {
    const { counterexample } = differentTarget;
    const reason = describeCounterexample(counterexample);
    const details = {
      ...evidence,
      ...fixedCall,
      ...namedCalls,
      call: counterexample.call,
      before: counterexample.before,
      after: counterexample.after,
      test: counterexample.test ?? createTestText(differentTarget, tests),
    };
    return isMeantToDiffer
      ? unknown(`The behaviour differs, and a person has to say whether that is meant: ${reason}`, details)
      : failed(reason, details);
  }
  if (report.obstacle !== null) return unknown(report.obstacle, evidence);
  const openQuestions = [
    ...report.targets
      .filter(({ outcome }) => outcome === 'unknown')
      .map(({ name, reason }) => `\`${name}\`: ${reason}`),
    ...plan.gaps,
    ...unreachedSentence(report),
    ...report.unexercised.map(({ reason }) => reason),
  ];
  // A difference that occurred only once is shown to a person as well, like a confirmed one.
  const unconfirmedChange = report.targets.find((target) => target.seen !== undefined)?.seen;
  const callEvidence = unconfirmedChange && {
    call: unconfirmedChange.call,
    before: unconfirmedChange.before,
    after: unconfirmedChange.after,
  };
  if (openQuestions.length > 0)
    return unknown(shorten(openQuestions.join(' ')), {
      ...evidence,
      ...fixedCall,
      ...namedCalls,
      ...callEvidence,
      doubts: openQuestions.join('\n'),
    });
  if (namedChanges.length > 0)
    return unknown(`It differs only where its tests say so: ${describeNamed(namedChanges)}`, {
      ...evidence,
      ...fixedCall,
      ...namedCalls,
    });
  if (fixedCall !== null) {
    const { [MENDED_CALL]: fixedCallText, brokeBefore: before, answers: after } = fixedCall;
    const reason = describeCounterexample({ call: fixedCallText, before, after });
    return unknown(`Fewer calls fail than before, and no other difference was found: ${reason}`, {
      ...evidence,
      ...fixedCall,
      [MENDS_ONLY]: 1,
    });
  }
  if (report.targets.length === 0) return unknown('Nothing that was touched can be called.', evidence);
  const verb = evidence.same === 1 ? 'answers' : 'answer';
  const platform = plan.platform ?? [];
  const summary =
    `${formatCount(evidence.same, 'touched function')} ${verb} as before on ` +
    `${formatCount(evidence.inputs, 'generated input')}.${platform.length === 0 ? '' : ` But ${platformText(platform)}.`}`;
  const platformEvidence: GateAnswer['evidence'] =
    platform.length === 0 ? {} : { [UNPROVEN_KEY]: platformText(platform) };
  const endless = report.targets.reduce((sum, target) => sum + (target.endless ?? 0), 0);
  return endless === 0
    ? passed(summary, { ...evidence, ...platformEvidence })
    : passed(`${summary} On ${endless} more, neither the old nor the new code ends in time.`, {
        ...evidence,
        ...platformEvidence,
        endless,
      });
}

/** The reason why equal answers prove nothing for code that uses these names of the platform, as a clause. */
function platformText(names: readonly string[]): string {
  const quotedNames = names.slice(0, 3).map((name) => `\`${name}\``);
  return `the code uses ${quotedNames.join(', ')}${names.length > 3 ? ' and more' : ''}, and was compared on one platform only`;
}

/** The behaviour of a call without and with the change, as a sentence. */
function describeCounterexample({ call, before, after }: Pick<BehaviourChange, 'call' | 'before' | 'after'>): string {
  const shortened = shortenAroundDifference(before, after);
  return `\`${shorten(call)}\` ${shortened.before} before, and with the change it ${shortened.after}.`;
}

function describeNamed(changes: readonly BehaviourChange[]): string {
  const furtherCount = changes.length - MAX_NAMED_SHOWN;
  const shownChanges = changes.slice(0, MAX_NAMED_SHOWN).map(describeCounterexample);
  return `${shownChanges.join(' ')}${furtherCount > 0 ? ` And ${formatCount(furtherCount, 'more call')}.` : ''}`;
}

/** The evidence about the first call that failed before and no longer does; null if there is none. */
function createFixedCallEvidence(report: HarnessReport) {
  const target = report.targets.find(({ mended }) => mended !== undefined);
  const call = target?.mended;
  if (!call) return null;
  return { [MENDED_CALL]: call.call, brokeBefore: call.before, answers: call.after };
}

/** A sentence about touched lines that no input reached; empty if all were reached. */
function unreachedSentence({ unreached: lines }: HarnessReport): string[] {
  const [firstLine] = lines;
  return firstLine
    ? [
        `No input reached ${firstLine.path}: \`${firstLine.text}\`${lines.length > 1 ? ` and ${formatCount(lines.length - 1, 'other touched line')}` : ''}.`,
      ]
    : [];
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

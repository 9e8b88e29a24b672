// Runs old and new code side by side on generated inputs, and compares results, exceptions, changed arguments and
// calls.

import { deriveSeed } from '../../differential/seed.ts';
import { judgeReport } from '../../differential/judge.ts';
import { comparePython, isPython, isPythonCode, combineTwoAnswers } from '../../differential/python.ts';
import { REPORT_MARK, type DifferentialPlan, type HarnessOrder, type HarnessReport } from '../../differential/plan.ts';
import type { TestLanguage } from '../../differential/testText.ts';
import { detectTests } from '../../detect/testCommand.ts';
import { detectRunner } from '../../detect/testRunner.ts';
import { CLAIM_KIND, MENDED_CALL, NOTHING_TO_COMPARE } from '../../../model/evidence.ts';
import { needsCounterexample } from '../../claims/claimVerdicts.ts';
import { findComparedLiteral } from '../../claims/specialCase.ts';
import { SPECIAL_KEY } from '../../../model/proofs.ts';
import type { Gate, GateInput } from '../../gate.ts';
import { describeTimeLeft } from '../../judge/timeLeft.ts';
import type { ProofContext } from '../../proof.ts';
import { markTimeDependent, nullIfTimedOut } from '../../busyMachine.ts';
import { addTraces } from '../../traces/addTraces.ts';
import { isProse } from '../../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import { passed, unknown, type GateAnswer } from '../../answer.ts';
import { TYPESCRIPT_PATTERN } from '../../../paths/scriptFiles.ts';

/** Path of the order in the work tree. Tools do not search node_modules. */
const REQUEST_PATH = 'node_modules/.selfware/order.json';
/** Maximum number of inputs for each function. */
const MAX_INPUTS = 500;
/**
 * Extra time, in milliseconds, for the sandbox to start and end on a busy machine. The harness ends itself at the time
 * limit.
 */
const EXTRA_MS = 20_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/**
 * Compares generated calls first, and then the recorded calls of the tests, if the generated ones do not decide. A
 * change that is meant to behave differently is compared only with generated calls.
 */
export const gate: Gate = async (run, signal) => {
  const { proof, trusted } = run.context;
  const answer = addThoroughHint(await compareOnInputs(run, signal), proof);
  const mayDiffer = (proof?.changesBehavior(run.proposal.recipe) ?? true) || expectsDifference(run.verdicts);
  const isTraceable = run.edits.some(({ path }) => !isPython(path));
  return trusted && !mayDiffer && isTraceable ? addTraces(run, answer, signal) : answer;
};

/** Compares old and new code on generated inputs. */
const compareOnInputs: Gate = async (run, signal) => {
  const { proof, trusted } = run.context;
  if (!trusted) return unknown('Not run: the workspace is not trusted.');
  if (!proof || proof.settings.differentialSeconds === 0)
    return unknown('Not run: it is switched off (`selfware.verify.differentialSeconds`).');
  const pythonEdits = run.edits.filter(isPythonCode);
  if (pythonEdits.length === 0) return compareScripts(run, proof, run.edits, signal);
  const isMeantToDiffer = proof.changesBehavior(run.proposal.recipe) || expectsDifference(run.verdicts);
  const answer = await comparePython(run, pythonEdits, { proof, isMeantToDiffer }, signal);
  const otherEdits = run.edits.filter(({ path }) => !isPython(path) && !isProse(path));
  if (otherEdits.length === 0 || answer.outcome === 'failed') return addDoubt(run, answer);
  return addDoubt(run, combineTwoAnswers(answer, await compareScripts(run, proof, otherEdits, signal)));
};

/** Adds how the comparison gets more time, if it had less than the settings allow and found nothing. */
function addThoroughHint(answer: GateAnswer, proof: ProofContext | null | undefined): GateAnswer {
  const { inputs, call } = answer.evidence ?? {};
  if (answer.outcome !== 'unknown' || !proof?.settings.differentialCut || inputs === undefined || call !== undefined)
    return answer;
  const { differentialSeconds, budgetCut } = proof.settings;
  const limit = describeTimeLeft(differentialSeconds, budgetCut, '`--thorough`');
  return { ...answer, reason: `${answer.reason} It had ${limit}.` };
}

/**
 * Makes a passed answer unknown if a difference is expected, because finding none does not prove the same behaviour.
 */
function addDoubt({ verdicts }: GateInput, answer: GateAnswer): GateAnswer {
  return answer.outcome === 'passed' && expectsDifference(verdicts)
    ? unknown(`Apart from what its tests show, no difference was found: ${answer.reason}`, answer.evidence)
    : answer;
}

/** The answer for TypeScript and JavaScript. */
async function compareScripts(
  run: GateInput,
  proof: ProofContext,
  edits: GateInput['edits'],
  signal: AbortSignal,
): Promise<GateAnswer> {
  const tests = run.proposal.edits.filter(isTestEdit);
  const plan = await nullIfTimedOut(proof.planDifferential(edits, tests));
  if (!plan) return markTimeDependent(unknown('The comparison could not be planned in time.'));
  const isAllSettled = plan.files.length === 0 && plan.gaps.length === 0;
  if (isAllSettled && plan.unexported.length > 0)
    return answerForUnexported(run, plan.unexported, proof.checksImporters(run.proposal.recipe));
  if (isAllSettled && plan.restructured.length > 0)
    return passed(
      'It takes the same steps in the same order: only the way in which ifs and jumps are written has changed.',
      {
        files: plan.identical.length + plan.restructured.length,
        restructured: plan.restructured.length,
      },
    );
  if (isAllSettled && plan.identical.length > 0)
    return passed(
      'The code is the same except for comments, types, `const` for variables that nothing writes to, and unused imports of Node modules.',
      { files: plan.identical.length, identical: plan.identical.length },
    );
  const needlessReason = plan.targets.length === 0 ? explainNeedlessness(run.edits) : null;
  if (needlessReason !== null) return unknown(needlessReason, { gaps: '', [NOTHING_TO_COMPARE]: 1 });
  if (plan.targets.length === 0)
    return unknown(plan.gaps[0] ?? 'Nothing that was touched can be called.', { gaps: plan.gaps.join('\n') });
  if (!proof.harness) return unknown('This installation has no harness to run code in.');

  const seed = deriveSeed(run.proposal);
  const mends = needsCounterexample(run.verdicts);
  const isMeantToDiffer = proof.changesBehavior(run.proposal.recipe) || expectsDifference(run.verdicts);
  const request: HarnessOrder = {
    ...plan,
    // A change that must keep behaviour may not differ where a test demands it either.
    named: isMeantToDiffer ? (plan.named ?? []) : [],
    seed,
    budgetMs: proof.settings.differentialSeconds * 1000,
    runs: MAX_INPUTS,
    mends,
    // One difference decides the answer. A fix needs all targets, because it is shown by a call that no longer fails.
    untilDifferent: !mends,
  };
  await run.worktree.write([{ path: REQUEST_PATH, before: null, after: JSON.stringify(request) }]);
  const result = await run.worktree
    .run(
      {
        command: [...proof.harness, REQUEST_PATH],
        timeoutMs: request.budgetMs + EXTRA_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
      signal,
    )
    .finally(() => run.worktree.write([{ path: REQUEST_PATH, before: null, after: null }]));
  signal.throwIfAborted();
  const report = parseReport(result.stdout);
  if (!report) {
    const evidence = { exitCode: result.exitCode, output: result.stderr.slice(-2_000) };
    return result.outcome === 'timedOut'
      ? markTimeDependent(unknown(`The comparison was ended after ${Math.round(result.millis / 1000)} s.`, evidence))
      : unknown('The comparison crashed.', evidence);
  }
  const reportAnswer = judgeReport(plan, report, { seed, isMeantToDiffer, tests: await detectTestLanguage(run) });
  const answer = addSpecialCaseNote(run, reportAnswer);
  if (answer.outcome === 'passed') return addDoubt(run, answer);
  return answer.outcome === 'unknown' && report.targets.some(({ outOfTime }) => outOfTime)
    ? markTimeDependent(answer)
    : answer;
}

/**
 * The reason why nothing needs to be compared, if only tests and texts for people are edited; null if other files are
 * edited.
 */
function explainNeedlessness(edits: GateInput['edits']): string | null {
  if (edits.length === 0 || !edits.every((edit) => isProse(edit.path) || isTestEdit(edit))) return null;
  return edits.some(({ path }) => !isProse(path))
    ? 'Only tests have changed: the code that they test is the same, so there is nothing to compare.'
    : 'Only documentation has changed, so there is nothing to compare.';
}

/**
 * The answer, with a note if the new code compares with a literal in the call that shows the fix, because the code may
 * be made for that call.
 */
function addSpecialCaseNote({ edits }: GateInput, answer: GateAnswer): GateAnswer {
  const call = answer.evidence?.[MENDED_CALL];
  const specialUse = typeof call === 'string' ? findComparedLiteral(edits, [call]) : null;
  return specialUse === null ? answer : { ...answer, evidence: { ...answer.evidence, [SPECIAL_KEY]: specialUse } };
}

/**
 * True if a fix or a request was shown, or if this comparison must show a fix. A difference is then expected, and a
 * person should see it.
 */
function expectsDifference(verdicts: GateInput['verdicts']): boolean {
  if (needsCounterexample(verdicts)) return true;
  return verdicts.some(
    ({ gate, outcome, evidence }) =>
      gate === 'claim' &&
      outcome === 'passed' &&
      (evidence[CLAIM_KIND] === 'fix' || evidence[CLAIM_KIND] === 'request'),
  );
}

/**
 * The answer for a change that only removes exports. The code behaves the same unless somebody imports one of the
 * names. For code in the repository, the type check shows this. For other packages, `areImportersSearched` is true if
 * the recipe has searched for importers.
 */
function answerForUnexported(
  { verdicts }: GateInput,
  unexported: DifferentialPlan['unexported'],
  areImportersSearched: boolean,
): GateAnswer {
  const names = unexported.flatMap((file) => file.names.map((name) => `\`${name}\``));
  const evidence = { unexported: names.join(', ') };
  const sentence = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} no longer exported`;
  const isTypeChecked =
    unexported.every(({ path }) => TYPESCRIPT_PATTERN.test(path)) &&
    verdicts.some(({ gate, outcome }) => gate === 'types' && outcome === 'passed');
  if (!areImportersSearched) return unknown(`${sentence}; whether other code imports that was not checked.`, evidence);
  return isTypeChecked
    ? passed(`${sentence}, nothing imports that, and all other code is the same.`, evidence)
    : unknown(`${sentence}, and no type check says whether anything imports that.`, evidence);
}

function parseReport(output: string): HarnessReport | null {
  const line = output.split('\n').find((candidate) => candidate.startsWith(REPORT_MARK));
  return line === undefined ? null : (JSON.parse(line.slice(REPORT_MARK.length)) as HarnessReport);
}

async function detectTestLanguage(run: GateInput): Promise<TestLanguage> {
  const project = await run.project();
  const command = detectTests(project, run.context.settings.testCommand);
  const runner = command && detectRunner(command, project)?.name;
  return runner === 'vitest' || runner === 'jest' ? runner : 'node';
}

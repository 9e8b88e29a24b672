// Defines the tool `verify_change`: it judges a change that anybody has made, such as a branch or the working tree, by
// the gates that also judge proposals.

import * as z from 'zod';
import { concludeJudgement } from '../core/verify/judge/conclusion.ts';
import { renderJudgement } from '../core/verify/judge/judgementMarkdown.ts';
import { createIsolationQuestion, createPendingQuestion, DEFAULT_WAIT_SECONDS } from './isolationQuestion.ts';
import { defineTool } from './tool.ts';

/** Default time for the checks, in seconds. */
const DEFAULT_SECONDS = 300;
/** The purpose for which the code runs, as the question for a person shows it. */
const PURPOSE = 'The change is judged as it is in the repository.';
/** Maximum number of characters of one text in the data, because the output of a test runner may be long. */
const MAX_CHARACTERS = 4_000;
/** Maximum number of elements of one list in the data. */
const MAX_ELEMENTS = 200;

const revisionSchema = z.string().min(1).max(250);
const input = z.object({
  base: revisionSchema.describe(
    'What the change starts from: a branch, tag or commit, such as main. HEAD for what is not committed yet.',
  ),
  head: revisionSchema.optional().describe('The changed side. Left out: the working tree, uncommitted work included.'),
  seconds: z
    .number()
    .min(1)
    .max(3600)
    .default(DEFAULT_SECONDS)
    .describe(`Time for the checks (default ${DEFAULT_SECONDS}). What is not shown by then is unknown.`),
  wait_seconds: z
    .number()
    .min(0)
    .max(1800)
    .default(DEFAULT_WAIT_SECONDS)
    .describe(
      `Seconds to wait for the answer (default ${DEFAULT_WAIT_SECONDS}). The checks continue after that: call again with ` +
        'the same base and head.',
    ),
});

/** Judges a change, or waits for the running judgement of the same change. */
export const verifyChangeTool = defineTool<z.output<typeof input>>({
  name: 'verify_change',
  title: 'Judge a Change',
  summary:
    'Judges a branch or the working tree, whoever made it: do the checks pass, and are the tests as strict as before?',
  description:
    'Tells whether a change that is already in the repository is right: your edits in the working tree, a branch, a pull ' +
    'request. Runs types, linter and tests with and without it in a sandbox, names tests that were weakened, mistakes ' +
    'that no test would notice and calls that answer differently. Nothing is written to the repository. `conclusion` is ' +
    'passed, look (a person has to look at something, or `notShown` says what is open), notPassed or notJudged. Correct the code and not the tests. One ' +
    'change is judged at a time.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: true,
  runningText: 'Judging a change',
  icon: '$(law)',
  input,
  question: (_, session) => createIsolationQuestion(session, PURPOSE),
  async run({ base, head = null, seconds, wait_seconds: waitSeconds }, call) {
    const question = await createPendingQuestion(call, PURPOSE);
    if (question) return question;
    const { signal, report } = call.operation;
    const { judgement, startedAt } = await call.judgeChange(
      { base, head, seconds },
      { seconds: waitSeconds, signal, ...(report ? { report } : {}) },
    );
    const age = Math.round((Date.now() - startedAt) / 1000);
    if (judgement === null)
      return {
        structured: { running: true, startedSecondsAgo: age },
        text: `The change is being judged, for ${age} s so far. Call verify_change with the same base and head to wait for the answer. After edits, that call judges the new files instead.`,
      };
    const { kind, notShown } = concludeJudgement(judgement);
    const ageSentence = head === null ? `\n\nThe working tree was read ${age} s ago.` : '';
    return {
      structured: cutLongParts({ ...judgement, conclusion: kind, notShown, startedSecondsAgo: age }) as Record<
        string,
        unknown
      >,
      text: `${renderJudgement(judgement).replace(/^<!--[^\n]*-->\n/, '')}${ageSentence}`,
    };
  },
});

/** The data with long texts and lists cut, at every depth. */
function cutLongParts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_CHARACTERS ? value : `${value.slice(0, MAX_CHARACTERS - 1)}…`;
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map(cutLongParts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cutLongParts(part)]));
}

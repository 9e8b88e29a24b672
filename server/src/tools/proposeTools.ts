// Defines the tools that propose a change: edits that the agent writes, a refactoring by name, or the recipe of an
// opportunity. Each proposal is filed and verified, and then waits for a decision. The tool `verify` verifies a
// proposal whose verification did not finish.

import * as z from 'zod';
import type { Proposal } from '../core/model.ts';
import type { Session } from '../core/session.ts';
import { SelfwareError } from '../util/typedError.ts';
import { quoteAgent } from '../util/visible.ts';
import { toOneLine } from './bounds.ts';
import { describeProposal } from './describeProposal.ts';
import { createIsolationQuestion, createPendingQuestion, DEFAULT_WAIT_SECONDS } from './isolationQuestion.ts';
import { defineTool, type ToolAnswer, type ToolCall } from './tool.ts';
import { formatCount } from '../util/counted.ts';

/** The schema of the number of seconds for which a call waits for the verdicts. */
const waitSchema = z
  .number()
  .min(0)
  .max(1800)
  .default(DEFAULT_WAIT_SECONDS)
  .describe(
    `Seconds to wait for the verdicts (default ${DEFAULT_WAIT_SECONDS}). The verification continues after ` +
      `that: ask for it by the tool proposal.`,
  );
const pathSchema = z.string().min(1).max(1000);
const hints = { readOnly: false, destructive: false, idempotent: false } as const;
const RESULT_DESCRIPTION =
  'Nothing in the working tree is touched: the change is checked in a sandbox (syntax, charter, integrity, ' +
  'points, types, lint, tests, old code against new) and then waits for a decision. You get its strength ' +
  '(proven, tested, checked or unchecked), the verdict of each gate, the failing tests, a counterexample ' +
  'where there is one, the points before and after, and the id of the proposal.';

/** The schema of one edit: search and replace, or the complete text of a file. */
export const editSchema = z.object({
  file: pathSchema.describe('Path relative to the root, with /.'),
  search: z
    .string()
    .max(200_000)
    .optional()
    .describe('Exact text that stands in the file exactly once: take enough lines around it. Goes with `replace`.'),
  replace: z.string().max(200_000).optional().describe('The new text; empty to delete the old text.'),
  content: z
    .string()
    .max(1_000_000)
    .nullable()
    .optional()
    .describe(
      'Instead of search and replace: the whole new text of the file, which need not exist yet; null deletes it.',
    ),
});

/** The schema of the claim of a change. */
const claimSchema = z
  .enum(['fix', 'tests', 'types', 'speed', 'points'])
  .optional()
  .describe(
    'What the change makes better, where that is more than points. fix: bring a test among the edits that ' +
      'fails without the change and passes with it. tests: only new tests, which have to notice a mistake ' +
      'that no other test notices. types: fewer any, ! and as with the same JavaScript. speed: the configured ' +
      'benchmark is at least 5 % faster. Left out: the first that holds of fix, tests, types, points.',
  );

const patchInput = z.object({
  title: z.string().min(1).max(200).describe('What the change does, in one line, as a commit would say it.'),
  rationale: z.string().max(4000).default('').describe('Why; the person who decides reads it.'),
  claim: claimSchema,
  edits: z
    .array(editSchema)
    .min(1)
    .max(200)
    .describe('All edits of the change; several of one file all speak of the file as it is now.'),
  wait_seconds: waitSchema,
});

/** Files edits as a proposal and verifies it. */
export const proposePatchTool = defineTool<z.output<typeof patchInput>>({
  name: 'propose_patch',
  title: 'Propose a Patch',
  summary:
    'Files edits as a proposal and proves in a sandbox whether they make the repository better and break nothing.',
  description:
    `Brings your edits (search and replace, or whole files) as one proposal. Use it instead of writing to ` +
    `files yourself when a change has to be safe. ${RESULT_DESCRIPTION} A change passes only when no gate ` +
    `fails and what it claims to make better is shown: points, a fix, tests, types or speed.`,
  hints,
  needsTrust: true,
  runningText: 'Verifying a patch',
  icon: '$(beaker)',
  input: patchInput,
  question: (input, session) => createIsolationQuestion(session, quoteAgent(input.title, 120)),
  run: async ({ title, rationale, edits, claim, wait_seconds: seconds }, call) =>
    (await createPendingQuestion(call, quoteAgent(title, 120))) ??
    proposeAndVerify(
      call,
      {
        kind: 'edit',
        description: [title, rationale].filter((part) => part !== '').join('\n\n'),
        edits,
        ...(claim ? { claim: claim } : {}),
      },
      seconds,
    ),
});

const transformInput = z.object({
  kind: z
    .enum([
      'addFunction',
      'modifyFunction',
      'extractFunction',
      'patternReplace',
      'addParameter',
      'wrapInCache',
      'extractToModule',
      'inlineConstant',
    ])
    .describe(
      'addFunction: path, source, after?. modifyFunction: path, symbol, source. extractFunction: path, ' +
        'symbol. patternReplace: path, pattern, replacement ($name stands for any expression). addParameter: ' +
        'path, symbol, name, type?, defaultValue. wrapInCache: path, symbol. extractToModule: path, symbols, to. ' +
        'inlineConstant: path, symbol.',
    ),
  path: pathSchema.describe('The TypeScript or JavaScript file, relative to the root.'),
  symbol: z.string().max(300).optional().describe('Name of a top-level definition, or Class.method.'),
  symbols: z.array(z.string().max(300)).max(100).optional().describe('Of extractToModule: what moves.'),
  to: z.string().max(1000).optional().describe('Of extractToModule: the new file.'),
  source: z.string().max(200_000).optional().describe('Of addFunction and modifyFunction: one function.'),
  after: z.string().max(300).optional().describe('Of addFunction: the function that it goes behind.'),
  pattern: z.string().max(10_000).optional().describe('Of patternReplace: an expression with holes such as $a.'),
  replacement: z.string().max(10_000).optional().describe('Of patternReplace: an expression with the same holes.'),
  name: z.string().max(300).optional().describe('Of addParameter.'),
  type: z.string().max(1000).optional().describe('Of addParameter; left out in JavaScript.'),
  defaultValue: z.string().max(10_000).optional().describe('Of addParameter: an expression.'),
  claim: claimSchema,
  tests: z
    .array(editSchema)
    .max(50)
    .optional()
    .describe(
      'Tests that go with it: a refactoring that adds something costs points, and its tests can show what for.',
    ),
  wait_seconds: waitSchema,
});

/** Proposes a refactoring that the recipe of its kind makes. */
export const proposeTransformTool = defineTool<z.output<typeof transformInput>>({
  name: 'propose_transform',
  title: 'Propose a Refactoring by Name',
  summary: 'Makes one of eight refactorings by name, deterministically, and runs the checks on it.',
  description:
    `Makes a refactoring of TypeScript or JavaScript by the syntax tree, so that you need not write the ` +
    'edits: extract a function, move declarations into a module, add a parameter, cache a pure function, replace a ' +
    'pattern, inline a constant, add or replace a function. ' +
    `It refuses, with the reason, where it cannot be sure. ${RESULT_DESCRIPTION}`,
  hints,
  needsTrust: true,
  runningText: 'Verifying a refactoring',
  icon: '$(symbol-method)',
  input: transformInput,
  question: (input, session) => createIsolationQuestion(session, quoteAgent(`${input.kind} in ${input.path}`, 120)),
  run: async ({ wait_seconds: seconds, ...request }, call) =>
    (await createPendingQuestion(call, quoteAgent(`${request.kind} in ${request.path}`, 120))) ??
    proposeAndVerify(call, request, seconds),
});

const improvementInput = z.object({
  opportunity: z
    .string()
    .max(200)
    .optional()
    .describe('Id from the tool opportunities. Without it the best one that a recipe can fix.'),
  wait_seconds: waitSchema,
});

/** Proposes the change that the recipe of an opportunity makes. */
export const proposeImprovementTool = defineTool<z.output<typeof improvementInput>>({
  name: 'propose_improvement',
  title: 'Mend an Opportunity by Its Recipe',
  summary: 'Lets a deterministic recipe fix an opportunity, and runs the checks on the change.',
  description: `Realises an opportunity by its recipe; you write no code. ${RESULT_DESCRIPTION}`,
  hints,
  needsTrust: true,
  runningText: 'Mending an opportunity',
  icon: '$(sparkle)',
  input: improvementInput,
  async run({ opportunity, wait_seconds: seconds }, call) {
    const { session, operation, refresh } = call;
    await refresh('analysis');
    const { proposal, tried } = await session.proposals.propose({
      ...operation,
      ...(opportunity === undefined ? {} : { opportunity }),
    });
    if (proposal) return verifyAndDescribe(call, proposal, seconds);
    const reasons = [...new Set(tried.map(({ refused }) => toOneLine(refused, 300)))].slice(0, 5);
    return {
      structured: { proposal: null, tried: tried.slice(0, 20) },
      text:
        tried.length === 0
          ? 'There is no opportunity that a recipe can fix. Look at the tool opportunities with fixable: false, and write the change yourself.'
          : `Nothing is proposed; tried: ${formatCount(tried.length, 'opportunity', 'opportunities')}. ${reasons.join(' ')}`,
    };
  },
});

const verifyInput = z.object({
  proposal: z.string().min(1).max(200).describe('Id of a proposal whose verification never began or did not finish.'),
  wait_seconds: waitSchema,
});

/** Verifies a filed proposal whose verification never began or did not finish. */
export const verifyTool = defineTool<z.output<typeof verifyInput>>({
  name: 'verify',
  title: 'Verify a Proposal Again',
  summary: 'Runs the checks of a proposal whose verification never began or did not finish.',
  description:
    'Runs the checks of a proposal that was filed and whose checks did not finish: the verification was cancelled, or broke down. The other tools that propose verify by themselves.',
  hints: { ...hints, idempotent: true },
  needsTrust: true,
  runningText: 'Verifying a proposal',
  icon: '$(debug-rerun)',
  input: verifyInput,
  async question({ proposal: id }, session) {
    return createIsolationQuestion(session, (await session.proposals.get(id)).title);
  },
  async run({ proposal: id, wait_seconds: seconds }, call) {
    const storedProposal = await call.session.proposals.get(id);
    if (
      storedProposal.status !== 'proposed' &&
      storedProposal.status !== 'deferred' &&
      !call.verifications.isRunning(id)
    )
      throw new SelfwareError('illegalStep', `The proposal is ${storedProposal.status}; it is not checked again.`, {
        action: 'Look at it with the tool proposal.',
      });
    return (
      (await createPendingQuestion(call, storedProposal.title)) ?? verifyAndDescribe(call, storedProposal, seconds)
    );
  },
});

/** Files the requested change as a proposal and verifies it. */
async function proposeAndVerify(call: ToolCall, request: unknown, seconds: number): Promise<ToolAnswer> {
  return verifyAndDescribe(
    call,
    await call.session.proposals.proposeTransform(request, call.operation, call.author),
    seconds,
  );
}

/**
 * Starts the verification of the proposal if it never began or did not finish, and waits for the verdicts for at most
 * `seconds`.
 */
async function verifyAndDescribe(
  { session, operation, verifications }: ToolCall,
  proposal: Proposal,
  seconds: number,
): Promise<ToolAnswer> {
  if (proposal.status === 'proposed' || (proposal.status === 'deferred' && proposal.verdicts.length === 0))
    verifications.start(session, proposal.id);
  const judgedProposal =
    (await verifications.wait(proposal.id, { seconds, signal: operation.signal, report: operation.report })) ??
    (await session.proposals.get(proposal.id));
  return createProposalAnswer(
    session,
    judgedProposal,
    verifications.isRunning(judgedProposal.id) ? 'going through its checks' : null,
    {
      diff: judgedProposal.recipe !== 'brought',
    },
  );
}

/**
 * Describes the proposal. If it is verified, the answer also gives the reason why a person must decide, or states that
 * it may be applied without asking. `running`: the current step of its verification, in words; null if it is not being
 * verified.
 */
export async function createProposalAnswer(
  session: Session,
  proposal: Proposal,
  running: string | null,
  options: { readonly diff: boolean; readonly receipt?: string },
): Promise<ToolAnswer> {
  const isVerified = proposal.status === 'verified' || proposal.status === 'approved';
  return describeProposal(proposal, {
    running,
    ...(isVerified ? { reasonToAsk: await session.proposals.explainNeedToAsk(proposal.id) } : {}),
    ...options,
  });
}

// Defines the content of a policy for `selfware verify`: the demands on a change, by its author or its files. Its
// types, its validation and schemas/policy.schema.json are derived from this file.

import * as z from 'zod';
import { SelfwareError } from '../util/typedError.ts';

const demandsSchema = z.strictObject({
  strength: z
    .enum(['proven', 'tested', 'checked', 'unchecked'])
    .optional()
    .describe('The proof is at least this strong: docs/proof.md says what the words mean.'),
  gates: z
    .enum(['passed', 'notFailed', 'any'])
    .optional()
    .describe(
      'passed = syntax, types, lint and tests have passed, unless the repository has none; notFailed = no gate has failed (the usual demand); any = nothing.',
    ),
  tests: z
    .enum(['unchanged', 'added', 'kept', 'any'])
    .optional()
    .describe(
      'unchanged = no test is edited; added = tests are only added; kept = no test that was there is weakened (the usual demand); any = nothing.',
    ),
  mutants: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'The percentage of mistakes (mutants) in the touched lines that the tests must notice. Not measured = not met.',
    ),
  protectedPaths: z
    .enum(['unchanged', 'any'])
    .optional()
    .describe('unchanged = no file that decides what is run, checked or allowed is touched.'),
  silencers: z
    .enum(['none', 'any'])
    .optional()
    .describe('none = nothing new silences a check (`eslint-disable`, `@ts-ignore`, `any` and the like).'),
  hiddenFaults: z
    .enum(['none', 'any'])
    .optional()
    .describe(
      'none = no new code may hide a fault, such as an answer written down for a new test, or a `catch` that hides errors.',
    ),
  points: z
    .enum(['kept', 'price', 'any'])
    .optional()
    .describe('kept = the score does not fall; price = it falls at most by the price of a claim.'),
  claims: z
    .array(z.enum(['fix', 'tests', 'types']))
    .min(1)
    .optional()
    .describe('One of these has to be shown: see docs/claims.md.'),
});

/** The schema of a policy. */
export const policySchema = z.strictObject({
  $schema: z.string().optional().describe('The schema of this file. Editors use it; Selfware does not.'),
  require: demandsSchema
    .optional()
    .describe('Demanded of every change. For whatever is left out here, the usual demand holds.'),
  rules: z
    .array(
      z.strictObject({
        name: z.string().regex(/\S/, 'A name must not be empty.').optional().describe('What people read.'),
        authors: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe(
            'Applies if one of the authors or co-authors matches: `Name <address>`, `*` stands for anything, case does not matter. Left out: anybody.',
          ),
        paths: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe('Applies if one of the changed files matches: patterns as in .gitignore. Left out: any file.'),
        require: demandsSchema,
      }),
    )
    .optional()
    .describe('More demands. Every rule that applies has to be met as well.'),
});

/**
 * Demands on a change. If a part is left out, the usual demand applies in `require`, and no further demand in a rule.
 */
export type Demands = z.infer<typeof demandsSchema>;
/** The content of a policy. */
export type PolicyFile = Omit<z.infer<typeof policySchema>, '$schema'>;

/**
 * Parses a policy; `name` names it in errors. Throws `usage` with all problems, because an ignored policy would demand
 * nothing.
 */
export function parsePolicy(text: string, name: string): PolicyFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SelfwareError('usage', `The policy ${name} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  const parsed = policySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
  throw new SelfwareError('usage', `The policy ${name} cannot be used: ${problems}`, {
    action: 'schemas/policy.schema.json and docs/gate.md say what a policy may hold.',
  });
}

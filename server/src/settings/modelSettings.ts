// Defines the settings for language models: their limits and prices, and the coding agents that a person has set up.

import * as z from 'zod';

/** A host name without a port, because the enclosure of an agent accepts only such names. */
const hostSchema = z.string().regex(/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, 'a host is a name such as api.example.com');

const agentCommandSchema = z.union([
  z.string().min(1),
  z.strictObject({
    command: z.string().min(1).describe('The command line.'),
    hosts: z.array(hostSchema).default([]).describe('Hosts that it may reach by https. None: no network.'),
    login: z.array(z.string().min(1)).default([]).describe('Files below your home that it gets a copy of.'),
    keys: z.array(z.string().min(1)).default([]).describe('Environment variables that it gets.'),
    protocol: z
      .enum(['command', 'acp'])
      .default('command')
      .describe('`acp`: it speaks the Agent Client Protocol on its standard input and output.'),
  }),
]);

const researchSchema = z.strictObject({
  command: z
    .string()
    .default('')
    .describe('The command line; `{query}` is replaced. Empty: nothing is searched online.'),
  hosts: z.array(hostSchema).default([]).describe('Hosts that it may reach by https. None: no network.'),
  keys: z.array(z.string().min(1)).default([]).describe('Environment variables that it gets.'),
  seconds: z.int().min(1).max(600).default(30).describe('After so many seconds it is ended.'),
  questions: z.int().min(1).max(10).default(2).describe('Queries about one task within 24 hours.'),
});

const priceSchema = z.strictObject({
  input: z.number().min(0).describe('A million tokens of questions.'),
  output: z.number().min(0).describe('A million tokens of answers.'),
  cached: z.number().min(0).optional().describe("A million tokens of questions from the provider's cache."),
  written: z
    .number()
    .min(0)
    .optional()
    .describe(
      'A million tokens of questions that the provider stores in its cache. For `anthropic:` a quarter more than `input` if absent, for others as much.',
    ),
});

const moneySchema = z.number().min(0).max(1_000_000).default(0);
const secondsSchema = z.int().min(0).max(10_000_000).default(0);
const attemptsSchema = z.int().min(0).max(1_000_000).default(0);

/**
 * The schema of the setting that names the proposers for a role. `model`: the default, which fits into 16 GB of memory.
 */
const createRoleSchema = (role: string, defaultModel: string) =>
  z
    .string()
    .min(1)
    .max(1000)
    .default(defaultModel)
    .describe(`Proposers for \`role:${role}\` and, where a task needs it, \`role:auto\`: names with commas between.`);

/** Schemas of the settings that begin with `models.`, with their descriptions. */
export const modelSettings = {
  'models.roles.intent': createRoleSchema('intent', 'ollama:qwen2.5:3b'),
  'models.roles.reasoning': createRoleSchema('reasoning', 'ollama:phi4:14b'),
  'models.roles.coding': createRoleSchema('coding', 'ollama:qwen2.5-coder:14b'),
  'models.order': z
    .enum(['learned', 'listed'])
    .default('learned')
    .describe(
      'Whom of several proposers of a role a question goes to first: `learned`, by what passed the checks for which cost ([how](learning.md#who-is-asked-first); never one that costs money or gets code before one on this machine that stands earlier), or `listed`, as they stand in the setting of the role.',
    ),
  'models.tokensPerTask': z
    .int()
    .min(1000)
    .max(100_000_000)
    .default(1_000_000)
    .describe('Tokens that one task may cost when a language model is asked: questions and answers of all attempts.'),
  'models.tokensPerDay': z
    .int()
    .min(1000)
    .max(1_000_000_000)
    .default(3_000_000)
    .describe('Tokens that all tasks of a repository together may cost within 24 hours.'),
  'models.tokensPerRun': z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe('Tokens that all tasks together may cost in one run (a command, a night, a window). 0 = no limit.'),
  'models.contextTokens': z
    .int()
    .min(2000)
    .max(1_000_000)
    .default(24_000)
    .describe('Tokens of source code that a question to a language model shows.'),
  'models.replyTokens': z
    .int()
    .min(256)
    .max(200_000)
    .default(16_000)
    .describe('Tokens that one answer of a language model may have.'),
  'models.samples': z
    .int()
    .min(1)
    .max(10)
    .default(1)
    .describe(
      'Answers that are asked for each question to a language model. Those that pass the checks that run nothing are kept, and the best is tested first.',
    ),
  'models.prices': z
    .record(z.string().min(1).max(200), priceSchema)
    .default({})
    .describe(
      'Prices of a million tokens, by the name of a proposer, in your currency: `{"anthropic:*": {"input": 3, "output": 15, "cached": 0.3, "written": 3.75}}`. `*` stands for any text, and the longest pattern counts. Without a price, costs are unknown.',
    ),
  'models.costPerTask': moneySchema.describe(
    'Money that one task may cost in all attempts. 0 = no limit. Needs `models.prices`.',
  ),
  'models.costPerRun': moneySchema.describe(
    'Money that questions to language models may cost in one run (a command, a night, a window). 0 = no limit. Needs `models.prices`.',
  ),
  'models.costPerDay': moneySchema.describe(
    'Money that questions about a repository may cost within 24 hours. 0 = no limit. Needs `models.prices`.',
  ),
  'models.secondsPerTask': secondsSchema.describe(
    'Seconds that the questions about one task may take in all attempts. 0 = no limit.',
  ),
  'models.secondsPerRun': secondsSchema.describe(
    'Seconds that all questions to language models may take in one run (a command, a night, a window). 0 = no limit.',
  ),
  'models.secondsPerDay': secondsSchema.describe(
    'Seconds that all questions about a repository may take within 24 hours. 0 = no limit.',
  ),
  'models.attemptsPerRun': attemptsSchema.describe(
    'Attempts at all tasks together in one run (a command, a night, a window). 0 = no limit.',
  ),
  'models.attemptsPerDay': attemptsSchema.describe(
    'Attempts at all tasks of a repository together within 24 hours. 0 = no limit.',
  ),
  'models.answerSeconds': z
    .int()
    .min(5)
    .max(86_400)
    .default(600)
    .describe('After so many seconds without a complete answer, a question to a language model has failed.'),
  'models.beginSeconds': z
    .int()
    .min(5)
    .max(86_400)
    .default(420)
    .describe(
      'After so many seconds without the first piece of an answer, a question to a model elsewhere has failed. A model may think for minutes before it sends anything. A model on this machine may take `models.answerSeconds`.',
    ),
  'models.references': z
    .boolean()
    .default(false)
    .describe(
      'Show a model or an agent similar code from other repositories on this machine (`selfware references`), as data with its source. Their text then goes where the question goes.',
    ),
  'models.research': researchSchema
    .default({ command: '', hosts: [], keys: [], seconds: 30, questions: 2 })
    .describe(
      'A search program of your own, which is asked online when a first attempt at a fix or a request has failed ' +
        '([what it is told](models.md#online-research)). You are asked in each run. It runs in an enclosure.',
    ),
  'models.localLibrary': z
    .string()
    .default('')
    .describe(
      'For `gguf:PATH`: a folder in which `npm install node-llama-cpp` was run. Empty: the one of `selfware models install local`.',
    ),
  'models.commands': z
    .record(z.string().regex(/^[\w.-]+$/), agentCommandSchema)
    .default({})
    .describe(
      'Coding agents of your own, for `--proposer command:NAME`: a command line for each name. ' +
        'It runs in an enclosure ([how it gets its task, hosts and login](models.md#an-agent-of-your-own)).',
    ),
} as const;

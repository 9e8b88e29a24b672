// Schemas of the limits for language models, and of the coding agents that a person has set up.

import * as z from 'zod';

/** A host name without port; the enclosure accepts nothing else. */
const host = z.string().regex(/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, 'a host is a name such as api.example.com');

const agentCommand = z.union([
  z.string().min(1),
  z.strictObject({
    command: z.string().min(1).describe('The command line.'),
    hosts: z.array(host).default([]).describe('Hosts that it may reach by https. None: no network.'),
    login: z.array(z.string().min(1)).default([]).describe('Files below your home that it gets a copy of.'),
    keys: z.array(z.string().min(1)).default([]).describe('Environment variables that it gets.'),
  }),
]);

export const modelSettings = {
  'models.tokensPerTask': z
    .int()
    .min(1000)
    .max(100_000_000)
    .default(300_000)
    .describe('Tokens that one task may cost when a language model is asked: questions and answers of all attempts.'),
  'models.tokensPerDay': z
    .int()
    .min(1000)
    .max(1_000_000_000)
    .default(3_000_000)
    .describe('Tokens that all tasks of a repository together may cost within 24 hours.'),
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
  'models.answerSeconds': z
    .int()
    .min(5)
    .max(86_400)
    .default(600)
    .describe('After so many seconds without a complete answer, a question to a language model has failed.'),
  'models.commands': z
    .record(z.string().regex(/^[\w.-]+$/), agentCommand)
    .default({})
    .describe(
      'Coding agents of your own, for `--proposer command:NAME`: a command line for each name. ' +
        'It runs in an enclosure ([how it gets its task, hosts and login](models.md#an-agent-of-your-own)).',
    ),
} as const;

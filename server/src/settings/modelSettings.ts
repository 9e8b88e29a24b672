// What asking a language model may cost.

import * as z from 'zod';

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
} as const;

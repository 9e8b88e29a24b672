// Defines the settings for training a person's own model on what was learned in a repository.

import * as z from 'zod';

const commandSchema = z.string().max(4000).default('');

/** Schemas of the settings that begin with `learn.`, with their descriptions. */
export const learnSettings = {
  'learn.model': z
    .string()
    .max(1000)
    .default('')
    .describe(
      'The model that training begins with: `ollama:MODEL`, or `gguf:PATH` for a file. Empty = none is trained.',
    ),
  'learn.trainCommand': commandSchema.describe(
    'Command line of your trainer ([what it gets and has to write](training.md#the-trainer)). It runs in your shell. Empty = none.',
  ),
  'learn.evaluateCommand': commandSchema.describe(
    'Command line that evaluates a model on the held-out examples ([how](training.md#the-evaluator)). Empty = Selfware asks the models itself.',
  ),
  'learn.trainMinutes': z
    .int()
    .min(1)
    .max(10_080)
    .default(240)
    .describe('After so many minutes, a trainer or an evaluator is ended.'),
  'learn.modelGigabytes': z
    .number()
    .min(0.001)
    .max(10_000)
    .default(32)
    .describe('Gigabytes that a trainer may write for one model, checkpoints included.'),
  'learn.afterLearnings': z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe('So many new learnings are a reason to train.'),
  'learn.afterDays': z
    .number()
    .min(0.01)
    .max(3650)
    .default(7)
    .describe('So many days since the last training are a reason to train, if there is anything new.'),
  'learn.minSuccess': z
    .number()
    .min(0)
    .max(1)
    .default(0.9)
    .describe(
      'A lower success rate of the model on the held-out examples is a reason to train, if there is anything new.',
    ),
  'learn.checkMinutes': z
    .int()
    .min(1)
    .max(10_080)
    .default(60)
    .describe('How often `selfware learn train` looks whether there is a reason to train.'),
  'learn.port': z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe(
      'Port on the loopback of this machine where `selfware learn train` offers status, trigger and figures, with the token in the file `metrics-token` of the state folder. 0 = off.',
    ),
} as const;

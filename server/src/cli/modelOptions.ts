// Defines the options of commands that ask language models. `--samples` and `--max-cost` override settings for one run.

import { Option } from 'commander';
import { SelfwareError } from '../util/typedError.ts';

/** The values of these options as the person has typed them. */
export interface ModelOptions {
  readonly proposer?: string | undefined;
  readonly samples?: string | undefined;
  readonly maxCost?: string | undefined;
  readonly research?: boolean | undefined;
}

/** The option for the number of answers to each question. */
export function createSamplesOption(): Option {
  return new Option('--samples <n>', 'with --proposer: answers to each question, of which the best is tested first');
}

/** The option for the maximum cost of the questions. */
export function createMaxCostOption(): Option {
  return new Option('--max-cost <amount>', 'with --proposer: what this run may cost, by the prices in models.prices');
}

/** The option for online research. */
export function createResearchOption(): Option {
  return new Option(
    '--research',
    'with --proposer: also search online with models.research, from the first attempt on',
  );
}

/** The error for `--research` with a task for which nothing is searched. */
export function createResearchUsageError(): SelfwareError {
  return new SelfwareError('usage', 'Online research is only about a failing test or a request.', {
    action: 'Leave --research out.',
  });
}

/**
 * The settings that these options stand for, each as `name=value`. Throws `usage` if an option is given without
 * `--proposer`, or if its value is not possible.
 */
export function parseModelSettings({ proposer, samples, maxCost, research }: ModelOptions): readonly string[] {
  if (proposer === undefined && (samples ?? maxCost ?? research) !== undefined)
    throw new SelfwareError('usage', '--samples, --max-cost and --research go with --proposer.', {
      action: '`selfware models` lists who can be asked.',
    });
  return [
    ...(samples === undefined ? [] : [`models.samples=${parseSamples(samples)}`]),
    ...(maxCost === undefined ? [] : [`models.costPerRun=${parseAmount(maxCost)}`]),
  ];
}

/** The value of `--samples`. Throws `usage` unless it is from 1 to 10. */
function parseSamples(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 10) return number;
  throw new SelfwareError('usage', '--samples takes a whole number from 1 to 10.');
}

/** The value of `--max-cost`. Throws `usage` unless it is above 0. */
function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount > 0) return amount;
  throw new SelfwareError('usage', '--max-cost takes an amount above 0, such as 2.50.');
}

// Makes an input that shows mistakes easier to read: arguments of the tests, plain lists, fewer and shorter values.

import type { Shape } from '../../../core/verify/differential/plan.ts';
import type { DistinguishingOrder } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { makeSmaller } from '../shrinkValues.ts';
import { formatAsCode } from '../sourceCode.ts';
import { conformsToShape } from './typeConformance.ts';
import { collectFamiliarValues } from './firstInputs.ts';
import { isKindred, collectScalars, collectWords } from './inputsNearExamples.ts';
import { removeNeedlessSteps } from './steps.ts';
import { moveTowardsExamples } from './moveTowardsExamples.ts';

type Input = readonly ValueSpec[];

/** Maximum length of a text that counts as a word. */
const MAX_WORD_LENGTH = 12;
/** Maximum number of calls that each step of simplifying one call may try. */
const MAX_TRIES = 120;
/** The plainest list: its texts do not refer to the function. */
const PLAIN_LIST: ValueSpec = { $: 'array', of: ['foo', 'bar'] };

/**
 * The smallest input that was found for which `shows` returns true, which means that it still shows all of its
 * mistakes. Begins with `args`.
 */
export async function findSmallestInput(
  order: DistinguishingOrder,
  subjectIndex: number,
  args: Input,
  shows: (input: Input) => Promise<boolean>,
): Promise<Input> {
  const subject = order.subjects[subjectIndex]!;
  const { parameters, path, guided, examples } = subject;
  const { shapes } = order.materials[path]!;
  const fewestArguments = Math.min(...examples.map(({ length }) => length));
  const findShape = (index: number): Shape => {
    const parameter = parameters[Math.min(index, parameters.length - 1)]!;
    return parameter.rest && parameter.shape.kind === 'array' ? parameter.shape.of : parameter.shape;
  };
  // Keeps different texts different, so that a reader can distinguish them.
  const stillShows = async (smaller: Input) =>
    countRepeatedTexts(smaller) <= countRepeatedTexts(args) && (await shows(smaller));
  if (subject.used) return removeNeedlessSteps(args, stillShows, MAX_TRIES);
  const movedInput = await moveTowardsExamples(args, examples, stillShows, MAX_TRIES);
  // Texts like those of the tests, and texts built from their words, are kept, because readers of the tests know them.
  const words = collectWords(examples);
  const kindredScalars = movedInput.input.every((value) => isKindred(value, words))
    ? collectScalars(movedInput.input)
    : [];
  const passedScalars = new Set(examples.flatMap(collectScalars));
  // A single sign or letter that only the code contains does not count.
  const isKnown = (key: string | number) => typeof key !== 'string' || key.length > 1 || passedScalars.has(key);
  const limits = {
    maxWordLength: MAX_WORD_LENGTH,
    keptValues: new Set([
      ...[...collectFamiliarValues(order, subjectIndex)].filter(isKnown),
      ...kindredScalars,
      ...movedInput.movedTexts,
    ]),
    maxTries: MAX_TRIES,
  };
  // Omits arguments that change nothing, from the end.
  let shorter = movedInput.input;
  const mayOmit = (index: number) => parameters[index]?.optional || (guided && index >= fewestArguments);
  while (shorter.length > 0 && mayOmit(shorter.length - 1) && (await stillShows(shorter.slice(0, -1))))
    shorter = shorter.slice(0, -1);
  const fixedIndices = new Set<number>();
  for (const [index, value] of shorter.entries()) {
    const isTested = examples.some(
      (example) => index < example.length && formatAsCode(example[index]) === formatAsCode(value),
    );
    if (isTested || subject.member || !isListOfTexts(value) || !conformsToShape(PLAIN_LIST, findShape(index), shapes))
      continue;
    if (!(await stillShows(shorter.with(index, PLAIN_LIST)))) continue;
    shorter = shorter.with(index, PLAIN_LIST);
    fixedIndices.add(index);
  }
  return makeSmaller(shorter, findShape, shapes, stillShows, { ...limits, fixedIndices });
}

function isListOfTexts(value: ValueSpec): boolean {
  return (
    typeof value === 'object' &&
    value?.$ === 'array' &&
    value.of.length > 0 &&
    value.of.every((item) => typeof item === 'string')
  );
}

/** The number of texts in the arguments that repeat an earlier one. */
function countRepeatedTexts(args: Input): number {
  const texts =
    args
      .map(formatAsCode)
      .join(' ')
      .match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return texts.length - new Set(texts).size;
}

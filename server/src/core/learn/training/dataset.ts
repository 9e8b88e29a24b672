// Makes a dataset for training a model: examples as chat JSONL for a trainer, and held-out examples that are never used
// for training. The same examples give the same bytes.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';

/** A message of a conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/**
 * An example for a model. `kept`: a change that was kept. `corrected`: a change as a person has corrected it.
 * `lesson`: the statement of a lesson. `refused`: a change that was refused, rejected or rolled back.
 */
export interface TrainingExample {
  readonly kind: 'kept' | 'corrected' | 'lesson' | 'refused';
  /** The subjects of the example, such as files. Each group is held out of every training, or none of it is. */
  readonly groups: readonly string[];
  readonly prompt: readonly ChatMessage[];
  readonly answer: string;
  /** The reason why the change was refused; null for the other kinds. */
  readonly reason: string | null;
  /** The proposal from which the example was made; null for a lesson. */
  readonly proposal: string | null;
}

/** An example in a dataset. */
export interface DatasetExample extends TrainingExample {
  /** Hash of the prompt and the answer. */
  readonly id: string;
}

/** Examples for a trainer, and held-out examples, which it must not see. Each list is sorted by id. */
export interface Dataset {
  /** Hash of the format, the files and the held-out examples. */
  readonly id: string;
  readonly train: readonly DatasetExample[];
  readonly heldOut: readonly DatasetExample[];
  readonly refused: readonly DatasetExample[];
  /** The texts that a trainer reads, by file name. */
  readonly files: { readonly 'train.jsonl': string; readonly 'refused.jsonl': string };
  /** The held-out examples as JSONL. The evaluation reads them; no trainer does. */
  readonly heldOutFile: string;
}

/** Version of the format. Increase it whenever the same examples give other bytes. */
const FORMAT_VERSION = 1;
/** On average, one out of this many groups is held out. */
const HELD_OUT_ONE_IN = 5;

/**
 * Makes the dataset. A group is held out by the hash of its name, so it stays on its side when other examples are
 * added. Equal examples count once. An example about both held-out and other groups is omitted, and so are refused
 * examples about a held-out group.
 */
export function createDataset(examples: readonly TrainingExample[]): Dataset {
  const examplesById = new Map<string, DatasetExample>();
  for (const example of examples) {
    const id = sha256(canonicalJson([example.prompt, example.answer])).slice(0, 16);
    // An answer that was kept once was not wrong, so a good example takes precedence over an equal refused one.
    if (!examplesById.has(id) || examplesById.get(id)!.kind === 'refused') examplesById.set(id, { ...example, id });
  }
  const sortedExamples = [...examplesById.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const goodExamples = sortedExamples.filter(({ kind }) => kind !== 'refused');
  const heldOut = goodExamples.filter(({ groups }) => groups.every(isHeldOut));
  const train = goodExamples.filter(({ groups }) => !groups.some(isHeldOut));
  const refusedExamples = sortedExamples.filter(({ kind, groups }) => kind === 'refused' && !groups.some(isHeldOut));
  const files = {
    'train.jsonl': joinJsonLines(train.map(formatChatLine)),
    'refused.jsonl': joinJsonLines(refusedExamples.map(createPreferenceFormatter(train))),
  };
  const heldOutFile = joinJsonLines(heldOut.map(formatChatLine));
  const id = sha256(canonicalJson([FORMAT_VERSION, files, heldOutFile])).slice(0, 16);
  return { id, train, heldOut, refused: refusedExamples, files, heldOutFile };
}

/** True if the examples of a group are held out of every training. */
export function isHeldOut(group: string): boolean {
  return Number.parseInt(sha256(group).slice(0, 8), 16) % HELD_OUT_ONE_IN === 0;
}

/** An example as a conversation that ends with the answer. */
function formatChatLine({ id, kind, prompt, answer }: DatasetExample): unknown {
  return { id, kind, messages: [...prompt, { role: 'assistant', content: answer }] };
}

/**
 * Returns a function that makes a pair for preference training from a refused example. `chosen` is null if no good
 * answer to the same question is known.
 */
function createPreferenceFormatter(train: readonly DatasetExample[]): (refused: DatasetExample) => unknown {
  const createReply = (content: string) => [{ role: 'assistant', content }];
  const answers = new Map<string, string>();
  for (const { prompt, answer } of train) {
    const question = sha256(canonicalJson(prompt));
    if (!answers.has(question)) answers.set(question, answer);
  }
  return ({ id, prompt, answer, reason }) => {
    const chosenAnswer = answers.get(sha256(canonicalJson(prompt)));
    return {
      id,
      prompt,
      rejected: createReply(answer),
      chosen: chosenAnswer === undefined ? null : createReply(chosenAnswer),
      reason,
    };
  };
}

function joinJsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

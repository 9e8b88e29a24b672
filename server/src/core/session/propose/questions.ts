// Turns a task into a question: what is to be done, and the files that it needs.

import { sha256 } from '../../../util/canonicalJson.ts';
import { isDocumentation, isProse } from '../../paths/others.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { estimatedTokens, type AskedTask } from '../../model/asks.ts';
import type { Opportunity } from '../../model.ts';
import { around, within } from '../../proposers/excerpts.ts';
import type { Question, ShownFile } from '../../proposers/prompt.ts';
import type { AskRequest } from './askTypes.ts';
import type { SessionContext } from '../context.ts';
import { readFresh } from '../search/remembering.ts';
import { search } from '../search/searching.ts';

/** Of the budget for files; the rest is for related ones. */
const TARGET_SHARE = 0.6;
const RELATED_HITS = 40;
/** Tokens of everything in a question but files, attempts and the person's words. */
const AROUND_FILES = 1000;

export async function taskOf(
  context: SessionContext,
  task: AskRequest['task'],
): Promise<{ readonly task: AskedTask; readonly opportunity: Opportunity | null }> {
  if ('words' in task) {
    const words = task.words.trim();
    if (words === '') throw new SelfwareError('usage', 'The request is empty.');
    const id = sha256(`request ${words}`).slice(0, 16);
    return { task: { kind: 'request', id, opportunity: null, path: null }, opportunity: null };
  }
  const all = [...context.state.analyses.values()].flatMap(({ opportunities }) => opportunities);
  const opportunity = all.find(({ id }) => id === task.opportunity);
  if (!opportunity)
    throw new SelfwareError('notFound', `There is no opportunity ${task.opportunity}.`, {
      action: 'Choose one of the list of opportunities.',
    });
  const { id, path } = opportunity;
  return { task: { kind: 'opportunity', id: `opportunity ${id}`, opportunity: id, path }, opportunity };
}

interface Asked {
  readonly task: AskRequest['task'];
  readonly opportunity: Opportunity | null;
  readonly attempts: readonly string[];
  /** Tokens that the whole question may have; null = as many as the settings say. */
  readonly most: number | null;
}

export async function questionOf(
  context: SessionContext,
  { task, opportunity, attempts, most }: Asked,
  signal: AbortSignal,
): Promise<Question> {
  const given = context.settings['models.contextTokens'];
  const said = [...attempts, 'words' in task ? task.words : ''].reduce((sum, text) => sum + estimatedTokens(text), 0);
  const budget = most === null ? given : Math.max(0, Math.min(given, most - AROUND_FILES - said));
  const words = 'words' in task ? task.words : `${opportunity!.symbol ?? ''} ${opportunity!.message}`;
  const target = opportunity ? await targetOf(context, opportunity, budget * TARGET_SHARE) : [];
  const others = await filesFor(context, words, new Set(target.map(({ path }) => path)), signal);
  const left = budget - target.reduce((sum, { text }) => sum + estimatedTokens(text), 0);
  return {
    task: 'words' in task ? task.words.trim() : sentenceOf(opportunity!),
    demands: 'words' in task ? REQUEST_DEMANDS : [],
    files: [
      ...target,
      ...within(
        others.map((file) => ({ ...file, role: opportunity ? 'related' : 'target' })),
        left,
      ),
    ],
    attempts,
  };
}

/** Files that the words name come first, then what search finds; documentation only if it is named. */
async function filesFor(
  context: SessionContext,
  words: string,
  without: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Omit<ShownFile, 'role'>[]> {
  const named = namedPaths([...context.state.records.keys()], words);
  const hits = await search(context, words, RELATED_HITS, signal);
  const found = hits.map(({ path }) => path).filter((path) => !isDocumentation(path) && !isProse(path));
  const files: Omit<ShownFile, 'role'>[] = [];
  for (const path of new Set([...named, ...found])) {
    const text = without.has(path) ? null : await readFresh(context, path);
    if (text !== null && text.trim() !== '') files.push({ path, text });
  }
  return files;
}

/** By their whole path, or by a name that one file alone has. */
function namedPaths(paths: readonly string[], words: string): readonly string[] {
  const mentioned = new Set(words.split(/[\s`"'()<>,;]+/).map((word) => withoutEnd(word)));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const alone = (path: string) => paths.filter((one) => nameOf(one) === nameOf(path)).length === 1;
  return paths.filter((path) => mentioned.has(path) || (mentioned.has(nameOf(path)) && alone(path)));
}

const REQUEST_DEMANDS = [
  'Bring tests along that fail without the change and pass with it, in the style and the place of the existing tests.',
];

function sentenceOf({ path, range, symbol, message }: Opportunity): string {
  const place = symbol === null ? '' : ` (${symbol})`;
  return `In ${path}, lines ${range.startLine} to ${range.endLine}${place}: ${message} Improve this place.`;
}

/** Without the punctuation of a sentence. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && '.:!?'.includes(word[end - 1]!)) end -= 1;
  return word.slice(0, end);
}

async function targetOf(context: SessionContext, opportunity: Opportunity, budget: number): Promise<ShownFile[]> {
  const { path, range } = opportunity;
  const text = await readFresh(context, path);
  if (text === null) throw new SelfwareError('notFound', `${path} cannot be read.`);
  return [{ path, text: around(text, range.startLine, range.endLine, budget), role: 'target' }];
}

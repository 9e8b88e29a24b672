// Makes questions with known answers from source code without labels: the first sentence of a documentation comment
// asks for the definition below it, and the comment is removed from the source.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseOutline } from '../../../server/src/core/index/parse/outline.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { shuffle } from '../support/random.ts';
import type { Source } from './sources.ts';

/** A question, and the place of its answer. */
export interface DocQuestion {
  readonly text: string;
  readonly path: string;
  /** The line (from 1) of the defined name, after the comment was removed. */
  readonly line: number;
}

const MAX_QUESTIONS_PER_FILE = 4;
const MIN_WORDS = 6;
const MAX_WORDS = 40;
/** Maximum distance in lines from the comment to the name; decorators may be between them. */
const NAME_WITHIN_LINES = 3;

/** At most `count` questions, and the sources without the comments that answer them. */
export async function createDocQuestions(
  sources: readonly Source[],
  count: number,
  seed: number,
): Promise<{ readonly questions: readonly DocQuestion[]; readonly sources: readonly Source[] }> {
  const commentedSources = sources.map((source) => ({ ...source, comments: findComments(source) }));
  const sentenceCounts = new Map<string, number>();
  for (const { sentence } of commentedSources.flatMap(({ comments }) => comments))
    sentenceCounts.set(sentence, (sentenceCounts.get(sentence) ?? 0) + 1);
  const parser = createParser(createGrammarsFromNodeModules());
  const questions: DocQuestion[] = [];
  const texts = new Map<string, string>();
  for (const { path, text, comments } of shuffle(commentedSources, seed, ({ path: key }) => key)) {
    if (questions.length >= count) break;
    // A sentence that occurs twice has two answers, so it is not used.
    const chosenComments = shuffle(
      comments.filter(({ sentence }) => sentenceCounts.get(sentence) === 1),
      seed,
      ({ sentence }) => sentence,
    ).slice(0, MAX_QUESTIONS_PER_FILE);
    const language = detectLanguage(path);
    if (chosenComments.length === 0 || !language) continue;
    const remainingText = text
      .split('\n')
      .filter((_, line) => !chosenComments.some(({ from, to }) => line >= from && line <= to))
      .join('\n');
    const tree = await parser.parse(language, remainingText);
    if (!tree) continue;
    const symbols = parseOutline(tree, language, remainingText);
    tree.delete();
    texts.set(path, remainingText);
    for (const { sentence, from } of chosenComments) {
      const line =
        from -
        chosenComments.reduce(
          (removedLines, removedComment) =>
            removedLines + (removedComment.from < from ? removedComment.to - removedComment.from + 1 : 0),
          0,
        );
      const symbol = symbols.find(
        ({ nameRange }) => nameRange.startLine > line && nameRange.startLine <= line + NAME_WITHIN_LINES,
      );
      // A sentence that contains the name itself would be too easy.
      if (symbol && !sentence.match(/[\p{L}\p{N}_$]+/gu)?.includes(symbol.name))
        questions.push({ text: sentence, path, line: symbol.nameRange.startLine });
    }
  }
  parser.close();
  return {
    questions: questions.slice(0, count),
    sources: sources.map(({ path, text }) => ({ path, text: texts.get(path) ?? text })),
  };
}

/** Writes the sources into the folder `dir`. */
export async function writeSources(dir: string, sources: readonly Source[]): Promise<void> {
  for (const { path, text } of sources) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

/** A documentation comment. */
interface Comment {
  readonly sentence: string;
  /** Indexes (from 0) of its first and last line, which contain nothing else. */
  readonly from: number;
  readonly to: number;
}

function findComments({ text }: Source): Comment[] {
  const lines = text.split('\n');
  const comments: Comment[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (!/^\s*\/\*\*/.test(lines[from]!)) continue;
    let to = from;
    while (to < lines.length - 1 && !lines[to]!.includes('*/')) to++;
    const sentence = /\*\/\s*$/.test(lines[to]!) ? readFirstSentence(lines.slice(from, to + 1)) : null;
    if (sentence) comments.push({ sentence, from, to });
    from = to;
  }
  return comments;
}

/** The first sentence of a comment; null if it is too short, too long, a tag or a licence. */
function readFirstSentence(comment: readonly string[]): string | null {
  const text = comment
    .map((line) =>
      line
        .replace(/^\s*\/?\*+\/?/, '')
        .replace(/\*\/\s*$/, '')
        .trim(),
    )
    .join('\n')
    .trim();
  const [paragraph = ''] = text.split(/\n\s*\n|\n?@|^\s*[-*] /m);
  const sentence = paragraph
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]) /)[0]!
    .replace(/[.:]$/, '')
    .replace(/\{@\w+ ([^}|]*)[^}]*\}|`/g, '$1')
    .trim();
  const words = sentence.split(' ').length;
  return words >= MIN_WORDS && words <= MAX_WORDS && /^[A-Z]/.test(sentence) && !/copyright|licen[sc]e/i.test(sentence)
    ? sentence
    : null;
}

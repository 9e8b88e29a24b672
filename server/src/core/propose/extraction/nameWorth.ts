// Judges whether a name describes an extracted run of statements and no other code of the file.

import { ts } from 'ts-morph';
import { splitIntoWords } from '../syntax/prose.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { collectCandidateNodes, type ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow } from './dataFlow.ts';
import type { FunctionName } from './naming.ts';
import { findAssignedFunctionName } from './neighbours.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

/** Groups of verbs with similar meanings. Verbs of the first group only state that something is done. */
const VERB_GROUPS = [
  'handle process do run perform manage execute apply use work',
  'build make create generate construct compose produce assemble render prepare',
  'get resolve determine compute calculate find fetch read derive load',
  'check validate verify assert ensure test inspect',
  'collect gather list add append push populate fill accumulate',
  'set update assign put write save store',
  'parse convert transform translate decode',
].map((verbs) => new Set(verbs.split(' ')));
/** Verbs that fit any code. */
const VAGUE_VERBS = new Set([
  ...VERB_GROUPS[0]!,
  ...VERB_GROUPS[1]!,
  ...VERB_GROUPS[2]!,
  ...VERB_GROUPS[3]!,
  ...VERB_GROUPS[4]!,
  ...VERB_GROUPS[5]!,
]);
/** Nouns that fit any code. */
const VAGUE_NOUNS = new Set(
  (
    'code data value result thing part piece node object content string text output input list map set response ' +
    'option config param parameter argument item info entry type kind key number index count size length line ' +
    'target context instance default json array buffer chunk rest temp extra other body schema ' +
    'dir path file name id str prefix suffix message error'
  ).split(' '),
);
/** Words that do not name an object. A name in which one of them follows the verb is too vague. */
const WORDS_WITHOUT_OBJECT = new Set(
  (
    'is has have can should was were will does did need needs allow allows contains includes equals exists matches ' +
    'with to from by in of'
  ).split(' '),
);
/** Matches words that look like participles. */
const PARTICIPLE_PATTERN = /(ed|ing)$|^(found|seen|done|known|made|kept|left|held|sent|read|built|given|taken|shown)$/;
/** Matches nouns that only look like participles. */
const NOUN_PATTERN = /(thing|string|setting|heading|binding|ring|seed|feed|embed|need|bed)$/;

/** The reason why the name is unsuitable, as a sentence; null if there is none. */
export function explainRefusedName(
  sourceFile: ts.SourceFile,
  extractionCandidate: ExtractionCandidate,
  flow: Flow,
  { name, isFromComment }: FunctionName,
) {
  const [verb = '', ...words] = splitIntoWords(name);
  const nouns = words.map(toSingular);
  const lastWord = words.at(-1) ?? '';
  if (words.length === 0) return `${name} would not say what of.`;
  const namesNoObject =
    WORDS_WITHOUT_OBJECT.has(words[0]!) || (PARTICIPLE_PATTERN.test(lastWord) && !NOUN_PATTERN.test(lastWord));
  if (namesNoObject && !isFromComment) return `${name} would name no thing.`;
  if (words.some((word) => word.startsWith(verb.replace(/e$/, '')))) return `${name} would say the same twice.`;
  const isVague = VAGUE_VERBS.has(verb) && nouns.every((noun) => VAGUE_NOUNS.has(noun));
  if (isVague) return `${name} would say nothing that any other part could not say of itself.`;
  const neighbour = collectFunctionsOutside(sourceFile, extractionCandidate).find((candidate) =>
    fitsName(candidate, verb, nouns, flow),
  );
  return neighbour
    ? `${name} would be as good a name for ${findAssignedFunctionName(neighbour) ?? 'a function beside it'}.`
    : null;
}

/** A function of any kind, whether its body is a block or an expression. */
type AnyFunction = ts.FunctionLikeDeclaration;

/**
 * True if the name of the function has the same nouns and a similar verb, or if the function returns a variable with
 * the name of the output.
 */
function fitsName(candidate: AnyFunction, verb: string, nouns: readonly string[], { output }: Flow): boolean {
  const [first = '', ...otherWords] = splitIntoWords(findAssignedFunctionName(candidate) ?? '');
  const wordsOfCandidate = new Set([first, ...otherWords].map(toSingular));
  if (haveSimilarMeanings(first, verb) && nouns.every((noun) => wordsOfCandidate.has(noun))) return true;
  return output !== null && returnsVariable(candidate, output.name);
}

/** True if the verbs are equal or have similar meanings. */
function haveSimilarMeanings(a: string, b: string): boolean {
  return a === b || VERB_GROUPS.some((kind) => kind.has(a) && kind.has(b));
}

/** True if the function declares the variable and returns it, as in `return parts` or `return parts.join('')`. */
function returnsVariable(candidate: ts.FunctionLikeDeclaration, name: string): boolean {
  const nodesOfFunction = collectDescendants(candidate).filter((node) => findEnclosingFunction(node) === candidate);
  const isDeclared = nodesOfFunction.some((node) => ts.isVariableDeclaration(node) && node.name.getText() === name);
  const returnedExpressions = nodesOfFunction.flatMap((node) =>
    ts.isReturnStatement(node) && node.expression ? [node.expression] : [],
  );
  return isDeclared && returnedExpressions.some((expression) => startsWithName(expression, name));
}

/** True if the code of the expression begins with this name. */
function startsWithName(expression: ts.Expression, name: string): boolean {
  const [first = ''] = /^[\w$]+/.exec(expression.getText()) ?? [];
  return first === name;
}

/**
 * Collects the functions with a body in the file that are not inside the run. Functions around the run are included.
 */
function collectFunctionsOutside(sourceFile: ts.SourceFile, excludedRun: ExtractionCandidate): AnyFunction[] {
  const nodesInside = new Set(collectCandidateNodes(excludedRun));
  const functions = collectDescendants(sourceFile).filter((node) => ts.isFunctionLike(node) && !nodesInside.has(node));
  return functions.filter((node): node is AnyFunction => 'body' in node && node.body !== undefined);
}

/** The singular of an English noun, by its ending. */
function toSingular(word: string): string {
  if (word.length <= 3 || /(ss|us|is)$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[xs]|[cs]h)es$/, '')
    .replace(/s$/, '');
}

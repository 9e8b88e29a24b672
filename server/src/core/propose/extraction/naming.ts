// Finds a meaningful name for a run of statements by its comment, its result, or what it writes, calls or tests. No
// words are invented: the verb comes from the comment, the moved code or neighbouring functions.

import { ts } from 'ts-morph';
import { readCommentLines, findCommentsAbove, isDirectiveComment } from '../syntax/comments.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { looksLikeCode, splitIntoWords } from '../syntax/prose.ts';
import type { ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow } from './dataFlow.ts';
import { findDominantVerb } from './dominantVerb.ts';
import { findEffects, nameFromChecks, nameFromTarget } from './nameFromEffects.ts';
import { nameFromOutput } from './nameFromOutput.ts';
import { nameFromPlace } from './nameFromPlace.ts';
import { joinInCamelCase, isReserved, isVerb, toNoun, findLeftmostName, toVerb } from './nameWords.ts';
import type { Neighbours } from './neighbours.ts';
import { createAnyOfPattern } from '../../../util/anyOfPattern.ts';
import { createWordSet } from '../../../util/wordSet.ts';

/** A name for a new function. */
export interface FunctionName {
  readonly name: string;
  /**
   * The quality of names from this source, from 0 (a condition) to 3 (a comment). It is 4 if all words come from names
   * in the code.
   */
  readonly quality: number;
  /** True if the name comes from the comment above. */
  readonly isFromComment: boolean;
}

/** The parts of the data flow that a name can describe. */
type NamedFlow = Pick<Flow, 'output' | 'inputs' | 'returns'>;

/** Words of a comment that do not show a purpose. */
const FILLER_WORDS = createWordSet(`
  a an the of on and or is are be it its if then now we us our this that these those as at all any each every some
  also just only first next finally here there so when while because since not no
`);
/** Words that stay in a name between two meaningful words, but are dropped at its end and directly after its verb. */
const CONNECTING_WORDS = new Set('by from to into for with in onto'.split(' '));
/** Matches the remainder of a phrase from the first word after which it no longer names the object. */
const PHRASE_END_PATTERN = new RegExp(
  String.raw`\b(${createAnyOfPattern(`
    already how what which whether where why often via using before after during without than like per based
    until unless may might can could should must will would has have had does did was were but
  `)})\b.*`,
);
/** Verbs for code that examines something without changing it. */
const CHECKING_VERBS = new Set(['check', 'verify', 'validate', 'assert', 'test', 'compare', 'inspect']);
/** Matches the first words of names that are questions. */
const QUESTION_WORD_PATTERN = /^(is|has|can|should|needs|was|will|allows?)$/;

/**
 * Chooses a name in camel case of 5 to 32 characters that no identifier of the file has, ignoring case; null if no name
 * fits. It is never `outerName`.
 */
export function chooseName(
  sourceFile: ts.SourceFile,
  candidate: ExtractionCandidate,
  flow: NamedFlow,
  outerName: string,
  neighbours: Neighbours,
): FunctionName | null {
  // A name `resolveUrl` in addition to `resolveURL` would confuse readers.
  const normaliseName = (text: string) => text.replace(/^[#_]/, '').toLowerCase();
  const takenNames = new Set(
    collectDescendants(sourceFile).flatMap((node) =>
      ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? [normaliseName(node.text)] : [],
    ),
  );
  const candidates = [
    { name: nameFromComment(sourceFile, candidate, flow), trust: 3 },
    { name: nameFromOutput(candidate, flow, neighbours), trust: 2 },
    { name: nameFromChecks(candidate, flow, neighbours), trust: 2 },
    { name: nameFromLoop(candidate, flow), trust: 1 },
    { name: nameFromTarget(candidate, flow, neighbours), trust: 1 },
    { name: nameFromPlace(candidate, flow, outerName), trust: 1 },
    { name: nameFromCondition(candidate, flow), trust: 0 },
  ];
  for (const [rank, { name, trust }] of candidates.entries()) {
    if (
      name &&
      name !== outerName &&
      name.length >= 5 &&
      name.length <= 32 &&
      !takenNames.has(normaliseName(name)) &&
      !isReserved(name)
    )
      return { name, quality: trust, isFromComment: rank === 0 };
  }
  return null;
}

/**
 * Finds a name in the first phrase of the comment above, if it begins with a verb and gives a name of two to five
 * words. Null for notes such as TODO and for code that is commented out. Null also if there is a blank line or another
 * comment between the statements, because the comment probably describes only the first paragraph.
 */
function nameFromComment(
  sourceFile: ts.SourceFile,
  candidate: ExtractionCandidate,
  { output, inputs }: NamedFlow,
): string | null {
  const [first, ...otherStatements] = candidate.statements;
  if (
    otherStatements.some(
      (statement) =>
        findCommentsAbove(sourceFile, statement).length > 0 ||
        /\n[ \t]*\r?\n/.test(sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile))),
    )
  )
    return null;
  const comments = first ? findCommentsAbove(sourceFile, first) : [];
  const lines = comments
    .flatMap((comment) => (isDirectiveComment(comment) ? [] : readCommentLines(comment)))
    .filter((line) => line.trim());
  const firstPhrase = (lines.join(' ').split(/[.:;(!?,]|\s[-–—]\s/)[0] ?? '').trim();
  if (lines.length === 0 || /^(todo|fixme|hack|xxx|note)\b/i.test(firstPhrase) || looksLikeCode(lines)) return null;
  const phrase = firstPhrase
    .replace(/['’]\w+/g, '')
    .toLowerCase()
    .replace(PHRASE_END_PATTERN, '');
  // For example, `names of all sources` becomes `source names`.
  const reorderedPhrase = phrase.replace(
    /\b(\w+) of (?:(?:the|all|each|every|any|its|their) )*(\w+?)s?\b(?! \w*ing)/,
    '$2 $1',
  );
  const meaningfulWords = splitIntoWords(reorderedPhrase).filter(
    (word) => !FILLER_WORDS.has(word) && /^[a-z][a-z0-9]*$/.test(word),
  );
  const words = meaningfulWords.filter(
    (word, index) => !CONNECTING_WORDS.has(word) || (index > 1 && index < meaningfulWords.length - 1),
  );
  const verb = words[0] && toVerb(words[0]);
  // If an input is changed, a comment about a check probably describes only the first step.
  if (
    verb &&
    CHECKING_VERBS.has(verb) &&
    findEffects(candidate, output?.name).some((effect) => inputs.some(({ name }) => name === findLeftmostName(effect)))
  )
    return null;
  if (
    !verb ||
    words.length < 2 ||
    words.length > 5 ||
    words.length - words.filter((word) => CONNECTING_WORDS.has(word)).length > 4
  )
    return null;
  // The comment must mention the result.
  if (
    output &&
    !splitIntoWords(output.name).some((word) => words.some((nameWord) => nameWord.startsWith(word.slice(0, 4))))
  )
    return null;
  return joinInCamelCase([verb, ...words.slice(1)]);
}

/**
 * Finds a name by a loop over a collection with a meaningful name, in which most calls begin with the same verb:
 * `printFiles` for `for (const file of files) print(file)`. Null if the run has a result, or contains anything but one
 * loop and declarations of variables.
 */
function nameFromLoop(candidate: ExtractionCandidate, { output, returns }: NamedFlow): string | null {
  const loops = candidate.statements.filter(
    (statement) => ts.isForOfStatement(statement) || ts.isForInStatement(statement),
  );
  const [loop] = loops;
  if (
    !loop ||
    output ||
    returns?.value ||
    !candidate.statements.every((statement) => statement === loop || ts.isVariableStatement(statement)) ||
    !(ts.isForOfStatement(loop) || ts.isForInStatement(loop)) ||
    !ts.isVariableDeclarationList(loop.initializer)
  )
    return null;
  const variable = loop.initializer.declarations[0]?.name;
  const subject = toNoun(loop.expression);
  const verb =
    subject && variable && ts.isIdentifier(variable)
      ? findDominantVerb([loop.statement], variable.text, subject)
      : null;
  return subject && verb ? joinInCamelCase([verb, ...subject]) : null;
}

/**
 * Finds a name by a condition: `startWatch` for `if (options.watch) start(options.watch)`. Null if the run has another
 * statement or a result, if the condition is more than a name, or if there is an `else`.
 */
function nameFromCondition(candidate: ExtractionCandidate, { output, returns }: NamedFlow): string | null {
  const [onlyStatement] = candidate.statements;
  if (
    !onlyStatement ||
    output ||
    returns?.value ||
    candidate.statements.length !== 1 ||
    !ts.isIfStatement(onlyStatement) ||
    onlyStatement.elseStatement
  )
    return null;
  const condition = onlyStatement.expression;
  if (!ts.isIdentifier(condition) && !ts.isPropertyAccessExpression(condition)) return null;
  const words = toNoun(condition);
  if (!words || isVerb(words[0]) || QUESTION_WORD_PATTERN.test(words[0] ?? '')) return null;
  const verb = findDominantVerb(
    [onlyStatement.thenStatement],
    ts.isIdentifier(condition) ? condition.text : condition.name.text,
    words,
  );
  return verb ? joinInCamelCase([verb, ...words]) : null;
}

// Reads from the comment of a function what it expects of its arguments. A call that breaks such a precondition is a
// mistake of the caller.

import { ts } from 'ts-morph';

/** Matches words that state a precondition of the subject of the sentence. */
const STATES_IT =
  /\b(?:must(?: not)? (?:be|have|contain|start|end|match|lie)|expects?|is expected|are expected|assumed|requires?|required|ha(?:s|ve) to be|needs? to be)\b/i;
/** Matches the beginning of a sentence that is about the arguments even if it names none. */
const BEGINS_WITH_IT = /^(?:Expects|Requires|Assumes)\b/i;
/** Matches sentences that say what the function does, or that demand nothing. */
const OTHER_STATEMENT_PATTERN = /^(?:Returns?|Counts?|Finds?|Tells?|Removes?|Works?)\b|\b(?:no|nothing|never)\b/i;
/** Matches words that state a precondition in the description of a parameter. */
const STATES_IT_OF_PARAMETER =
  /\b(?:should be|not (?:be )?empty|non-?(?:negative|zero|empty)|positive|negative|valid|finite|sorted|greater|less|between|at least|at most)\b/i;
/** Maximum number of characters of the sentence. */
const MAX_LENGTH = 100;

/** The sentence that states a precondition; null if the comment states none. */
export function findPrecondition(node: ts.Node): string | null {
  const names = listParameterNames(node);
  for (const part of ts.getJSDocCommentsAndTags(node)) {
    const sentence = findSentence(getCommentText(part), (sentence) => isAboutArguments(sentence, names));
    if (sentence !== null) return sentence;
    for (const tag of ts.isJSDoc(part) ? (part.tags ?? []) : []) {
      if (!ts.isJSDocParameterTag(tag)) continue;
      const text = getCommentText(tag).replace(/^\s*-\s*/, '');
      const parameterSentence = findSentence(
        text,
        (sentence) => STATES_IT.test(sentence) || STATES_IT_OF_PARAMETER.test(sentence),
      );
      if (parameterSentence !== null) return `${tag.name.getText()}: ${parameterSentence}`;
    }
  }
  return null;
}

/**
 * True for a sentence such as `The count must be even`: it names a parameter, or begins with a word such as `Expects`.
 */
function isAboutArguments(sentence: string, names: readonly string[]): boolean {
  if (OTHER_STATEMENT_PATTERN.test(sentence)) return false;
  if (BEGINS_WITH_IT.test(sentence)) return true;
  const words = sentence.toLowerCase().split(/[^\w$]+/);
  return STATES_IT.test(sentence) && names.some((name) => words.includes(name.toLowerCase()));
}

/** The names of the parameters of a function, or of the function that a variable holds. */
function listParameterNames(node: ts.Node): readonly string[] {
  let inner: ts.Node | undefined = node;
  if (ts.isVariableStatement(inner)) inner = inner.declarationList.declarations[0];
  if (inner && (ts.isVariableDeclaration(inner) || ts.isPropertyAssignment(inner))) inner = inner.initializer;
  if (!inner || !ts.isFunctionLike(inner)) return [];
  return inner.parameters.flatMap(({ name }) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((element) =>
          ts.isBindingElement(element) && ts.isIdentifier(element.name) ? [element.name.text] : [],
        ),
  );
}

function getCommentText({
  comment,
}: {
  readonly comment?: string | ts.NodeArray<ts.JSDocComment> | undefined;
}): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ');
}

function findSentence(text: string, predicate: (sentence: string) => boolean): string | null {
  const sentence = text
    .split(/(?<=[.!?])\s/)
    .map((candidate) => candidate.trim())
    .find((candidate) => predicate(candidate));
  if (sentence === undefined) return null;
  return sentence.length > MAX_LENGTH ? `${sentence.slice(0, MAX_LENGTH - 1)}…` : sentence;
}

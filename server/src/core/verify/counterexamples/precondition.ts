// Reads from the comment of a function what it expects of its arguments. A call that breaks such a precondition is the
// mistake of the caller.

import { ts } from 'ts-morph';

/** Words that state a precondition, wherever they stand. */
const STATES_IT =
  /\b(?:must(?: not)? (?:be|have|contain|start|end|match|lie)|expects?|is expected|assumes?|requires?|ha(?:s|ve) to be|needs? to be|only works|not (?:be )?empty|non-?(?:negative|zero|empty)|(?:positive|valid|finite) (?:integers?|numbers?|values?|texts?|strings?))\b/i;
/** Words that state one in the description of a parameter. */
const STATES_IT_OF_PARAMETER =
  /\b(?:should be|positive|negative|valid|finite|sorted|greater|less|between|at least|at most)\b/i;
/** Maximum number of characters of the sentence. */
const MAX_LENGTH = 100;

/** The sentence that states a precondition; null if the comment states none. */
export function findPrecondition(node: ts.Node): string | null {
  for (const part of ts.getJSDocCommentsAndTags(node)) {
    const found = findSentence(textOf(part), STATES_IT);
    if (found !== null) return found;
    for (const tag of ts.isJSDoc(part) ? (part.tags ?? []) : []) {
      if (!ts.isJSDocParameterTag(tag)) continue;
      const text = textOf(tag).replace(/^\s*-\s*/, '');
      const ofParameter = findSentence(text, STATES_IT) ?? findSentence(text, STATES_IT_OF_PARAMETER);
      if (ofParameter !== null) return `${tag.name.getText()}: ${ofParameter}`;
    }
  }
  return null;
}

function textOf({ comment }: { readonly comment?: string | ts.NodeArray<ts.JSDocComment> | undefined }): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s+/g, ' ');
}

function findSentence(text: string, words: RegExp): string | null {
  const sentence = text
    .split(/(?<=[.!?])\s/)
    .find((candidate) => words.test(candidate))
    ?.trim();
  if (sentence === undefined) return null;
  return sentence.length > MAX_LENGTH ? `${sentence.slice(0, MAX_LENGTH - 1)}…` : sentence;
}

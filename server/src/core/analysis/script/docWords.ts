// Decides whether a doc comment contains more information than the name below it.

/** Stems of words that carry no information beside the name of a declaration. */
const FILLER_WORDS = new Set(
  'a an and any are array as at be bool boolean by class component const constant data doc docs enum fixme for from function get getter given handle hack helper in instance interface is it its me method module new null number object of on or param parameter promise props put return set setter string that the thing this to todo tbd true false type undefined unknown use util value variable via void which with xxx'
    .split(' ')
    .map(stemWord),
);

/** False for a doc comment without any word beyond the name, the parameters, tags, types and filler words. */
export function isInformative(comment: string, name: string): boolean {
  const parameters = [...comment.matchAll(/@param\s+(?:\{[^}]*\}\s*)?\[?([\w$]+)/g)].flatMap(([, parameter]) =>
    splitIntoWords(parameter!),
  );
  const expectedWords = new Set([...splitIntoWords(name), ...parameters]);
  const prose = comment
    .replace(/@param\s+(\{[^}]*\}\s*)?\[?[\w$.]+/g, ' ')
    .replace(/\{@\w+\s+([^}]*)\}/g, ' $1 ')
    .replace(/\{[^{}]*\}/g, ' ')
    .replace(/@\w+/g, ' ');
  return splitIntoWords(prose).some((word) => !expectedWords.has(word) && !FILLER_WORDS.has(word));
}

/** Words that could describe any function. A sentence of only these words has no content. */
const EMPTY_WORDS = `
  accordingly action actual all also appropriate based basic call certain code common core corresponding data
  different do execute functionality general generic good implementation important input item its just logic
  main make manage necessary need nice operation output parameters perform process properly provided related
  relevant represent required responsible result simple some specific specified stuff task use useful various
  whatever work
`;
for (const word of EMPTY_WORDS.trim().split(/\s+/)) FILLER_WORDS.add(stemWord(word));

/** The stems of the words of a text, also of those within a name in camel case. */
function splitIntoWords(text: string): string[] {
  const split = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (split.match(/\p{L}+/gu) ?? []).map((word) => stemWord(word.toLowerCase()));
}

/** A rough English stem, enough to recognise that `Parses dates` adds nothing to `parseDate`. */
function stemWord(word: string): string {
  return word.replace(/(ing|ies|ed|es|s|er|or|e|y)$/, '') || word;
}

// Classifies the words of names of functions: verbs, words without meaning, and reserved words.

import { ts } from 'ts-morph';
import { splitIntoWords } from '../syntax/prose.ts';
import { createWordSet } from '../../../util/wordSet.ts';

/** Verbs with which the name of a new function may begin. */
const KNOWN_VERBS = createWordSet(`
  accept approve archive cancel deliver pay settle submit subscribe unsubscribe remember forget keep guard drain
  spawn kill probe explain tell add adjust align allocate analyse analyze append apply assemble assert assign attach
  balance bind build cache calculate check choose clean clear clone close collapse collect combine compare compile
  complete compute configure connect consume convert copy count create decode define delete derive describe detach
  detect determine disable discard dispatch display distribute divide draw drop emit enable encode enqueue ensure
  enumerate escape evaluate expand extend extract fetch fill filter finalize find fix flatten flush fold format
  gather generate get group handle hash hide hydrate import include increment infer initialize inject insert inspect
  install invoke iterate join jump limit link list load locate log look lookup make map mark match measure merge
  migrate move normalise normalize notify open order pack pad paint parse partition patch pick place plan populate
  prepare prepend print process promote prune pull push put queue read rebuild record recover reduce refresh
  register reject release remove rename render reorder repair repeat replace report reset resize resolve restore
  retry return reuse revert rewrite rotate round run sample save scan schedule select send separate serialize set
  setup show shrink skip sort split start stop store strip subtract sum swap sync tag take test toggle tokenize
  track transform translate traverse trim truncate try unescape unwrap update upgrade upload validate verify visit
  wait walk warn wrap write yield
`);
/** Words that do not show a purpose. */
const GENERIC_WORDS = createWordSet(`
  result results ret res rv tmp temp data value values length size count index name type kind item items obj object
  arr array out output acc list i j k n x y z a b c el elem node flag ok done val key keys entry entries info args
  options opts params self that fn cb callback match current curr cur next prev idx len str text this ctx context
  req input inputs def state config props instance target source rest
`);
/** Words that JavaScript reserves or that have a meaning in it. */
const RESERVED_WORDS = createWordSet(`
  break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new null return super switch this throw true try typeof var void while with yield
  let static async await of get set undefined NaN Infinity arguments eval
`);

/** The base form of a verb: `parse` for `parses`; null for a word that is not a known verb. */
export function toVerb(word: string): string | null {
  if (KNOWN_VERBS.has(word)) return word;
  for (const base of [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')])
    if (base !== word && KNOWN_VERBS.has(base)) return base;
  return null;
}

/** True for a known verb in its base form. */
export function isVerb(word: string | undefined): word is string {
  return word !== undefined && KNOWN_VERBS.has(word);
}

/** True if the name consists of three or more letters and digits, and is not one of the generic words. */
export function isMeaningful(name: string): boolean {
  return name.length >= 3 && !GENERIC_WORDS.has(name.toLowerCase()) && /^[a-zA-Z][a-zA-Z0-9]*$/.test(name);
}

/** True for a word that must not be the name of a function. */
export function isReserved(name: string): boolean {
  return RESERVED_WORDS.has(name);
}

/** Joins the words in camel case. */
export function joinInCamelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('');
}

/**
 * The words of the value that an expression is about: `files` for `files` and `Object.entries(files)`, `proxy auth` for
 * `proxy.auth`. Null if the expression has another form or a generic name.
 */
export function toNoun(expression: ts.Expression): readonly string[] | null {
  let node = expression;
  if (ts.isCallExpression(node)) {
    const callee = node.expression;
    if (
      !ts.isPropertyAccessExpression(callee) ||
      !/^(entries|keys|values|slice|reverse|toReversed|toSorted|filter)$/.test(callee.name.text)
    )
      return null;
    node =
      ts.isIdentifier(callee.expression) && callee.expression.text === 'Object'
        ? (node.arguments[0] ?? callee.expression)
        : callee.expression;
  }
  if (ts.isIdentifier(node)) return isMeaningful(node.text) ? splitPlainWords(node.text) : null;
  if (!ts.isPropertyAccessExpression(node) || !isMeaningful(node.name.text)) return null;
  const words = splitPlainWords(node.name.text);
  const ownerWords =
    ts.isIdentifier(node.expression) && isMeaningful(node.expression.text)
      ? splitPlainWords(node.expression.text)
      : null;
  return words && ownerWords && words.length === 1 && ownerWords.length === 1 ? [...ownerWords, ...words] : words;
}

/** The name of the called function or method; empty if the callee is another expression. */
export function readCalledName({ expression }: ts.CallExpression): string {
  return ts.isIdentifier(expression)
    ? expression.text
    : ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : '';
}

/** The leftmost name of an expression: `a` in `a.b[0].c()`, in `a = b` and in `!a`; empty if it has none. */
export function findLeftmostName(expression: ts.Expression): string {
  let node: ts.Node = expression;
  for (;;) {
    if (ts.isBinaryExpression(node)) node = node.left;
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) node = node.operand;
    else if (ts.isCallExpression(node) && !ts.isIdentifier(node.expression)) node = node.expression;
    else if (
      ts.isAwaitExpression(node) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node)
    )
      node = node.expression;
    else return ts.isIdentifier(node) ? node.text : '';
  }
}

/** Splits a name into words; null if one of them has characters other than `a-z` and digits. */
function splitPlainWords(name: string): readonly string[] | null {
  const words = splitIntoWords(name);
  return words.every((word) => /^[a-z][a-z0-9]*$/.test(word)) ? words : null;
}

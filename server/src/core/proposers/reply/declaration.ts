// Tells whether code declares a function of a given name, by its lines alone, because a method without its class does
// not parse.

/** Words that begin a statement in which a name is used, and not declared. */
const USE_PATTERN =
  /^(?:return|await|throw|yield|new|else|if|elif|while|until|unless|for|case|switch|delete|typeof|void|in|not|assert|import|from|raise|print|echo|del)$/;
/** The words of a declaration in front of the name, whatever is in front of them: `func (s *Store) `, `def self.`. */
const KEYWORD_PATTERN =
  /(?:^|[\s(])(?:function|def\w*|func|fn|fun|sub|proc|const|let|var|val|local|get|set)\b\*?(?:\s+(?:\([^()]*\)|<[^<>]*>))?\s*(?:[&*]|[\w.:<>?]*[.:])?$/;
/** Only modifiers and types. */
const MODIFIERS_PATTERN = /^[\w\s<>[\],.?*&:@~$]*[\w>\]*&?~]$/;
const COMMENT_PATTERN = /^(?:\/\/|#|\/\*|\*.|--)/;
/** What follows a name that gets a function as its value. */
const VALUE_PATTERN = /^\s*=\s*(?:async\b|function\b|\(|\w+\s*=>)/;
const BODY_PATTERN = /^\)\s*(?:[{:]|=>|->|(?:const|noexcept|throws|where|async|override|final)\b)/;
/** Maximum number of characters that are read before a name on its line, and after it for its parameters. */
const [MAX_BEFORE, MAX_AFTER] = [300, 2000];
/** Maximum number of places of the name that are examined. */
const MAX_USES = 1000;

/** True if a line of the code declares the name; one that only calls it does not. */
export function declares(code: string, name: string): boolean {
  return findUses(code, name).some(({ before, after }) => {
    if (COMMENT_PATTERN.test(before)) return false;
    if (KEYWORD_PATTERN.test(before)) return true;
    if (before === '' || before === '*') return hasBody(after);
    return before.endsWith('.') ? VALUE_PATTERN.test(after) : isModified(before) && /^\s*[(<=:{?]/.test(after);
  });
}

/** True if the code holds the name as a word. */
export function mentions(code: string, name: string): boolean {
  return findUses(code, name).length > 0;
}

/** The places of a name, each with the text before it on its line, and the text after it. */
function findUses(code: string, name: string): readonly { readonly before: string; readonly after: string }[] {
  const source = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(String.raw`(?<![\w$])#?${source}(?![\w$])`, 'g');
  return [...code.matchAll(pattern)].slice(0, MAX_USES).map(({ index, 0: { length } }) => ({
    before: code
      .slice(Math.max(0, index - MAX_BEFORE), index)
      .split('\n')
      .at(-1)!
      .trim(),
    after: code.slice(index + length, index + length + MAX_AFTER),
  }));
}

/** True if these are modifiers or types, of which none begins a statement. */
function isModified(before: string): boolean {
  const isTyped = MODIFIERS_PATTERN.test(before.replace(/::$/, ''));
  return isTyped && !before.split(/\s+/).some((word) => USE_PATTERN.test(word));
}

/** True if a value follows, or parameters and a body. */
function hasBody(remainder: string): boolean {
  const after = remainder.trimStart();
  if (VALUE_PATTERN.test(after) || /^\?? ?:(?![:=])/.test(after)) return true;
  const opening = /^(?:<[^()]*>)? ?\??\(/.exec(after);
  if (!opening) return false;
  let depth = 0;
  for (let index = opening[0].length - 1; index < after.length; index += 1) {
    if (after[index] === '(') depth += 1;
    else if (after[index] === ')') depth -= 1;
    if (depth === 0) return BODY_PATTERN.test(after.slice(index));
  }
  return false;
}

// Decides by the lines of code alone whether the code declares a function with a given name, because a method without
// its class does not parse.

/** Matches words that begin a statement in which a name is used instead of declared. */
const USE_PATTERN =
  /^(?:return|await|throw|yield|new|else|if|elif|while|until|unless|for|case|switch|delete|typeof|void|in|not|assert|import|from|raise|print|echo|del)$/;
/** Matches text that ends with the keywords of a declaration before the name: `func (s *Store) `, `def self.`. */
const KEYWORD_PATTERN =
  /(?:^|[\s(])(?:function|def\w*|func|fn|fun|sub|proc|const|let|var|val|local|get|set)\b\*?(?:\s+(?:\([^()]*\)|<[^<>]*>))?\s*(?:[&*]|[\w.:<>?]*[.:])?$/;
/** Matches text that consists only of modifiers and types. */
const MODIFIERS_PATTERN = /^[\w\s<>[\],.?*&:@~$]*[\w>\]*&?~]$/;
/** Matches text that begins like a comment. */
const COMMENT_PATTERN = /^(?:\/\/|#|\/\*|\*.|--)/;
/** Matches the text after a name to which a function is assigned. */
const VALUE_PATTERN = /^\s*=\s*(?:async\b|function\b|\(|\w+\s*=>)/;
/** Matches the end of parameters, followed by a body or by a part of the head of a function. */
const BODY_PATTERN = /^\)\s*(?:[{:]|=>|->|(?:const|noexcept|throws|where|async|override|final)\b)/;
/** Maximum numbers of characters that are examined before a name on its line, and after it for its parameters. */
const [MAX_BEFORE, MAX_AFTER] = [300, 2000];
/** Maximum number of occurrences of the name that are examined. */
const MAX_USES = 1000;

/** True if a line of the code declares the name instead of only using it. */
export function declaresFunction(code: string, name: string): boolean {
  return findUses(code, name).some(({ before, after }) => {
    if (COMMENT_PATTERN.test(before)) return false;
    if (KEYWORD_PATTERN.test(before)) return true;
    if (before === '' || before === '*') return hasValueOrBody(after);
    return before.endsWith('.') ? VALUE_PATTERN.test(after) : isOnlyModifiers(before) && /^\s*[(<=:{?]/.test(after);
  });
}

/** True if the code contains the name as a word. */
export function mentionsName(code: string, name: string): boolean {
  return findUses(code, name).length > 0;
}

/** Finds the occurrences of a name, each with the text before it on its line and the text after it. */
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

/** True if the text consists of modifiers and types, and none of its words begins a statement. */
function isOnlyModifiers(before: string): boolean {
  const isTyped = MODIFIERS_PATTERN.test(before.replace(/::$/, ''));
  return isTyped && !before.split(/\s+/).some((word) => USE_PATTERN.test(word));
}

/** True if the text begins with a value, or with parameters and a body. */
function hasValueOrBody(remainder: string): boolean {
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

// Reads `resolve.alias` from the text of a configuration of Vite or Vitest, as far as its tokens show it. No code of
// the configuration runs, and the compiler is not needed.

import { posix } from 'node:path';

/** A pattern with at most one `*`, and the path that it stands for, from the folder of the configuration. */
export type BundlerAlias = readonly [pattern: string, target: string];

/** Matches the path of a configuration of Vite or Vitest. */
export const BUNDLER_CONFIG_PATTERN = /(?:^|\/)vite(?:st)?\.config\.[cm]?[jt]s$/;
/** Maximum number of characters of a configuration. Longer ones are not read. */
const MAX_CHARACTERS = 20_000;
/** Maximum number of aliases. */
const MAX_ALIASES = 100;
/** Maximum number of objects and lists of aliases that are read. Each project of a configuration may have one. */
const MAX_READ_VALUES = 20;
/**
 * Matches a text, a comment, a regular expression, a word or a sign. An unterminated template or comment extends to the
 * end.
 */
const TOKEN_PATTERN =
  /'(?:[^'\\\n]|\\.){0,200}'|"(?:[^"\\\n]|\\.){0,200}"|`(?:[^`\\]|\\[^])*(?:`|$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|\/(?:[^/\\\n]|\\.){1,200}\/|[\w$]+|\S/g;
/** Matches a regular expression that names a module, or all modules below it. */
const MODULE_PATTERN = /^\/\^([\w@/.\\-]+?)(\(\.[*+]\))?\$?\/$/;

type Tokens = readonly string[];

/** The aliases in the text, in their order; empty if there are none, or if it cannot be read. */
export function readBundlerAliases(text: string): readonly BundlerAlias[] {
  if (text.length > MAX_CHARACTERS || !/\balias\b/.test(text)) return [];
  const tokens = (text.match(TOKEN_PATTERN) ?? []).filter((token) => !/^\/[/*]/.test(token));
  const aliases: BundlerAlias[] = [];
  let readCount = 0;
  for (let index = 0; index < tokens.length && readCount < MAX_READ_VALUES; index += 1) {
    if (tokens[index] !== 'alias' || tokens[index + 1] !== ':') continue;
    const value = findBracketedTokens(tokens, index + 2);
    if (value.length === 0) continue;
    readCount += 1;
    aliases.push(...parseAliases(value));
    // Continues after the value, so that nothing inside it is read again.
    index += 1 + value.length;
  }
  return aliases.slice(0, MAX_ALIASES);
}

/**
 * The tokens of the object or list that begins at an index, without its last bracket; empty if something else begins
 * there.
 */
function findBracketedTokens(tokens: Tokens, start: number): Tokens {
  if (!/^[[{]$/.test(tokens[start] ?? '')) return [];
  let depth = 0;
  let end = start;
  for (; end < tokens.length; end += 1) {
    if (/^[([{]$/.test(tokens[end]!)) depth += 1;
    else if (/^[)\]}]$/.test(tokens[end]!) && --depth === 0) break;
  }
  return tokens.slice(start, end);
}

/** The aliases in the object or list with which these tokens begin. */
function parseAliases(tokens: Tokens): readonly BundlerAlias[] {
  if (tokens[0] === '{')
    return [...parseProperties(tokens)].flatMap(([find, value]) => {
      const target = parsePath(value);
      return target === null ? [] : createAliases(find, target);
    });
  return tokens[0] === '[' ? splitParts(tokens).flatMap((part) => readAlias(parseProperties(part))) : [];
}

/** The aliases of an object with `find` and `replacement`; `find` may be a text or a regular expression. */
function readAlias(properties: ReadonlyMap<string, Tokens>): readonly BundlerAlias[] {
  const [find = ''] = properties.get('find') ?? [];
  const target = parsePath(properties.get('replacement') ?? []);
  if (target === null) return [];
  if (/^['"`]/.test(find)) return createAliases(find.slice(1, -1), target);
  const [, name, wildcard] = MODULE_PATTERN.exec(find) ?? [];
  if (name === undefined) return [];
  const plainName = name.replaceAll('\\', '').replace(/\/$/, '');
  return wildcard === undefined ? [[plainName, target]] : [[`${plainName}/*`, target.replace(/\/?\$1/, '/*')]];
}

/** The properties of the object with which the tokens begin, by their names. */
function parseProperties(tokens: Tokens): ReadonlyMap<string, Tokens> {
  if (tokens[0] !== '{') return new Map();
  return new Map(
    splitParts(tokens).flatMap(([name = '', colon, ...value]): (readonly [string, Tokens])[] =>
      colon === ':' ? [[name.replaceAll(/^['"]|['"]$/g, ''), value]] : [],
    ),
  );
}

/** The parts between the commas of the object or list with which the tokens begin. */
function splitParts(tokens: Tokens): readonly Tokens[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[)\]}]$/.test(token) && --depth === 0) break;
    if (token === ',' && depth === 1) parts.push([]);
    else if (depth > 0) parts.at(-1)!.push(token);
    if (/^[([{]$/.test(token)) depth += 1;
  }
  return parts;
}

/**
 * The aliases for a name: one for the module itself, unless the name ends with `/`, and one for the modules below it.
 */
function createAliases(find: string, target: string): readonly BundlerAlias[] {
  const [name, folder] = [find.replace(/\/$/, ''), target.replace(/\/$/, '')];
  const wildcardAlias = [`${name}/*`, `${folder}/*`] as const;
  return find.endsWith('/') ? [wildcardAlias] : [[name, folder], wildcardAlias];
}

/**
 * The path that an expression such as `resolve(__dirname, 'src')`, `new URL('./src', import.meta.url)` or `'./src'`
 * denotes; null for an object, for a path outside of the folder, and if no text is a path.
 */
function parsePath(value: Tokens): string | null {
  const literals = value.filter((token) => /^['"`]/.test(token)).map((token) => token.slice(1, -1));
  const texts = literals.map((text) => text.replace(/^.*\}/, ''));
  if (value[0] === '{') return null;
  const isPath =
    /^\.{1,2}\//.test(literals[0] ?? '') || /\b(?:__dirname|dirname|resolve|join|URL|cwd)\b/.test(value.join(' '));
  if (!isPath || texts.length === 0) return null;
  const target = posix.join('.', ...texts.map((text) => text.replace(/^\/+/, '')));
  return target.startsWith('..') ? null : target;
}

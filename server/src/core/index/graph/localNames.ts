// Finds the names that functions declare locally (parameters, variables). Such a name hides an equal name of the file
// or the package, so its use does not refer to a definition.

import type { Tree } from 'web-tree-sitter';
import { SCRIPT_LANGUAGES } from '../../paths/scriptFiles.ts';

/** Maximum number of characters of a declaration that are read. */
const MAX_DECLARATION = 400;
/** Maximum number of characters of a TypeScript or JavaScript function that are read. */
const MAX_FUNCTION = 50_000;

/** The declarations of C and C++. */
const C_DECLARATIONS: readonly Declaration[] = [
  { types: ['parameter_declaration', 'declaration'], read: findLastName },
  { types: ['init_declarator'], read: readLeadingNames },
];

/** By language: the types of nodes that declare local names, and how to read the names. */
const DECLARATIONS_BY_LANGUAGE: Readonly<Record<string, readonly Declaration[]>> = {
  python: [
    { types: ['parameters', 'lambda_parameters'], read: readPartNames },
    { types: ['assignment', 'for_in_clause'], read: readNamesBeforeSign },
  ],
  rust: [
    { types: ['let_declaration', 'parameter', 'for_expression'], read: readNamesBeforeSign },
    { types: ['closure_parameters'], read: readPartNames },
  ],
  go: [{ types: ['short_var_declaration', 'range_clause', 'parameter_declaration', 'var_spec'], read: readGoNames }],
  java: [
    {
      types: ['formal_parameter', 'catch_formal_parameter', 'local_variable_declaration', 'enhanced_for_statement'],
      read: findLastName,
    },
  ],
  c: C_DECLARATIONS,
  cpp: C_DECLARATIONS,
  csharp: [
    { types: ['parameter'], read: findLastName },
    { types: ['variable_declarator'], read: readLeadingNames },
  ],
  ruby: [
    { types: ['method_parameters', 'block_parameters'], read: readPartNames },
    { types: ['assignment'], read: readNamesBeforeSign },
  ],
  kotlin: [{ types: ['parameter', 'variable_declaration'], read: readLeadingNames }],
  scala: [{ types: ['parameter', 'val_definition', 'var_definition'], read: readNamesBeforeSign }],
  swift: [{ types: ['parameter', 'property_declaration'], read: readNamesBeforeSign }],
  lua: [
    { types: ['variable_declaration', 'local_variable_declaration'], read: readNamesBeforeSign },
    { types: ['parameters'], read: readPartNames },
  ],
  elixir: [{ types: ['stab_clause'], read: readNamesBeforeSign }],
  zig: [{ types: ['variable_declaration', 'parameter'], read: readNamesBeforeSign }],
};

/**
 * The positions (offsets of functions in TypeScript and JavaScript, of declarations in other languages) with the names
 * that are declared there. The start is the only property of a node that is read, because every other property costs a
 * call into the parser.
 */
export function findLocalNames(
  tree: Tree,
  language: string,
  text: string,
  functions: readonly { readonly from: number; readonly to: number }[],
): (readonly [position: number, names: readonly string[]])[] {
  if (SCRIPT_LANGUAGES.has(language))
    return functions.map(
      ({ from, to }) => [from, readScriptNames(text.slice(from, Math.min(to, from + MAX_FUNCTION)))] as const,
    );
  const declaredNames: (readonly [number, readonly string[]])[] = [];
  for (const { types, read } of DECLARATIONS_BY_LANGUAGE[language] ?? []) {
    for (const node of tree.rootNode.descendantsOfType(types)) {
      const names = node ? read(text.slice(node.startIndex, node.startIndex + MAX_DECLARATION)) : [];
      if (names.length > 0) declaredNames.push([node!.startIndex, names]);
    }
  }
  return declaredNames.sort((a, b) => a[0] - b[0]);
}

/** A kind of declaration in the syntax of a language. */
interface Declaration {
  /** Types of the syntax nodes. */
  readonly types: string[];
  /** Names declared by a text that begins with the declaration and may continue after it. */
  readonly read: (text: string) => readonly string[];
}

const NAME_PATTERN = /[\p{L}_][\p{L}\p{N}_$]*/gu;
const KEYWORD_PATTERN =
  /\b(let|mut|ref|const|var|val|for|in|local|function|final|static|inout|comptime|private|protected|public|readonly|override|lazy|implicit|async|await)\b/g;

/**
 * Names after `const`, before `=>`, or in the head of a function. They are read by patterns, because that takes a tenth
 * of the time of a walk over the syntax tree.
 */
function readScriptNames(text: string): string[] {
  const names: string[] = [];
  for (const [, name, pattern] of text.matchAll(/\b(?:const|let|var)\s+(?:([\w$]+)|[[{]([^=;]{0,400}?)[\]}]\s*=)/g))
    names.push(
      ...(name === undefined ? readPartNames(`(${pattern!.replaceAll(/(?<![\w$])[\w$]+\s*:/g, ' ')})`) : [name]),
    );
  for (const [, singleName, several] of text.matchAll(
    /(?:\b([\w$]+)|\(([^()]{1,400})\)(?:\s*:\s*[\w$<>[\]. |]{1,80})?)\s*=>/g,
  ))
    names.push(...(singleName === undefined ? readPartNames(`(${several})`) : [singleName]));
  const head = /^[^({]{0,200}\(([^()]{1,1000})/.exec(text)?.[1];
  if (head !== undefined) names.push(...readPartNames(`(${head})`));
  return names;
}

/** The names at the beginning of a text: `name…`, `{ a, b: c }`, `[a, b]`, `*name`. */
function readLeadingNames(text: string): string[] {
  const pattern = text.replace(/^[\s*&.@]*(?:(?:private|protected|public|readonly|override)\s+)*/, '');
  if (!/^[[{(]/.test(pattern)) return /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(pattern)?.slice(0, 1) ?? [];
  return (
    findFirstBrackets(pattern)
      .replaceAll(/=[^,}\]]*/g, ' ')
      .match(NAME_PATTERN) ?? []
  );
}

/** The last name before the end of a declaration: `Type name`, `const char *name[]`. */
function findLastName(text: string): string[] {
  const declaration = /^[^=;)({:]*/
    .exec(text)![0]
    .replace(/<[^<>]*>/g, ' ')
    .split(',')[0]!;
  const names = declaration.match(NAME_PATTERN) ?? [];
  return names.length > 1 ? [names.at(-1)!] : [];
}

/** The name at the beginning of each part of a list: `(a, b = 1, *c, d: T)`, `|a, (b, c)|`. */
function readPartNames(text: string): string[] {
  const inner = text.startsWith('|')
    ? (/^\|([^|]*)\|/.exec(text)?.[1] ?? '')
    : /^[[({]/.test(text)
      ? findFirstBrackets(text).slice(1, -1)
      : (/^[^:\n]*/.exec(text)?.[0] ?? '').replace(/^lambda\b/, '');
  return [...inner.matchAll(/(?:^|[,({[])\s*(?:\.\.\.|\*|&|mut\s+|ref\s+)*([\p{L}_$][\p{L}\p{N}_$]*)/gu)].map(
    ([, name]) => name!,
  );
}

/** Every name before `=`, `:` or `in`: the pattern of an assignment. Members (`a.b = 1`) declare nothing. */
function readNamesBeforeSign(text: string): string[] {
  const pattern =
    /^(?:[^=:;{\n(]|(?=(\([^()]*\)|\())\1)*?(?=[=:;{\n]|\sin\s)/.exec(text.replace(/^for\b/, ' '))?.[0] ?? '';
  return pattern.includes('.') || pattern.includes('[')
    ? []
    : (pattern.replaceAll(KEYWORD_PATTERN, ' ').match(NAME_PATTERN) ?? []);
}

/** The names in a declaration of Go: `a, b := …`, `a, b int`, `a Type`. */
function readGoNames(text: string): string[] {
  const names = /^([\p{L}_]\w*)((?:\s*,\s*[\p{L}_]\w*)*)/u.exec(text.replace(/^var\s+/, ''))?.[0];
  return names?.match(NAME_PATTERN) ?? [];
}

/** The text up to the bracket that closes the first bracket. */
function findFirstBrackets(text: string): string {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    if (/[[({]/.test(text[offset]!)) depth++;
    else if (/[\])}]/.test(text[offset]!) && --depth === 0) return text.slice(0, offset + 1);
  }
  return text;
}

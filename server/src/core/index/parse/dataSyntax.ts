// Finds syntax errors in data files: JSON and its dialects, YAML, and TOML.

import JSON5 from 'json5';
import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments } from 'yaml';

/** A place at which a text does not parse. */
export interface SyntaxProblem {
  /** Equal for all problems of one kind; empty if only the message distinguishes them. */
  readonly code: string;
  readonly message: string;
}

/** A data format. `json`, `jsonc` (with comments and trailing commas) and `json5` each extend the one before. */
type Dialect = 'json' | 'jsonc' | 'json5' | 'jsonLines' | 'yaml' | 'toml';

const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  json: 'JSON',
  jsonc: 'JSON with comments',
  json5: 'JSON5',
  jsonLines: 'JSON line by line',
  yaml: 'YAML',
  toml: 'TOML',
};
const DIALECTS_BY_EXTENSION: Readonly<Record<string, Dialect>> = {
  json: 'json',
  webmanifest: 'json',
  geojson: 'json',
  ipynb: 'json',
  har: 'json',
  jsonc: 'jsonc',
  'code-workspace': 'jsonc',
  'code-snippets': 'jsonc',
  json5: 'json5',
  jsonl: 'jsonLines',
  ndjson: 'jsonLines',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
};
/** Files of tools that read JSON with comments, whatever their extension. */
const COMMENTED_JSON = new RegExp(
  String.raw`(^|/)(\.vscode/[^/]+\.json|[tj]sconfig([.-][^/]*)?\.json|\.?devcontainer\.json|\.(eslintrc|babelrc|swcrc|jshintrc|jscsrc|oxlintrc)` +
    String.raw`(\.json)?|tslint\.json|api-extractor\.json|(turbo|biome|deno|wrangler|nx|rush|renovate|language-configuration)\.json)$`,
);
const DIALECTS_BY_NAME: Readonly<Record<string, Dialect>> = {
  'composer.lock': 'json',
  'pipfile.lock': 'json',
  'flake.lock': 'json',
  pipfile: 'toml',
  'cargo.lock': 'toml',
  'poetry.lock': 'toml',
  'uv.lock': 'toml',
  '.clang-format': 'yaml',
  '.clang-tidy': 'yaml',
};
/** The wider dialects that a text may use beyond the dialect that its name indicates. */
const WIDER_DIALECTS: Readonly<Partial<Record<Dialect, readonly Dialect[]>>> = {
  json: ['jsonc', 'json5'],
  jsonc: ['json5'],
};

/** Maximum number of UTF-16 units of a text. Files that are written by hand are smaller. */
const MAX_CHARACTERS = 5_000_000;
/** Maximum depth of brackets. YAML can also nest by indentation, which its parser limits (see `findError`). */
const MAX_DEPTH = 500;
/**
 * A template of Helm, Jinja or similar tools is not YAML until it is filled in. `${{ … }}` in workflows is plain text.
 */
const TEMPLATE_PATTERN = /(^|[^$])\{\{|\{%/;

/**
 * By dialect: a function that parses a text. At a syntax error, it throws or returns a description. It returns null if
 * the text parses.
 */
const PARSER_BY_DIALECT: Readonly<Record<Dialect, (text: string) => string | null>> = {
  json: (text) => (JSON.parse(text), null),
  jsonc: (text) => (JSON.parse(removeComments(text)), null),
  json5: (text) => (JSON5.parse(text), null),
  jsonLines(text) {
    for (const [index, line] of text.split('\n').entries()) {
      const error = line.trim() === '' ? null : findError('json', line);
      if (error !== null) return `line ${index + 1}: ${error}`;
    }
    return null;
  },
  toml: (text) => (parseToml(text), null),
  yaml(text) {
    // Custom tags (`!Ref`, `!vault`) are only warnings, and every document of a stream is checked.
    const documents = parseAllDocuments(text, { merge: true, logLevel: 'silent' });
    const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
    const [error] = errors;
    if (errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError(error!.message);
    return error ? toFirstLineSentence(error.message) : null;
  },
};

/**
 * A list with the first syntax error of a text; empty if the text parses. Null if no parser here reads this kind of
 * file, if a text is too large or nested too deeply, or if YAML with templates does not parse. `earlier`: the text
 * before the edit. If it needed a wider dialect (such as comments in a `.json`), the new text may use that dialect,
 * too.
 */
export function findDataProblems(path: string, text: string, earlier: string | null): readonly SyntaxProblem[] | null {
  try {
    return findProblems(path, text, earlier);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The result of `findDataProblems`. May throw a RangeError, if the recursion of a parser becomes too deep. */
function findProblems(path: string, text: string, earlier: string | null): readonly SyntaxProblem[] | null {
  const namedDialect = findDialect(path);
  if (!namedDialect || isTooLarge(text) || (earlier !== null && isTooLarge(earlier))) return null;
  if (
    namedDialect === 'yaml' &&
    (TEMPLATE_PATTERN.test(text) || TEMPLATE_PATTERN.test(earlier ?? '')) &&
    findError('yaml', text) !== null
  )
    return null;
  const dialectBefore =
    earlier === null
      ? undefined
      : [namedDialect, ...(WIDER_DIALECTS[namedDialect] ?? [])].find((dialect) => findError(dialect, earlier) === null);
  const dialect = dialectBefore ?? namedDialect;
  const error = findError(dialect, text);
  return error === null ? [] : [{ code: 'data', message: `It is not valid ${DIALECT_NAMES[dialect]}: ${error}` }];
}

/** The dialect that the name of a file indicates; null if it is not a data file. */
function findDialect(path: string): Dialect | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (COMMENTED_JSON.test(path.toLowerCase())) return 'jsonc';
  return DIALECTS_BY_NAME[name] ?? DIALECTS_BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)] ?? null;
}

/** A sentence about the first error; null if the text parses. Throws RangeError if it is nested too deeply. */
function findError(dialect: Dialect, text: string): string | null {
  try {
    return PARSER_BY_DIALECT[dialect](text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return toFirstLineSentence(error instanceof Error ? error.message : String(error));
  }
}

/** Blanks out comments and commas before a closing bracket. Lines and columns stay the same. */
function removeComments(text: string): string {
  const stringPattern = String.raw`"[^"\\\n]*(?:\\.[^"\\\n]*)*"`;
  const blankOut = (token: string) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' '));
  const uncommented = text.replace(new RegExp(`${stringPattern}|//[^\\n]*|/\\*[^]*?\\*/`, 'g'), blankOut);
  return uncommented.replace(new RegExp(`${stringPattern}|,(?=\\s*[\\]}])`, 'g'), blankOut);
}

/** True if a text has too many characters, or its brackets are nested too deeply. */
function isTooLarge(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The first line of a message as a sentence. */
function toFirstLineSentence(message: string): string {
  const [first = ''] = message.split('\n');
  return /[.!?]$/.test(first) ? first : `${first.replace(/:$/, '')}.`;
}

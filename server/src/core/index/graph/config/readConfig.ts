// Reads one configuration file of the repository as untrusted data: parsed, never run; what cannot be read is a notice.

import JSON5 from 'json5';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import type { Notice } from '../../../model.ts';

export type Format = 'json' | 'toml' | 'yaml';
/** A table of unknown values: whatever is taken from it has its type checked first. */
export type Table = Readonly<Record<string, unknown>>;

export interface ConfigText {
  readonly path: string;
  readonly text: string;
  readonly format: Format;
}

export type Parsed = { readonly table: Table } | { readonly notice: Notice };

/** Where a text is parsed: at once, or on a thread that can be ended. */
export type ParseConfig = (text: ConfigText) => Promise<Parsed>;

/** UTF-16 units. What is larger configures nothing by hand. */
const MAX_CONFIG_CHARACTERS = 1_000_000;
/** Levels of nesting; a parser that recurses would run out of stack far above. */
const MAX_DEPTH = 200;

/**
 * The table that a text holds, or a notice that says why it holds none. JSON may have comments and trailing commas, as
 * tsconfig.json does.
 */
export function parseConfig({ path, text, format }: ConfigText): Parsed {
  if (text.length > MAX_CONFIG_CHARACTERS) return unreadable(path, 'it is too large');
  if (depthOf(text) > MAX_DEPTH) return unreadable(path, 'it is nested too deeply');
  try {
    const parsed = parsers[format](text.replace(/^\uFEFF/, ''));
    return isTable(parsed) ? { table: parsed } : unreadable(path, 'it holds no table');
  } catch (error) {
    const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return unreadable(path, firstLine);
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property of a table, whatever it is called: `__proto__` and `constructor` included. */
export function valueOf(table: unknown, name: string): unknown {
  return isTable(table) && Object.hasOwn(table, name) ? table[name] : undefined;
}

export function tableOf(table: unknown, name: string): Table {
  const value = valueOf(table, name);
  return isTable(value) ? value : {};
}

export function stringOf(table: unknown, name: string): string | null {
  const value = valueOf(table, name);
  return typeof value === 'string' ? value : null;
}

/** The strings of a list; a single string is a list of one. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

const parsers: Readonly<Record<Format, (text: string) => unknown>> = {
  json: parseJson,
  toml: (text) => parseToml(text),
  yaml: parseYaml,
};

/**
 * Nothing is printed about it, and its errors are not spelled out: each would look for its line from the start. Two
 * keys that are alike are not looked for, which takes the square of their number: the last one counts.
 */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) throw new Error(`${error.message} at line ${text.slice(0, error.pos[0]).split('\n').length}`);
  // A file of aliases of aliases ("billion laughs") ends with an error.
  return document.toJS({ maxAliasCount: 100 });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The slower reader knows comments; its message is the better one too.
    if (error instanceof SyntaxError) return JSON5.parse(text);
    throw error;
  }
}

/** Deepest nesting of brackets; those in strings count too, which no honest file notices. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

export function unreadable(path: string, why: string): { readonly notice: Notice } {
  return {
    notice: {
      severity: 'warning',
      message: `${path} cannot be read: ${why.replace(/[.:]$/, '')}.`,
      action: 'Imports that depend on it are resolved without it.',
    },
  };
}

/** Text of a file by its path from the root, or null when there is none or it is not text. */
export type ReadText = (path: string) => Promise<string | null>;

/** A parsed file, or null. Each file is read once; its trouble is noticed once. */
export type ReadTable = (path: string, format: Format) => Promise<Table | null>;

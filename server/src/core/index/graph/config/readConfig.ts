// Reads one configuration file of the repository as untrusted data. The file is parsed, never run; an unreadable file
// gives a notice.

import JSON5 from 'json5';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import type { Notice } from '../../../model.ts';
import { isRecord } from '../../../../util/values/isRecord.ts';

/** The formats of configuration files. */
export type Format = 'json' | 'toml' | 'yaml';
/** A table of unknown values. Check the type of a value before using it. */
export type Table = Readonly<Record<string, unknown>>;

/** A configuration file to parse. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
  readonly format: Format;
}

/** The table of a file, or a notice that the file cannot be read. */
export type ParsedConfig = { readonly table: Table } | { readonly notice: Notice };

/** Parses a text, either immediately or on a thread that can be stopped. */
export type ParseConfig = (text: ConfigText) => Promise<ParsedConfig>;

/** Maximum number of UTF-16 units in a file. A larger file is not written by hand. */
const MAX_CONFIG_CHARACTERS = 1_000_000;
/** Maximum nesting of brackets. A recursive parser runs out of stack only far above this. */
const MAX_DEPTH = 200;

const PARSER_BY_FORMAT: Readonly<Record<Format, (text: string) => unknown>> = {
  json: parseJson,
  toml: (text) => parseToml(text),
  yaml: parseYaml,
};

/**
 * The table in a text, or a notice with the reason why there is none. As in tsconfig.json, JSON may have comments and
 * trailing commas.
 */
export function parseConfig({ path, text, format }: ConfigText): ParsedConfig {
  if (text.length > MAX_CONFIG_CHARACTERS) return createUnreadableNotice(path, 'it is too large');
  if (measureDepth(text) > MAX_DEPTH) return createUnreadableNotice(path, 'it is nested too deeply');
  try {
    const parsed = PARSER_BY_FORMAT[format](text.replace(/^\uFEFF/, ''));
    return isRecord(parsed) ? { table: parsed } : createUnreadableNotice(path, 'it holds no table');
  } catch (error) {
    const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return createUnreadableNotice(path, firstLine);
  }
}

/** An own property of a table, even if it is called `__proto__` or `constructor`. */
export function readValue(table: unknown, name: string): unknown {
  return isRecord(table) && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The table at a name; empty if there is none. */
export function getTable(table: unknown, name: string): Table {
  const value = readValue(table, name);
  return isRecord(value) ? value : {};
}

/** The text at a name; null if there is none. */
export function readString(table: unknown, name: string): string | null {
  const value = readValue(table, name);
  return typeof value === 'string' ? value : null;
}

/** The strings of a list; a single string is a list of one. */
export function readStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/**
 * Parses YAML without warnings. The parser must not compute the line of each error, because it would search the text
 * from the start each time; and must not detect duplicate keys, because that takes quadratic time. The last of equal
 * keys counts.
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
    // JSON5 is slower, but it accepts comments, and its message is better.
    if (error instanceof SyntaxError) return JSON5.parse(text);
    throw error;
  }
}

/** Deepest nesting of brackets. Brackets in strings count, too; that does not affect ordinary files. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** The notice about a configuration file that cannot be read. `reason`: the reason, as the end of a sentence. */
export function createUnreadableNotice(path: string, reason: string): { readonly notice: Notice } {
  return {
    notice: {
      severity: 'warning',
      message: `${path} cannot be read: ${reason.replace(/[.:]$/, '')}.`,
      action: 'Imports that depend on it are resolved without it.',
    },
  };
}

/** Text of a file by its path from the root; null if there is no such file or if it is not text. */
export type ReadText = (path: string) => Promise<string | null>;

/** A parsed file; null if it cannot be read. Each file is read once, and its problem is reported once. */
export type ReadTable = (path: string, format: Format) => Promise<Table | null>;

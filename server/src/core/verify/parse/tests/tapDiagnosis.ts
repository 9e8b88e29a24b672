// Parses the YAML block with which the Test Anything Protocol describes a failure, and returns the useful parts.

import { parse } from 'yaml';
import { condenseTestFailure } from '../testCounts.ts';

/** Matches frames of runners, packages and Node. */
const FOREIGN_FRAME_PATTERN = /node_modules|node:|<anonymous>\)?$/;

/**
 * Longer blocks are not parsed, because a test may print whole documents, and parsing blocks all other work. The
 * returned text is far shorter.
 */
const MAX_PARSED_CHARACTERS = 20_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the name of the error, its message, the expected and the actual value, and the location in the repository.
 * Returns the block unchanged if it is too long or cannot be parsed.
 */
export function parseTapDiagnosis(block: string): string {
  const fields = parseFields(block);
  if (fields === null) return condenseTestFailure(block);
  const { name, code, details } = fields;
  const message = toText(fields.message) || toText(fields.error) || toText(fields.assertion);
  const codeText = toText(code);
  const lines = [
    [toText(name), message].filter((part) => part !== '').join(': '),
    codeText === 'ERR_ASSERTION' || codeText === '' ? '' : `code: ${codeText}`,
    ...['expected', 'actual'].map((field) => (field in fields ? `${field}: ${toText(fields[field])}` : '')),
    toText(fields.diff),
    ...formatDetails(details),
    findLocation(fields),
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  return condenseTestFailure(text === '' ? block : text);
}

/** The fields of the block; null if it is not a YAML mapping, or too long. */
function parseFields(block: string): Fields | null {
  if (block.length > MAX_PARSED_CHARACTERS) return null;
  try {
    const value: unknown = parse(block, { logLevel: 'silent', maxAliasCount: 0, uniqueKeys: false });
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

/** AVA's values, each below its title. */
function formatDetails(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).map(([title, value]) => `${title}\n${toText(value)}`);
}

/** Returns a location as text; tap writes it as an object. */
function formatLocation(place: unknown): string {
  const { fileName, lineNumber } = (typeof place === 'object' && place !== null ? place : {}) as Fields;
  return fileName === undefined ? toText(place) : `${toText(fileName)}:${toText(lineNumber)}`;
}

/** The first location in the repository's own code, after `at`; empty if there is none. */
function findLocation({ at, stack, location }: Fields): string {
  const places = [formatLocation(at), ...toText(stack).split('\n'), toText(location)].map((place) => place.trim());
  const place = places.find((candidate) => candidate !== '' && !FOREIGN_FRAME_PATTERN.test(candidate)) ?? '';
  return place === '' || place.startsWith('at ') ? place : `at ${place}`;
}

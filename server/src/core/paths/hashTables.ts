// Hashes the tables of paths, which determine which files count as tests or as vendored code, and thus what the ruler
// measures.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import * as others from './table/others.ts';
import * as tests from './table/tests.ts';

/** sha-256 of the canonical JSON of the tables for tests and for other kinds of files. */
export const TABLES_HASH = sha256(canonicalJson(toPlainData({ ...others, ...tests })));

/** A copy of a value in which regular expressions are strings and sets are sorted lists. */
function toPlainData(value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(toPlainData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlainData(inner)]));
}

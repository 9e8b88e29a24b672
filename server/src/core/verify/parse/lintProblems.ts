// Parses problems from the JSON of linters or, for package scripts, from ESLint's usual text. Each function returns
// null for text of another format.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { removeEscapeSequences } from './plainText.ts';
import type { Problem } from './problem.ts';

/** Parses ESLint's `--format json`. Notes about ignored files are skipped. */
export function parseEslint(output: string): Problem[] | null {
  const files = parseEnclosedJson(output);
  if (!Array.isArray(files)) return null;
  return files.flatMap(
    (file: { filePath?: string; messages?: { ruleId: string | null; severity: number; message: string }[] }) =>
      (file.messages ?? [])
        .filter(({ ruleId, severity }) => ruleId !== null || severity === 2)
        .map(({ ruleId, message }) => ({ path: file.filePath ?? '', code: ruleId ?? 'parse error', message })),
  );
}

/** Parses Biome's `--reporter=json`. Path and message are strings or, in older versions, consist of parts. */
export function parseBiome(output: string): Problem[] | null {
  const report = parseEnclosedJson(output) as {
    diagnostics?: {
      category?: string;
      message?: unknown;
      description?: string;
      location?: { path?: string | { file?: string } | null };
    }[];
  } | null;
  if (!Array.isArray(report?.diagnostics)) return null;
  return report.diagnostics.map(({ category, message, description, location }) => {
    const path = typeof location?.path === 'string' ? location.path : location?.path?.file;
    return {
      path: path ?? '',
      code: category ?? '',
      message: typeof message === 'string' ? message : (description ?? ''),
    };
  });
}

/** Parses oxlint's `--format json`. */
export function parseOxlint(output: string): Problem[] | null {
  const report = parseEnclosedJson(output) as
    | { diagnostics?: { code?: string; message?: string; filename?: string }[] }
    | { code?: string; message?: string; filename?: string }[]
    | null;
  const diagnostics = Array.isArray(report) ? report : report?.diagnostics;
  return Array.isArray(diagnostics)
    ? diagnostics.map(({ code, message, filename }) => ({
        path: filename ?? '',
        code: code ?? '',
        message: message ?? '',
      }))
    : null;
}

/**
 * Parses ESLint's `stylish` text: a line with the file, then one indented line for each problem. Returns null if no
 * problem is found, also for a clean run.
 */
export function parseStylish(output: string): Problem[] | null {
  const problems: Problem[] = [];
  let path = '';
  for (const line of removeEscapeSequences(output).split('\n')) {
    const match = /^\s+\d+:\d+\s+(?:error|warning)\s+(.*?)(?:\s{2,}(\S+))?$/.exec(line);
    if (match) problems.push({ path, code: match[2] ?? 'parse error', message: match[1] ?? '' });
    else if (/^\S/.test(line)) path = line.trim();
  }
  return problems.length > 0 ? problems : null;
}

/**
 * Parses the JSON document between the first and the last bracket, because tools may print notes around it. Null if
 * there is none.
 */
export function parseEnclosedJson(output: string): unknown {
  const start = output.search(/[[{]/);
  const end = Math.max(output.lastIndexOf(']'), output.lastIndexOf('}'));
  return parseJsonOrNull(output.slice(start, end + 1));
}

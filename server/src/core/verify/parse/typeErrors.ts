// Parses diagnostics of tsc, vue-tsc and tsgo, in their plain and their pretty form.

import { removeEscapeSequences } from './plainText.ts';
import type { Problem } from './problem.ts';

/** Matches an error in the plain form. */
const PLAIN_PATTERN = /^(?<path>\S.*?)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.*)$/;
/** Matches an error in the pretty form. */
const PRETTY_PATTERN = /^(?<path>\S.*?):(?<line>\d+):\d+ - error (?<code>TS\d+): (?<message>.*)$/;
/** Matches an error of the configuration, which has no file. */
const GLOBAL_PATTERN = /^error (?<code>TS\d+): (?<message>.*)$/;

/** The type errors, in the order of the output. */
export function parseTypeErrors(output: string): Problem[] {
  return removeEscapeSequences(output)
    .split('\n')
    .flatMap((text) => {
      const groups = (PLAIN_PATTERN.exec(text) ?? PRETTY_PATTERN.exec(text) ?? GLOBAL_PATTERN.exec(text))?.groups;
      if (!groups) return [];
      const problem = { path: groups['path'] ?? '', code: groups['code'] ?? '', message: groups['message'] ?? '' };
      return [groups['line'] === undefined ? problem : { ...problem, line: Number(groups['line']) }];
    });
}

/** Returns the problems, each with its line of code if that is known. `read` returns null for unknown paths. */
export async function addCode(
  problems: readonly Problem[],
  read: (path: string) => Promise<Uint8Array | null>,
): Promise<Problem[]> {
  const files = new Map<string, readonly string[]>();
  const typeErrors: Problem[] = [];
  for (const problem of problems) {
    const { path, line } = problem;
    if (!files.has(path))
      files.set(
        path,
        new TextDecoder().decode((path === '' ? null : await read(path)) ?? new Uint8Array()).split('\n'),
      );
    const text = line === undefined ? undefined : files.get(path)![line - 1]?.trim();
    typeErrors.push(text === undefined || text === '' ? problem : { ...problem, text });
  }
  return typeErrors;
}

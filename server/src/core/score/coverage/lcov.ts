// Reads lcov.info (man geninfo, "TRACE FILES").

import type { CoveredFile } from './coveredFile.ts';

/**
 * The files of a report; null if the text is not such a report, or names no file. Several records of one file are added
 * up.
 */
export function readLcov(text: string): readonly CoveredFile[] | null {
  const files = new Map<string, { lines: Map<number, number>; functions: { name: string; line: number }[] }>();
  let currentFile: { lines: Map<number, number>; functions: { name: string; line: number }[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^(SF|DA|FN):(.*)$/.exec(line) ?? [];
    if (key === 'SF' && value) {
      currentFile = files.get(value) ?? { lines: new Map(), functions: [] };
      files.set(value, currentFile);
    } else if (line === 'end_of_record') currentFile = null;
    else if (currentFile && key === 'DA') addLine(currentFile.lines, value!);
    else if (currentFile && key === 'FN') addFunction(currentFile.functions, value!);
  }
  return files.size === 0 ? null : [...files].map(([path, file]) => ({ path, ...file }));
}

/** Adds the runs of one line. `value`: `line,hits` or `line,hits,checksum`. */
function addLine(lines: Map<number, number>, value: string): void {
  const [line, hits] = value.split(',').map(Number);
  if (!Number.isSafeInteger(line) || line! < 1 || hits === undefined || Number.isNaN(hits)) return;
  lines.set(line!, (lines.get(line!) ?? 0) + Math.max(0, hits));
}

/** Adds a function. `value`: `line,name` or, since lcov 2, `line,end line,name`. */
function addFunction(functions: { name: string; line: number }[], value: string): void {
  const [, line, name] = /^(\d+),(?:\d+,)?(.*)$/.exec(value) ?? [];
  if (line && name) functions.push({ line: Number(line), name });
}

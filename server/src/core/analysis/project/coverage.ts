// Reads coverage reports in the lcov format: https://github.com/linux-test-project/lcov (geninfo, "tracefile format").

/** Runs of each line that the report knows, by file from the root. */
export type Coverage = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** `root`: absolute folder that absolute paths are made relative to. Lines that are no records are passed over. */
export function readLcov(text: string, root: string): Coverage {
  const files = new Map<string, Map<number, number>>();
  let lines: Map<number, number> | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) {
      const path = line.slice(3).trim().replaceAll('\\', '/');
      const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\.\//, '');
      lines = files.get(inside) ?? new Map<number, number>();
      files.set(inside, lines);
    } else if (line.startsWith('DA:')) {
      const [number, runs] = line.slice(3).split(',').map(Number);
      if (lines && Number.isInteger(number) && Number.isFinite(runs)) lines.set(number!, (lines.get(number!) ?? 0) + runs!);
    } else if (line === 'end_of_record') lines = null;
  }
  return files;
}

/** Whether a line inside of a definition was run; null when the report does not know the file or has no line of it. The first line runs when the file is loaded, so it does not count where there are others. */
export function wasRun(coverage: Coverage, path: string, startLine: number, endLine: number): boolean | null {
  const lines = coverage.get(path);
  if (!lines) return null;
  let known = false;
  for (let line = endLine > startLine ? startLine + 1 : startLine; line <= endLine; line++) {
    const runs = lines.get(line);
    if (runs === undefined) continue;
    if (runs > 0) return true;
    known = true;
  }
  return known ? false : null;
}

// Reads the profile that `go test -coverprofile` writes (https://pkg.go.dev/golang.org/x/tools/cover#Profile).

import type { CoveredFile } from './coveredFile.ts';

/**
 * Matches a block such as `example.com/m/a.go:3.14,5.2 2 1`: it extends from line 3 to line 5, and has two statements,
 * which ran once.
 */
const BLOCK_PATTERN = /^(.+):(\d+)\.\d+,(\d+)\.(\d+) (\d+) (\d+)$/;

/**
 * The files of a profile; null if the text is not a profile, or has no block with statements. Paths begin with the path
 * of their package. The profile contains blocks, not statements, so each line of a block counts. A line in several
 * blocks ran as often as the last of these blocks that begins before the line. If none does, it ran as often as the
 * first block that begins on it.
 */
export function readGoProfile(text: string): readonly CoveredFile[] | null {
  const [mode = '', ...blocks] = text.split(/\r?\n/);
  if (!mode.startsWith('mode:')) return null;
  /**
   * Blocks by path and then by position. The test programs of several packages write the same blocks, whose hits are
   * added.
   */
  const blocksByPath = new Map<string, Map<string, Block>>();
  for (const line of blocks) {
    const [, path, firstLine, lastLine, column, statements, hits] = BLOCK_PATTERN.exec(line) ?? [];
    if (path === undefined || Number(statements) === 0) continue;
    const blocksOfFile = blocksByPath.get(path) ?? new Map<string, Block>();
    blocksByPath.set(path, blocksOfFile);
    const blockKey = line.slice(0, line.lastIndexOf(' '));
    // A block that ends before the first character of a line does not reach into it.
    const lastCoveredLine = Number(column) <= 2 ? Math.max(Number(firstLine), Number(lastLine) - 1) : Number(lastLine);
    const earlierHits = blocksOfFile.get(blockKey)?.hits ?? 0;
    blocksOfFile.set(blockKey, {
      firstLine: Number(firstLine),
      lastLine: lastCoveredLine,
      hits: earlierHits + Number(hits),
    });
  }
  if (blocksByPath.size === 0) return null;
  return [...blocksByPath].map(([path, blocksOfFile]) => ({
    path,
    lines: collectLines([...blocksOfFile.values()]),
    functions: [],
  }));
}

/**
 * The file with only those lines that contain code. A block also has blank lines, comments and lines with nothing but
 * brackets.
 */
export function keepCodeLines(file: CoveredFile, text: string): CoveredFile {
  const lines = text.split(/\r?\n/);
  const hasCode = (line: number) => {
    const code = (lines[line - 1] ?? '').replace(/\/\/.*$/, '').replace(/\s/g, '');
    return !/^[(){}[\],;]*(?:else\{)?$/.test(code);
  };
  return { ...file, lines: new Map([...file.lines].filter(([line]) => hasCode(line))) };
}

interface Block {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly hits: number;
}

/** Number of runs of each line, by its number. Inner blocks begin later, so they overwrite outer blocks. */
function collectLines(blocks: readonly Block[]): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (const { firstLine, lastLine, hits } of blocks.toSorted((a, b) => a.firstLine - b.firstLine))
    for (let line = firstLine; line <= lastLine; line += 1)
      lines.set(line, lines.has(line) && line === firstLine ? lines.get(line)! : hits);
  return new Map([...lines].sort(([a], [b]) => a - b));
}

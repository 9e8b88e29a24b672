// Defines the type of a row in the tables of paths, and how paths are matched.

/** The patterns by which files of one language, or of all, are recognised as one kind. */
export interface Row {
  readonly language: string;
  /** Extensions without the dot, separated by blanks; null: any file. */
  readonly endings: string | null;
  /** Patterns for the path relative to the root, with `/`. */
  readonly patterns: readonly RegExp[];
}

/** Creates a test for paths: true if a row for the path's extension, or a row for all extensions, matches. */
export function matcher(rows: readonly Row[]): (path: string) => boolean {
  const general = rows.filter(({ endings }) => endings === null).flatMap(({ patterns }) => patterns);
  const byEnding = new Map<string, RegExp[]>();
  for (const { endings, patterns } of rows) {
    for (const ending of endings?.split(' ') ?? [])
      byEnding.set(ending, [...(byEnding.get(ending) ?? []), ...patterns]);
  }
  return (path) => {
    const ownRows = byEnding.get(endingOf(path)) ?? [];
    return general.some((pattern) => pattern.test(path)) || ownRows.some((pattern) => pattern.test(path));
  };
}

/** The extension of a path in lower case, without the dot; empty if there is none. */
export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

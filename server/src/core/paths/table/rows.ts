// The type of a row in the tables of paths, and how paths are matched.

/** How the files of one language, or all files, are recognised as one kind. */
export interface Row {
  readonly language: string;
  /** Extensions without the dot, separated by blanks; null: any file. */
  readonly endings: string | null;
  /** Patterns for the path relative to the root, with `/`. */
  readonly patterns: readonly RegExp[];
}

/** Returns whether a path matches a row for its extension or for any. */
export function matcher(rows: readonly Row[]): (path: string) => boolean {
  const general = rows.filter(({ endings }) => endings === null).flatMap(({ patterns }) => patterns);
  const byEnding = new Map<string, RegExp[]>();
  for (const { endings, patterns } of rows) {
    for (const ending of endings?.split(' ') ?? [])
      byEnding.set(ending, [...(byEnding.get(ending) ?? []), ...patterns]);
  }
  return (path) => {
    const own = byEnding.get(endingOf(path)) ?? [];
    return general.some((pattern) => pattern.test(path)) || own.some((pattern) => pattern.test(path));
  };
}

/** In lower case, without the dot; empty if there is none. */
export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

// What a row of the tables of paths is.

/** By what the files of one language, or all files, are told to be of a kind. */
export interface Row {
  readonly language: string;
  /** Endings without the dot, with blanks between; null: any file. */
  readonly endings: string | null;
  /** Of the path relative to the root, with `/`. */
  readonly patterns: readonly RegExp[];
}

/** Asks whether a path fits a row of its own ending or of any. */
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

/** In lower case, without the dot; empty where there is none. */
export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

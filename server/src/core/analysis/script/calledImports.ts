// Finds the modules that a script loads by calls, in its text.

/** Specifiers of `require` and `import()`, as they are written. */
export function findCalledSpecifiers(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:require|import)\s*\(\s*['"`]([^'"`\n$]+)['"`]\s*[,)]/g)].map(
    ([, specifier]) => specifier!,
  );
}

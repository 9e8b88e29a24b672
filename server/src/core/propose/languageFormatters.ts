// Detects the formatters of Go and Python in a repository. Whether they are installed is known only when they are
// started.

import type { Formatter } from './formatter.ts';

const GOFMT: Formatter = {
  name: 'gofmt',
  isWholeFileFormatter: true,
  // Go has one standard layout, but only the layout of a file shows that the team uses it.
  isConfigured: false,
  formats: (path) => path.endsWith('.go'),
  command: (paths) => ['gofmt', '-w', '--', ...paths],
  goodExitCodes: [0],
};

/** The formatters of Python, and the patterns that show their use in files of the root. */
const PYTHON_FORMATTERS: readonly {
  readonly formatter: Formatter;
  readonly patternsByFile: Readonly<Record<string, RegExp>>;
}[] = [
  {
    formatter: createPythonFormatter('Ruff', ['ruff', 'format', '--no-cache', '--force-exclude', '--quiet']),
    patternsByFile: {
      'pyproject.toml': /^[^\S\n]*\[tool\.ruff\.format\]/m,
      'ruff.toml': /^[^\S\n]*\[format\]/m,
      '.ruff.toml': /^[^\S\n]*\[format\]/m,
      '.pre-commit-config.yaml': /^[^#\n]*\bid:\s*['"]?ruff-format\b/m,
    },
  },
  {
    formatter: createPythonFormatter('Black', ['black', '--quiet']),
    patternsByFile: {
      'pyproject.toml': /^[^\S\n]*\[tool\.black\]/m,
      '.pre-commit-config.yaml': /^[^#\n]*\bid:\s*['"]?black\b/m,
    },
  },
];

/** A formatter of Python that rewrites files in place. `command`: the command without the files. */
function createPythonFormatter(name: Formatter['name'], command: readonly string[]): Formatter {
  return {
    name,
    isWholeFileFormatter: true,
    isConfigured: true,
    formats: (path) => /\.pyi?$/.test(path),
    command: (paths) => [...command, '--', ...paths],
    goodExitCodes: [0],
  };
}

/**
 * Detects the formatters for these files: gofmt, and the first of Ruff and Black whose use a file in the root shows.
 * `read`: returns the text of a file; null if it does not exist.
 */
export async function detectLanguageFormatters(
  paths: readonly string[],
  read: (path: string) => Promise<string | null>,
): Promise<readonly Formatter[]> {
  const formatters = paths.some(GOFMT.formats) ? [GOFMT] : [];
  for (const { formatter, patternsByFile } of PYTHON_FORMATTERS) {
    if (!paths.some(formatter.formats)) break;
    const configuredFormatters = await Promise.all(
      Object.entries(patternsByFile).map(async ([file, pattern]) => pattern.test((await read(file)) ?? '')),
    );
    if (configuredFormatters.includes(true)) return [...formatters, formatter];
  }
  return formatters;
}

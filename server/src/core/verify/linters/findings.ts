// Parses the findings of linters, with their positions and, if the linter reports it, the fix.

import { parseEnclosedJson } from '../parse/lintProblems.ts';
import type { Problem } from '../parse/problem.ts';

/** Prefixes of rules for the plugin names that oxlint prints. */
const PLUGIN_ALIASES: Readonly<Record<string, string>> = {
  'typescript-eslint': 'typescript',
  '@typescript-eslint': 'typescript',
};

/** One finding of a linter, with its fix. */
export interface LintFinding {
  /** The path, as the linter prints it. */
  readonly path: string;
  /** The name of the rule, as the linter prints it. */
  readonly rule: string;
  readonly message: string;
  /** Lines and columns are 1-based. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /**
   * The edits of the fix, which belong together. `itself`: there is a fix, but only the linter can apply it. Null if
   * there is no fix, or if the linter does not report it.
   */
  readonly fix: readonly TextFix[] | 'itself' | null;
}

/**
 * One edit of a fix. Offsets are in the linter's own units (`Fixer.offsetUnit` in lintFixers.ts); `end` is exclusive.
 */
export interface TextFix {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The findings in the form that a gate compares. */
export function toProblems(findings: readonly LintFinding[] | null): Problem[] | null {
  return findings && findings.map(({ path, rule, message }) => ({ path, code: rule, message }));
}

interface EslintMessage {
  readonly ruleId: string | null;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly fix?: { readonly range: readonly [number, number]; readonly text: string };
}

/** Parses ESLint's `--format json`; null if the text has another form. Skips messages without a rule. */
export function readEslintFindings(output: string): LintFinding[] | null {
  const files = parseEnclosedJson(output);
  if (!Array.isArray(files)) return null;
  return (files as { filePath?: string; messages?: EslintMessage[] }[]).flatMap(({ filePath = '', messages = [] }) =>
    messages.flatMap(({ ruleId, message, fix, ...place }) =>
      ruleId === null
        ? []
        : [
            {
              path: filePath,
              rule: ruleId,
              message,
              ...convertPosition(place),
              fix: fix && fix.range[0] >= 0 ? [{ start: fix.range[0], end: fix.range[1], text: fix.text }] : null,
            },
          ],
    ),
  );
}

/** Parses Biome's `--reporter=json`; null if the text has another form. Skips everything but findings of lint rules. */
export function readBiomeFindings(output: string): LintFinding[] | null {
  const report = parseEnclosedJson(output) as {
    diagnostics?: {
      category?: string;
      message?: unknown;
      description?: string;
      location?: { path?: string | { file?: string } | null; start?: LinterPosition; end?: LinterPosition };
    }[];
  } | null;
  if (!Array.isArray(report?.diagnostics)) return null;
  return report.diagnostics.flatMap(({ category = '', message, description, location }) => {
    const rule = /^lint\/(.+)$/.exec(category)?.[1];
    const path = typeof location?.path === 'string' ? location.path : location?.path?.file;
    if (!rule || !path) return [];
    return [
      {
        path,
        rule,
        message: typeof message === 'string' ? message : (description ?? ''),
        ...convertPosition({ ...location?.start, endLine: location?.end?.line, endColumn: location?.end?.column }),
        fix: null,
      },
    ];
  });
}

/**
 * Parses oxlint's `--format json`; null if the text has another form. `eslint(no-var)` becomes `eslint/no-var`;
 * findings without such a code are skipped.
 */
export function readOxlintFindings(output: string): LintFinding[] | null {
  const report = parseEnclosedJson(output) as {
    diagnostics?: {
      code?: string;
      message?: string;
      filename?: string;
      labels?: { span?: LinterPosition & { length?: number } }[];
    }[];
  } | null;
  if (!Array.isArray(report?.diagnostics)) return null;
  return report.diagnostics.flatMap(({ code = '', message = '', filename = '', labels }) => {
    const [, plugin, name] = /^([^()]+)\(([^()]+)\)$/.exec(code) ?? [];
    if (!plugin || !name) return [];
    const { line = 1, column = 1, length = 0 } = labels?.[0]?.span ?? {};
    return [
      {
        path: filename,
        rule: `${PLUGIN_ALIASES[plugin] ?? plugin.replace(/^eslint-plugin-/, '')}/${name}`,
        message,
        line,
        column,
        endLine: line,
        endColumn: column + length,
        fix: null,
      },
    ];
  });
}

/** A position as linters report it, of which any part may be missing. */
interface LinterPosition {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * The position with line and column 1 if the linter does not report them. Without an end, the position ends where it
 * starts.
 */
function convertPosition({
  line = 1,
  column = 1,
  endLine,
  endColumn,
}: LinterPosition & { readonly endLine?: number | undefined; readonly endColumn?: number | undefined }): Pick<
  LintFinding,
  'line' | 'column' | 'endLine' | 'endColumn'
> {
  return { line, column, endLine: endLine ?? line, endColumn: endColumn ?? column };
}

// Parses the JSON output of linters for Python, Rust and Go.

import { parseEnclosedJson } from '../parse/lintProblems.ts';
import type { LintFinding, TextFix } from './findings.ts';

interface RuffPlace {
  readonly row?: number;
  readonly column?: number;
}

/** Parses `ruff check --output-format=json`; null if the text has another form. Skips fixes that Ruff calls unsafe. */
export function readRuffFindings(output: string): LintFinding[] | null {
  const parsed = parseEnclosedJson(output);
  if (!Array.isArray(parsed)) return null;
  return (
    parsed as {
      code?: string | null;
      message?: string;
      filename?: string;
      location?: RuffPlace;
      end_location?: RuffPlace;
      fix?: { applicability?: string } | null;
    }[]
  ).map(({ code, message = '', filename = '', location, end_location: end, fix }) => ({
    path: filename,
    rule: code ?? 'syntax-error',
    message,
    line: location?.row ?? 1,
    column: location?.column ?? 1,
    endLine: end?.row ?? location?.row ?? 1,
    endColumn: end?.column ?? location?.column ?? 1,
    // Versions before 0.1 did not report the kind of a fix, and made only safe ones.
    fix: fix && (fix.applicability ?? 'safe') === 'safe' ? 'itself' : null,
  }));
}

interface ClippySpan {
  readonly file_name: string;
  readonly byte_start: number;
  readonly byte_end: number;
  readonly line_start: number;
  readonly column_start: number;
  readonly line_end: number;
  readonly column_end: number;
  readonly is_primary?: boolean;
  readonly expansion?: unknown;
  readonly suggested_replacement: string | null;
  readonly suggestion_applicability: string | null;
}

interface ClippyMessage {
  readonly code: { readonly code: string } | null;
  readonly level: string;
  readonly message: string;
  readonly spans: readonly ClippySpan[];
  readonly children: readonly { readonly spans: readonly ClippySpan[] }[];
}

/**
 * Parses `cargo clippy --message-format=json`: one line per message, including the compiler's own lints (`rustc/…`).
 * Only fixes that the compiler calls machine-applicable count. A message about two targets of a crate counts once. Null
 * if there is no such line.
 */
export function readClippyFindings(output: string): LintFinding[] | null {
  const lines = output
    .split('\n')
    .flatMap((line) =>
      line.startsWith('{') ? [parseEnclosedJson(line) as { reason?: string; message?: ClippyMessage } | null] : [],
    );
  if (!lines.some((line) => line?.reason !== undefined)) return null;
  const findingByPlace = new Map<string, LintFinding>();
  for (const line of lines) {
    const message = line?.reason === 'compiler-message' ? line.message : undefined;
    const place = message?.spans.find((span) => span.is_primary) ?? message?.spans[0];
    if (!message || !place || (message.level !== 'warning' && message.level !== 'error')) continue;
    const finding = {
      path: place.file_name,
      rule: readClippyRule(message),
      message: message.message,
      line: place.line_start,
      column: place.column_start,
      endLine: place.line_end,
      endColumn: place.column_end,
      fix: readClippyFix(message, place.file_name),
    };
    findingByPlace.set(
      JSON.stringify([finding.path, finding.rule, place.byte_start, place.byte_end, finding.message]),
      finding,
    );
  }
  return [...findingByPlace.values()];
}

/**
 * `clippy::needless_return` becomes `needless_return`; the compiler's `unused_imports` becomes `rustc/unused_imports`.
 */
function readClippyRule({ code }: ClippyMessage): string {
  const name = code?.code ?? 'parse error';
  return name.startsWith('clippy::') ? name.slice('clippy::'.length) : `rustc/${name}`;
}

/** The first of several possible fixes; null if a macro generates the code, or if the fix also changes another file. */
function readClippyFix({ children }: ClippyMessage, path: string): readonly TextFix[] | null {
  const suggestion = children
    .map(({ spans }) => spans.filter(({ suggested_replacement: text }) => text !== null))
    .find((spans) => spans.length > 0);
  if (
    !suggestion?.every(
      (span) => span.suggestion_applicability === 'MachineApplicable' && span.file_name === path && !span.expansion,
    )
  )
    return null;
  return suggestion.map((span) => ({ start: span.byte_start, end: span.byte_end, text: span.suggested_replacement! }));
}

interface GolangciIssue {
  readonly FromLinter?: string;
  readonly Text?: string;
  readonly Pos?: { readonly Filename?: string; readonly Line?: number; readonly Column?: number };
  /** The lines of the finding, if there are several. */
  readonly LineRange?: { readonly From?: number; readonly To?: number } | null;
}

/**
 * Parses the JSON of `golangci-lint run` in both major versions. It is one line among other lines about the run. Null
 * if there is no such line. Skips errors of the compiler (`typecheck`), because the gate types reports them, and they
 * may only mean that a dependency is missing in the sandbox.
 */
export function readGolangciFindings(output: string): LintFinding[] | null {
  const line = output.split('\n').find((candidate) => /^\s*\{\s*"Issues"/.test(candidate));
  const report = (line === undefined ? null : parseEnclosedJson(line)) as {
    Issues?: readonly GolangciIssue[] | null;
  } | null;
  if (report === null || report.Issues === undefined) return null;
  return (report.Issues ?? []).flatMap(
    ({ FromLinter: linter = '', Text: message = '', Pos: place, LineRange: lines }) =>
      linter === 'typecheck' || linter === ''
        ? []
        : [
            {
              path: place?.Filename ?? '',
              // Some linters begin their message with the name of the rule: `SA4006: this value is never used`.
              rule: `${linter}${/^(?:[A-Z]{1,3}\d{3,4})(?=:)/.exec(message)?.[0].replace(/^/, '/') ?? ''}`,
              message,
              line: place?.Line ?? 1,
              column: Math.max(1, place?.Column ?? 1),
              endLine: lines?.To ?? place?.Line ?? 1,
              endColumn: Math.max(1, place?.Column ?? 1),
              fix: null,
            },
          ],
  );
}

interface GoDiagnostic {
  readonly posn?: string;
  readonly end?: string;
  readonly message?: string;
  readonly suggested_fixes?: readonly unknown[];
}

/**
 * Parses `go vet -json` and `go fix -json`: for each package, an object of analysers with their findings. Older
 * versions print the objects between lines with package names. Empty output means no findings. Null if the text has
 * another form.
 */
export function readGoFindings(output: string): LintFinding[] | null {
  // Versions of `go fix` without analysers find nothing.
  if (/flag provided but not defined: -json/.test(output)) return [];
  const text = output
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trim();
  const findings: LintFinding[] = [];
  // There are several documents in succession. Each ends with a separate line.
  for (const document of text.split(/(?<=^\{?\})\n/m).filter((chunk) => chunk.trim() !== '')) {
    const packages = parseEnclosedJson(document) as Readonly<
      Record<string, Readonly<Record<string, readonly GoDiagnostic[] | { readonly error?: string }>>>
    > | null;
    if (packages === null || typeof packages !== 'object' || Array.isArray(packages)) return null;
    for (const analysers of Object.values(packages)) {
      for (const [rule, diagnostics] of Object.entries(analysers)) {
        if (Array.isArray(diagnostics))
          findings.push(
            ...(diagnostics as readonly GoDiagnostic[]).map((diagnostic) => createGoFinding(rule, diagnostic)),
          );
      }
    }
  }
  return findings;
}

function createGoFinding(
  rule: string,
  { posn = '', end = '', message = '', suggested_fixes: fixes = [] }: GoDiagnostic,
): LintFinding {
  const [, path = posn, line = '1', column = '1'] = /^(.*?):(\d+)(?::(\d+))?$/.exec(posn) ?? [];
  const [, endLine = line, endColumn = column] = /:(\d+):(\d+)$/.exec(end) ?? [];
  return {
    path,
    rule,
    message,
    line: Number(line),
    column: Number(column),
    endLine: Number(endLine),
    endColumn: Number(endColumn),
    fix: fixes.length > 0 ? 'itself' : null,
  };
}

// Analyses a script quickly after its text has changed: only top-level statements that are new since the last analysis
// are walked.

import type { ts } from 'ts-morph';
import type { FunctionUnit } from '../functionUnit.ts';
import { findGuardLine } from '../script/guardLine.ts';
import { countLines, type LineStarts } from '../lines.ts';
import { walkScript } from '../metrics/scriptMetrics.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import type { Finding } from '../../rules/finding.ts';
import { findShapeProblems } from '../functionShape.ts';
import { findFileProblems, findExportProblems } from '../wholeFileFindings.ts';
import { countCodeLines } from '../shared/codeLines.ts';
import { NODE_CHECKS } from '../nodeChecks.ts';
import { bindScript } from '../script/bindings.ts';
import { collectModuleExports } from '../script/exportedApi.ts';
import { hasSyntaxErrors } from '../script/parseScript.ts';
import { findScopes, type Scope } from '../script/scopes.ts';

/** The results for one top-level statement. All offsets refer to the text that was analysed. */
interface AnalysedStatement {
  // The offset at which the statement began in that text.
  readonly analysedStart: number;
  readonly units: readonly FunctionUnit[];
  readonly findings: readonly Finding[];
  /** The scopes; null if they were not computed yet. */
  scopes: readonly Scope[] | null;
}

/** Results by statement. The parser reuses and moves the nodes of statements that have not changed. */
export type StatementCache = WeakMap<ts.Statement, AnalysedStatement>;

const NO_DEAD_RANGES: ReadonlyMap<number, number> = new Map();

/**
 * Units and findings like those of `analyseScript`, without findings of the type checker, measures, facts, and the unit
 * of the top level. A finding that depends on another top-level statement is updated only when its own statement
 * changes.
 */
export function scanScript(sourceFile: ts.SourceFile, lines: LineStarts, cache: StatementCache): RawAnalysis {
  const newStatements = sourceFile.statements.filter((statement) => !cache.has(statement));
  if (newStatements.length > 0 && !hasSyntaxErrors(sourceFile)) bindNames(sourceFile);
  const units: FunctionUnit[] = [];
  const findings: Finding[] = [];
  for (const statement of sourceFile.statements) {
    const analysed = cache.get(statement) ?? analyseStatement(statement, sourceFile);
    cache.set(statement, analysed);
    const shift = statement.pos - analysed.analysedStart;
    units.push(...(shift === 0 ? analysed.units : analysed.units.map((unit) => moveUnit(unit, shift))));
    findings.push(
      ...(shift === 0 ? analysed.findings : analysed.findings.map((finding) => moveFinding(finding, shift))),
    );
  }
  const moduleExports = collectModuleExports(sourceFile);
  findings.push(
    ...findExportProblems(moduleExports),
    ...findFileProblems(sourceFile.text, countCodeLines(sourceFile.text, false)),
  );
  const functionContext = {
    canExtract: true,
    countLines: (unit: FunctionUnit) => countLines(lines, unit),
    findGuardLine: (unit: FunctionUnit) => findGuardLine(unit, findings, lines),
  };
  findings.push(...units.flatMap((unit) => findShapeProblems(unit, functionContext)));
  return { units, findings, measures: {} };
}

/** The named definitions of a file, from the cached statements. `scanScript` must have run on the file before. */
export function findCachedScopes(sourceFile: ts.SourceFile, cache: StatementCache): Scope[] {
  return sourceFile.statements.flatMap((statement) => {
    const analysed = cache.get(statement);
    if (!analysed) return [];
    const shift = statement.pos - analysed.analysedStart;
    analysed.scopes ??= findScopes(createViewOfStatement(statement, sourceFile)).map((scope) =>
      moveScope(scope, -shift),
    );
    return shift === 0 ? analysed.scopes : analysed.scopes.map((scope) => moveScope(scope, shift));
  });
}

/** Walks one top-level statement, and applies the checks of all rules to its nodes. */
function analyseStatement(statement: ts.Statement, sourceFile: ts.SourceFile): AnalysedStatement {
  const view = createViewOfStatement(statement, sourceFile);
  const findings: Finding[] = [];
  const { units } = walkScript(view, NO_DEAD_RANGES, (node) => {
    if (node === view) return;
    for (const check of NODE_CHECKS[node.kind] ?? []) {
      const finding = check(node, sourceFile);
      if (finding) findings.push(finding);
    }
  });
  return {
    analysedStart: statement.pos,
    units: units.filter(({ kind }) => kind !== 'topLevel'),
    findings,
    scopes: null,
  };
}

/** A view of a source file that contains only this statement; its other properties are those of the whole file. */
function createViewOfStatement(statement: ts.Statement, sourceFile: ts.SourceFile): ts.SourceFile {
  return Object.create(sourceFile, { statements: { value: [statement] } }) as ts.SourceFile;
}

function moveScope({ path, start, end }: Scope, shift: number): Scope {
  return { path, start: start + shift, end: end + shift };
}

function moveUnit(unit: FunctionUnit, shift: number): FunctionUnit {
  return {
    ...unit,
    start: unit.start + shift,
    end: unit.end + shift,
    nameStart: unit.nameStart + shift,
    nameEnd: unit.nameEnd + shift,
    deepestOffset: unit.deepestOffset === null ? null : unit.deepestOffset + shift,
  };
}

function moveFinding(finding: Finding, shift: number): Finding {
  const related = finding.related?.map((place) => ({ ...place, start: place.start + shift, end: place.end + shift }));
  return {
    ...finding,
    start: finding.start + shift,
    end: finding.end + shift,
    nameStart: finding.nameStart + shift,
    nameEnd: finding.nameEnd + shift,
    ...(related ? { related } : {}),
  };
}

/**
 * Binds the names. The compiler may fail on unusual code; then names are unknown, and the rules that need them find
 * nothing.
 */
function bindNames(sourceFile: ts.SourceFile): void {
  try {
    bindScript(sourceFile);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

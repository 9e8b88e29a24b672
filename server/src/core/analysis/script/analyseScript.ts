// Analyses one TypeScript or JavaScript file: one parse, one walk. The type checker is used only if a name seems
// unused.

import { ts } from 'ts-morph';
import type { FunctionUnit } from '../functionUnit.ts';
import { countLines, type LineStarts } from '../lines.ts';
import { isInertStatement } from '../metrics/scriptNodes.ts';
import { walkScript, type ScriptWalk } from '../metrics/scriptMetrics.ts';
import { readModuleFacts } from '../project/moduleFacts.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import type { Finding } from '../../rules/finding.ts';
import { findShapeProblems } from '../functionShape.ts';
import { findFileProblems, findExportProblems } from '../wholeFileFindings.ts';
import { countCodeLines } from '../shared/codeLines.ts';
import { NODE_CHECKS } from '../nodeChecks.ts';
import { findUnused } from './unusedFindings.ts';
import { bindScript, setParents } from './bindings.ts';
import { findDeadCode, findUnreachableAfter, NOTHING_DEAD, type DeadCode } from './deadCode.ts';
import { countExportedApi, collectModuleExports } from './exportedApi.ts';
import { findGuardLine } from './guardLine.ts';
import { createHazardCount, type Hazard } from './hazards.ts';
import { countScoredFindings } from './scoredFindings.ts';
import { hasSyntaxErrors } from './parseScript.ts';
import { ReferenceCount } from './unusedDeclarations.ts';
import { createHiddenProblemCount } from './hiddenProblems.ts';
import { createConstructCount } from './wastefulConstructs.ts';

const NO_DEAD_RANGES: ReadonlyMap<number, number> = new Map();

/**
 * Analyses a script, which it binds in place. `quick`: true to compute only units, imports and exports, for generated
 * code and declaration files.
 */
export function analyseScript(
  sourceFile: ts.SourceFile,
  lines: LineStarts,
  options: { readonly quick: boolean },
): RawAnalysis {
  const isBound =
    !options.quick &&
    !hasSyntaxErrors(sourceFile) &&
    nullIfCompilerThrows(() => (bindScript(sourceFile), true)) === true;
  if (!isBound) setParents(sourceFile);
  const moduleFactReader = readModuleFacts(sourceFile, lines);
  if (options.quick)
    return {
      units: walkScript(sourceFile, NO_DEAD_RANGES, (node) => moduleFactReader.visit(node)).units,
      findings: [],
      measures: { files: 1 },
      module: moduleFactReader.facts(),
    };
  const references = isBound ? new ReferenceCount() : null;
  const findings: Finding[] = [];
  const inertStatements: ts.Node[] = [];
  const constructCount = createConstructCount();
  let hiddenProblemCount = createHiddenProblemCount(sourceFile);
  let hazardCount = createHazardCount(sourceFile);
  let walk = walkScript(sourceFile, NO_DEAD_RANGES, (node) => {
    references?.visit(node);
    hazardCount.visit(node);
    moduleFactReader.visit(node);
    if (node.kind === ts.SyntaxKind.ExpressionStatement && isInertStatement(node) && !isDirective(node))
      inertStatements.push(node);
    const unreached = findUnreachableAfter(node);
    if (unreached.length > 0) inertStatements.push(...unreached);
    constructCount.visit(node);
    hiddenProblemCount.visit(node);
    const checks = NODE_CHECKS[node.kind];
    if (checks === undefined) return;
    for (const check of checks) {
      const finding = check(node, sourceFile);
      if (finding) findings.push(finding);
    }
  });

  const unusedDeclarations = references?.mayHaveUnused()
    ? nullIfCompilerThrows(() => references.findUnused(sourceFile))
    : references
      ? []
      : null;
  if (unusedDeclarations) findings.push(...findUnused(sourceFile, unusedDeclarations));
  const unreadUnderscored = references?.listUnreadUnderscored() ?? [];
  const isClean = unusedDeclarations?.length === 0 && unreadUnderscored.length === 0 && inertStatements.length === 0;
  const deadCode = isClean
    ? NOTHING_DEAD
    : unusedDeclarations &&
      nullIfCompilerThrows(() => findDeadCode(sourceFile, references!, unusedDeclarations, inertStatements));
  if (deadCode && deadCode.ranges.size > 0) {
    // Dead code counts only as dead code, so all other counts are of live code.
    const live = { hazards: createHazardCount(sourceFile), pretexts: createHiddenProblemCount(sourceFile) };
    const visitLive = (node: ts.Node, isInDead: boolean): void => {
      if (isInDead) return;
      live.hazards.visit(node);
      live.pretexts.visit(node);
    };
    walk = { ...walk, flow: walkScript(sourceFile, deadCode.ranges, visitLive, { tokens: false }).flow };
    ({ hazards: hazardCount, pretexts: hiddenProblemCount } = live);
  }

  const moduleExports = collectModuleExports(sourceFile);
  const codeLines = countCodeLines(sourceFile.text, false);
  findings.push(...findExportProblems(moduleExports), ...findFileProblems(sourceFile.text, codeLines));
  const functionContext = {
    canExtract: true,
    countLines: (unit: FunctionUnit) => countLines(lines, unit),
    findGuardLine: (unit: FunctionUnit) => findGuardLine(unit, findings, lines),
  };
  for (const unit of walk.units) findings.push(...findShapeProblems(unit, functionContext));
  const measures = collectMeasures(
    walk,
    deadCode,
    hazardCount.counts(),
    findings,
    countExportedApi(sourceFile, moduleExports.exported),
  );
  return {
    units: walk.units,
    findings,
    measures: { ...measures, ...constructCount.counts(), ...hiddenProblemCount.counts() },
    firstOffsets: Object.fromEntries(
      Object.entries(hazardCount.firstOffsets()).map(([hazard, offset]) => [`script.${hazard}`, offset]),
    ),
    module: moduleFactReader.facts(),
  };
}

/** The measures of the file, by name: integers only, so that sums do not depend on the order of the files. */
function collectMeasures(
  walk: ScriptWalk,
  dead: DeadCode | null,
  hazards: Readonly<Record<Hazard, number>>,
  findings: readonly Finding[],
  api: ReturnType<typeof countExportedApi>,
): Record<string, number> {
  const measures: Record<string, number> = {
    files: 1,
    ...walk.flow,
    'script.statements': walk.flow.statements,
    ...countScoredFindings(findings, dead?.ranges ?? NO_DEAD_RANGES),
    'api.exported': api.exported,
    'api.documented': api.documented,
  };
  for (const [hazard, count] of Object.entries(hazards)) measures[`script.${hazard}`] = count;
  if (dead) {
    measures['checked.statements'] = walk.flow.statements;
    measures['checked.unused'] = dead.mass;
  }
  return measures;
}

/** True for a statement that is only a string, at any position. */
function isDirective(node: ts.Node): boolean {
  return ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression);
}

/**
 * The result of `compute`; null if it throws, as the compiler may on unusual code. The other parts of the analysis
 * stay valid.
 */
function nullIfCompilerThrows<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch {
    // Without a result, the measure is omitted, so that it counts for neither side of a comparison.
    return null;
  }
}

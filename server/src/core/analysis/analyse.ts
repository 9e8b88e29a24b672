// Analyses one file: figures of its functions, opportunities, and the sums that the ruler turns into points.

import type { ts } from 'ts-morph';
import type { Tree } from 'web-tree-sitter';
import type { FunctionMetrics, Language, Measures, Opportunity, SymbolInfo } from '../model.ts';
import { describeError } from '../../util/typedError.ts';
import { findLineIndex, findLineStarts, toRange, type LineStarts } from './lines.ts';
import { computeAllMetrics } from './metrics/functionMetrics.ts';
import { createOpportunities } from './opportunities.ts';
import { createFileFacts, NO_FACTS, type FileFacts } from './project/fileFacts.ts';
import { selectComplexUnits } from './functionUnit.ts';
import { findPythonProblems } from './pythonFindings.ts';
import type { RawAnalysis } from './rawAnalysis.ts';
import { CHECKED_RULES, rules, WALK_RULES } from './rules.ts';
import { filterForTests } from './script/unusedFindings.ts';
import { analyseScript } from './script/analyseScript.ts';
import { findOnWalk } from './script/findOnWalk.ts';
import { isDeclarationFile, parseScript, requireScript } from './script/parseScript.ts';
import { findComments } from './script/scriptComments.ts';
import { findScopes, type Scope } from './script/scopes.ts';
import { readImportSpecifiers } from './script/scriptImports.ts';
import { findCommentsByLine, findSuppressions, type Comments } from './suppressionComments.ts';
import {
  applySuppressions,
  findMisusedSuppressions,
  findUnusedSuppressions,
  type SuppressedOpportunity,
  type Suppression,
} from './suppressions.ts';
import { isTestFile } from '../paths/tests.ts';
import type { PythonLinter } from '../ports/sources.ts';
import { isTypeTestSource } from './shared/typeTests.ts';
import { isWithoutOpportunities } from './withoutOpportunities.ts';
import { analyseTree } from './tree/analyseTree.ts';
import { findTreeComments } from './tree/treeComments.ts';

/** A file to analyse. */
export interface SourceInput {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  /** The tree-sitter tree; null for TypeScript and JavaScript, which have another parser. */
  readonly tree: Tree | null;
  /** The named definitions; null if the analysis finds them with its own parser. */
  readonly symbols: readonly Pick<SymbolInfo, 'path' | 'range'>[] | null;
  /** True if a program generated the file. Such a file is measured separately, and gets no opportunities. */
  readonly generated: boolean;
  /** Finds problems in Python code; absent if only scripts are analysed. */
  readonly lintPython?: PythonLinter;
  /**
   * If set, only the rules with these ids are applied, and measures, facts, and functions without cognitive complexity
   * are omitted.
   */
  readonly only?: ReadonlySet<string>;
  /**
   * For a script that a person is typing: its tree, and the functions that analyse it quickly, without
   * `CHECKED_RULES`, measures and facts.
   */
  readonly glance?: {
    readonly sourceFile: ts.SourceFile;
    read(lines: LineStarts): RawAnalysis;
    scopes(): readonly Scope[];
  };
}

/** The result of analysing one file. */
export interface SourceAnalysis {
  readonly functions: FunctionMetrics[];
  readonly opportunities: Opportunity[];
  /** Opportunities that comments in the code hide. */
  readonly suppressed: SuppressedOpportunity[];
  /** The suppressions themselves, which rules about several files need. */
  readonly suppressions: Suppression[];
  readonly measures: Measures;
  /** The 1-based line of the first place that counts towards a measure; absent if no measure has such a place. */
  readonly firstLines?: Readonly<Record<string, number>>;
  /** Import specifiers as written; null if they are read from tree-sitter's tree by other code. */
  readonly imports: readonly string[] | null;
  /** Input for the rules about several files; `NO_FACTS` if the analysis was limited or failed. */
  readonly facts: FileFacts;
  /** The reason why the file could not be analysed; null if it was. */
  readonly trouble: string | null;
}

/** The results of the analysis for the language of the file. */
interface LanguageAnalysis extends RawAnalysis {
  readonly imports: readonly string[] | null;
  /** Finds the named definitions around some offsets, if the input does not contain them. */
  scopes(offsets: readonly number[]): readonly Scope[];
  comments(): Comments;
}

const EMPTY_ANALYSIS: Omit<LanguageAnalysis, 'comments'> = {
  units: [],
  findings: [],
  measures: {},
  imports: null,
  scopes: () => [],
};
/** Ids of the rules that also apply to the code of tests. */
const TEST_RULES: ReadonlySet<string> = new Set(rules.filter((rule) => rule.tests).map((rule) => rule.id));
/** Ids of the rules that need only one file. */
const FILE_RULES: ReadonlySet<string> = new Set(rules.filter((rule) => rule.scope === 'file').map((rule) => rule.id));

/**
 * Analyses one file. Synchronous and pure. Broken code is analysed as far as it can be parsed. An error of the
 * analysis itself is returned as `trouble`.
 */
export function analyseSource(input: SourceInput): SourceAnalysis {
  try {
    const lines = findLineStarts(input.text);
    const fileAnalysis = limitToRules(analyseByLanguage(input, lines), input.only);
    const isTest = isTestFile(input.path);
    const prefix = input.generated ? 'generated' : isTest ? 'test' : null;
    const isOnlyMeasured = isWithoutOpportunities(input.path, input.generated) || isTypeTestSource(input);
    const findings = isOnlyMeasured
      ? []
      : isTest
        ? filterForTests(
            fileAnalysis.findings.filter((finding) => TEST_RULES.has(finding.rule)),
            input,
          )
        : fileAnalysis.findings;
    const symbols =
      input.symbols ??
      (findings.length > 0
        ? fileAnalysis
            .scopes(findings.map(({ nameStart }) => nameStart))
            .map(({ path, start, end }) => ({ path, range: toRange(lines, start, end) }))
        : []);
    return {
      functions: computeAllMetrics(fileAnalysis.units, input.path, lines),
      ...splitSuppressed(
        input,
        createOpportunities({ ...input, symbols, lines }, findings),
        isOnlyMeasured ? [] : findSuppressions(input.text, lines, fileAnalysis.comments),
      ),
      measures: input.only ? {} : addPrefix(fileAnalysis.measures, prefix),
      ...(input.only ? {} : findFirstLines(fileAnalysis.firstOffsets, prefix, lines)),
      imports: fileAnalysis.imports,
      facts: input.glance || input.only ? NO_FACTS : createFileFacts(input, isTest, fileAnalysis.module ?? null),
      trouble: null,
    };
  } catch (error) {
    // Code that the parsers cannot handle (such as code nested thousands of levels deep) must not stop the index.
    return {
      functions: [],
      opportunities: [],
      suppressed: [],
      suppressions: [],
      measures: {},
      imports: [],
      facts: NO_FACTS,
      trouble: describeError(error),
    };
  }
}

/**
 * Limits an analysis to the findings of these rules and to the functions with some cognitive complexity. Returns it
 * unchanged if `wantedRules` is undefined.
 */
function limitToRules(analysis: LanguageAnalysis, wantedRules: ReadonlySet<string> | undefined): LanguageAnalysis {
  return wantedRules
    ? {
        ...analysis,
        units: selectComplexUnits(analysis.units),
        findings: analysis.findings.filter(({ rule }) => wantedRules.has(rule)),
      }
    : analysis;
}

/**
 * Splits the opportunities into visible and suppressed ones, and adds opportunities about the suppressions themselves.
 */
function splitSuppressed(
  { path, language, glance, only }: SourceInput,
  allOpportunities: readonly Opportunity[],
  suppressions: Suppression[],
): Pick<SourceAnalysis, 'opportunities' | 'suppressed' | 'suppressions'> {
  if (suppressions.length === 0) return { opportunities: [...allOpportunities], suppressed: [], suppressions };
  const { opportunities, suppressed } = applySuppressions(allOpportunities, suppressions);
  // Documents show examples of suppressions, so suppressions in documents do not count.
  if (language === null || only) return { opportunities, suppressed, suppressions };
  const isDecided = (rule: string) => FILE_RULES.has(rule) && (!glance || !CHECKED_RULES.has(rule));
  const suppressionFindings = [
    ...findMisusedSuppressions(path, suppressions),
    ...findUnusedSuppressions(path, suppressions, suppressed, isDecided),
  ];
  return {
    opportunities: [...opportunities, ...suppressionFindings].sort(
      (a, b) => a.nameRange.startLine - b.nameRange.startLine || a.nameRange.startColumn - b.nameRange.startColumn,
    ),
    suppressed,
    suppressions,
  };
}

/**
 * Analyses the file with the parser of its language. Without such a parser, only the comments are read, line by line.
 */
function analyseByLanguage(input: SourceInput, lines: LineStarts): LanguageAnalysis {
  const { glance } = input;
  if (glance) {
    requireScript(glance.sourceFile);
    return {
      ...glance.read(lines),
      imports: [],
      scopes: () => glance.scopes(),
      comments: () => findComments(glance.sourceFile),
    };
  }
  const needsOnlyWalk = input.only !== undefined && [...input.only].every((rule) => WALK_RULES.has(rule));
  const sourceFile = parseScript(input.path, input.text, input.language, { parents: false, docs: !needsOnlyWalk });
  if (sourceFile) {
    requireScript(sourceFile);
    return {
      ...(needsOnlyWalk
        ? findOnWalk(sourceFile, lines, input.only)
        : analyseScript(sourceFile, lines, { quick: input.generated || isDeclarationFile(input.path) })),
      imports: readImportSpecifiers(sourceFile),
      scopes: (offsets) => findScopes(sourceFile, offsets),
      comments: () => findComments(sourceFile),
    };
  }
  const { tree } = input;
  if (!tree || !input.language) return { ...EMPTY_ANALYSIS, comments: () => findCommentsByLine(input.text, lines) };
  return {
    ...EMPTY_ANALYSIS,
    ...addPythonFindings(analyseTree(tree.rootNode, input.text, input.language, lines), input),
    comments: () => findTreeComments(tree.rootNode),
  };
}

/** Adds the findings of the rules for Python to the analysis of a Python file that is not generated. */
function addPythonFindings(
  analysis: RawAnalysis,
  { path, text, language, generated, lintPython, only }: SourceInput,
): RawAnalysis {
  if (language !== 'python' || generated || !lintPython) return analysis;
  return { ...analysis, findings: [...analysis.findings, ...findPythonProblems(path, text, lintPython, only)] };
}

/** The line (1-based) of the first place of each measure, by the name of the measure with its prefix. */
function findFirstLines(
  firsts: RawAnalysis['firstOffsets'],
  prefix: string | null,
  lines: LineStarts,
): Pick<SourceAnalysis, 'firstLines'> {
  const entries = Object.entries(firsts ?? {}).map(
    ([name, offset]) => [name, findLineIndex(lines, offset) + 1] as const,
  );
  return entries.length === 0 ? {} : { firstLines: addPrefix(Object.fromEntries(entries), prefix) };
}

/** Puts a prefix such as `test.` before each name of a measure; null adds none. */
function addPrefix(measures: Measures, prefix: string | null): Measures {
  return prefix === null
    ? measures
    : Object.fromEntries(Object.entries(measures).map(([name, value]) => [`${prefix}.${name}`, value]));
}

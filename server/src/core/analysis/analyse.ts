// Analysis of one file: figures of its functions, opportunities, and the sums that the ruler folds into points.

import type { ts } from 'ts-morph';
import type { Tree } from 'web-tree-sitter';
import type { FunctionMetrics, Language, Measures, Opportunity, SymbolInfo } from '../model.ts';
import { describeError } from '../../util/typedError.ts';
import { lineStartsOf, rangeOf, type LineStarts } from './lines.ts';
import { allMetricsOf } from './metrics/functionMetrics.ts';
import { opportunitiesOf } from './opportunities.ts';
import { factsOf, NO_FACTS, type FileFacts } from './project/fileFacts.ts';
import { complexUnits } from './functionUnit.ts';
import type { RawAnalysis } from './rawAnalysis.ts';
import { CHECKED_RULES, rules, WALK_RULES } from './rules.ts';
import { unusedInTests } from './script/unusedFindings.ts';
import { analyseScript } from './script/analyseScript.ts';
import { findOnWalk } from './script/findOnWalk.ts';
import { isDeclarationFile, parseScript, requireScript } from './script/parseScript.ts';
import { scriptComments } from './script/scriptComments.ts';
import { scopesOf, type Scope } from './script/scopes.ts';
import { scriptImports } from './script/scriptImports.ts';
import { commentsByLine, suppressionsIn, type Comments } from './suppressionComments.ts';
import {
  applySuppressions,
  misusedSuppressions,
  unusedSuppressions,
  type Suppressed,
  type Suppression,
} from './suppressions.ts';
import { isTestFile } from '../paths/tests.ts';
import { isUnseen } from './unseen.ts';
import { analyseTree } from './tree/analyseTree.ts';
import { treeComments } from './tree/treeComments.ts';

export interface SourceInput {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  /** Parsed by tree-sitter; not needed for TypeScript and JavaScript. */
  readonly tree: Tree | null;
  /** Null: found by the analysis where it has a parser of its own. */
  readonly symbols: readonly Pick<SymbolInfo, 'path' | 'range'>[] | null;
  /** Written by a program: measured apart, never reported. */
  readonly generated: boolean;
  /**
   * Rules that somebody asked for alone: others are left out, and so are measures, facts, and functions without
   * complexity.
   */
  readonly only?: ReadonlySet<string>;
  /**
   * A script that is being typed: its tree, and who looks at it in passing. `CHECKED_RULES`, measures and facts are
   * left out.
   */
  readonly glance?: {
    readonly sourceFile: ts.SourceFile;
    read(lines: LineStarts): RawAnalysis;
    scopes(): readonly Scope[];
  };
}

export interface SourceAnalysis {
  readonly functions: FunctionMetrics[];
  readonly opportunities: Opportunity[];
  /** Hidden by comments of the code. */
  readonly suppressed: Suppressed[];
  /** Those comments, for what is found about several files. */
  readonly suppressions: Suppression[];
  readonly measures: Measures;
  /** Import specifiers as written; null where tree-sitter's tree tells. */
  readonly imports: readonly string[] | null;
  /** For rules about several files (analysis/project). */
  readonly facts: FileFacts;
  /** Why the file could not be analysed, or null. */
  readonly trouble: string | null;
}

interface Read extends RawAnalysis {
  readonly imports: readonly string[] | null;
  /** Named definitions around some places, where the input does not tell them. */
  scopes(around: readonly number[]): readonly Scope[];
  comments(): Comments;
}

const NOTHING: Omit<Read, 'comments'> = { units: [], findings: [], measures: {}, imports: null, scopes: () => [] };
const TEST_RULES: ReadonlySet<string> = new Set(rules.filter((rule) => rule.tests).map((rule) => rule.id));
const FILE_RULES: ReadonlySet<string> = new Set(rules.filter((rule) => rule.scope === 'file').map((rule) => rule.id));

/** Synchronous and pure. Broken code is analysed as far as it can be read; it never throws. */
export function analyseSource(input: SourceInput): SourceAnalysis {
  try {
    const lines = lineStartsOf(input.text);
    const raw = asked(analyseByLanguage(input, lines), input.only);
    const test = isTestFile(input.path);
    const unseen = isUnseen(input.path, input.generated);
    const findings = unseen
      ? []
      : test
        ? unusedInTests(
            raw.findings.filter((finding) => TEST_RULES.has(finding.rule)),
            input.text,
            input.path,
          )
        : raw.findings;
    const symbols =
      input.symbols ??
      (findings.length > 0
        ? raw
            .scopes(findings.map(({ nameStart }) => nameStart))
            .map(({ path, start, end }) => ({ path, range: rangeOf(lines, start, end) }))
        : []);
    return {
      functions: allMetricsOf(raw.units, input.path, lines),
      ...seen(
        input,
        opportunitiesOf({ ...input, symbols, lines }, findings),
        unseen ? [] : suppressionsIn(input.text, lines, raw.comments),
      ),
      measures: input.only ? {} : setApart(raw.measures, input.generated ? 'generated' : test ? 'test' : null),
      imports: raw.imports,
      facts: input.glance || input.only ? NO_FACTS : factsOf(input, test, raw.module ?? null),
      trouble: null,
    };
  } catch (error) {
    // Code beyond the parsers (nested thousands of levels deep, say) must not take the index down with it.
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

/** What these rules find. */
function asked(read: Read, only: ReadonlySet<string> | undefined): Read {
  return only
    ? { ...read, units: complexUnits(read.units), findings: read.findings.filter(({ rule }) => only.has(rule)) }
    : read;
}

/** What is left of the opportunities; and those about the suppressions themselves. */
function seen(
  { path, language, glance, only }: SourceInput,
  found: readonly Opportunity[],
  suppressions: Suppression[],
): Pick<SourceAnalysis, 'opportunities' | 'suppressed' | 'suppressions'> {
  if (suppressions.length === 0) return { opportunities: [...found], suppressed: [], suppressions };
  const { opportunities, suppressed } = applySuppressions(found, suppressions);
  // Documents show how suppressions are written.
  if (language === null || only) return { opportunities, suppressed, suppressions };
  const decided = (rule: string) => FILE_RULES.has(rule) && (!glance || !CHECKED_RULES.has(rule));
  const about = [
    ...misusedSuppressions(path, suppressions),
    ...unusedSuppressions(path, suppressions, suppressed, decided),
  ];
  return {
    opportunities: [...opportunities, ...about].sort(
      (a, b) => a.nameRange.startLine - b.nameRange.startLine || a.nameRange.startColumn - b.nameRange.startColumn,
    ),
    suppressed,
    suppressions,
  };
}

function analyseByLanguage(input: SourceInput, lines: LineStarts): Read {
  const { glance } = input;
  if (glance) {
    requireScript(glance.sourceFile);
    return {
      ...glance.read(lines),
      imports: [],
      scopes: () => glance.scopes(),
      comments: () => scriptComments(glance.sourceFile),
    };
  }
  const onWalk = input.only !== undefined && [...input.only].every((rule) => WALK_RULES.has(rule));
  const sourceFile = parseScript(input.path, input.text, input.language, { parents: false, docs: !onWalk });
  if (sourceFile) {
    requireScript(sourceFile);
    return {
      ...(onWalk
        ? findOnWalk(sourceFile, lines, input.only)
        : analyseScript(sourceFile, lines, { quick: input.generated || isDeclarationFile(input.path) })),
      imports: scriptImports(sourceFile),
      scopes: (around) => scopesOf(sourceFile, around),
      comments: () => scriptComments(sourceFile),
    };
  }
  const { tree } = input;
  if (!tree || !input.language) return { ...NOTHING, comments: () => commentsByLine(input.text, lines) };
  return {
    ...NOTHING,
    ...analyseTree(tree.rootNode, input.text, input.language, lines),
    comments: () => treeComments(tree.rootNode),
  };
}

function setApart(measures: Measures, prefix: string | null): Measures {
  return prefix === null
    ? measures
    : Object.fromEntries(Object.entries(measures).map(([name, value]) => [`${prefix}.${name}`, value]));
}

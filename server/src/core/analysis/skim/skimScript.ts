// A script looked at for a few rules alone, on a tree that is read where it is asked: what `script/findOnWalk.ts` finds, for a quarter of the time.

import type { FunctionUnit } from '../functionUnit.ts';
import { linesBetween, type LineStarts } from '../lines.ts';
import type { Language } from '../../model.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import { LIMITS, shapeFindings } from '../rules/functionShape.ts';
import { countCodeLines, largeFileFindings } from '../rules/largeFile.ts';
import { undocumentedExports } from '../rules/undocumentedExport.ts';
import { unexplainedExports } from '../rules/unexplainedExport.ts';
import { isDeclarationPath } from '../project/conventions.ts';
import type { Scope } from '../script/scopes.ts';
import type { LazyNode, LazyParser, LazyTree } from './lazyTree.ts';
import { FigureWalk } from './skimFigures.ts';
import { importsOf, offeredIn } from './skimModule.ts';
import { NameWalk } from './skimNames.ts';
import { ScopeWalk } from './skimScopes.ts';
import { unitOf } from './skimUnits.ts';

export interface Skimmed extends RawAnalysis {
  readonly imports: readonly string[];
  /** Named definitions around the findings. */
  readonly scopes: readonly Scope[];
}

export interface SkimRequest {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  /** Counted when somebody asks. */
  readonly lines: () => LineStarts;
  /** Some of `WALK_RULES`; null = none, only what the file imports. */
  readonly asked: ReadonlySet<string> | null;
}

/** Rules about figures that cost more than cognitive complexity does. */
const OTHER_FIGURES: readonly string[] = ['long-function', 'many-parameters'];

/** Null: the file is to be left to the compiler, because it is broken, is no script, or is odd. */
export type SkimScript = (request: SkimRequest) => Skimmed | null;

export function createSkim(parser: LazyParser): SkimScript {
  const first = new FigureWalk(false);
  const figures = new FigureWalk(true);
  const names = new NameWalk();
  const scopes = new ScopeWalk();
  const [cognitive, whole, around] = [parser.visitor(first.handlers()), parser.visitor(together(figures.handlers(), names.handlers())), parser.visitor(scopes.handlers())];

  /** Whether no function is worth another look; exact figures of all of them come with that. */
  const isSimple = (text: string, { program, visit }: LazyTree): boolean => {
    first.begin(text, program);
    visit(cognitive);
    return first.end(program).every(({ kind, cognitive: points }) => kind === 'topLevel' || points <= LIMITS.cognitive);
  };
  const unitsOf = (text: string, lines: LineStarts, { program, visit }: LazyTree): FunctionUnit[] => {
    figures.begin(text, program);
    names.begin(text);
    visit(whole);
    const frames = figures.end(program);
    // Of an empty file there is no top level.
    return (frames.at(-1)?.statements === 0 && program['body'].length === 0 ? frames.slice(0, -1) : frames).map((frame) => unitOf(frame, names, text, lines));
  };
  const scopesAround = ({ program, visit }: LazyTree, places: readonly number[]): readonly Scope[] => {
    scopes.begin(program, places);
    visit(around);
    return scopes.end();
  };
  const skim = (tree: LazyTree, { text, lines, asked }: SkimRequest): Skimmed => {
    const { program } = tree;
    const imports = importsOf(text, program);
    if (asked === null) return { units: [], findings: [], measures: {}, imports, scopes: [] };
    const telling = OTHER_FIGURES.some((rule) => asked.has(rule)) || (asked.has('cognitive-complexity') && !isSimple(text, tree));
    const offered = asked.has('undocumented-export') || asked.has('unexplained-export') ? offeredIn(text, program) : null;
    const aside = [...(offered ? [...undocumentedExports(offered), ...unexplainedExports(offered)] : []), ...(asked.has('large-file') ? largeFileFindings(text, countCodeLines(text, false)) : [])].filter(({ rule }) => asked.has(rule));
    // What ranks a finding is how complex its file is.
    const units = telling || aside.length > 0 ? unitsOf(text, lines(), tree) : [];
    const shape = { canExtract: true, linesOf: (unit: FunctionUnit) => linesBetween(lines(), unit), guardLine: () => null };
    const findings = [...aside, ...units.flatMap((unit) => shapeFindings(unit, shape))];
    return { units, findings, measures: {}, imports, scopes: findings.length > 0 ? scopesAround(tree, findings.map(({ nameStart }) => nameStart)) : [] };
  };
  return (request) => {
    const { path, text, language } = request;
    const dialect = dialectOf(path, language);
    if (dialect === null) return null;
    try {
      return parser.parse(text, dialect, false, (tree) => skim(tree, request)) ?? (dialect === 'jsx' ? parser.parse(text, dialect, true, (tree) => skim(tree, request)) : null);
    } catch {
      // Odd, or nested deeper than the visitor can go, or a tree that the library cannot read: the compiler can.
      return null;
    }
  };
}

function dialectOf(path: string, language: Language): 'ts' | 'tsx' | 'dts' | 'jsx' | null {
  if (language === 'typescript') return isDeclarationPath(path) ? 'dts' : 'ts';
  return language === 'tsx' ? 'tsx' : language === 'javascript' ? 'jsx' : null;
}

type Handlers = Readonly<Record<string, (node: LazyNode) => void>>;

/** Both are told of what both want to know. */
function together(one: Handlers, other: Handlers): Handlers {
  const merged: Record<string, (node: LazyNode) => void> = { ...one };
  for (const [type, handle] of Object.entries(other)) {
    const first = one[type];
    merged[type] = first ? (node) => (first(node), handle(node)) : handle;
  }
  return merged;
}

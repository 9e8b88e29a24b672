// cognitive-complexity, deep-nesting, long-function and many-parameters: rules about the figures of one function, in
// any language.

import { COGNITIVE_LIMIT, type FunctionUnit } from '../functionUnit.ts';
import type { RuleId } from '../rules.ts';
import type { Finding } from './finding.ts';

export const LIMITS = { cognitive: COGNITIVE_LIMIT, nesting: 4, statements: 80, lines: 300, parameters: 6 } as const;

export interface ShapeContext {
  /** Physical lines from start to end. */
  linesOf(unit: FunctionUnit): number;
  /** True where Extract Function works: TypeScript and JavaScript. */
  readonly canExtract: boolean;
  /** Line of an `if` in this function that guard clauses could flatten, or null. */
  guardLine(unit: FunctionUnit): number | null;
}

/** At most one finding about the size of a function (the most telling one), and one about its parameters. */
export function shapeFindings(unit: FunctionUnit, context: ShapeContext): Finding[] {
  // A script's top level is no function that somebody could cut up.
  if (unit.kind === 'topLevel') return [];
  const size = complexity(unit, context) ?? nesting(unit, context) ?? length(unit, context);
  return [size, parameters(unit)].filter((finding) => finding !== null);
}

function complexity(unit: FunctionUnit, context: ShapeContext): Finding | null {
  if (unit.cognitive <= LIMITS.cognitive) return null;
  return finding('cognitive-complexity', unit, {
    severity: unit.cognitive > 2 * LIMITS.cognitive ? 'information' : 'hint',
    impact: Math.min(90, 30 + 2 * (unit.cognitive - LIMITS.cognitive)),
    confidence: 0.7,
    message: `${subject(unit)} is hard to follow: cognitive complexity ${unit.cognitive}, at most ${LIMITS.cognitive} is easy to hold in mind.`,
    evidence: {
      cognitive: unit.cognitive,
      threshold: LIMITS.cognitive,
      cyclomatic: unit.cyclomatic,
      nesting: unit.nesting,
      statements: unit.statements,
    },
    recipe: context.canExtract && unit.hasBlock && unit.kind !== 'staticBlock' ? 'extract-function' : null,
  });
}

function nesting(unit: FunctionUnit, context: ShapeContext): Finding | null {
  if (unit.nesting <= LIMITS.nesting) return null;
  const guard = context.guardLine(unit);
  return finding('deep-nesting', unit, {
    severity: unit.nesting > 2 * LIMITS.nesting ? 'information' : 'hint',
    impact: Math.min(80, 30 + 8 * (unit.nesting - LIMITS.nesting)),
    confidence: 0.65,
    message: `${subject(unit)} nests control structures ${unit.nesting} levels deep; more than ${LIMITS.nesting} are hard to follow.`,
    evidence: {
      nesting: unit.nesting,
      threshold: LIMITS.nesting,
      cognitive: unit.cognitive,
      ...(guard === null ? {} : { guardLine: guard }),
    },
    recipe: guard === null ? null : 'guard-clauses',
  });
}

function length(unit: FunctionUnit, context: ShapeContext): Finding | null {
  const lines = context.linesOf(unit);
  if (unit.statements <= LIMITS.statements && (lines <= LIMITS.lines || unit.statements < LIMITS.statements / 4))
    return null;
  return finding('long-function', unit, {
    severity: unit.statements > 2 * LIMITS.statements ? 'information' : 'hint',
    impact: 30,
    confidence: 0.55,
    message: `${subject(unit)} is long: ${unit.statements} statements on ${lines} lines.`,
    evidence: {
      statements: unit.statements,
      lines,
      threshold: unit.statements > LIMITS.statements ? LIMITS.statements : LIMITS.lines,
    },
    recipe: null,
  });
}

function parameters(unit: FunctionUnit): Finding | null {
  if (unit.parameters <= LIMITS.parameters || unit.injected) return null;
  return finding('many-parameters', unit, {
    severity: unit.parameters > 2 * LIMITS.parameters ? 'information' : 'hint',
    impact: 15 + 2 * (unit.parameters - LIMITS.parameters),
    confidence: 0.55,
    message: `${subject(unit)} takes ${unit.parameters} parameters; callers mix up more than ${LIMITS.parameters}.`,
    evidence: { parameters: unit.parameters, threshold: LIMITS.parameters },
    recipe: null,
  });
}

function finding(
  rule: RuleId,
  unit: FunctionUnit,
  rest: Pick<Finding, 'severity' | 'impact' | 'confidence' | 'message' | 'evidence' | 'recipe'>,
): Finding {
  return {
    rule,
    start: unit.start,
    end: unit.end,
    nameStart: unit.nameStart,
    nameEnd: unit.nameEnd,
    identity: unit.name,
    ...rest,
  };
}

function subject(unit: FunctionUnit): string {
  return unit.name.startsWith('(') ? 'an unnamed function' : `\`${unit.name}\``;
}

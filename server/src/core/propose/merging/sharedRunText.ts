// Writes the new text of a file in which two runs of statements become one function.

import { ts } from 'ts-morph';
import { createReplacements, createCallReplacement, type ExtractionPlan } from '../extraction/compose.ts';
import { detectConventions } from '../extraction/conventions.ts';
import type { ExtractionCandidate, FunctionWithBody } from '../extraction/extractionCandidates.ts';
import type { Flow } from '../extraction/dataFlow.ts';
import { isWrittenOutside } from '../extraction/planning.ts';
import type { RecipeContext } from '../recipe.ts';
import { applyReplacements } from '../textEdit.ts';
import type { AddedParameter } from './parameters.ts';
import { addArguments, renameInCall } from './renamedRun.ts';

/** One of the two places, in the file of the type checker. */
export interface RunPlace {
  readonly outer: FunctionWithBody;
  readonly candidate: ExtractionCandidate;
  readonly flow: Flow;
}

/**
 * Sorts the parameters of the plan in the order in which the original function has them. If it lacks one of them, the
 * plan stays as it is.
 */
export function sortParameters({ parameters }: FunctionWithBody, plan: ExtractionPlan): ExtractionPlan {
  const { part } = plan;
  const parameterNames = parameters.map(({ name }) => name.getText());
  const findRank = (text: string) => parameterNames.indexOf(/^[\w$]+/.exec(text)?.[0] ?? '');
  const sortTexts = (texts: readonly string[]) => texts.toSorted((a, b) => findRank(a) - findRank(b));
  if (part.parameters.some((parameter) => findRank(parameter) < 0)) return plan;
  return {
    ...plan,
    part: {
      ...part,
      parameters: sortTexts(part.parameters),
      call: part.call.replace(/\(([\w$, ]+)\)/, (_, texts: string) => `(${sortTexts(texts.split(', ')).join(', ')})`),
    },
  };
}

/** Changes `return await f()` to `return f()`. `analyseFlow` refuses runs inside a `try`, where that would differ. */
export function simplifyReturn(plan: ExtractionPlan, { returns }: Flow): ExtractionPlan {
  if (!returns?.value) return plan;
  return { ...plan, part: { ...plan.part, call: plan.part.call.replace(/^return await /, 'return ') } };
}

/** Writes the new text of the file; null if one of the places shares its lines with other code. */
export function createSharedText(
  typedFile: ts.SourceFile,
  plan: ExtractionPlan,
  addedParameters: readonly AddedParameter[],
  { outer, candidate, flow }: RunPlace,
  renames: ReadonlyMap<string, string>,
  style: RecipeContext['style'],
): string | null {
  const conventions = detectConventions(typedFile);
  // A hoisted function can be called before a constant is initialised, so a function that it calls must be hoisted,
  // too.
  const usesArrows = conventions.usesArrows && !isHoisted(outer) && !isHoisted(plan.outerFunction);
  const replacements = createReplacements(typedFile, addParameters(plan, addedParameters), style, {
    ...conventions,
    usesArrows: usesArrows,
  });
  const call = addArguments(
    renameInCall(plan.part.call, plan.part.name, renames),
    addedParameters.map(({ otherArgument }) => otherArgument),
  );
  const output = flow.output?.declared ? flow.output.name : null;
  const adjustedCall =
    output !== null && isWrittenOutside(outer, candidate, output) ? call.replace(/^const /, 'let ') : call;
  const callReplacement = createCallReplacement(typedFile, candidate, adjustedCall, style);
  return replacements && callReplacement ? applyReplacements(typedFile.text, [...replacements, callReplacement]) : null;
}

/** True for code in a function declaration at the top level, which can be called before its line has run. */
function isHoisted(node: ts.Node): boolean {
  for (let inner = node; inner.parent; inner = inner.parent)
    if (ts.isSourceFile(inner.parent)) return ts.isFunctionDeclaration(inner);
  return false;
}

/** Adds the new parameters and their arguments to the plan. */
export function addParameters(plan: ExtractionPlan, addedParameters: readonly AddedParameter[]): ExtractionPlan {
  const { part } = plan;
  return {
    ...plan,
    part: {
      ...part,
      parameters: [...part.parameters, ...addedParameters.map(({ declaration }) => declaration)],
      call: addArguments(
        part.call,
        addedParameters.map(({ argument }) => argument),
      ),
    },
    changes: addedParameters.flatMap(({ replacements }) => replacements),
  };
}

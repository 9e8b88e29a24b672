// extract-function: moves a run of statements of a function that is too complex into a new function, with TypeScript's
// refactoring.

import { ts } from 'ts-morph';
import { extractFunctions } from '../../propose/extraction/compose.ts';
import { detectConventions } from '../../propose/extraction/conventions.ts';
import { findExtractionCandidates, type FunctionWithBody } from '../../propose/extraction/extractionCandidates.ts';
import { collectLocals } from '../../propose/extraction/dataFlow.ts';
import { chooseName } from '../../propose/extraction/naming.ts';
import { findNeighbours, type Neighbours } from '../../propose/extraction/neighbours.ts';
import {
  addsProblems,
  analyseFlowInto,
  isUnreadableParameter,
  usesInlineTypeImports,
  createPlan,
  listScopes,
  addReturnType,
  type MovableRun,
} from '../../propose/extraction/planning.ts';
import { openProject } from '../../propose/extraction/project.ts';
import { explainRefusedName } from '../../propose/extraction/nameWorth.ts';
import { explainRefusedPart } from '../../propose/extraction/extractionWorth.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { collectDescendants, findSpan, type Span } from '../../propose/syntax/locate.ts';

/**
 * Maximum number of candidates that the compiler checks. A check takes long, so only the most promising ones are
 * checked.
 */
const MAX_CHECKED = 8;
/** Maximum number of candidates for which a plan is made. */
const MAX_TRIED = 30;
/** The refusal if every part that can move would make a function that reads badly. */
const UNREADABLE_RESULT =
  'It is left to a person: no part would make a function that reads better than the present code.';
/** Maximum number of possible runs of statements that are examined. */
const MAX_EXAMINED = 400;
/**
 * Reduction of a candidate's score for each parameter beyond the second, because a call with many parameters is hard to
 * read.
 */
const PARAMETER_PENALTY = 1;

/** A run of statements that may move, with a score: the higher, the better the result reads. */
interface ScoredRun extends MovableRun {
  readonly score: number;
}

/**
 * Moves the best part of the function that the opportunity is about into a new function. Refuses if no part can move
 * without changing the behaviour, or if none would be a readable function with types that the compiler accepts.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { opportunity, text, absolutePath, tree } = context;
  const [wholeSpan, nameSpan] = [
    findSpan(context.sourceFile, opportunity.range),
    findSpan(context.sourceFile, opportunity.nameRange),
  ];
  if (!wholeSpan || !nameSpan || !findFunctionAt(context.sourceFile, wholeSpan, nameSpan))
    return refuse('There is no longer a function with a body here.');
  const syntacticFunction = findFunctionAt(context.sourceFile, wholeSpan, nameSpan);
  if (syntacticFunction && findExtractionCandidates(syntacticFunction).length === 0)
    return refuse('No part of the function is large and complex enough to be a function of its own.');

  const project = openProject(tree, absolutePath, text);
  try {
    const sourceFile = project.sourceFile();
    const checker = project.checker();
    const outer = findFunctionAt(sourceFile, wholeSpan, nameSpan);
    if (!outer) return refuse('There is no longer a function with a body here.');
    const outerName = readFunctionName(outer, sourceFile) ?? 'the function';
    const neighbours = findNeighbours(sourceFile, tree, absolutePath);
    const candidates = findCandidates(checker, sourceFile, outer, outerName, neighbours);
    if ('refused' in candidates) return candidates;

    const problemsBefore = project.problems();
    let checkedCount = 0;
    for (const candidate of candidates.slice(0, MAX_TRIED)) {
      const plan = createPlan(project, sourceFile, outer, candidate, context.style);
      if (
        'refused' in plan ||
        plan.part.hasAny ||
        (plan.part.imports.length > 0 && usesInlineTypeImports(sourceFile)) ||
        plan.part.parameters.some((parameter) => isUnreadableParameter(parameter, text))
      )
        continue;
      const conventions = detectConventions(sourceFile);
      const newText = extractFunctions(sourceFile, plan, context.style, conventions);
      if (newText === null) continue;
      if (++checkedCount > MAX_CHECKED) break;
      if (addsProblems(project, newText, text, problemsBefore)) continue;
      const planWithType = conventions.writesReturnTypes && !plan.part.returnType ? addReturnType(project, plan) : null;
      const textWithType = planWithType && extractFunctions(sourceFile, planWithType, context.style, conventions);
      const bestText =
        textWithType !== null && !addsProblems(project, textWithType, text, problemsBefore) ? textWithType : newText;
      const {
        candidate: cut,
        name: { name },
      } = candidate;
      return {
        text: bestText,
        title: `extract ${name} from ${outerName}`,
        namesPlace: true,
        rationale: `It takes ${cut.removedComplexity} off the cognitive complexity of ${outerName}, and ${name} has ${cut.newComplexity}.`,
      };
    }
    return refuse('No part of the function could move with types that the compiler accepts.');
  } finally {
    project.service.dispose();
  }
}

/**
 * The runs of statements that can move and have a good name, best first. Each moves to the outermost possible place, or
 * to a place further inside if that saves parameters. Refuses with the most frequent reason if there is none.
 */
function findCandidates(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  outer: FunctionWithBody,
  outerName: string,
  neighbours: Neighbours,
): ScoredRun[] | { readonly refused: string } {
  const scopes = listScopes(outer).map((scope) => ({ scope, locals: collectLocals(checker, outer, scope) }));
  const candidates: ScoredRun[] = [];
  const countByReason = new Map<string, number>();
  let lacksName = false;
  let firstRefusal: string | null = null;
  for (const candidate of findExtractionCandidates(outer).slice(0, MAX_EXAMINED)) {
    for (const [distance, { scope, locals }] of scopes.entries()) {
      const flow = analyseFlowInto(scope, locals, outer, candidate);
      if ('refused' in flow) {
        const generalReason = flow.refused.replace(/^\S+ (?=is |would |keeps )/, 'a variable ').replace(/\d+/, 'many');
        countByReason.set(generalReason, (countByReason.get(generalReason) ?? 0) + 1);
        continue;
      }
      const name = chooseName(sourceFile, candidate, flow, outerName, neighbours);
      lacksName ||= !name;
      if (!name) break;
      const refusal =
        explainRefusedPart(checker, sourceFile, candidate, flow) ??
        explainRefusedName(sourceFile, candidate, flow, name);
      if (refusal) {
        firstRefusal ??= refusal;
        // A method has access to the object, so it may write to it although it has no parameter for it.
        continue;
      }
      candidates.push({
        candidate,
        scope,
        flow,
        name,
        score:
          candidate.score + 2 * name.quality - PARAMETER_PENALTY * Math.max(0, flow.inputs.length - 2) - 2 * distance,
      });
      // A place further inside is only worthwhile if it saves parameters.
      if (flow.inputs.length <= 2) break;
    }
  }
  if (candidates.length > 0) return candidates.sort((a, b) => b.score - a.score);
  if (firstRefusal) return refuse(`${UNREADABLE_RESULT} Of the best one: ${firstRefusal}`);
  if (lacksName) return refuse('No part of the function that could move has a telling name.');
  const [mostFrequent] = [...countByReason].sort(([, a], [, b]) => b - a);
  return refuse(
    `No part of the function could move without changing what it does.${mostFrequent ? ` Most often: ${mostFrequent[0]}` : ''}`,
  );
}

/**
 * The function whose name starts at `nameSpan`, otherwise one that begins at the start of `wholeSpan`, otherwise the
 * innermost one around the name; null if there is none with a block.
 */
function findFunctionAt(sourceFile: ts.SourceFile, wholeSpan: Span, nameSpan: Span): FunctionWithBody | null {
  const candidates = collectDescendants(sourceFile).filter(
    (node): node is FunctionWithBody =>
      ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node),
  );
  return (
    candidates.find((node) => findNameNode(node)?.getStart(sourceFile) === nameSpan.start) ??
    candidates.find(
      (node) => node.getStart(sourceFile) === wholeSpan.start || node.parent.getStart(sourceFile) === wholeSpan.start,
    ) ??
    candidates.findLast((node) => node.getStart(sourceFile) <= nameSpan.start && node.end >= nameSpan.end) ??
    null
  );
}

/** The node of a function's name: its own, or that of its variable or property. */
function findNameNode(node: FunctionWithBody): ts.Node | undefined {
  if (node.name) return node.name;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
    ? parent.name
    : undefined;
}

function readFunctionName(node: FunctionWithBody, sourceFile: ts.SourceFile): string | null {
  return findNameNode(node)?.getText(sourceFile) ?? (ts.isConstructorDeclaration(node) ? 'constructor' : null);
}

// Moves statements that occur twice in a file into one function, which both places call.

import { ts } from 'ts-morph';
import type { ExtractionPlan } from '../extraction/compose.ts';
import { detectConventions } from '../extraction/conventions.ts';
import type { ExtractionCandidate, FunctionWithBody } from '../extraction/extractionCandidates.ts';
import { analyseFlow, collectLocals, type Flow } from '../extraction/dataFlow.ts';
import type { FunctionName } from '../extraction/naming.ts';
import { explainRefusedName } from '../extraction/nameWorth.ts';
import { findNeighbours, type Neighbours } from '../extraction/neighbours.ts';
import {
  addsProblems,
  analyseFlowInto,
  isUnreadableParameter,
  usesInlineTypeImports,
  createPlan,
  listScopes,
  addReturnType,
} from '../extraction/planning.ts';
import { openProject, type TypedProject } from '../extraction/project.ts';
import { explainRefusedPart } from '../extraction/extractionWorth.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../recipe.ts';
import { collectDescendants, type Span } from '../syntax/locate.ts';
import { collectFileNames } from '../syntax/names.ts';
import { applyReplacements } from '../textEdit.ts';
import { explainCommentDifference } from './innerComments.ts';
import { createCallOfGeneral } from './narrowerCopy.ts';
import { planParameters, collectVariableNames, type AddedParameter } from './parameters.ts';
import {
  containsNode,
  collectDeclaredNames,
  endsFunction,
  findBlockFunctionAround,
  findTypedRun,
  isWholeBody,
  readFunctionName,
  findTypedTwin,
} from './copyContext.ts';
import { isSameFlow, areRenamesWithin } from './renamedRun.ts';
import { chooseSharedName, COMMON_NAME_QUALITY } from './sharedRunName.ts';
import { addParameters, simplifyReturn, sortParameters, createSharedText } from './sharedRunText.ts';
import { findTwinRuns, type RunPair } from './twinRuns.ts';

/** Maximum number of pairs that are checked, because each check runs the type checker again. */
const MAX_CHECKED = 4;
/** Minimum number of lines by which the file must become shorter. */
const MIN_SAVED = 3;
/** Maximum number of parameters of a new function. */
const MAX_PARAMETERS = 5;
/** Maximum number of parameters of a function that replaces whole functions, which already had parameters. */
const MAX_PARAMETERS_OF_WHOLE = 6;
/** The refusal if the two places have no run in common. */
const NO_COMMON_RUN = 'No statements are the same in both places, apart from the names of variables.';

/** Two runs merged into one function, before the compiler has checked it. */
interface SharedRun {
  readonly text: string;
  /** Null if one of the functions calls the other. */
  readonly plan: ExtractionPlan | null;
  /** Writes the text with another plan for the same function; null if that is impossible. */
  readonly createTextWith: (plan: ExtractionPlan) => string | null;
  readonly name: string;
  readonly functions: readonly string[];
  /** The function that the other one calls, if no new function is created. */
  readonly general?: string;
}

/** Shares the first pair of runs (longest first) that makes an acceptable function; refuses if there is none. */
export function extractSharedStatements(context: RecipeContext, span: Span, otherSpan: Span): RecipeOutcome {
  const { sourceFile, absolutePath, tree, text } = context;
  const twins = findTwinRuns(
    sourceFile,
    collectFileNames(sourceFile),
    widenToFunction(sourceFile, span),
    widenToFunction(sourceFile, otherSpan),
  );
  if (twins.length === 0) return refuse(NO_COMMON_RUN);
  const project = openProject(tree, absolutePath, text);
  try {
    const neighbours = findNeighbours(project.sourceFile(), tree, absolutePath);
    let problemsBefore: readonly string[] | null = null;
    let reason: string | null = null;
    let checkedCount = 0;
    for (const runPair of twins) {
      // The file is parsed again after each text that the compiler has checked.
      const typedFile = project.sourceFile();
      const sharedRun = shareRuns(context, project, typedFile, runPair, neighbours);
      if ('refused' in sharedRun) {
        reason ??= sharedRun.refused;
        continue;
      }
      if (++checkedCount > MAX_CHECKED) break;
      // Most runs are refused, and listing the problems takes much longer than refusing, so it is done only now.
      problemsBefore ??= project.problems();
      if (addsProblems(project, sharedRun.text, text, problemsBefore)) {
        reason ??= 'The compiler does not accept the types of the shared function.';
        continue;
      }
      const planWithType =
        sharedRun.plan && detectConventions(typedFile).writesReturnTypes && !sharedRun.plan.part.returnType
          ? addReturnType(project, sharedRun.plan)
          : null;
      const textWithType = planWithType && sharedRun.createTextWith(planWithType);
      return {
        text:
          textWithType && !addsProblems(project, textWithType, text, problemsBefore) ? textWithType : sharedRun.text,
        ...describeSharedRun(sharedRun, runPair.lineCount),
      };
    }
    return refuse(reason ?? NO_COMMON_RUN);
  } finally {
    project.service.dispose();
  }
}

/**
 * Widens the span to the innermost function of over 200 characters around its middle, whose copies may have small
 * differences.
 */
function widenToFunction(sourceFile: ts.SourceFile, { start, end }: Span): Span {
  const middle = (start + end) / 2;
  const enclosingNode = collectDescendants(sourceFile).findLast(
    (node) =>
      ts.isFunctionLike(node) && node.getStart(sourceFile) <= middle && node.end >= middle && node.end - node.pos > 200,
  );
  return enclosingNode
    ? { start: Math.min(start, enclosingNode.getStart(sourceFile)), end: Math.max(end, enclosingNode.end) }
    : { start, end };
}

/** The title and the rationale of the change. `lineCount`: the number of lines that occur twice. */
function describeSharedRun({ name, functions, general }: SharedRun, lines: number) {
  const repetitionText = `${lines} lines occur twice in the file${formatFunctionsPhrase(functions)}.`;
  const namesPlace = true as const;
  return general === undefined
    ? {
        title: `extract ${name} from two places`,
        namesPlace,
        rationale: `${repetitionText} Both places call ${name} now.`,
      }
    : { title: `call ${general} in ${name}`, namesPlace, rationale: `${repetitionText} ${name} calls ${general} now.` };
}

/** The names of the functions as the end of a sentence; empty if none of them has a name. */
function formatFunctionsPhrase(functions: readonly string[]): string {
  const names = [...new Set(functions.filter((name) => name !== ''))];
  return names.length === 0 ? '' : `, in ${names.join(' and in ')}`;
}

/** Both places of a pair of runs, in the file of the type checker. */
interface RunPairInFile {
  readonly context: RecipeContext;
  readonly project: TypedProject;
  readonly typedFile: ts.SourceFile;
  readonly neighbours: Neighbours;
  readonly renames: ReadonlyMap<string, string>;
  readonly outer: FunctionWithBody;
  readonly otherOuter: FunctionWithBody;
  readonly candidate: ExtractionCandidate;
  readonly otherCandidate: ExtractionCandidate;
  readonly addedParameters: readonly AddedParameter[];
  /** True if both runs consist of all statements of their functions. */
  readonly areWholeBodies: boolean;
}

/** Shares the two runs as one function in the outermost possible scope; refuses if there is none. */
function shareRuns(
  context: RecipeContext,
  project: TypedProject,
  typedFile: ts.SourceFile,
  { renames, ...runPair }: RunPair,
  neighbours: Neighbours,
): SharedRun | { readonly refused: string } {
  const [run, otherRun] = [findTypedRun(typedFile, runPair.firstRun), findTypedRun(typedFile, runPair.secondRun)];
  const [outer, otherOuter] = [
    run && findBlockFunctionAround(run[0]!),
    otherRun && findBlockFunctionAround(otherRun[0]!),
  ];
  if (!run || !otherRun || !outer || !otherOuter) return refuse(NO_COMMON_RUN);
  const commentRefusal = explainCommentDifference(typedFile, run, otherRun, [
    [readFunctionName(outer), readFunctionName(otherOuter)],
    ...renames,
    ...runPair.differences.map(({ first, second }) => [first.getText(), second.getText()] as const),
  ]);
  if (commentRefusal !== null) return refuse(commentRefusal);
  const [candidate, otherCandidate] = [createCandidate(run), createCandidate(otherRun)];
  const areWholeBodies = isWholeBody(candidate, outer) && isWholeBody(otherCandidate, otherOuter);
  if (runPair.differences.length === 0 && areWholeBodies && areRenamesWithin(collectDeclaredNames([outer]), renames)) {
    const wholeFunctionCall = shareWholeFunction(typedFile, [outer, otherOuter], renames, context.style);
    if (wholeFunctionCall) return wholeFunctionCall;
  }
  const differences = runPair.differences.map((difference) => ({
    first: findTypedTwin(typedFile, difference.first),
    second: findTypedTwin(typedFile, difference.second),
  }));
  const addedParameters = planParameters(
    project.checker(),
    typedFile,
    differences,
    collectVariableNames([outer, otherOuter]),
  );
  if ('refused' in addedParameters) return addedParameters;
  const pair = {
    context,
    project,
    typedFile: typedFile,
    neighbours,
    renames,
    outer,
    otherOuter,
    candidate,
    otherCandidate,
    addedParameters: addedParameters,
    areWholeBodies: areWholeBodies,
  };
  let reason: string | null = null;
  for (const scope of listScopes(outer).filter((each) => containsNode(each, otherOuter))) {
    const sharedRun = shareInScope(scope, pair);
    if (!('refused' in sharedRun)) return sharedRun;
    reason ??= sharedRun.refused;
  }
  return refuse(reason ?? 'No place of the new function can be reached from both.');
}

/** Creates a candidate whose figures are 0, because they are not used here. */
function createCandidate(statements: readonly ts.Statement[]): ExtractionCandidate {
  return { statements, removedComplexity: 0, newComplexity: 0, score: 0 };
}

/** Shares the two runs as one function in this scope. */
function shareInScope(scope: ts.Node, pair: RunPairInFile): SharedRun | { readonly refused: string } {
  const { context, project, typedFile, outer, otherOuter, candidate, otherCandidate, addedParameters, areWholeBodies } =
    pair;
  const flows = analyseFlows(scope, pair);
  if ('refused' in flows) return flows;
  const { flow, otherFlow } = flows;
  if (flow.inputs.length + addedParameters.length > (areWholeBodies ? MAX_PARAMETERS_OF_WHOLE : MAX_PARAMETERS))
    return refuse('It would need too many parameters.');
  const name = chooseSharedName(pair, flow, otherFlow);
  if (!name) return refuse('No telling name for the shared function stands in the code.');
  const refusal = explainRefusal(pair, flows, name);
  if (refusal) return refuse(refusal);
  const initialPlan = createPlan(project, typedFile, outer, { candidate, scope, flow, name }, context.style);
  if ('refused' in initialPlan) return initialPlan;
  const plan = simplifyReturn(areWholeBodies ? sortParameters(outer, initialPlan) : initialPlan, flow);
  const { part } = addParameters(plan, addedParameters);
  if (part.hasAny || part.parameters.some((parameter) => isUnreadableParameter(parameter, context.text)))
    return refuse('A type of its parameters cannot be written.');
  if (part.imports.length > 0 && usesInlineTypeImports(typedFile)) return refuse('It would need imports of types.');
  const otherPlace = { outer: otherOuter, candidate: otherCandidate, flow: otherFlow };
  const createTextWithPlan = (changed: ExtractionPlan) =>
    createSharedText(typedFile, changed, addedParameters, otherPlace, pair.renames, context.style);
  const text = createTextWithPlan(plan);
  if (text === null) return refuse('The statements share their lines with other code.');
  if (text.split('\n').length > context.text.split('\n').length - MIN_SAVED)
    return refuse('The file would hardly become shorter.');
  return {
    text,
    plan,
    createTextWith: createTextWithPlan,
    name: name.name,
    functions: [readFunctionName(outer), readFunctionName(otherOuter)],
  };
}

/** The data flows of both runs. */
interface Flows {
  readonly flow: Flow;
  readonly otherFlow: Flow;
}

/** Analyses the data flows of both runs; refuses if they differ. */
function analyseFlows(
  scope: ts.Node,
  { project, outer, otherOuter, candidate, otherCandidate, areWholeBodies, renames }: RunPairInFile,
): Flows | { readonly refused: string } {
  const checker = project.checker();
  const limit = areWholeBodies ? MAX_PARAMETERS_OF_WHOLE : undefined;
  const flow = analyseFlowInto(scope, collectLocals(checker, outer, scope), outer, candidate, limit);
  if ('refused' in flow) return flow;
  const otherFlow = analyseFlow(collectLocals(checker, otherOuter, scope), otherOuter, otherCandidate, limit);
  if ('refused' in otherFlow) return otherFlow;
  const runNames = new Set([...collectDeclaredNames(candidate.statements), ...flow.inputs.map(({ name }) => name)]);
  // A call that ends its function cannot be used at a place where the function continues.
  if (
    flow.returns &&
    !flow.returns.value &&
    endsFunction(candidate, outer) !== endsFunction(otherCandidate, otherOuter)
  )
    return refuse('Only one of the places ends its function.');
  if (!areRenamesWithin(runNames, renames))
    return refuse('The places use different variables of the function around them.');
  return isSameFlow(flow, otherFlow, renames)
    ? { flow, otherFlow }
    : refuse('The code after the two places needs different values of them.');
}

/** The reason against the shared function as a sentence; null if there is none. */
function explainRefusal(pair: RunPairInFile, { flow, otherFlow }: Flows, name: FunctionName): string | null {
  const { project, typedFile, outer, otherOuter, candidate, otherCandidate } = pair;
  const checker = project.checker();
  const extractionRefusal =
    explainRefusedPart(checker, typedFile, candidate, flow, outer) ??
    explainRefusedPart(checker, typedFile, otherCandidate, otherFlow, otherOuter);
  // A name that comes from the names of both functions describes both.
  if (extractionRefusal !== null || name.quality === COMMON_NAME_QUALITY) return extractionRefusal;
  return explainRefusedName(
    typedFile,
    createCandidate([...candidate.statements, ...otherCandidate.statements]),
    flow,
    name,
  );
}

/**
 * Replaces the body of one of two equal functions by a call of the other. Null if the names do not show which one
 * should call, or if the call is impossible.
 */
function shareWholeFunction(
  typedFile: ts.SourceFile,
  [first, second]: readonly [FunctionWithBody, FunctionWithBody],
  renames: ReadonlyMap<string, string>,
  style: RecipeContext['style'],
): SharedRun | null {
  const narrower = createCallOfGeneral(
    typedFile,
    { node: first, name: readFunctionName(first) },
    { node: second, name: readFunctionName(second) },
    renames,
    style,
  );
  if (!narrower) return null;
  const { replacement, general, narrow } = narrower;
  const text = applyReplacements(typedFile.text, [replacement]);
  return { text, plan: null, createTextWith: () => null, name: narrow, functions: [general, narrow], general };
}

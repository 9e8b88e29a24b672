// Plans how a run of statements becomes a function: its place, its signature, and its call.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import type { Style } from '../fileStyle.ts';
import type { ExtractionPlan } from './compose.ts';
import type { ExtractionCandidate, FunctionWithBody } from './extractionCandidates.ts';
import { analyseFlow, isWritten, type Flow, type Locals } from './dataFlow.ts';
import { createCallStatement } from './declaration.ts';
import type { FunctionName } from './naming.ts';
import { commentCoversRun } from './paragraphs.ts';
import type { TypedProject } from './project.ts';
import { extractCandidate } from './refactor.ts';
import { createSignature } from './signature.ts';

/** Maximum number of characters of a parameter with its type, because longer ones are hard to read. */
const MAX_PARAMETER_LENGTH = 80;
/** Maximum number of characters of an inferred return type. */
const MAX_TYPE_LENGTH = 80;
/** Maximum number of characters of a parameter that keeps the type arguments of its type. */
const MAX_SIMPLE_LENGTH = 48;

/** A run of statements that may move, with the name and the place of the new function. */
export interface MovableRun {
  readonly candidate: ExtractionCandidate;
  readonly scope: ts.Node;
  readonly flow: Flow;
  readonly name: FunctionName;
}

/** Analyses the data flow of a candidate that moves to this scope; refuses with a sentence if it cannot move there. */
export function analyseFlowInto(
  scope: ts.Node,
  locals: Locals,
  outerFunction: FunctionWithBody,
  candidate: ExtractionCandidate,
  maxInputs?: number,
): Flow | { readonly refused: string } {
  const flow = analyseFlow(locals, outerFunction, candidate, maxInputs);
  if ('refused' in flow) return flow;
  // A method is the only new function that can use `this`, and it is created only for that.
  if (flow.usesThis !== ts.isClassLike(scope))
    return {
      refused: flow.usesThis
        ? 'It uses `this`, which a function outside of the class does not have.'
        : 'Only code that uses `this` becomes a method.',
    };
  return isOutputOnlyReturned(candidate, flow) ? { refused: 'The remaining statements would only return it.' } : flow;
}

/**
 * Creates the plan for a run. Signature and call come from TypeScript's refactoring or, if it refuses or the run
 * contains a `return`, from the data flow.
 */
export function createPlan(
  project: TypedProject,
  sourceFile: ts.SourceFile,
  outerFunction: FunctionWithBody,
  { candidate, scope, flow, name }: MovableRun,
  style: Style,
): ExtractionPlan | { readonly refused: string } {
  const refactoring = flow.returns ? null : extractCandidate(project, sourceFile, candidate, scope, style);
  const extractedSignature =
    refactoring && !('refused' in refactoring)
      ? refactoring
      : createSignature(project.checker(), sourceFile, outerFunction, candidate, flow, scope);
  if ('refused' in extractedSignature) return extractedSignature;
  const parameters = extractedSignature.parameters.map(removeTypeArguments);
  const call = createCallStatement(extractedSignature, name.name, scope);
  const callText =
    flow.output?.declared && call.startsWith('let ') && !isWrittenOutside(outerFunction, candidate, flow.output.name)
      ? call.replace(/^let/, 'const')
      : call;
  return {
    outerFunction: outerFunction,
    candidate,
    scope,
    part: {
      ...extractedSignature,
      parameters,
      hasAny: parameters.some((parameter) => /\bany\b/.test(parameter)),
      name: name.name,
      call: callText,
    },
    movesLeadingComment: name.isFromComment || commentCoversRun(sourceFile, candidate),
  };
}

/**
 * Adds the inferred return type to the plan. The project must contain the changed text. Null if the type is too long or
 * contains `any`, an import or a brace.
 */
export function addReturnType(project: TypedProject, plan: ExtractionPlan): ExtractionPlan | null {
  const checker = project.checker();
  const extractedFunction = collectDescendants(project.sourceFile()).find(
    (node): node is ts.FunctionLikeDeclaration => {
      const namedNode = ts.isArrowFunction(node) ? node.parent : node;
      return (
        ts.isFunctionLike(node) &&
        (namedNode as ts.NamedDeclaration).name?.getText().replace(/^[#_]/, '') === plan.part.name
      );
    },
  );
  const signature = extractedFunction && checker.getSignatureFromDeclaration(extractedFunction);
  const type =
    signature &&
    checker.typeToString(
      checker.getReturnTypeOfSignature(signature),
      extractedFunction,
      ts.TypeFormatFlags.NoTruncation,
    );
  if (!type || type.length > MAX_TYPE_LENGTH || /\bany\b|import\(|[{]/.test(type)) return null;
  // The variable of the call needs no type annotation, because the function states its return type.
  const awaitedType = /^Promise<(.*)>$/s.exec(type)?.[1] ?? type;
  return {
    ...plan,
    part: { ...plan.part, call: plan.part.call.replace(`: ${awaitedType} = `, ' = '), returnType: type },
  };
}

/**
 * True if the file marks single types in import lists (`type Name`). TypeScript would not mark the types that it adds.
 */
export function usesInlineTypeImports(sourceFile: ts.SourceFile): boolean {
  return sourceFile.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      collectDescendants(statement).some((node) => ts.isImportSpecifier(node) && node.isTypeOnly),
  );
}

/**
 * True for a parameter that is too long, names its type by `import(…)`, or has an object type that `text` does not
 * contain.
 */
export function isUnreadableParameter(parameter: string, text: string): boolean {
  if (parameter.length > MAX_PARAMETER_LENGTH || parameter.includes('import(')) return true;
  const objectType = /\{.*\}/s.exec(parameter)?.[0];
  const withoutSpacing = (code: string) => code.replaceAll(/[\s;,]+/g, '');
  return objectType !== undefined && !withoutSpacing(text).includes(withoutSpacing(objectType));
}

/**
 * The nodes that could contain the new function, outermost first: the file or namespace, the class of a method, and the
 * functions around `outerFunction`.
 */
export function listScopes(outerFunction: FunctionWithBody): ts.Node[] {
  const scopes: ts.Node[] = [];
  for (let node: ts.Node = outerFunction.parent; node; node = node.parent) {
    if (ts.isSourceFile(node) || ts.isModuleBlock(node)) return [node, ...scopes];
    if (ts.isClassLike(node) && (outerFunction.parent === node || ts.isClassElement(outerFunction)))
      scopes.unshift(node);
    else if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node))
      scopes.unshift(node);
  }
  return scopes;
}

/**
 * True if `changedText` has compiler errors that are not in `problemsBefore`. Then the project is set back to `text`; otherwise it
 * keeps `changedText`. In JavaScript, types are only guessed, so object types in messages are not compared.
 */
export function addsProblems(
  project: TypedProject,
  changedText: string,
  text: string,
  problemsBefore: readonly string[],
): boolean {
  const areTypesGuessed = /\.[cm]?jsx?$/.test(project.fileName);
  const normaliseProblem = (problem: string) =>
    areTypesGuessed ? problem.replaceAll(/'\{[^']*\}'/g, "'{}'") : problem;
  project.setText(changedText);
  const remainingProblems = problemsBefore.map(normaliseProblem);
  const addsProblem = project.problems().some((problem) => {
    const index = remainingProblems.indexOf(normaliseProblem(problem));
    if (index >= 0) remainingProblems.splice(index, 1);
    return index < 0;
  });
  if (addsProblem) project.setText(text);
  return addsProblem;
}

/**
 * Changes `c: Context<any, string, {}>` to `c: Context`, as people write types whose arguments have defaults. This is
 * done for type arguments with `any` and for long parameters. A later compilation shows whether there are defaults.
 */
function removeTypeArguments(parameterText: string): string {
  const parameter = parameterText.replaceAll(/;\s\}/g, ' }');
  const [, parameterPrefix, typeName, typeArguments] = /^(\w+\??: )([\w.]+)<(.+)>$/s.exec(parameter) ?? [];
  if (
    !parameterPrefix ||
    !typeName ||
    !typeArguments ||
    /^(Array|ReadonlyArray|Map|Set|Promise|Record|Readonly|Partial|Pick|Omit|Iterable|AsyncIterable)$/.test(typeName)
  )
    return parameter;
  return /\bany\b/.test(typeArguments) || parameter.length > MAX_SIMPLE_LENGTH ? parameterPrefix + typeName : parameter;
}

/**
 * True if the next statement only returns the output of the run. The new function would then do the same as the old
 * one.
 */
function isOutputOnlyReturned({ statements }: ExtractionCandidate, { output }: Flow): boolean {
  const lastStatement = statements.at(-1);
  const siblings =
    lastStatement && 'statements' in lastStatement.parent
      ? (lastStatement.parent.statements as ts.NodeArray<ts.Statement>)
      : undefined;
  const nextStatement = lastStatement && siblings?.[siblings.indexOf(lastStatement) + 1];
  return (
    output !== null &&
    nextStatement !== undefined &&
    ts.isReturnStatement(nextStatement) &&
    nextStatement.expression !== undefined &&
    ts.isIdentifier(nextStatement.expression) &&
    nextStatement.expression.text === output.name
  );
}

/** True if the function writes to the variable `name` outside the statements of the candidate. */
export function isWrittenOutside(
  outerFunction: FunctionWithBody,
  { statements }: ExtractionCandidate,
  name: string,
): boolean {
  const [first, last] = [statements[0], statements.at(-1)];
  return collectDescendants(outerFunction).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === name &&
      isWritten(node) &&
      !(first && last && node.pos >= first.pos && node.end <= last.end),
  );
}

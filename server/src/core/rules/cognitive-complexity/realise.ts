// Moves a run of statements out of a too complex function into one of its own, by TypeScript's refactoring.

import { ts } from 'ts-morph';
import { compose, type Plan } from '../../propose/extraction/compose.ts';
import { conventionsOf, type Conventions } from '../../propose/extraction/conventions.ts';
import { cutsOf, type Cut, type FunctionWithBody } from '../../propose/extraction/cuts.ts';
import { flowOf, isWritten, localsOf, type Flow, type Locals } from '../../propose/extraction/dataFlow.ts';
import { callOf } from '../../propose/extraction/declaration.ts';
import { nameFor, type Name } from '../../propose/extraction/naming.ts';
import { neighboursOf, type Neighbours } from '../../propose/extraction/neighbours.ts';
import { headsAll } from '../../propose/extraction/paragraphs.ts';
import { openProject, type Project } from '../../propose/extraction/project.ts';
import { extract } from '../../propose/extraction/refactor.ts';
import { againstName } from '../../propose/extraction/nameWorth.ts';
import { signatureOf } from '../../propose/extraction/signature.ts';
import { againstPart } from '../../propose/extraction/worth.ts';
import type { Style } from '../../propose/style.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { nodesIn, spanOf, type Span } from '../../propose/syntax/locate.ts';

/** Each try uses the type checker, so only the most promising are tried. */
const MOST_CHECKED = 8;
const MOST_TRIED = 30;
const LEFT = 'It is left to a person: no part would make a function that reads better than the present code.';
const MOST_LOOKED_AT = 400;
const LONGEST_PARAMETER = 80;
const LONGEST_TYPE = 80;
/** Longer type arguments are left out if they have defaults. */
const LONGEST_SIMPLE = 48;
/** What each parameter beyond the second takes off a candidate's score: a call with many is hard to read. */
const PRICE_OF_A_PARAMETER = 1;

interface Candidate {
  readonly cut: Cut;
  readonly scope: ts.Node;
  readonly flow: Flow;
  readonly name: Name;
  readonly score: number;
}

export function realise(context: RecipeContext): RecipeOutcome {
  const { opportunity, text, absolutePath, tree } = context;
  const [whole, telling] = [
    spanOf(context.sourceFile, opportunity.range),
    spanOf(context.sourceFile, opportunity.nameRange),
  ];
  if (!whole || !telling || !functionAt(context.sourceFile, whole, telling))
    return refuse('There is no longer a function with a body here.');
  const simple = functionAt(context.sourceFile, whole, telling);
  if (simple && cutsOf(simple).length === 0)
    return refuse('No part of the function is large and complex enough to be a function of its own.');

  const project = openProject(tree, absolutePath, text);
  try {
    const sourceFile = project.sourceFile();
    const checker = project.checker();
    const outer = functionAt(sourceFile, whole, telling);
    if (!outer) return refuse('There is no longer a function with a body here.');
    const outerName = nameOf(outer, sourceFile) ?? 'the function';
    const neighbours = neighboursOf(sourceFile, tree, absolutePath);
    const candidates = candidatesIn(checker, sourceFile, outer, outerName, neighbours);
    if ('refused' in candidates) return candidates;

    const before = project.problems();
    let checked = 0;
    for (const candidate of candidates.slice(0, MOST_TRIED)) {
      const plan = planOf(project, sourceFile, outer, candidate, context.style);
      if (
        'refused' in plan ||
        plan.part.hasAny ||
        (plan.part.imports.length > 0 && marksTypes(sourceFile)) ||
        plan.part.parameters.some((parameter) => isUnwieldy(parameter, text))
      )
        continue;
      const conventions = conventionsOf(sourceFile);
      const changed = compose(sourceFile, plan, context.style, conventions);
      if (changed === null) continue;
      if (++checked > MOST_CHECKED) break;
      if (addsProblems(project, changed, text, before)) continue;
      const typed =
        conventions.returnTypes && !plan.part.returnType
          ? withReturnType(project, sourceFile, plan, context.style, conventions)
          : null;
      const better = typed !== null && !addsProblems(project, typed, text, before) ? typed : changed;
      const {
        cut,
        name: { name },
      } = candidate;
      return {
        text: better,
        about: outerName,
        title: `extract ${name}`,
        rationale: `It takes ${cut.removed} off the cognitive complexity of ${outerName}, and ${name} has ${cut.own}.`,
      };
    }
    return refuse('No part of the function could move with types that the compiler accepts.');
  } finally {
    project.service.dispose();
  }
}

/** Cuts that can be moved and have a name, best first: to the outermost possible place, or further in if that helps. */
function candidatesIn(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  outer: FunctionWithBody,
  outerName: string,
  neighbours: Neighbours,
): Candidate[] | { readonly refused: string } {
  const scopes = scopesFor(outer).map((scope) => ({ scope, locals: localsOf(checker, outer, scope) }));
  const candidates: Candidate[] = [];
  const reasons = new Map<string, number>();
  let nameless = false;
  let unwanted: string | null = null;
  for (const cut of cutsOf(outer).slice(0, MOST_LOOKED_AT)) {
    for (const [distance, { scope, locals }] of scopes.entries()) {
      const flow = flowInto(scope, locals, outer, cut);
      if ('refused' in flow) {
        const kind = flow.refused.replace(/^\S+ (?=is |would |keeps )/, 'a variable ').replace(/\d+/, 'many');
        reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
        continue;
      }
      const name = nameFor(sourceFile, cut, flow, outerName, neighbours);
      nameless ||= !name;
      if (!name) break;
      const against = againstPart(checker, sourceFile, cut, flow) ?? againstName(sourceFile, cut, flow, name);
      if (against) {
        unwanted ??= against;
        // A method has access to the object, so it may write to it although it has no parameter for it.
        continue;
      }
      candidates.push({
        cut,
        scope,
        flow,
        name,
        score: cut.score + 2 * name.trust - PRICE_OF_A_PARAMETER * Math.max(0, flow.inputs.length - 2) - 2 * distance,
      });
      // A place further inside is worthwhile only if it saves parameters.
      if (flow.inputs.length <= 2) break;
    }
  }
  if (candidates.length > 0) return candidates.sort((a, b) => b.score - a.score);
  if (unwanted) return refuse(`${LEFT} Of the best one: ${unwanted}`);
  if (nameless) return refuse('No part of the function that could move has a telling name.');
  const [commonest] = [...reasons].sort(([, a], [, b]) => b - a);
  return refuse(
    `No part of the function could move without changing what it does.${commonest ? ` Most often: ${commonest[0]}` : ''}`,
  );
}

/** The data flow of the part, if it can be moved to this scope. */
function flowInto(
  scope: ts.Node,
  locals: Locals,
  outer: FunctionWithBody,
  cut: Cut,
): Flow | { readonly refused: string } {
  const flow = flowOf(locals, outer, cut);
  if ('refused' in flow) return flow;
  // Only a method can use `this`, and nothing else needs to be a method.
  if (flow.usesThis !== ts.isClassLike(scope)) return refuse('It uses this.');
  return outputOnlyReturned(cut, flow) ? refuse('What is left would only return it.') : flow;
}

/** Signature and call by TypeScript's refactoring or, if that refuses, by the data flow. */
function planOf(
  project: Project,
  sourceFile: ts.SourceFile,
  outer: FunctionWithBody,
  { cut, scope, flow, name }: Candidate,
  style: Style,
): Plan | { readonly refused: string } {
  const byRefactoring = flow.returns ? null : extract(project, sourceFile, cut, scope, style);
  const extracted =
    byRefactoring && !('refused' in byRefactoring)
      ? byRefactoring
      : signatureOf(project.checker(), sourceFile, outer, cut, flow, scope);
  if ('refused' in extracted) return extracted;
  const parameters = extracted.parameters.map(simplified);
  const call = callOf(extracted, name.name, scope);
  const settled =
    flow.output?.declared && call.startsWith('let ') && !isWrittenOutside(outer, cut, flow.output.name)
      ? call.replace(/^let/, 'const')
      : call;
  return {
    outer,
    cut,
    scope,
    part: {
      ...extracted,
      parameters,
      hasAny: parameters.some((parameter) => /\bany\b/.test(parameter)),
      name: name.name,
      call: settled,
    },
    commentLeads: name.fromComment || headsAll(sourceFile, cut),
  };
}

/** The same plan with the inferred return type; null if that would be hard to read. */
function withReturnType(
  project: Project,
  sourceFile: ts.SourceFile,
  plan: Plan,
  style: Style,
  conventions: Conventions,
): string | null {
  const checker = project.checker();
  const made = nodesIn(project.sourceFile()).find((node): node is ts.FunctionLikeDeclaration => {
    const named = ts.isArrowFunction(node) ? node.parent : node;
    return (
      ts.isFunctionLike(node) && (named as ts.NamedDeclaration).name?.getText().replace(/^[#_]/, '') === plan.part.name
    );
  });
  const signature = made && checker.getSignatureFromDeclaration(made);
  const type =
    signature &&
    checker.typeToString(checker.getReturnTypeOfSignature(signature), made, ts.TypeFormatFlags.NoTruncation);
  if (!type || type.length > LONGEST_TYPE || /\bany\b|import\(|[{]/.test(type)) return null;
  // The caller need not repeat the return type of the function.
  const given = /^Promise<(.*)>$/s.exec(type)?.[1] ?? type;
  const call = plan.part.call.replace(`: ${given} = `, ' = ');
  return compose(sourceFile, { ...plan, part: { ...plan.part, call, returnType: type } }, style, conventions);
}

/**
 * `c: Context<any, string, {}>` → `c: Context`, as people write it where type arguments have defaults; the compiler
 * tells whether they have.
 */
function simplified(written: string): string {
  const parameter = written.replaceAll(/;\s\}/g, ' }');
  const [, before, name, list] = /^(\w+\??: )([\w.]+)<(.+)>$/s.exec(parameter) ?? [];
  if (
    !before ||
    !name ||
    !list ||
    /^(Array|ReadonlyArray|Map|Set|Promise|Record|Readonly|Partial|Pick|Omit|Iterable|AsyncIterable)$/.test(name)
  )
    return parameter;
  return /\bany\b/.test(list) || parameter.length > LONGEST_SIMPLE ? before + name : parameter;
}

/**
 * True if the file marks single types in lists of imports (`type Name`), because TypeScript would not mark the ones
 * that it adds.
 */
function marksTypes(sourceFile: ts.SourceFile): boolean {
  return sourceFile.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      nodesIn(statement).some((node) => ts.isImportSpecifier(node) && node.isTypeOnly),
  );
}

/** True for a type that is too long to read, or that nobody has written before. */
function isUnwieldy(parameter: string, text: string): boolean {
  if (parameter.length > LONGEST_PARAMETER || parameter.includes('import(')) return true;
  const shape = /\{.*\}/s.exec(parameter)?.[0];
  const bare = (code: string) => code.replaceAll(/[\s;,]+/g, '');
  return shape !== undefined && !bare(text).includes(bare(shape));
}

/** True if only `return value` follows the run: then the new function would be the same as the old one. */
function outputOnlyReturned({ statements }: Cut, { output }: Flow): boolean {
  const last = statements.at(-1);
  const list = last && 'statements' in last.parent ? (last.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const next = last && list?.[list.indexOf(last) + 1];
  return (
    output !== null &&
    next !== undefined &&
    ts.isReturnStatement(next) &&
    next.expression !== undefined &&
    ts.isIdentifier(next.expression) &&
    next.expression.text === output.name
  );
}

function isWrittenOutside(outer: FunctionWithBody, { statements }: Cut, name: string): boolean {
  const [first, last] = [statements[0], statements.at(-1)];
  return nodesIn(outer).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === name &&
      isWritten(node) &&
      !(first && last && node.pos >= first.pos && node.end <= last.end),
  );
}

/** The file or namespace, the class of a method, and the enclosing functions, outermost first; never `outer` itself. */
function scopesFor(outer: FunctionWithBody): ts.Node[] {
  const scopes: ts.Node[] = [];
  for (let node: ts.Node = outer.parent; node; node = node.parent) {
    if (ts.isSourceFile(node) || ts.isModuleBlock(node)) return [node, ...scopes];
    if (ts.isClassLike(node) && (outer.parent === node || ts.isClassElement(outer))) scopes.unshift(node);
    else if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node))
      scopes.unshift(node);
  }
  return scopes;
}

/** The project keeps the changed text if it adds no problem. */
function addsProblems(project: Project, changed: string, text: string, before: readonly string[]): boolean {
  project.setText(changed);
  const left = [...before];
  const added = project.problems().some((problem) => {
    const at = left.indexOf(problem);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (added) project.setText(text);
  return added;
}

function functionAt(sourceFile: ts.SourceFile, whole: Span, telling: Span): FunctionWithBody | null {
  const all = nodesIn(sourceFile).filter(
    (node): node is FunctionWithBody =>
      ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node),
  );
  return (
    all.find((node) => nameNodeOf(node)?.getStart(sourceFile) === telling.start) ??
    all.find((node) => node.getStart(sourceFile) === whole.start || node.parent.getStart(sourceFile) === whole.start) ??
    all.findLast((node) => node.getStart(sourceFile) <= telling.start && node.end >= telling.end) ??
    null
  );
}

function nameNodeOf(node: FunctionWithBody): ts.Node | undefined {
  if (node.name) return node.name;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
    ? parent.name
    : undefined;
}

function nameOf(node: FunctionWithBody, sourceFile: ts.SourceFile): string | null {
  return nameNodeOf(node)?.getText(sourceFile) ?? (ts.isConstructorDeclaration(node) ? 'constructor' : null);
}

// Moves a run of statements out of an over-complex function into one of its own, by TypeScript's refactoring.

import { ts } from 'ts-morph';
import { compose } from '../extraction/compose.ts';
import { cognitiveOf } from '../extraction/cognitive.ts';
import { cutsOf, type Cut, type FunctionWithBody } from '../extraction/cuts.ts';
import { flowOf, localsOf, type Flow } from '../extraction/dataFlow.ts';
import { nameFor } from '../extraction/naming.ts';
import { openProject, type Project } from '../extraction/project.ts';
import { extract } from '../extraction/refactor.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../recipe.ts';
import { nodesIn, spanOf, type Span } from '../syntax/locate.ts';

/** Each try asks the type checker, so only the most promising get that far. */
const MOST_CHECKED = 8;
const MOST_TRIED = 30;
const MOST_LOOKED_AT = 400;
const LONGEST_PARAMETER = 120;

interface Candidate {
  readonly cut: Cut;
  readonly scope: ts.Node;
  readonly flow: Flow;
  readonly name: string;
  readonly score: number;
}

export function extractFunction(context: RecipeContext): RecipeOutcome {
  const { opportunity, text, absolutePath, tree, style } = context;
  const [whole, telling] = [spanOf(context.sourceFile, opportunity.range), spanOf(context.sourceFile, opportunity.nameRange)];
  if (!whole || !telling || !functionAt(context.sourceFile, whole, telling)) return refuse('There is no function with a body here any more.');
  const simple = functionAt(context.sourceFile, whole, telling);
  if (simple && cutsOf(simple).length === 0) return refuse('No part of the function is large and complex enough to stand by itself.');

  const project = openProject(tree, absolutePath, text);
  try {
    const sourceFile = project.sourceFile();
    const outer = functionAt(sourceFile, whole, telling);
    if (!outer) return refuse('There is no function with a body here any more.');
    const outerName = nameOf(outer, sourceFile) ?? 'the function';
    const candidates = candidatesIn(project, sourceFile, outer, outerName);
    if (candidates.length === 0) return refuse('No part of the function could move without changing what it does, or none has a telling name.');

    const before = project.problems();
    const anyBefore = /\bany\b/.test(outer.getText(sourceFile));
    let checked = 0;
    for (const { cut, scope, name } of candidates.slice(0, MOST_TRIED)) {
      const extracted = extract(project, sourceFile, cut, scope, style);
      if ('refused' in extracted || (extracted.hasAny && !anyBefore)) continue;
      if (extracted.parameters.some((parameter) => parameter.length > LONGEST_PARAMETER || parameter.includes('import('))) continue;
      const changed = compose(sourceFile, outer, cut, scope, extracted, name, style);
      if (changed === null) continue;
      if (++checked > MOST_CHECKED) break;
      if (addsProblems(project, changed, text, before)) continue;
      const total = cognitiveOf(outer.body);
      return {
        text: changed,
        title: `Extract ${name} from ${outerName}`,
        rationale: `${outerName} has a cognitive complexity of ${total}; with ${name} on its own it has ${total - cut.removed}, and ${name} has ${cut.own}.`,
      };
    }
    return refuse('No part of the function could move with types that the compiler accepts.');
  } finally {
    project.service.dispose();
  }
}

/** Cuts that may move and have a name, best first. Each goes to the outermost place that takes it. */
function candidatesIn(project: Project, sourceFile: ts.SourceFile, outer: FunctionWithBody, outerName: string): Candidate[] {
  const checker = project.checker();
  const scopes = scopesFor(outer).map((scope) => ({ scope, locals: localsOf(checker, outer, scope) }));
  const candidates: Candidate[] = [];
  for (const cut of cutsOf(outer).slice(0, MOST_LOOKED_AT)) {
    for (const [distance, { scope, locals }] of scopes.entries()) {
      const flow = flowOf(locals, outer, cut);
      // Only a method can take the object along, and nothing else needs to be one.
      if ('refused' in flow || flow.usesThis !== ts.isClassLike(scope)) continue;
      const named = nameFor(sourceFile, cut, flow, outerName);
      if (!named) continue;
      candidates.push({ cut, scope, flow, name: named.name, score: cut.score + named.trust - flow.inputs.length / 2 - distance });
      break;
    }
  }
  return candidates.sort((a, b) => b.score - a.score);
}

/** The file or namespace, the class of a method, the functions around from the outermost on; never `outer` itself. */
function scopesFor(outer: FunctionWithBody): ts.Node[] {
  const scopes: ts.Node[] = [];
  for (let node: ts.Node = outer.parent; node; node = node.parent) {
    if (ts.isSourceFile(node) || ts.isModuleBlock(node)) return [node, ...scopes];
    if (ts.isClassLike(node) && (outer.parent === node || ts.isClassElement(outer))) scopes.unshift(node);
    else if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node)) scopes.unshift(node);
  }
  return scopes;
}

/** Leaves the project with the changed text only while it looks. */
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
  const all = nodesIn(sourceFile).filter((node): node is FunctionWithBody => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node));
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
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) ? parent.name : undefined;
}

function nameOf(node: FunctionWithBody, sourceFile: ts.SourceFile): string | null {
  return nameNodeOf(node)?.getText(sourceFile) ?? (ts.isConstructorDeclaration(node) ? 'constructor' : null);
}

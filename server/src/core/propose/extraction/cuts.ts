// Lists the runs of statements inside a function that could become a function, best first.

import { ts } from 'ts-morph';
import { nodesIn } from '../syntax/locate.ts';
import { boundNames } from '../syntax/scopes.ts';
import { cognitiveOf, nestingWithin } from './cognitive.ts';

export type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.Block };

export interface Cut {
  readonly statements: readonly ts.Statement[];
  /** Complexity that the outer function loses. */
  readonly removed: number;
  /** Complexity that the new function has. */
  readonly own: number;
  readonly score: number;
}

const LEAST_STATEMENTS = 4;
const LEAST_REMOVED = 3;
/** Above this a function is over-complex by SonarSource's default; a cut that only moves the trouble is worth less. */
const THRESHOLD = 15;
const LONGEST_LIST = 80;
/** A function that is moved as good as whole is as complex as before, elsewhere. */
const LARGEST_SHARE = 0.75;

/** Statements of nested functions are left to them. Scores do not know yet what goes in and out. */
export function cutsOf(outer: FunctionWithBody): Cut[] {
  const cuts: Cut[] = [];
  const total = cognitiveOf(outer.body);
  for (const list of listsIn(outer)) {
    const statements = list.slice(0, LONGEST_LIST);
    const first = statements[0];
    if (!first) continue;
    const nesting = nestingWithin(outer.body, first);
    const costs = statements.map((statement) => ({ removed: cognitiveOf(statement, nesting), own: cognitiveOf(statement), size: sizeOf(statement) }));
    for (let from = 0; from < statements.length; from++) {
      let [removed, own, size] = [0, 0, 0];
      for (let to = from; to < statements.length; to++) {
        const cost = costs[to];
        if (!cost) break;
        removed += cost.removed;
        own += cost.own;
        size += cost.size;
        const whole = statements.length === list.length && from === 0 && to === list.length - 1 && list === outer.body.statements;
        if (whole || size < LEAST_STATEMENTS || removed < LEAST_REMOVED || own > total * LARGEST_SHARE) continue;
        const run = statements.slice(from, to + 1);
        if ((costs[from]?.removed === 0 && !feeds(run)) || (cost.removed === 0 && !draws(run))) continue;
        cuts.push({ statements: run, removed, own, score: scoreOf({ total, removed, own, length: run.length }) });
      }
    }
  }
  return cuts.sort((a, b) => b.score - a.score || a.statements.length - b.statements.length || a.statements[0]!.pos - b.statements[0]!.pos);
}

/** Where a function without the cut and the cut itself both come under the threshold, nothing is better. */
function scoreOf({ total, removed, own, length }: { total: number; removed: number; own: number; length: number }): number {
  const over = (complexity: number) => Math.max(0, complexity - THRESHOLD);
  return removed - own / 2 - 1.5 * over(own) - over(total - removed) / 2 - length / 10;
}

/** The first statement declares what the rest works with. */
function feeds([first, ...rest]: readonly ts.Statement[]): boolean {
  if (!first || !ts.isVariableStatement(first)) return false;
  const names = new Set(first.declarationList.declarations.flatMap(({ name }) => boundNames(name).map(({ text }) => text)));
  return rest.some((statement) => mentions(statement, names));
}

/** The last statement works with what the run declares. */
function draws(run: readonly ts.Statement[]): boolean {
  const last = run.at(-1);
  const names = new Set(run.slice(0, -1).flatMap((statement) => (ts.isVariableStatement(statement) ? statement.declarationList.declarations.flatMap(({ name }) => boundNames(name).map(({ text }) => text)) : [])));
  return last !== undefined && mentions(last, names);
}

function mentions(statement: ts.Statement, names: ReadonlySet<string>): boolean {
  return nodesIn(statement).some((node) => ts.isIdentifier(node) && names.has(node.text));
}

function listsIn(outer: FunctionWithBody): (readonly ts.Statement[])[] {
  const lists: (readonly ts.Statement[])[] = [outer.body.statements];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isBlock(node) && node !== outer.body) lists.push(node.statements);
    if (ts.isCaseOrDefaultClause(node)) lists.push(node.statements);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(outer.body, visit);
  return lists;
}

/** Statements, nested ones included; a block itself is none. */
function sizeOf(statement: ts.Statement): number {
  return [statement, ...nodesIn(statement)].filter((node) => ts.isStatement(node) && !ts.isBlock(node)).length;
}

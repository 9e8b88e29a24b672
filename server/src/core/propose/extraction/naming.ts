// Finds a telling name for a run of statements: from its comment, its result, what it calls or what it asks. Never makes one up.

import { ts } from 'ts-morph';
import { commentLines, commentsAbove, isDirective } from '../syntax/comments.ts';
import { nodesIn } from '../syntax/locate.ts';
import { codeLike, wordsOf } from '../syntax/prose.ts';
import { boundNames } from '../syntax/scopes.ts';
import type { Cut } from './cuts.ts';
import type { Flow } from './dataFlow.ts';

const VERBS = new Set(
  'remember forget keep guard drain spawn kill probe explain tell add adjust align allocate analyse analyze append apply assemble assert assign attach balance bind build cache calculate check choose clean clear clone close collapse collect combine compare compile complete compute configure connect consume convert copy count create decode define delete derive describe detach detect determine disable discard dispatch display distribute divide draw drop emit enable encode enqueue ensure enumerate escape evaluate expand extend extract fetch fill filter finalize find fix flatten flush fold format gather generate get group handle hash hide hydrate import include increment infer initialize inject insert inspect install invoke iterate join jump limit link list load locate log look lookup make map mark match measure merge migrate move normalise normalize notify open order pack pad paint parse partition patch pick place plan populate prepare prepend print process promote prune pull push put queue read rebuild record recover reduce refresh register reject release remove rename render reorder repair repeat replace report reset resize resolve restore retry return reuse revert rewrite rotate round run sample save scan schedule select send separate serialize set setup show shrink skip sort split start stop store strip subtract sum swap sync tag take test toggle tokenize track transform translate traverse trim truncate try unescape unwrap update upgrade upload validate verify visit wait walk warn wrap write yield'.split(
    ' ',
  ),
);
const FILLERS = new Set('a an the of for to in on and or is are be it its if then now we us our this that these those with by from as at all any each every some also just only first next finally here there so when while because since not no into onto'.split(' '));
const GENERIC = new Set('result results ret res rv tmp temp data value values length size count index name type kind item items obj object arr array out output acc list i j k n x y z a b c el elem node flag ok done val key keys entry entries info args options opts params self that fn cb callback match current next prev idx len str text'.split(' '));
const RESERVED = new Set('break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static async await of get set undefined NaN Infinity arguments eval'.split(' '));

/** Camel-case and free in the file, or null when nothing tells. `outerName` is never given again. */
export function nameFor(sourceFile: ts.SourceFile, cut: Cut, flow: Pick<Flow, 'output'>, outerName: string): { readonly name: string; readonly trust: number } | null {
  const taken = new Set(nodesIn(sourceFile).flatMap((node) => (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? [node.text.replace(/^#/, '')] : [])));
  const ideas = [
    { name: fromComment(sourceFile, cut), trust: 3 },
    { name: fromOutput(sourceFile, cut, flow), trust: 2 },
    { name: fromPlace(cut), trust: 1 },
    { name: fromLoop(cut), trust: 1 },
    { name: fromCondition(cut), trust: 1 },
  ];
  for (const { name, trust } of ideas) {
    if (name && name !== outerName && name.length >= 5 && name.length <= 40 && !taken.has(name) && !RESERVED.has(name)) return { name, trust };
  }
  return null;
}

/** The first words of the comment above, when the first is something that one does. It speaks of its paragraph, no more. */
function fromComment(sourceFile: ts.SourceFile, cut: Cut): string | null {
  const [first, ...rest] = cut.statements;
  if (rest.some((statement) => commentsAbove(sourceFile, statement).length > 0 || /\n[ \t]*\r?\n/.test(sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile))))) return null;
  const comments = first ? commentsAbove(sourceFile, first) : [];
  const lines = comments.flatMap((comment) => (isDirective(comment) ? [] : commentLines(comment))).filter((line) => line.trim());
  const said = lines.join(' ').split(/[.:;(!?,]|\s[-–—]\s/)[0] ?? '';
  if (lines.length === 0 || /^(todo|fixme|hack|xxx|note)\b/i.test(said.trim()) || codeLike(lines)) return null;
  const words = wordsOf(said.replace(/['’]\w+/g, '')).filter((word) => !FILLERS.has(word) && /^[a-z][a-z0-9]*$/.test(word));
  const verb = words[0] && verbOf(words[0]);
  return verb && words.length >= 2 ? camel([verb, ...words.slice(1, 4)]) : null;
}

/** `const total = …` → `computeTotal`: the verb says what kind of value comes out. */
function fromOutput(sourceFile: ts.SourceFile, cut: Cut, { output }: Pick<Flow, 'output'>): string | null {
  if (!output || GENERIC.has(output.name.toLowerCase()) || output.name.length < 3 || !/^[a-zA-Z][a-zA-Z0-9]*$/.test(output.name)) return null;
  const words = wordsOf(output.name);
  if (/^(is|has|can|should|needs|was|will|allows?)$/.test(words[0] ?? '')) return camel(['check', ...words]);
  const [first] = words;
  if (first && VERBS.has(first) && words.length > 1) return null;
  // A name that speaks of the value alone would hide what else is done.
  if (actsBeyond(cut, output.name)) return null;
  return camel([verbForValue(sourceFile, cut, output), ...words]);
}

/** Some statement calls or assigns to what the run neither declares nor gives back. */
function actsBeyond(cut: Cut, output: string): boolean {
  const nodes = cut.statements.flatMap((statement) => [statement, ...nodesIn(statement)]);
  const own = new Set([output, ...nodes.flatMap((node) => (ts.isVariableDeclaration(node) ? boundNames(node.name).map(({ text }) => text) : []))]);
  return nodes.some((node) => ts.isExpressionStatement(node) && !own.has(rootOf(node.expression)));
}

function rootOf(expression: ts.Expression): string {
  let node: ts.Node = expression;
  for (;;) {
    if (ts.isBinaryExpression(node)) node = node.left;
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) node = node.operand;
    else if (ts.isCallExpression(node) && !ts.isIdentifier(node.expression)) node = node.expression;
    else if (ts.isAwaitExpression(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) node = node.expression;
    else return ts.isIdentifier(node) ? node.text : '';
  }
}

function verbForValue(sourceFile: ts.SourceFile, cut: Cut, output: { readonly name: string; readonly declared: boolean }): string {
  if (!output.declared) return 'update';
  const declaration = cut.statements.flatMap((statement) => [statement, ...nodesIn(statement)]).find((node): node is ts.VariableDeclaration => ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === output.name);
  const value = declaration?.initializer;
  if (!value) return 'resolve';
  if (ts.isArrayLiteralExpression(value)) return 'collect';
  if (ts.isObjectLiteralExpression(value) || ts.isNewExpression(value) || ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return 'build';
  if (ts.isNumericLiteral(value)) return 'compute';
  if (/^(true|false)$/.test(value.getText(sourceFile))) return 'check';
  const [called] = ts.isCallExpression(value) ? wordsOf(calledName(value)) : [];
  return called && VERBS.has(called) && called !== 'get' ? called : 'resolve';
}

/** All that a branch or a turn of a loop does: `case 'open':` → `handleOpen`, `for (const file of …)` → `processFile`. */
function fromPlace(cut: Cut): string | null {
  const parent = cut.statements[0]?.parent;
  const list = parent && 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const rest = list?.filter((statement) => !cut.statements.includes(statement));
  if (!parent || !rest || rest.some((statement) => !ts.isBreakOrContinueStatement(statement) && !(ts.isReturnStatement(statement) && !statement.expression))) return null;
  const place = ts.isBlock(parent) ? parent.parent : parent;
  if (ts.isCaseClause(place)) return labelled(place.expression);
  if (ts.isIfStatement(place) && place.thenStatement === parent) {
    const asked = place.expression;
    if (!ts.isBinaryExpression(asked)) return null;
    return /^===?$/.test(asked.operatorToken.getText()) ? labelled(asked.right) : null;
  }
  if (!ts.isForOfStatement(place) || !ts.isVariableDeclarationList(place.initializer)) return null;
  const variable = place.initializer.declarations[0]?.name;
  const noun = variable && ts.isIdentifier(variable) ? nounOf(variable) : null;
  return noun ? camel([cut.statements.map(dominantVerb).find((verb) => verb !== null) ?? 'process', ...wordsOf(noun)]) : null;
}

/** `'rolledBack'` or `Kind.RolledBack` → `handleRolledBack`. */
function labelled(label: ts.Expression): string | null {
  const text = ts.isStringLiteral(label) ? label.text : ts.isPropertyAccessExpression(label) ? label.name.text : '';
  const words = wordsOf(text);
  return /^[a-zA-Z][\w-]{2,}$/.test(text) && words.every((word) => /^[a-z][a-z0-9]*$/.test(word)) && !GENERIC.has(text.toLowerCase()) ? camel(['handle', ...words]) : null;
}

/** A single loop over something with a telling name, around a call whose first word is a verb: `for (const file of files) print(file)` → `printFiles`. */
function fromLoop(cut: Cut): string | null {
  const loops = cut.statements.filter((statement) => ts.isForOfStatement(statement) || ts.isForInStatement(statement));
  const [loop] = loops;
  if (!loop || loops.length !== 1 || !(ts.isForOfStatement(loop) || ts.isForInStatement(loop))) return null;
  const subject = nounOf(loop.expression);
  const verb = dominantVerb(loop.statement);
  return subject && verb ? camel([verb, ...wordsOf(subject)]) : null;
}

/** `if (options.watch) { … }` → `handleWatch`, unless more is asked or another branch follows. */
function fromCondition(cut: Cut): string | null {
  const deciding = cut.statements.filter((statement) => ts.isIfStatement(statement));
  const [only] = deciding;
  if (!only || cut.statements.length !== 1 || !ts.isIfStatement(only) || only.elseStatement) return null;
  const condition = only.expression;
  if (!ts.isIdentifier(condition) && !ts.isPropertyAccessExpression(condition)) return null;
  const noun = nounOf(condition);
  const words = noun ? wordsOf(noun) : [];
  const verb = dominantVerb(only.thenStatement) ?? 'handle';
  return noun && !VERBS.has(words[0] ?? '') && !/^(is|has|can|should|needs)$/.test(words[0] ?? '') ? camel([verb, ...words]) : null;
}

/** First word of the function that is called most for what it does, not for its value, when it is a verb and beats the others. */
function dominantVerb(node: ts.Node): string | null {
  const counts = new Map<string, number>();
  for (const call of nodesIn(node)) {
    if (!ts.isCallExpression(call) || !(ts.isExpressionStatement(call.parent) || ts.isAwaitExpression(call.parent))) continue;
    const name = calledName(call);
    const [first] = wordsOf(name);
    // What lists and strings offer tells nothing about the purpose.
    if (!first || !VERBS.has(first) || /^(push|get|set|map|filter|find|join|split|slice|test|match|replace|trim|log|sort|fill|some|every|includes|add|delete)$/.test(name)) continue;
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const [best, second] = ranked;
  return best && (!second || second[1] < best[1]) ? best[0] : null;
}

function calledName({ expression }: ts.CallExpression): string {
  return ts.isIdentifier(expression) ? expression.text : ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function nounOf(expression: ts.Expression): string | null {
  let node = expression;
  // `Object.entries(files)`, `files.entries()` and the like are about files.
  if (ts.isCallExpression(node)) {
    const callee = node.expression;
    if (!ts.isPropertyAccessExpression(callee) || !/^(entries|keys|values|slice|reverse|toReversed|toSorted|filter)$/.test(callee.name.text)) return null;
    node = ts.isIdentifier(callee.expression) && callee.expression.text === 'Object' ? (node.arguments[0] ?? callee.expression) : callee.expression;
  }
  const name = ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : null;
  return name && name.length >= 3 && !GENERIC.has(name.toLowerCase()) && /^[a-zA-Z][a-zA-Z0-9]*$/.test(name) ? name : null;
}

/** `parses` and `parse` alike; null for a word that is nothing one does. */
function verbOf(word: string): string | null {
  if (VERBS.has(word)) return word;
  for (const bare of [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')]) if (bare !== word && VERBS.has(bare)) return bare;
  return null;
}

function camel(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('');
}

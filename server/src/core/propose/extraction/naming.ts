// Finds a telling name for a run of statements: from its comment, its result, what it writes, calls or asks. It never
// invents one.

import { ts } from 'ts-morph';
import { commentLines, commentsAbove, isDirective } from '../syntax/comments.ts';
import { nodesIn } from '../syntax/locate.ts';
import { codeLike, wordsOf } from '../syntax/prose.ts';
import { boundNames } from '../syntax/scopes.ts';
import { nodesOf, type Cut } from './cuts.ts';
import type { Flow } from './dataFlow.ts';
import { effectsOf, fromChecks, fromTarget } from './nameFromEffects.ts';
import { calledName, camel, isReserved, isTelling, isVerb, nounOf, rootOf, verbOf } from './nameWords.ts';

export interface Name {
  readonly name: string;
  /** How well names of this kind tell what the part does. */
  readonly trust: number;
  /** It is what the comment above says. */
  readonly fromComment: boolean;
}

type NamedFlow = Pick<Flow, 'output' | 'inputs' | 'returns'>;

const FILLERS = new Set(
  'a an the of on and or is are be it its if then now we us our this that these those as at all any each every some also just only first next finally here there so when while because since not no'.split(
    ' ',
  ),
);
/** They connect two words that tell something, or say nothing. */
const CONNECTING = new Set('by from to into for with in onto'.split(' '));
/** What follows them is no longer what is acted on. */
const ENDS_PHRASE =
  /\b(already|how|what|which|whether|where|why|often|via|using|before|after|during|without|than|like|per|based|until|unless|may|might|can|could|should|must|will|would|has|have|had|does|did|was|were|but)\b.*/;
const LOOKING = new Set(['check', 'verify', 'validate', 'assert', 'test', 'compare', 'inspect']);
const ASKING = /^(is|has|can|should|needs|was|will|allows?)$/;

/** Camel-case and free in the file, or null when nothing tells. `outerName` is never given again. */
export function nameFor(sourceFile: ts.SourceFile, cut: Cut, flow: NamedFlow, outerName: string): Name | null {
  // `resolveUrl` beside `resolveURL` would be a riddle.
  const plain = (text: string) => text.replace(/^[#_]/, '').toLowerCase();
  const taken = new Set(
    nodesIn(sourceFile).flatMap((node) =>
      ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? [plain(node.text)] : [],
    ),
  );
  const ideas = [
    { name: fromComment(sourceFile, cut, flow), trust: 3 },
    { name: fromOutput(sourceFile, cut, flow), trust: 2 },
    { name: fromChecks(sourceFile, cut, flow), trust: 2 },
    { name: fromLoop(cut, flow), trust: 1 },
    { name: fromTarget(cut, flow), trust: 1 },
    { name: fromPlace(cut, flow), trust: 1 },
    { name: fromCondition(cut, flow), trust: 0 },
  ];
  for (const [rank, { name, trust }] of ideas.entries()) {
    if (
      name &&
      name !== outerName &&
      name.length >= 5 &&
      name.length <= 32 &&
      !taken.has(plain(name)) &&
      !isReserved(name)
    )
      return { name, trust, fromComment: rank === 0 };
  }
  return null;
}

/**
 * The first words of the comment above, when the first is something that one does. It speaks of its paragraph, no more.
 */
function fromComment(sourceFile: ts.SourceFile, cut: Cut, { output, inputs }: NamedFlow): string | null {
  const [first, ...rest] = cut.statements;
  if (
    rest.some(
      (statement) =>
        commentsAbove(sourceFile, statement).length > 0 ||
        /\n[ \t]*\r?\n/.test(sourceFile.text.slice(statement.getFullStart(), statement.getStart(sourceFile))),
    )
  )
    return null;
  const comments = first ? commentsAbove(sourceFile, first) : [];
  const lines = comments
    .flatMap((comment) => (isDirective(comment) ? [] : commentLines(comment)))
    .filter((line) => line.trim());
  const said = (lines.join(' ').split(/[.:;(!?,]|\s[-–—]\s/)[0] ?? '').trim();
  if (lines.length === 0 || /^(todo|fixme|hack|xxx|note)\b/i.test(said) || codeLike(lines)) return null;
  const phrase = said
    .replace(/['’]\w+/g, '')
    .toLowerCase()
    .replace(ENDS_PHRASE, '');
  // `names of all sources` are `source names`.
  const turned = phrase.replace(/\b(\w+) of (?:(?:the|all|each|every|any|its|their) )*(\w+?)s?\b(?! \w*ing)/, '$2 $1');
  const told = wordsOf(turned).filter((word) => !FILLERS.has(word) && /^[a-z][a-z0-9]*$/.test(word));
  const words = told.filter((word, index) => !CONNECTING.has(word) || (index > 1 && index < told.length - 1));
  const verb = words[0] && verbOf(words[0]);
  // It speaks of the first step alone where what came in is changed.
  if (
    verb &&
    LOOKING.has(verb) &&
    effectsOf(cut, output?.name).some((effect) => inputs.some(({ name }) => name === rootOf(effect)))
  )
    return null;
  if (
    !verb ||
    words.length < 2 ||
    words.length > 5 ||
    words.length - words.filter((word) => CONNECTING.has(word)).length > 4
  )
    return null;
  // What comes out has to be what the comment speaks of.
  if (output && !wordsOf(output.name).some((word) => words.some((other) => other.startsWith(word.slice(0, 4)))))
    return null;
  return camel([verb, ...words.slice(1)]);
}

/** `const total = …` → `computeTotal`: the verb says what kind of value comes out. */
function fromOutput(sourceFile: ts.SourceFile, cut: Cut, { output }: NamedFlow): string | null {
  if (!output || !isTelling(output.name)) return null;
  const words = wordsOf(output.name);
  const [first] = words;
  // A name that speaks of the value alone would hide what else is done.
  if (effectsOf(cut, output.name).length > 0 || !allFor(cut, output.name)) return null;
  if (first && ASKING.test(first)) return camel(['check', ...words]);
  if (isVerb(first) && words.length > 1) return null;
  const verb = verbForValue(sourceFile, cut, output);
  return verb && camel([verb, ...words]);
}

/** Every statement mentions the value, or makes something for one that does. */
function allFor(cut: Cut, output: string): boolean {
  const own = new Set(
    nodesOf(cut).flatMap((node) =>
      ts.isVariableDeclaration(node) ? boundNames(node.name).map(({ text }) => text) : [],
    ),
  );
  const wanted = new Set([output]);
  for (const statement of cut.statements.toReversed()) {
    const names = [statement, ...nodesIn(statement)].flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []));
    if (!names.some((name) => wanted.has(name))) return false;
    for (const name of names) if (own.has(name)) wanted.add(name);
  }
  return true;
}

function verbForValue(
  sourceFile: ts.SourceFile,
  cut: Cut,
  output: { readonly name: string; readonly declared: boolean },
): string | null {
  // That a value is another one afterwards tells nothing about what for.
  if (!output.declared) return ensures(cut, output.name) ? 'ensure' : null;
  const declaration = nodesOf(cut).find(
    (node): node is ts.VariableDeclaration =>
      ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === output.name,
  );
  const value = declaration?.initializer;
  if (!value) return 'resolve';
  if (ts.isArrayLiteralExpression(value)) return 'collect';
  if (
    ts.isObjectLiteralExpression(value) ||
    ts.isNewExpression(value) ||
    ts.isStringLiteralLike(value) ||
    ts.isTemplateExpression(value)
  )
    return 'build';
  if (ts.isNumericLiteral(value)) return 'compute';
  if (/^(true|false)$/.test(value.getText(sourceFile))) return 'check';
  const [called] = ts.isCallExpression(value) ? wordsOf(calledName(value)) : [];
  return isVerb(called) &&
    called !== 'get' &&
    !/^(push|map|filter|join|split|slice|match|replace|trim|sort)$/.test(called)
    ? called
    : 'resolve';
}

/** `if (!cache) { … cache = …; }` and nothing else. */
function ensures({ statements }: Cut, output: string): boolean {
  const [only, ...rest] = statements;
  if (!only || rest.length > 0 || !ts.isIfStatement(only) || only.elseStatement) return false;
  const asked = only.expression;
  return ts.isPrefixUnaryExpression(asked)
    ? asked.operand.getText() === output
    : ts.isBinaryExpression(asked) &&
        asked.left.getText() === output &&
        /^===?$/.test(asked.operatorToken.getText()) &&
        /^(undefined|null)$/.test(asked.right.getText());
}

/**
 * All that a case or a turn of a loop does: `case 'open':` → `handleOpen`, `for (const file of …) print(file)` →
 * `printFile`.
 */
function fromPlace(cut: Cut, { returns, output }: NamedFlow): string | null {
  const parent = cut.statements[0]?.parent;
  const list = parent && 'statements' in parent ? (parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const rest = list?.filter((statement) => !cut.statements.includes(statement));
  if (
    !parent ||
    output ||
    !rest ||
    rest.some(
      (statement) =>
        !ts.isBreakOrContinueStatement(statement) && !(ts.isReturnStatement(statement) && !statement.expression),
    )
  )
    return null;
  const verb = returns?.value ? verbForReturns(cut) : 'handle';
  if (!verb) return null;
  const place = ts.isBlock(parent) ? parent.parent : parent;
  if (ts.isCaseClause(place)) return labelled(verb, place.expression);
  if (ts.isIfStatement(place) && place.thenStatement === parent) {
    const asked = place.expression;
    // What kind of value it is tells nothing about the purpose.
    if (!ts.isBinaryExpression(asked) || ts.isTypeOfExpression(asked.left) || !isOneOfSeveral(place)) return null;
    return /^===?$/.test(asked.operatorToken.getText()) ? labelled(verb, asked.right) : null;
  }
  if (!ts.isForOfStatement(place) || !ts.isVariableDeclarationList(place.initializer) || returns) return null;
  const variable = place.initializer.declarations[0]?.name;
  const noun = variable && ts.isIdentifier(variable) ? nounOf(variable) : null;
  if (!noun || !variable || !ts.isIdentifier(variable)) return null;
  const found = cut.statements
    .map((statement) => dominantVerb(statement, variable.text, noun))
    .find((each) => each !== null);
  return found ? camel([found, ...noun]) : null;
}

/** A branch of a chain that asks the same thing again and again is a case of it. */
function isOneOfSeveral(branch: ts.IfStatement): boolean {
  return (
    (branch.elseStatement !== undefined && ts.isIfStatement(branch.elseStatement)) ||
    (ts.isIfStatement(branch.parent) && branch.parent.elseStatement === branch)
  );
}

/**
 * What all returned values are: texts are described, elements rendered, objects and lists built, calls say it
 * themselves.
 */
function verbForReturns(cut: Cut): string | null {
  const verbs = new Set(
    nodesOf(cut).flatMap((node) => {
      if (!ts.isReturnStatement(node)) return [];
      let value = node.expression;
      while (value && (ts.isParenthesizedExpression(value) || ts.isAwaitExpression(value))) value = value.expression;
      if (!value) return [];
      if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return ['describe'];
      if (ts.isJsxElement(value) || ts.isJsxSelfClosingElement(value) || ts.isJsxFragment(value)) return ['render'];
      if (ts.isObjectLiteralExpression(value) || ts.isNewExpression(value) || ts.isArrayLiteralExpression(value))
        return ['build'];
      const [first] = ts.isCallExpression(value) ? wordsOf(calledName(value)) : [];
      return [isVerb(first) ? first : ''];
    }),
  );
  const [verb, ...others] = verbs;
  return verb && others.length === 0 ? verb : null;
}

/** `'rolledBack'` or `Kind.RolledBack` → `handleRolledBack`. */
function labelled(verb: string, label: ts.Expression): string | null {
  const text = ts.isStringLiteral(label) ? label.text : ts.isPropertyAccessExpression(label) ? label.name.text : '';
  const words = wordsOf(text);
  return /^[a-zA-Z][\w-]{2,}$/.test(text) &&
    words.every((word) => /^[a-z][a-z0-9]*$/.test(word)) &&
    isTelling(words.join(''))
    ? camel([verb, ...words])
    : null;
}

/**
 * A single loop over something with a telling name, around a call whose first word is a verb: `for (const file of
 * files) print(file)` → `printFiles`.
 */
function fromLoop(cut: Cut, { output, returns }: NamedFlow): string | null {
  const loops = cut.statements.filter((statement) => ts.isForOfStatement(statement) || ts.isForInStatement(statement));
  const [loop] = loops;
  if (
    !loop ||
    output ||
    returns?.value ||
    loops.length !== 1 ||
    !(ts.isForOfStatement(loop) || ts.isForInStatement(loop)) ||
    !ts.isVariableDeclarationList(loop.initializer)
  )
    return null;
  const variable = loop.initializer.declarations[0]?.name;
  const subject = nounOf(loop.expression);
  const verb =
    subject && variable && ts.isIdentifier(variable) ? dominantVerb(loop.statement, variable.text, subject) : null;
  return subject && verb ? camel([verb, ...subject]) : null;
}

/** `if (options.watch) start(options.watch)` → `startWatch`, unless more is asked or another branch follows. */
function fromCondition(cut: Cut, { output, returns }: NamedFlow): string | null {
  const [only] = cut.statements;
  if (!only || output || returns?.value || cut.statements.length !== 1 || !ts.isIfStatement(only) || only.elseStatement)
    return null;
  const condition = only.expression;
  if (!ts.isIdentifier(condition) && !ts.isPropertyAccessExpression(condition)) return null;
  const words = nounOf(condition);
  if (!words || isVerb(words[0]) || ASKING.test(words[0] ?? '')) return null;
  const verb = dominantVerb(
    only.thenStatement,
    ts.isIdentifier(condition) ? condition.text : condition.name.text,
    words,
  );
  return verb ? camel([verb, ...words]) : null;
}

/**
 * First word of the function that is called most for what it does to `subject`, not for its value, when it is a verb
 * and beats the others.
 */
function dominantVerb(node: ts.Node, subject: string, noun: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const call of nodesIn(node)) {
    if (!ts.isCallExpression(call) || !(ts.isExpressionStatement(call.parent) || ts.isAwaitExpression(call.parent)))
      continue;
    const name = calledName(call);
    const [first, ...object] = wordsOf(name);
    // `dropIndices(column)` drops no column.
    if (!isVerb(first) || !object.every((word) => noun.some((other) => sameNoun(word, other)))) continue;
    // What lists and strings offer tells nothing about the purpose.
    if (
      /^(push|get|set|map|filter|find|join|split|slice|test|match|replace|trim|log|sort|fill|some|every|includes|add|delete)$/.test(
        name,
      )
    )
      continue;
    if (![call.expression, ...call.arguments].some((part) => part.getText().split(/\W+/).includes(subject))) continue;
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const [best, second] = ranked;
  return best && (!second || second[1] < best[1]) ? best[0] : null;
}

function sameNoun(one: string, other: string): boolean {
  return one === other || `${one}s` === other || one === `${other}s`;
}

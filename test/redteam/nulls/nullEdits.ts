// Edits that change nothing that matters: layout, names, detours. None of them may ever be accepted.

import { ts } from 'ts-morph';

/** Text → another text that does the same, or null where the edit does not apply. `seed` chooses the place. */
export type NullEdit = (text: string, seed: number) => string | null;

export const NULL_EDITS: Readonly<Record<string, NullEdit>> = {
  'nothing at all': (text) => text,
  'blank line': (text, seed) => atStatement(text, seed, (start) => [start, start, '\n']),
  'blank lines at the end': (text) => `${text}\n\n`,
  'no line break at the end': (text) => (text.endsWith('\n') ? text.slice(0, -1) : null),
  'other line breaks': (text) => (text.includes('\r') ? null : text.replaceAll('\n', '\r\n')),
  'byte order mark': (text) => `\uFEFF${text}`,
  tabs: (text) =>
    changedOrNull(
      text,
      text.replace(/^(?: {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2)),
    ),
  'trailing blanks': (text, seed) => atLineEnd(text, seed, '  '),
  'idle comment': (text, seed) => atStatement(text, seed, (start) => [start, start, '// Here.\n']),
  'empty statement': (text, seed) => atStatement(text, seed, (_, end) => [end, end, ';']),
  'idle void': (text, seed) => atStatement(text, seed, (start) => [start, start, 'void 0;\n']),
  'idle block': (text, seed) => atStatement(text, seed, (start) => [start, start, '{}\n']),
  'block around': (text, seed) =>
    atStatement(text, seed, (start, end, node) =>
      ts.isExpressionStatement(node) ? [start, end, `{ ${text.slice(start, end)} }`] : null,
    ),
  parentheses: (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isReturnStatement(node) && node.expression !== undefined && node.expression,
      (inner) => `(${inner})`,
    ),
  'double negation back': (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isIfStatement(node) && node.expression,
      (inner) => `!(!(${inner}))`,
    ),
  'condition that holds': (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isIfStatement(node) && node.expression,
      (inner) => `true && (${inner})`,
    ),
  'detour by a name': (text, seed) =>
    atStatement(text, seed, (start, end, node) =>
      ts.isReturnStatement(node) && node.expression
        ? [start, end, `const outcome${seed} = ${node.expression.getText()};\nreturn outcome${seed};`]
        : null,
    ),
  'other quotes': (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isStringLiteral(node) && !/["\\]/.test(node.text) && !ts.isImportDeclaration(node.parent) && node,
      (inner) => `"${inner.slice(1, -1)}"`,
    ),
  'broken line': (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isCallExpression(node) && node.arguments[0],
      (inner) => `\n${inner}`,
    ),
  'a name for a number': (text, seed) =>
    atNode(
      text,
      seed,
      (node) => ts.isNumericLiteral(node) && ts.isBinaryExpression(node.parent) && node,
      (inner) => `Number(${inner})`,
    ),
  'longer name': (text, seed) => renamed(text, seed),
  'other order of members': (text, seed) => swapped(text, seed),
};

function atStatement(
  text: string,
  seed: number,
  change: (start: number, end: number, node: ts.Statement) => readonly [number, number, string] | null,
): string | null {
  const found: ts.Statement[] = [];
  visit(parse(text), (node) => {
    if (ts.isBlock(node))
      found.push(
        ...node.statements.filter(
          (statement) => !ts.isVariableStatement(statement) && !ts.isFunctionDeclaration(statement),
        ),
      );
  });
  const changes = found.flatMap((node) => {
    const made = change(node.getStart(), node.end, node);
    return made ? [made] : [];
  });
  const chosen = changes[seed % Math.max(1, changes.length)];
  return chosen ? text.slice(0, chosen[0]) + chosen[2] + text.slice(chosen[1]) : null;
}

function atNode(
  text: string,
  seed: number,
  choose: (node: ts.Node) => ts.Node | false | undefined,
  write: (inner: string) => string,
): string | null {
  const found: ts.Node[] = [];
  visit(parse(text), (node) => {
    const chosen = choose(node);
    if (chosen) found.push(chosen);
  });
  const node = found[seed % Math.max(1, found.length)];
  return node ? text.slice(0, node.getStart()) + write(node.getText()) + text.slice(node.end) : null;
}

function atLineEnd(text: string, seed: number, added: string): string {
  const lines = text.split('\n');
  const at = seed % lines.length;
  return lines.map((line, index) => (index === at && !line.includes('`') ? line + added : line)).join('\n');
}

/** A parameter of a function, everywhere in it; only where the name stands for nothing else. */
function renamed(text: string, seed: number): string | null {
  const source = parse(text);
  const counts = new Map<string, ts.Identifier[]>();
  visit(source, (node) => {
    if (ts.isIdentifier(node)) counts.set(node.text, [...(counts.get(node.text) ?? []), node]);
  });
  const names: string[] = [];
  visit(source, (node) => {
    if (!ts.isParameter(node) || !ts.isIdentifier(node.name)) return;
    const around = node.parent;
    const uses = counts.get(node.name.text) ?? [];
    if (
      uses.every(
        (use) =>
          use.getStart() >= around.getStart() &&
          use.end <= around.end &&
          !ts.isPropertyAccessExpression(use.parent) &&
          !ts.isShorthandPropertyAssignment(use.parent) &&
          !ts.isPropertyAssignment(use.parent) &&
          !ts.isBindingElement(use.parent),
      )
    )
      names.push(node.name.text);
  });
  const name = names[seed % Math.max(1, names.length)];
  if (name === undefined) return null;
  let result = text;
  for (const use of (counts.get(name) ?? []).toReversed())
    result = `${result.slice(0, use.getStart())}${name}Value${result.slice(use.end)}`;
  return result;
}

/** Two members of an interface that stand behind each other. */
function swapped(text: string, seed: number): string | null {
  const pairs: (readonly [ts.Node, ts.Node])[] = [];
  visit(parse(text), (node) => {
    if (!ts.isInterfaceDeclaration(node)) return;
    node.members.slice(1).forEach((member, index) => pairs.push([node.members[index]!, member]));
  });
  const pair = pairs[seed % Math.max(1, pairs.length)];
  if (!pair) return null;
  const [one, other] = pair;
  return text.slice(0, one.getFullStart()) + other.getFullText() + one.getFullText() + text.slice(other.end);
}

function changedOrNull(before: string, after: string): string | null {
  return before === after ? null : after;
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

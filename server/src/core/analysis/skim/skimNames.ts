// Under which names the functions of a lazily read tree are known, and where they begin: as `metrics/scriptNames.ts` has it.

import { ANONYMOUS, TOP_LEVEL, type FunctionKind } from '../functionUnit.ts';
import type { NamePlace } from '../metrics/namePlace.ts';
import { behindTrivia } from '../script/leadingComments.ts';
import type { LazyHandlers, LazyNode } from './lazyTree.ts';
import { isFunction, skipClothes } from './skimNodes.ts';
import { OddScript } from './oddScript.ts';

/** What the code around a function says of it. */
interface Holder {
  readonly kind?: FunctionKind;
  /** Of a method, where it begins with all its modifiers; of an exported function, where `export` stands. */
  readonly start?: number;
  readonly name?: NamePlace;
}

export class NameWalk {
  private text = '';
  private held = new Map<LazyNode, Holder>();

  begin(text: string): void {
    this.text = text;
    this.held = new Map();
  }

  handlers(): LazyHandlers {
    const exported = ({ start, declaration }: LazyNode): void => void (declaration.type === 'FunctionDeclaration' && this.hold(declaration, { start }));
    const field = (node: LazyNode): void => {
      const name = this.nameOfKey(node);
      this.hold(node, { name });
      if (node['value'] !== null) this.holdFunction(node['value'], { name });
    };
    return {
      ExportDeclaration: exported,
      ExportDefaultDeclaration: exported,
      VariableDeclarator: ({ id, init }) => void (init !== null && id.type === 'BindingIdentifier' && this.holdFunction(init, { name: placeOf(id) })),
      ObjectProperty: (node) => this.enterProperty(node),
      PropertyDefinition: field,
      AccessorProperty: field,
      MethodDefinition: (node) => this.enterMethod(node),
      AssignmentExpression: (node) => void (node['operator'] === '=' && this.enterAssignment(node)),
      AssignmentTargetWithDefault: (node) => this.enterAssignment(node),
    };
  }

  /** Kind, place and name of a frame, as `FunctionUnit` has them. */
  describe(node: LazyNode, kind: FunctionKind): { readonly kind: FunctionKind; readonly start: number; readonly end: number; readonly name: NamePlace } {
    if (kind === 'topLevel') return { kind, start: 0, end: this.text.length, name: { name: TOP_LEVEL, start: 0, end: 0 } };
    const holder = this.held.get(node);
    if (kind === 'fieldInitialiser') return { kind, start: node['value'].start, end: node['value'].end, name: holder!.name! };
    const start = holder?.start ?? node.start;
    const own = kind !== 'arrow' && kind !== 'staticBlock' && node['id'] ? placeOf(node['id']) : undefined;
    return { kind: holder?.kind ?? kind, start, end: node.end, name: own ?? holder?.name ?? this.wordOf(node, holder?.kind ?? kind, start) };
  }

  private hold(node: LazyNode, holder: Holder): void {
    this.held.set(node, holder);
  }

  private holdFunction(value: LazyNode, holder: Holder): void {
    const inner = skipClothes(value);
    if (isFunction(inner)) this.hold(inner, holder);
  }

  private enterProperty(node: LazyNode): void {
    const { method, kind, value, shorthand } = node;
    if (shorthand) return;
    if (method || kind === 'get' || kind === 'set') this.hold(value, { kind: method ? 'method' : kind === 'get' ? 'getter' : 'setter', start: node.start, name: this.nameOfKey(node) });
    else if (isFunction(skipClothes(value))) this.holdFunction(value, { name: this.nameOfKey(node) });
  }

  private enterMethod(node: LazyNode): void {
    const { kind, value, key, computed } = node;
    const start = startOfMember(node);
    // To the compiler, whatever is called `constructor` is one, `static` or not.
    const isConstructor = kind === 'constructor' || (kind === 'method' && !computed && !value.generator && (key.name ?? key.value) === 'constructor' && key.type !== 'PrivateIdentifier');
    if (isConstructor) this.hold(value, { kind: 'constructor', start });
    else this.hold(value, { kind: kind === 'get' ? 'getter' : kind === 'set' ? 'setter' : 'method', start, name: this.nameOfKey(node) });
  }

  private enterAssignment(node: LazyNode): void {
    const { left, right } = node;
    const inner = skipClothes(right);
    // Parentheses around the target are not in the tree, and end what the name is taken from.
    if (!isFunction(inner) || inner.end !== right.end || left.start !== node.start) return;
    if (left.type === 'IdentifierReference') this.hold(inner, { name: placeOf(left) });
    else if (left.type === 'StaticMemberExpression' || left.type === 'PrivateFieldExpression') this.hold(inner, { name: placeOf(left.property) });
  }

  private nameOfKey({ key, computed }: LazyNode): NamePlace {
    if (!computed) return placeOf(key, this.text);
    let start = this.text.lastIndexOf('[', key.start - 1);
    // There may be one in a comment between them.
    while (start >= 0 && behindTrivia(this.text, start + 1) !== key.start) start = this.text.lastIndexOf('[', start - 1);
    const end = behindTrivia(this.text, key.end) + 1;
    return { name: this.text.slice(start, end), start, end };
  }

  /** The first telling word of a function without a name. */
  private wordOf(node: LazyNode, kind: FunctionKind, start: number): NamePlace {
    if (kind === 'constructor') return this.word('constructor', 'constructor', start, node.end);
    if (kind === 'staticBlock') return this.word('static', 'static', start, node.end);
    if (kind === 'arrow') return this.arrowOf(node);
    if (kind === 'functionExpression') return this.word('function', ANONYMOUS, start, node.end);
    return { name: kind === 'function' ? 'default' : ANONYMOUS, start, end: Math.min(node.end, start + 'function'.length) };
  }

  private word(word: string, name: string, start: number, end: number): NamePlace {
    const at = this.text.indexOf(word, start);
    return at >= 0 && at < end ? { name, start: at, end: at + word.length } : { name, start, end: start };
  }

  /** Between the head and `=>` there are only signs and comments; what takes the rest is no part of the tree. */
  private arrowOf({ start, typeParameters, params, returnType, body }: LazyNode): NamePlace {
    const { text } = this;
    let at: number = returnType?.end ?? (params.items as readonly LazyNode[]).at(-1)?.end ?? typeParameters?.end ?? start;
    while (at < body.start && !text.startsWith('=>', (at = behindTrivia(text, at)))) at = text.startsWith('...', at) ? text.lastIndexOf('=>', body.start) : at + 1;
    if (behindTrivia(text, at + '=>'.length) !== body.start) throw new OddScript('An arrow in an odd place.');
    return { name: ANONYMOUS, start: at, end: at + '=>'.length };
  }
}

/** Its decorators and modifiers are part of a member. */
export function startOfMember(node: LazyNode): number {
  const [decorator] = (node['decorators'] ?? []) as readonly LazyNode[];
  return Math.min(node.start, decorator?.start ?? node.start);
}

/** A name as it is meant; what is no word or text, as it is written. */
export function placeOf(name: LazyNode, text = ''): NamePlace {
  return { name: textOf(name, text), start: name.start, end: name.end };
}

function textOf({ type, name, value, start, end }: LazyNode, text: string): string {
  if (type === 'PrivateIdentifier') return `#${name}`;
  if (type === 'StringLiteral') return value;
  if (type === 'NumericLiteral') return String(value);
  return name ?? text.slice(start, end);
}

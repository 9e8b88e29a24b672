// The named definitions around some places of a lazily read script: what `script/scopes.ts` tells from the compiler's tree.

import type { Scope } from '../script/scopes.ts';
import type { LazyHandlers, LazyNode } from './lazyTree.ts';
import { startOfMember } from './skimNames.ts';
import { isFunction } from './skimNodes.ts';

export class ScopeWalk {
  private around: readonly number[] = [];
  private found: Scope[] = [];
  private readonly paths: string[] = [];
  /** Where exported declarations begin. */
  private starts = new Map<LazyNode, number>();
  /** Declarations of variables at the top level of the file or of a namespace. */
  private top = new Set<LazyNode>();

  begin(program: LazyNode, around: readonly number[]): void {
    [this.around, this.found, this.starts, this.top] = [around, [], new Map(), new Set()];
    this.paths.length = 0;
    this.addTop(program['body']);
  }

  /** Outer before inner, in the order of the text. */
  end(): readonly Scope[] {
    return this.found.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  handlers(): LazyHandlers {
    const declared = (node: LazyNode): void => this.enter(node, node['id']?.name ?? null);
    const exported = (node: LazyNode): void => void this.starts.set(node['declaration'], node.start);
    const member = (node: LazyNode): void => this.enter(node, node['computed'] ? null : nameOf(node['key']));
    const leave = (): void => void this.paths.pop();
    const walk: Record<string, (node: LazyNode) => void> = {
      Function: (node) => this.enter(node, node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction' ? (node['id']?.name ?? null) : null),
      Class: (node) => this.enter(node, node.type === 'ClassDeclaration' ? (node['id']?.name ?? null) : null),
      TSInterfaceDeclaration: declared,
      TSTypeAliasDeclaration: declared,
      TSEnumDeclaration: declared,
      TSNamespaceDeclaration: declared,
      TSExternalModuleDeclaration: (node) => this.enter(node, node['id'].value),
      TSGlobalDeclaration: (node) => this.enter(node, 'global'),
      MethodDefinition: (node) => this.enter(node, node['kind'] === 'constructor' ? 'constructor' : node['computed'] ? null : nameOf(node['key'])),
      PropertyDefinition: member,
      AccessorProperty: member,
      ObjectProperty: (node) => this.enter(node, nameOfProperty(node)),
      VariableDeclarator: (node) => this.enter(node, node['id'].type === 'BindingIdentifier' && (isValued(node['init']) || this.top.has(node)) ? node['id'].name : null),
    };
    const left = Object.keys(walk).map((type) => [`${type}:exit`, leave] as const);
    return { ...walk, ...Object.fromEntries(left), ExportDeclaration: exported, ExportDefaultDeclaration: exported, TSModuleBlock: (node) => this.addTop(node['body']) };
  }

  private enter(node: LazyNode, name: string | null): void {
    const prefix = this.paths.at(-1) ?? '';
    const path = name === null ? prefix : prefix === '' ? name : `${prefix}.${name}`;
    this.paths.push(path);
    if (name === null) return;
    const start = Math.min(this.starts.get(node) ?? node.start, startOfMember(node));
    if (this.around.some((place) => start <= place && place < node.end)) this.found.push({ path, start, end: node.end });
  }

  /** The head of a loop at the top level is there too. */
  private addTop(statements: readonly LazyNode[]): void {
    for (const statement of statements) {
      const node: LazyNode | null | undefined = statement.type === 'ExportDeclaration' ? statement['declaration'] : statement.type === 'ForStatement' ? statement['init'] : /^For(In|Of)Statement$/.test(statement.type) ? statement['left'] : statement;
      if (node?.type === 'VariableDeclaration') for (const one of node['declarations']) this.top.add(one);
    }
  }
}

function nameOf(key: LazyNode): string | null {
  return key.type === 'PrivateIdentifier' ? `#${key['name']}` : key.type === 'StringLiteral' ? key['value'] : (key['name'] ?? null);
}

function nameOfProperty({ key, value, computed, method, kind, shorthand }: LazyNode): string | null {
  if (computed || shorthand) return null;
  if (method || kind !== 'init') return nameOf(key);
  return isValued(value) ? (key.name ?? null) : null;
}

function isValued(value: LazyNode | null): boolean {
  return isFunction(value) || value?.type === 'ClassExpression';
}

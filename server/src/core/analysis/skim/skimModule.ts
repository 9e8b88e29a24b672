// What a lazily read script imports, and what it offers to others.

import { exportedAmong, type Declared, type OfferedByModule } from '../script/exportedDeclaration.ts';
import { specifiersIn } from '../script/calledImports.ts';
import { behindTrivia } from '../script/leadingComments.ts';
import type { LazyNode } from './lazyTree.ts';
import { startOfMember } from './skimNames.ts';
import { behindHashbang, directivesOf, isFunction } from './skimNodes.ts';

const SAYS_MODULE = /\b(?:im|ex)port\b/;
const SAYS_EXPORT = /\bexport\b/;
const EXPORTS = /^(Export|TSExport|TSNamespaceExport)/;
const DECLARES = /^(Export|Import|TSExport|TSNamespaceExport|TSImportEquals|VariableDeclaration$|TSInterface|TSTypeAlias|TSEnum|TSNamespace|TSExternalModule|TSGlobal|Class|FunctionDeclaration|TSDeclareFunction)/;
const KINDS: Readonly<Record<string, Declared['kind']>> = { FunctionDeclaration: 'function', TSDeclareFunction: 'function', ClassDeclaration: 'class', TSInterfaceDeclaration: 'interface', TSTypeAliasDeclaration: 'type', TSEnumDeclaration: 'enum' };

/** Specifiers as written, each once: those of statements before those of calls. */
export function importsOf(text: string, program: LazyNode): string[] {
  const found = new Set<string>();
  // Reading the statements costs more than asking whether there can be any of these.
  if (SAYS_MODULE.test(text)) for (const statement of program['body'] as readonly LazyNode[]) {
    const { source, moduleReference } = statement.type === 'ExportDeclaration' ? statement['declaration'] : statement;
    if (source) found.add(source.value);
    if (moduleReference?.type === 'TSExternalModuleReference') found.add(moduleReference.expression.value);
  }
  for (const specifier of specifiersIn(text)) found.add(specifier);
  found.delete('');
  return [...found];
}

export function offeredIn(text: string, program: LazyNode): OfferedByModule {
  if (!SAYS_EXPORT.test(text)) return { text, exported: [], places: [] };
  const statements = [...(program['body'] as readonly LazyNode[])];
  const directives = directivesOf(text, program, behindHashbang(text));
  const placeOf = (at: number): number => statements[at - 1]?.end ?? directives.at(-1) ?? 0;
  const declared = statements.flatMap((statement, at) => declaredBy(statement, placeOf(at), text) ?? []);
  return {
    text,
    exported: exportedAmong(text, declared, new Set(statements.flatMap(listedBy))),
    places: statements.flatMap(({ type }, at) => (at + directives.length > 0 && DECLARES.test(type) ? [placeOf(at)] : [])),
  };
}

function declaredBy(statement: LazyNode, pos: number, text: string): Declared | null {
  const exported = statement.type === 'ExportDeclaration' || statement.type === 'ExportDefaultDeclaration';
  const node: LazyNode = exported ? statement['declaration'] : statement;
  const placed = { pos, start: Math.min(statement.start, startOfMember(node)), end: statement.end, exported };
  const kind = KINDS[node.type];
  if (kind) return { ...placed, kind, ...(node['id'] ? named(node['id']) : { name: 'default', ...wordDefault(statement, text) }), size: kind === 'function' && node['body'] ? sizeOf(node['body'], text) : 0 };
  if (node.type !== 'VariableDeclaration') return null;
  for (const { id, init } of node['declarations'] as readonly LazyNode[]) {
    if (!isFunction(init)) continue;
    return id.type === 'BindingIdentifier' ? { ...placed, kind: 'constant function', ...named(id), size: init.body.type === 'FunctionBody' ? sizeOf(init.body, text) : 1 } : null;
  }
  return null;
}

function named({ name, start, end }: LazyNode): Pick<Declared, 'name' | 'nameStart' | 'nameEnd'> {
  return { name: name, nameStart: start, nameEnd: end };
}

function wordDefault({ start }: LazyNode, text: string): Pick<Declared, 'nameStart' | 'nameEnd'> {
  const at = behindTrivia(text, start + 'export'.length);
  return { nameStart: at, nameEnd: at + 'default'.length };
}

function sizeOf(body: LazyNode, text: string): number {
  return body['body'].length + directivesOf(text, body, body.start + 1).length;
}

/** Names that are offered apart from where they are declared. */
function listedBy(statement: LazyNode): string[] {
  if (!EXPORTS.test(statement.type)) return [];
  if (statement.type === 'ExportNamedDeclaration') return (statement['specifiers'] as readonly LazyNode[]).map(({ local }) => local.name ?? local.value);
  const value: LazyNode | undefined = statement.type === 'ExportDefaultDeclaration' ? statement['declaration'] : statement.type === 'TSExportAssignment' ? statement['expression'] : undefined;
  return value?.type === 'IdentifierReference' ? [value['name']] : [];
}

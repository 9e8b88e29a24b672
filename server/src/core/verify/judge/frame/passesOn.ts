// Decides whether a module of the repository only passes on what another one exports.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../../model.ts';
import { listPythonLines } from '../pythonStatements.ts';
import { isSameModule, normaliseModule, WHOLE_MODULE } from './modules.ts';
import { readPythonFile } from './pythonFrame.ts';
import { findExportedName, memberOf, originOf, readScriptFrame } from './scriptFrame.ts';
import type { FramePart, Origin } from './testFrame.ts';

/** What was imported, and by which name it is imported now. */
interface Passing {
  readonly origin: Origin;
  /** The path of the file that imported it. */
  readonly from: string;
  readonly now: Origin;
}

/** True if `now`, an export of the file that `target` edits, is what `origin` was. */
export function passesOn(target: FileEdit | undefined, { origin, from, now }: Passing): boolean {
  if (!target || target.after === null) return false;
  const found = target.path.endsWith('.py')
    ? findPythonSource(target.after, now)
    : findScriptSources(target.path, target.after, now);
  return found.some(
    ({ module, name }) => isSameModule(module, target.path, origin.module, from) && isSameName(name, origin.name),
  );
}

function isSameName(first: string, second: string): boolean {
  return first === second || (WHOLE_MODULE.test(first) && WHOLE_MODULE.test(second));
}

/** The last import that binds the name, unless the file declares the name itself. */
function findPythonSource(text: string, now: Origin): readonly Origin[] {
  const { parts } = readPythonFile(text).frame;
  const declared = parts.filter(({ names, scope }) => scope === '' && names.includes(now.name));
  const isAssigned = listPythonLines(text).some(({ code }) => code.startsWith(`${now.name} =`));
  const origins = declared.flatMap(({ origin }) => origin ?? []);
  const passed =
    declared.length === 0 ? parts.flatMap(({ names, origin }) => (origin && names[0] === '*' ? [origin] : [])) : [];
  if (isAssigned || origins.length < declared.length) return [];
  return [...origins, ...passed.map(({ module }) => ({ module, name: now.name }))];
}

/** What the exported name may stand for: exports with `*` pass on anything that the file does not declare. */
function findScriptSources(path: string, text: string, now: Origin): readonly Origin[] {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : /\.[cm]?js$/.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const { parts } = readScriptFrame(source);
  const wildcards: Origin[] = [];
  for (const statement of source.statements) {
    const named = ts.isExportDeclaration(statement)
      ? sourceOfExport(statement, now, parts, wildcards)
      : sourceOfAssigned(statement, now, parts, wildcards);
    if (named) return named === 'own' ? [] : [named];
  }
  const own = parts.find(({ names }) => names.includes(now.name));
  if (own && !isDefault(now)) return own.origin ? [own.origin] : [];
  return wildcards;
}

function isDefault({ name }: Origin): boolean {
  return name === 'default' || name === '*';
}

type Source = Origin | 'own' | null;

/** The source of the name in `export { a } from 'm'` and `export { a }`; null if the statement does not export it. */
function sourceOfExport(
  { moduleSpecifier, exportClause }: ts.ExportDeclaration,
  now: Origin,
  parts: readonly FramePart[],
  wildcards: Origin[],
): Source {
  const module =
    moduleSpecifier && ts.isStringLiteralLike(moduleSpecifier) ? normaliseModule(moduleSpecifier.text) : null;
  if (!exportClause) {
    if (module !== null) wildcards.push({ module, name: now.name });
    return null;
  }
  if (!ts.isNamedExports(exportClause)) return null;
  const element = exportClause.elements.find(({ name }) => name.text === now.name);
  if (!element) return null;
  const local = (element.propertyName ?? element.name).text;
  return module === null ? sourceOfName(local, parts) : { module, name: local };
}

/** The source of the name in `export default a`, `exports.a = …` and `module.exports = …`. */
function sourceOfAssigned(
  statement: ts.Statement,
  now: Origin,
  parts: readonly FramePart[],
  wildcards: Origin[],
): Source {
  const isWhole = isDefault(now);
  if (ts.isExportAssignment(statement)) return isWhole ? sourceOfValue(statement.expression, parts) : null;
  const exported = findExportedName(statement);
  if (!exported) return null;
  const member = exported.name.replace(/^exports /, '');
  if (member !== '') return member === now.name ? sourceOfValue(exported.value, parts) : null;
  if (!ts.isObjectLiteralExpression(exported.value)) {
    const whole = sourceOfValue(exported.value, parts);
    return whole === null || whole === 'own' || isWhole ? whole : memberOf(whole, now.name);
  }
  for (const property of exported.value.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      const spread = sourceOfValue(property.expression, parts);
      if (spread !== null && spread !== 'own') wildcards.push({ module: spread.module, name: now.name });
    } else if (property.name?.getText() === now.name) {
      if (ts.isShorthandPropertyAssignment(property)) return sourceOfName(now.name, parts);
      return ts.isPropertyAssignment(property) ? sourceOfValue(property.initializer, parts) : 'own';
    }
  }
  return null;
}

function sourceOfName(name: string, parts: readonly FramePart[]): Source {
  return parts.find(({ names }) => names.includes(name))?.origin ?? 'own';
}

function sourceOfValue(value: ts.Expression, parts: readonly FramePart[]): Source {
  if (ts.isIdentifier(value)) return sourceOfName(value.text, parts);
  if (ts.isPropertyAccessExpression(value)) {
    const inner = sourceOfValue(value.expression, parts);
    return inner === null || inner === 'own' ? 'own' : memberOf(inner, value.name.text);
  }
  return originOf(value) ?? 'own';
}

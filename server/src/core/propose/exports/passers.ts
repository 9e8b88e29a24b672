// Follows an exported name through the files that pass it on, and says whether any file takes it.

import { ts } from 'ts-morph';
import { importsOf, plain, type Importers } from './importers.ts';

export interface Passers {
  /** The parts of `export { name } from …` to take out. */
  readonly specifiers: readonly {
    readonly path: string;
    readonly sourceFile: ts.SourceFile;
    readonly node: ts.ExportSpecifier;
  }[];
}

const MOST_HOPS = 8;

/** Refused when any file imports the name, or may. `name` as importers call it. */
export function passersOf(importers: Importers, path: string, name: string): Passers | { readonly refused: string } {
  const specifiers: { path: string; sourceFile: ts.SourceFile; node: ts.ExportSpecifier }[] = [];
  const parsed = new Map<string, ts.SourceFile | null>();
  const open: { path: string; name: string; hops: number }[] = [{ path, name, hops: 0 }];
  const seen = new Set<string>();
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path}\0${next.name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (next.hops > MOST_HOPS) return { refused: 'The name is passed on too often to be followed.' };
    for (const { path: from, specifier, sure } of importers.of(next.path)) {
      if (plain(from) === plain(next.path)) continue;
      if (!parsed.has(from)) parsed.set(from, importers.sourceFile(from));
      const sourceFile = parsed.get(from);
      const mention =
        next.name === 'default'
          ? /\bimport\s+[\w$]+|\bdefault\b/
          : new RegExp(`(?<![\\w$])${next.name.replaceAll('$', '\\$')}(?![\\w$])`);
      if (!sourceFile) {
        if (mention.test(importers.text(from))) return { refused: `${from} may use it.` };
        continue;
      }
      for (const node of importsOf(sourceFile, specifier)) {
        if (ts.isImportDeclaration(node)) {
          if (takes(node, next.name, importers.text(from)))
            return {
              refused: `${from} imports it${sure ? '' : ', or something of that name from a like-named file'}.`,
            };
        } else if (ts.isExportDeclaration(node)) {
          const { exportClause } = node;
          if (!exportClause) open.push({ path: from, name: next.name, hops: next.hops + 1 });
          else if (ts.isNamespaceExport(exportClause))
            return { refused: `${from} passes on everything as one object.` };
          else {
            for (const element of exportClause.elements) {
              if ((element.propertyName ?? element.name).text !== next.name) continue;
              if (!sure) return { refused: `${from} passes on something of that name.` };
              specifiers.push({ path: from, sourceFile, node: element });
              open.push({ path: from, name: element.name.text, hops: next.hops + 1 });
            }
          }
        } else if (mention.test(importers.text(from)))
          return { refused: `${from} loads the file in a way that may use it.` };
      }
    }
  }
  return { specifiers };
}

function takes({ importClause }: ts.ImportDeclaration, name: string, text: string): boolean {
  if (!importClause) return false;
  if (name === 'default' && importClause.name) return true;
  const bindings = importClause.namedBindings;
  if (!bindings) return false;
  if (ts.isNamespaceImport(bindings))
    return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
  return bindings.elements.some((element) => (element.propertyName ?? element.name).text === name);
}
